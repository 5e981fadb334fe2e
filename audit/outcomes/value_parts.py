"""Parts of single values: of dates and times, of packed bytes, of texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from itertools import islice, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.lazy_modules import loaded_pandas as pd
from audit.outcomes.symbols import Leaf

_EPOCH = datetime(1970, 1, 1)
_OF_A_DAY = ("hour", "minute", "second", "microsecond")
PARTS = ("year", "month", "day of month", "weekday", *_OF_A_DAY)
"""What can be read off a date and time beside the seconds since 1970."""


def is_moment(value: Any) -> bool:
    """True if it is a date, a time of day, both, or a duration."""
    return isinstance(value, (date, time, timedelta, np.datetime64, np.timedelta64))


def moment_leaves(value: Any, name: str) -> dict[str, Leaf]:
    """Its seconds since 1970, its parts, and how far its clock is from UTC where it says so.

    Those of a time of day are since midnight; of a duration there are no others.
    """
    if isinstance(value, (np.datetime64, np.timedelta64)) and np.isnat(value):
        return {name: "NaT"}
    if isinstance(value, (timedelta, np.timedelta64)):
        return {name: _lasting(value)}
    moment, below = _split(value)
    if moment is None:
        return {name: float(value.astype("M8[s]").astype(np.int64))}
    clock = isinstance(value, time)
    found: dict[str, Leaf] = {name: seconds_of(moment) + below / 1e9}
    found |= {
        f"{part} of {name}": part_of(moment, part) for part in (_OF_A_DAY if clock else PARTS)
    }
    if below:
        found[f"nanosecond of {name}"] = float(below)
    offset = value.utcoffset() if clock else moment.utcoffset()
    return found if offset is None else {**found, f"UTC offset of {name}": offset.total_seconds()}


def _lasting(value: timedelta | np.timedelta64) -> float:
    """Seconds of a duration; of one in months, years or no unit how many of them it is."""
    if isinstance(value, pd.Timedelta):
        value = value.to_timedelta64()
    if isinstance(value, timedelta):
        return value.total_seconds()
    unit, _ = np.datetime_data(value.dtype)
    if unit in ("generic", "Y", "M"):
        return float(value.astype(np.int64))
    return float(value / np.timedelta64(1, "s"))


def seconds_of(moment: datetime) -> float:
    """Seconds since 1970; without a time zone as if it were in UTC."""
    epoch = _EPOCH if moment.tzinfo is None else _EPOCH.replace(tzinfo=UTC)
    return (moment - epoch).total_seconds()


def part_of(moment: datetime, part: str) -> float:
    """One of `PARTS`, on its own clock."""
    return float(moment.weekday() if part == "weekday" else getattr(moment, part.split()[0]))


def _split(value: Any) -> tuple[datetime | None, int]:
    """A date and time to the microsecond, and the nanoseconds that are left of it.

    None where it lies in no year from 1 to 9999. A time of day is one of 1970, without its zone.
    """
    if isinstance(value, time):
        return datetime.combine(_EPOCH, value.replace(tzinfo=None)), 0
    if isinstance(value, pd.Timestamp):
        return value.to_pydatetime(warn=False), value.nanosecond
    if isinstance(value, datetime):
        return value, 0
    if isinstance(value, date):
        return datetime.combine(value, time()), 0
    short = value.astype("M8[us]")
    moment = short.item()
    left = int((value - short) / np.timedelta64(1, "ns"))
    return (moment, left) if isinstance(moment, datetime) else (None, 0)


KINDS = {
    "float64": "<f8",
    "float32": "<f4",
    "int64": "<i8",
    "int32": "<i4",
    "big-endian float64": ">f8",
    "big-endian float32": ">f4",
}
"""Kinds of numbers, the likelier first, and what numpy calls them."""
_NPY, _HEADER = b"\x93NUMPY", 10
"""How a file of numpy begins; behind its version and the length of its header that header is."""
_SMALLEST, _LARGEST, _LARGEST_INTEGER = 1e-12, 1e12, 2.0**24
_MOSTLY = 0.9


@lru_cache(maxsize=4096)
def packed_numbers(raw: bytes, kind: str) -> NDArray[np.float64]:
    """The numbers of a kind that some bytes hold; none where they hold no whole number of them."""
    if raw.startswith(_NPY) and len(raw) > _HEADER:
        raw = raw[_HEADER + int.from_bytes(raw[8:_HEADER], "little") :]
    dtype = np.dtype(KINDS[kind])
    if not raw or len(raw) % dtype.itemsize:
        return np.empty(0)
    with np.errstate(invalid="ignore"):  # some NaN of other bytes
        return np.frombuffer(raw, dtype).astype(np.float64)


def kinds_of(held: Sequence[bytes]) -> list[str]:
    """The kinds of numbers that some outputs seem to be packed with: two at most, as two numbers
    of half the length may look like one."""
    return list(islice((kind for kind in KINDS if _packed_so(held, kind)), 2))


def _packed_so(held: Sequence[bytes], kind: str) -> bool:
    """True if bytes hold numbers of a usual size; other bytes would seldom make such."""
    found = [packed_numbers(raw, kind) for raw in held]
    if not found or not all(part.size for part in found):
        return False
    sizes = np.abs(np.concatenate(found))
    if "int" in kind:
        good = sizes < _LARGEST_INTEGER
    else:
        good = (sizes == 0) | ~np.isfinite(sizes) | ((sizes > _SMALLEST) & (sizes < _LARGEST))
    return bool(good.mean() >= _MOSTLY) and bool(np.any(sizes[np.isfinite(sizes)] > 0))


SHAPES: Mapping[str, Callable[[str, Sequence[str]], int]] = {
    "different characters": lambda text, words: len(set(text)),
    "times of the commonest character": lambda text, words: max(Counter(text).values(), default=0),
    "characters like the one before": lambda text, words: sum(a == b for a, b in pairwise(text)),
    "characters like the one as far from the end": lambda text, words: sum(
        one == other for one, other in zip(text, reversed(text), strict=True)
    ),
    "different words": lambda text, words: len(set(words)),
    "words not before the last one in the alphabet": lambda text, words: sum(
        one <= other for one, other in pairwise(words)
    ),
}
"""What is counted, given a text and its words."""
