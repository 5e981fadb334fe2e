"""Domains of one value: numbers, days, choices, truth values, texts, and what may be missing."""

from __future__ import annotations

import json
import math
import re
from calendar import isleap
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice
from typing import Any, ClassVar

import numpy as np

from audit.errors import DomainError, shown
from audit.neighbors.domain.record import ANY, ColumnDomain, Sizes, distinct, is_missing, key
from audit.validation import is_number, native

INT64_LOW, INT64_HIGH = -(2**63), 2**63 - 1
TYPE_EDGES = (127, 255, 32_767, 65_535, 2**31 - 1, 2**32 - 1)
"""Largest values of the integer types below int64; one more does not fit."""
_SIGNED = (127, 32_767, 2**31 - 1)
_FAR = 1_000_000
"""End of a domain without bounds: far enough to show clipping, near enough for exact sums."""
_LARGEST = float(np.finfo(np.float64).max)


@dataclass(frozen=True, slots=True)
class IntDomain(ColumnDomain):
    """Integers from low to high, both included.

    Attributes:
        low: lowest record, by default that of int64, which means no bound.
        high: highest record, likewise.
        sizes: how many records a dataset may have.
    """

    low: int = INT64_LOW
    high: int = INT64_HIGH
    sizes: Sizes = ANY
    dtype: ClassVar[str] = "int64"

    def __post_init__(self) -> None:
        for bound in (self.low, self.high):
            if not INT64_LOW <= bound <= INT64_HIGH:
                said = f"bound {shown(bound)} of an int domain does not fit into int64; write inf"
                raise DomainError(said, bound)
        _check_order(self.low, self.high, "low end", "int:LOW:HIGH")

    @property
    def ends(self) -> tuple[int, int]:
        low = self.low if self.low > INT64_LOW else min(0, self.high) - _FAR
        high = self.high if self.high < INT64_HIGH else max(0, self.low) + _FAR
        return max(low, self.low), min(high, self.high)

    @property
    def extremes(self) -> tuple[int, ...]:
        """Both ends, 0, 1, -1, the middle, the edges of int64, then of smaller types."""
        low, high = self.ends
        edges = [edge for top in TYPE_EDGES for edge in (top, top + 1)]
        bottoms = [edge for top in _SIGNED for edge in (-top - 1, -top - 2)]
        tried = (low, high, 0, 1, -1, (low + high) // 2, self.high, self.low, *edges, *bottoms)
        tried = (*tried, self.high - 1, self.low + 1)
        return distinct(record for record in tried if self.contains(record))

    def contains(self, record: Any) -> bool:
        return is_number(record) and self.low <= record <= self.high and record == int(record)

    def opposite(self, record: int) -> int:
        low, high = self.ends
        return high if record - low <= high - record else low

    def __str__(self) -> str:
        low = "" if self.low == INT64_LOW else self.low
        high = "" if self.high == INT64_HIGH else self.high
        return f"int:{low}:{high}".removesuffix("::") + f"{self.sizes}"


@dataclass(frozen=True, slots=True)
class FloatDomain(ColumnDomain):
    """Floating-point numbers from low to high, both included.

    An infinite bound is itself a record; NaN is one when both are infinite.

    Attributes:
        low: lowest record.
        high: highest record.
        sizes: how many records a dataset may have.
        special: whether NaN and both infinities are records all the same, as they come
            through many a check of bounds; -0.0 is tried as well.
    """

    low: float = -math.inf
    high: float = math.inf
    sizes: Sizes = ANY
    special: bool = False
    dtype: ClassVar[str] = "float64"

    def __post_init__(self) -> None:
        if math.isnan(self.low) or math.isnan(self.high):
            raise DomainError("NaN is no bound of a float domain; use numbers or inf", math.nan)
        _check_order(self.low, self.high, "low end", "float:LOW:HIGH")
        if self.low == math.inf or self.high == -math.inf:
            raise DomainError(f"domain {self} holds no finite number; widen it", self)

    @property
    def _unbounded(self) -> bool:
        return self.low == -math.inf and self.high == math.inf

    @property
    def ends(self) -> tuple[float, float]:
        low = self.low if math.isfinite(self.low) else min(0.0, self.high) - _FAR
        high = self.high if math.isfinite(self.high) else max(0.0, self.low) + _FAR
        return float(low), float(high)

    @property
    def extremes(self) -> tuple[float, ...]:
        """Both ends, 0, 1, -1, the middle, and what only unbounded numbers reach."""
        low, high = self.ends
        plain = (low, high, 0.0, 1.0, -1.0, low / 2 + high / 2)
        odd = (math.nan, math.inf, _LARGEST, -math.inf, -_LARGEST, *([-0.0] * self.special))
        return distinct(record for record in (*plain, *odd) if self.contains(record))

    def contains(self, record: Any) -> bool:
        if not is_number(record):
            return False
        if math.isnan(record):
            return self.special or self._unbounded
        return self.low <= record <= self.high or (self.special and math.isinf(record))

    def opposite(self, record: float) -> float:
        low, high = self.ends
        return high if record <= low / 2 + high / 2 else low

    def __str__(self) -> str:
        if self._unbounded and not self.special:
            return f"float{self.sizes}"
        bounds = ":".join(repr(float(x)).removesuffix(".0") for x in (self.low, self.high))
        return f"float:{bounds}{':special' * self.special}{self.sizes}"


def _check_order(low: Any, high: Any, first: str, form: str) -> None:
    if low > high:
        kind = form.partition(":")[0]
        empty = f"{kind} domain from {low} to {high} is empty; write the {first} first: {form}"
        raise DomainError(empty, (low, high))


@dataclass(frozen=True, slots=True)
class DateDomain(ColumnDomain):
    """Days from low to high, both included, as ISO strings such as "2020-02-29".

    Attributes:
        low: the first day.
        high: the last day.
        sizes: the number of records a dataset may have.
    """

    low: date
    high: date
    sizes: Sizes = ANY
    dtype: ClassVar[str] = "str"

    def __post_init__(self) -> None:
        _check_order(self.low, self.high, "first day", "date:FIRST:LAST")

    @property
    def ends(self) -> tuple[str, str]:
        return self.low.isoformat(), self.high.isoformat()

    @property
    def extremes(self) -> tuple[str, ...]:
        """Both ends, the middle, the days next to the ends, a leap day, the epoch."""
        first, last = self.low.toordinal(), self.high.toordinal()
        inner = (date.fromordinal(day) for day in ((first + last) // 2, first + 1, last - 1))
        leap = (date(y, 2, 29) for y in range(self.low.year, self.high.year + 1) if isleap(y))
        tried = (self.low, self.high, *inner, *islice(leap, 2), date(1970, 1, 1))
        return distinct(day.isoformat() for day in tried if self.low <= day <= self.high)

    def contains(self, record: object) -> bool:
        """True for an ISO string, a date or a timestamp of a day between the ends."""
        day = day_of(record)
        return day is not None and self.low <= day <= self.high

    def opposite(self, record: object) -> str:
        day, (first, last) = day_of(record) or self.low, self.ends
        return last if day - self.low <= self.high - day else first

    def at(self, part: float) -> str:
        """Return the day at a part, from 0 to 1, of the way from the first to the last."""
        first, last = self.low.toordinal(), self.high.toordinal()
        return date.fromordinal(first + round(part * (last - first))).isoformat()

    def __str__(self) -> str:
        return f"date:{self.low}:{self.high}{self.sizes}"


def day_of(record: object) -> date | None:
    """The day of an ISO string, a date or a timestamp; None for anything else."""
    value = native(record)
    if isinstance(value, str):
        try:
            return datetime.fromisoformat(value).date()
        except ValueError:
            return None
    if not isinstance(value, date) or value != value:  # the missing timestamp of pandas
        return None
    return value.date() if isinstance(value, datetime) else value


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
        twice, kinds = len(distinct(self.choices)) < len(self.choices), set(map(type, self.choices))
        if twice or len(kinds) > 1:
            wrong = "names a choice twice; name each once"
            wrong = wrong if twice else "mixes strings and numbers; use one kind"
            raise DomainError(f"domain {str(self)!r} {wrong}", self.choices)

    @property
    def dtype(self) -> str:
        """See `ColumnDomain.dtype`."""
        return {str: "str", int: "int64", float: "float64"}[type(self.choices[0])]

    @property
    def ends(self) -> tuple[Choice, Choice]:
        return self.choices[0], self.choices[-1]

    @property
    def extremes(self) -> tuple[Choice, ...]:
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


@dataclass(frozen=True, slots=True)
class TextDomain(ColumnDomain):
    """Strings of any length and alphabet.

    Attributes:
        sizes: the number of records a dataset may have.
    """

    sizes: Sizes = ANY
    dtype: ClassVar[str] = "str"
    ends: ClassVar[tuple[str, str]] = ("a", "b")
    extremes: ClassVar[tuple[str, ...]] = ("a", "b", "", "A", "ab", "0", "é", " a", "a" * 100)

    def contains(self, record: object) -> bool:
        return isinstance(key(record), str)

    def __str__(self) -> str:
        return f"text{self.sizes}"


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
        return {"int64": "float64", "bool": "object"}.get(self.values.dtype, self.values.dtype)

    @property
    def ends(self) -> tuple[Any, Any]:
        return self.values.ends

    @property
    def extremes(self) -> tuple[Any, ...]:
        """Both ends, the missing value, then other values."""
        return distinct((*self.ends, None, *self.values.extremes))

    def contains(self, record: object) -> bool:
        return is_missing(record) or self.values.contains(record)

    def opposite(self, record: Any) -> Any:
        return self.ends[1] if is_missing(record) else self.values.opposite(record)

    def dataset(self, records: Sequence[Any]) -> list[Any]:
        return list(records)

    def __str__(self) -> str:
        return f"{self.values}{MISSING}{self.sizes}"
