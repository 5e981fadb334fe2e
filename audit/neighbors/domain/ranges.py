"""Domains of numbers, bounded or not, and of days between two dates."""

from __future__ import annotations

import math
import sys
from calendar import isleap
from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice
from typing import Any, ClassVar

from audit.errors import DomainError, shown
from audit.neighbors.domain.record import ANY, ColumnDomain, Sizes, distinct
from audit.validation import is_number, native

INT64_LOW, INT64_HIGH = -(2**63), 2**63 - 1
TYPE_EDGES = (127, 255, 32_767, 65_535, 2**31 - 1, 2**32 - 1)
"""Largest values of the integer types below int64; one more does not fit."""

_SIGNED = (127, 32_767, 2**31 - 1)

_FAR = 1_000_000
"""End of a domain without bounds: far enough to show that nothing clips it,
near enough for sums of it to stay exact."""
_LARGEST = sys.float_info.max


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
        """Both ends, 0, 1, -1, the middle, the edges of int64, then of smaller types.

        An edge is the last number that a type holds, and the one beside it.
        """
        low, high = self.ends
        edges = [edge for top in TYPE_EDGES for edge in (top, top + 1)]
        bottoms = [edge for top in _SIGNED for edge in (-top - 1, -top - 2)]
        tried = (low, high, 0, 1, -1, (low + high) // 2, self.high, self.low, *edges, *bottoms)
        tried = (*tried, self.high - 1, self.low + 1)
        return distinct(record for record in tried if self.contains(record))

    def contains(self, record: Any) -> bool:
        """True if it is a number without fraction between the bounds."""
        return is_number(record) and self.low <= record <= self.high and record == int(record)

    def opposite(self, record: int) -> int:
        low, high = self.ends
        return high if record - low <= high - record else low

    def __str__(self) -> str:
        low = "" if self.low == INT64_LOW else str(self.low)
        high = "" if self.high == INT64_HIGH else str(self.high)
        bounds = f":{low}:{high}" if low or high else ""
        return f"int{bounds}{self.sizes}"


@dataclass(frozen=True, slots=True)
class FloatDomain(ColumnDomain):
    """Floating-point numbers from low to high, both included.

    An infinite bound is itself a record; NaN is one when both are infinite,
    because then nothing at all is promised about the numbers.

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
        """True if it is a number between the bounds, or NaN if that is admitted."""
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
        raise DomainError(
            f"{kind} domain from {low} to {high} is empty; write the {first} first: {form}",
            (low, high),
        )


_EPOCH = date(1970, 1, 1)


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
        """The first and the last day."""
        return self.low.isoformat(), self.high.isoformat()

    @property
    def extremes(self) -> tuple[str, ...]:
        """Both ends, the middle, the days next to the ends, a leap day, the epoch."""
        first, last = self.low.toordinal(), self.high.toordinal()
        inner = (date.fromordinal(day) for day in ((first + last) // 2, first + 1, last - 1))
        years = range(self.low.year, self.high.year + 1)
        leap = (date(year, 2, 29) for year in years if isleap(year))
        tried = (self.low, self.high, *inner, *islice(leap, 2), _EPOCH)
        return distinct(day.isoformat() for day in tried if self.low <= day <= self.high)

    def contains(self, record: object) -> bool:
        """True for an ISO string, a date or a timestamp of a day between the ends."""
        day = day_of(record)
        return day is not None and self.low <= day <= self.high

    def opposite(self, record: object) -> str:
        """Return the end that is farther away."""
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
