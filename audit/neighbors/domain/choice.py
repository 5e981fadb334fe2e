"""Domains of a few values, of true and false, of any text, and of values that may be missing."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from audit.errors import DomainError
from audit.neighbors.domain.record import ANY, ColumnDomain, Sizes, distinct, is_missing, key

Choice = str | int | float
COLUMN = re.compile(r"\s*([^\W\d][\w .-]*?)\s*=(.*)", re.DOTALL)
"""A column and what stands behind its name."""
RANGE = re.compile(r"(int|float|date):[^:]*:[^:]*")
"""Values of a column between two bounds."""
MISSING = ":missing"
NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")


@dataclass(frozen=True, slots=True)
class ChoiceDomain(ColumnDomain):
    """One of a list of values, all of them strings, integers or floats.

    Attributes:
        choices: the values, each once, in the order given.
        sizes: how many records a dataset may have.
    """

    choices: tuple[Choice, ...]
    sizes: Sizes = ANY

    def __post_init__(self) -> None:
        if not self.choices:
            raise DomainError("a choice domain needs choices; write for example choice:a,b,c", self)
        if len(distinct(self.choices)) < len(self.choices):
            raise DomainError(
                f"domain {str(self)!r} names a choice twice; name each once", self.choices
            )
        if len({type(choice) for choice in self.choices}) > 1:
            raise DomainError(
                f"domain {str(self)!r} mixes strings and numbers; use one kind", self.choices
            )

    @property
    def dtype(self) -> str:
        """See `ColumnDomain.dtype`."""
        return {str: "str", int: "int64", float: "float64"}[type(self.choices[0])]

    @property
    def ends(self) -> tuple[Choice, Choice]:
        """The first and the last choice."""
        return self.choices[0], self.choices[-1]

    @property
    def extremes(self) -> tuple[Choice, ...]:
        """Both ends, then the other choices in their order."""
        return distinct((*self.ends, *self.choices))

    def contains(self, record: object) -> bool:
        """True if it is one of the choices; numbers are no strings, nor true and false."""
        return not isinstance(record, (bool, np.bool_)) and key(record) in self.choices

    def __str__(self) -> str:
        texts = [*map(str, self.choices)]
        numbers = self.dtype == "str" and all(map(NUMBER.fullmatch, texts))
        quoted = (json.dumps(t, ensure_ascii=False) if numbers or _is_odd(t) else t for t in texts)
        return f"choice:{','.join(quoted)}{self.sizes}"


def _is_odd(text: str) -> bool:
    """True if a choice would be read as something else without quotes."""
    ends = text != text.strip() or not text or text.endswith((MISSING, "]"))
    return ends or bool(set(',"') & set(text) or COLUMN.fullmatch(text) or RANGE.fullmatch(text))


@dataclass(frozen=True, slots=True)
class BoolDomain(ColumnDomain):
    """False or True.

    Attributes:
        sizes: how many records a dataset may have.
    """

    sizes: Sizes = ANY
    dtype: ClassVar[str] = "bool"
    ends: ClassVar[tuple[bool, bool]] = (False, True)
    extremes: ClassVar[tuple[bool, ...]] = (False, True)

    def contains(self, record: object) -> bool:
        """True if it is a truth value; 0 and 1 are numbers, not truth values."""
        return isinstance(record, (bool, np.bool_))

    def __str__(self) -> str:
        return f"bool{self.sizes}"


_LONG = 100


@dataclass(frozen=True, slots=True)
class TextDomain(ColumnDomain):
    """Strings of any length and alphabet.

    Attributes:
        sizes: the number of records a dataset may have.
    """

    sizes: Sizes = ANY
    dtype: ClassVar[str] = "str"
    ends: ClassVar[tuple[str, str]] = ("a", "b")
    extremes: ClassVar[tuple[str, ...]] = ("a", "b", "", "A", "ab", "0", "é", " a", "a" * _LONG)

    def contains(self, record: object) -> bool:
        """True for strings."""
        return isinstance(key(record), str)

    def __str__(self) -> str:
        return f"text{self.sizes}"


_DTYPES = {"int64": "float64", "bool": "object"}
"""Columns of other types hold missing values as they are."""


@dataclass(frozen=True, slots=True)
class MissingDomain(ColumnDomain):
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
        return f"{self.values}{MISSING}{self.sizes}"
