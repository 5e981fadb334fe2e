"""One record: when two are the same, how to name one, and the interface of its domain."""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from audit.errors import DomainError, shown
from audit.lazy_modules import loaded_pandas as pd
from audit.validation import native

_MISSING: Hashable = ("missing value", float)
_NEGATIVE_ZERO: Hashable = ("negative zero", float)
WIDTH = 60


def key(record: object) -> Hashable:
    """A value that is equal for equal records and can be counted.

    NaN equals NaN, 0.0 does not equal -0.0, arrays equal the lists of their
    numbers, 1 equals 1.0, and objects of unknown types are told apart by how
    they print.
    """
    value = native(record)
    if value is None or isinstance(value, (bool, int, str, bytes)):
        return value
    if value is pd.NA or value is pd.NaT or (isinstance(value, float) and math.isnan(value)):
        return _MISSING
    if isinstance(value, float):
        return value if value or math.copysign(1.0, value) > 0 else _NEGATIVE_ZERO
    return _key_of_entries(value)


def _key_of_entries(value: object) -> Hashable:
    if isinstance(value, np.ndarray):
        return key(value.tolist())
    if isinstance(value, (list, tuple)):
        return tuple(map(key, value))
    if isinstance(value, (set, frozenset)):
        return frozenset(map(key, value))
    if isinstance(value, Mapping):
        return frozenset((str(name), key(entry)) for name, entry in value.items())
    return (type(value).__name__, printed(value))


def is_missing(record: object) -> bool:
    """True for None, NaN and the missing values of pandas."""
    return key(record) in (None, _MISSING)


def distinct(records: Iterable[Any]) -> tuple[Any, ...]:
    """The records without repetitions, in the order of their first appearance."""
    first: dict[Hashable, Any] = {}
    for record in records:
        first.setdefault(key(record), record)
    return tuple(first.values())


def in_words(record: object, width: int = WIDTH) -> str:
    """One record as a reader writes it, at most `width` characters long."""
    value = native(record)
    if isinstance(value, Mapping):
        text = "(" + ", ".join(f"{name}={in_words(entry)}" for name, entry in value.items()) + ")"
    elif isinstance(value, np.ndarray):
        text = printed(value.tolist())
    else:
        text = printed(value)
    text = " ".join(text.split())
    return text if len(text) <= width else text[: width - 1] + "…"


def printed(value: object) -> str:
    """`repr`, also of objects whose own `repr` fails."""
    try:
        return repr(value)
    except Exception:
        return object.__repr__(value)


class Domain(Protocol):
    """The set that records come from.

    `str(domain)` is its notation on the command line, which parses back to an
    equal domain.
    """

    @property
    def sizes(self) -> Sizes:
        """Numbers of records that a dataset may have."""

    @property
    def ends(self) -> tuple[Any, Any]:
        """Two finite records as far apart as is useful, the low one first.

        They are the same record when the domain holds only one.
        """

    @property
    def extremes(self) -> tuple[Any, ...]:
        """The records worth trying first: both ends, then others, each once."""

    def contains(self, record: object) -> bool:
        """True if this may be a record.

        Args:
            record: any value.

        Returns:
            True where it is one; False for whatever is of another kind.
        """

    def opposite(self, record: Any) -> Any:
        """The record farthest from this one, where it has a choice an end.

        Args:
            record: one of the domain.

        Returns:
            Another one; the same where there is no other.
        """

    def dataset(self, records: Sequence[Any]) -> Any:
        """Dataset for a black box, made of these records.

        The kind of container and its dtypes depend on the domain alone, never
        on the records or their number: else the dtype would tell datasets apart.

        Args:
            records: of the domain, n of them.

        Returns:
            An array of shape (n,), a list of n values, or a DataFrame of n rows.
        """


class ColumnDomain(Domain, Protocol):
    """A domain of plain values, which can be a column of a table.

    As a base class it makes lists of strings, and arrays of shape (n,) of anything else.
    """

    @property
    def dtype(self) -> str:
        """The pandas dtype of such a column."""

    def opposite(self, record: Any) -> Any:
        """The high end, or the low one for the high one."""
        low, high = self.ends
        return low if key(record) == key(high) else high

    def dataset(self, records: Sequence[Any]) -> Any:
        """See `Domain.dataset`."""
        return list(records) if self.dtype == "str" else np.array(records, dtype=self.dtype)


_SUFFIX = re.compile(r"\s*\[\s*(\d{1,9})\s*(?:(\.\.)\s*(\d{1,9})?\s*)?\]\s*")
_MEANT = re.compile(r"\[[^\]\[A-Za-z]*\]\s*")
"""What stands where sizes do and names nothing, as choices may."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """A range of numbers of records.

    Attributes:
        least: the fewest.
        most: the most, None when nothing limits them.
    """

    least: int = 0
    most: int | None = None

    def __post_init__(self) -> None:
        if self.most is not None and self.most < max(1, self.least):
            raise DomainError(
                f"sizes {self} leave no dataset with records; write [n] or [m..n] with n of at "
                "least 1 and not below m",
                self,
            )

    def admits(self, size: int) -> bool:
        """True if a dataset may have so many records.

        Args:
            size: how many.

        Returns:
            Whether that is in the range.
        """
        return self.least <= size and (self.most is None or size <= self.most)

    def nearest(self, size: int) -> int:
        """The number of records closest to this one.

        Args:
            size: any number of records.

        Returns:
            One that the range admits.
        """
        return max(self.least, size if self.most is None else min(size, self.most))

    def __str__(self) -> str:
        """As it is written behind a domain; nothing where there is no limit."""
        if self == ANY:
            return ""
        if self.least == self.most:
            return f"[{self.least}]"
        return f"[{self.least}..{'' if self.most is None else self.most}]"


ANY = Sizes()


def split_sizes(spec: str) -> tuple[str, Sizes]:
    """Split the sizes off the end of a domain; DomainError where they cannot be read."""
    before, bracket, _ = spec.rpartition("[")
    suffix = spec[len(before) :] if bracket else ""
    found = _SUFFIX.fullmatch(suffix)
    if found is None and _MEANT.fullmatch(suffix):
        raise DomainError(
            f"sizes {shown(suffix.strip())} of a domain are not [n], [m..n] or [m..], in whole "
            f"numbers of at most 9 digits; write for example {before.strip()}[37]",
            spec,
        )
    if found is None:
        return spec, ANY
    least, range_, most = int(found[1]), found[2], found[3]
    if not range_:
        return before, Sizes(least, least)
    return before, Sizes(least, None if most is None else int(most))
