"""Domains some of whose values may be missing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from audit.neighbors.domain.interface import ANY, ColumnDomain, Sizes
from audit.neighbors.domain.record import distinct, key

_DTYPES = {"int64": "float64", "bool": "object"}
"""Columns of other types hold missing values as they are."""


@dataclass(frozen=True, slots=True)
class MissingDomain:
    """The values of another domain, or a missing value: None, in numeric columns NaN.

    Attributes:
        values: the domain of the values that are present.
        sizes: the number of records a dataset may have.
    """

    values: ColumnDomain
    sizes: Sizes = ANY

    @property
    def dtype(self) -> str:
        """The pandas dtype of such a column; integers become floats, as pandas reads them."""
        return _DTYPES.get(self.values.dtype, self.values.dtype)

    @property
    def ends(self) -> tuple[Any, Any]:
        """Those of the values that are present."""
        ends: tuple[Any, Any] = self.values.ends
        return ends

    @property
    def extremes(self) -> tuple[Any, ...]:
        """Both ends, the missing value, then other values."""
        return distinct((*self.ends, None, *self.values.extremes))

    def contains(self, record: object) -> bool:
        """True for missing values and those of the domain."""
        return is_missing(record) or self.values.contains(record)

    def opposite(self, record: Any) -> Any:
        """Return that of a value that is present; of a missing one the high end."""
        return self.ends[1] if is_missing(record) else self.values.opposite(record)

    def dataset(self, records: Sequence[Any]) -> list[Any]:
        """Return a list of n values, None for missing ones."""
        return list(records)

    def __str__(self) -> str:
        return f"{self.values}:missing{self.sizes}"


def is_missing(record: object) -> bool:
    """True for None, NaN and the missing values of pandas."""
    return key(record) in (None, key(math.nan))
