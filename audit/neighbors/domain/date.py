"""Domains of days between two dates."""

from __future__ import annotations

from calendar import isleap
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice
from typing import ClassVar

from audit.errors import DomainError
from audit.neighbors.domain.interface import ANY, Sizes
from audit.neighbors.domain.record import distinct
from audit.validation import native

_EPOCH = date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class DateDomain:
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
        if self.low > self.high:
            raise DomainError(
                f"date domain from {self.low} to {self.high} is empty; write the first day first: "
                "date:FIRST:LAST",
                (self.low, self.high),
            )

    @property
    def ends(self) -> tuple[str, str]:
        """The first and the last day."""
        return self.low.isoformat(), self.high.isoformat()

    @property
    def extremes(self) -> tuple[str, ...]:
        """Both ends, the middle, the days next to the ends, a leap day, the epoch."""
        first, last = self.low.toordinal(), self.high.toordinal()
        inner = (date.fromordinal(day) for day in ((first + last) // 2, first + 1, last - 1))
        leap = (
            date(year, 2, 29) for year in range(self.low.year, self.high.year + 1) if isleap(year)
        )
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

    def dataset(self, records: Sequence[str]) -> list[str]:
        """Return a list of n ISO strings."""
        return list(records)

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
