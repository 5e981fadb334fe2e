"""One output of any kind, taken apart into named leaves."""

from __future__ import annotations

import math
from array import array
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from itertools import islice
from numbers import Number, Real
from pathlib import PurePath
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from audit.blackbox.output import DEEPEST, MOST_PARTS, check_numbers, check_parts
from audit.errors import OutcomeError
from audit.lazy_modules import loaded_pandas as pd
from audit.outcomes.symbols import (
    DENOMINATOR,
    EXPONENT,
    LENGTH,
    MESSAGE,
    MODULO,
    MODULUS,
    MOST_COLUMNS,
    Leaf,
    array_kind,
    fields_of,
    holds_numbers,
    is_large,
    label,
    member_name,
    names_itself,
    shortened,
    structure_of,
    text_symbol,
    type_name,
    unsorted,
)
from audit.validation import native

_DIGITS, _DENOMINATOR, _FARTHEST = 17, 1 << 20, 2**1000
"""Digits of a decimal and a denominator that hardly anybody means, as floats have, and how far
these reach."""
_CONTAINERS = (dict, list, tuple, set, frozenset)
Parts = tuple[str, int, Iterator[tuple[str, Any]]]
"""Kind and length of a container, and its entries by name."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A run that gave no value.

    Attributes:
        name: the type of an exception, a time-out, an exit code.
        message: what an exception said.
    """

    name: str
    message: str = ""


def leaves_of(output: Any, name: str) -> tuple[str, dict[str, Leaf]]:
    """The kind of an output and its leaves by name; OutcomeError if it holds anything else."""
    if isinstance(output, Failure):
        return output.name, {MESSAGE: text_symbol(output.message)} if output.message else {}
    leaves: dict[str, Leaf] = {}
    kind = _visit(output, name, leaves, 0)
    return kind, leaves


def _plain_array(array: NDArray[Any]) -> Any:
    """Without the habits of a subclass, such as never being flat; without an axis a scalar."""
    plain = array if isinstance(array, np.ma.MaskedArray) else np.asarray(array)
    return plain if plain.ndim else plain[()]


def _visit(value: Any, name: str, leaves: dict[str, Leaf], depth: int) -> str:
    """Add the leaves below `value` and return what it is."""
    value = _plain_array(value) if isinstance(value, np.ndarray) else value
    leaf = leaf_of(value)
    if leaf is not None:
        leaves[name] = leaf
        _visit_digits(value, name, leaves, depth)
        return type_name(type(value)) if value is not None else "None"
    if is_moment(value):
        leaves |= moment_leaves(value, name)
        return type(value).__name__
    plain = plainer(value)
    if plain is not value:
        kind = _visit(plain, name, leaves, depth)
        return kind.replace(type(plain).__name__, type(value).__name__, 1)
    if depth >= DEEPEST:
        raise OutcomeError(
            f"{name} is nested deeper than {DEEPEST} levels; return a flatter output", value
        )
    kind, length, parts = _parts(value, name, depth, len(leaves))
    leaves[LENGTH + name] = float(length)
    leaves |= structure_of(value, name)
    for child, entry in parts:
        _visit(entry, child, leaves, depth + 1)
        if len(leaves) > MOST_PARTS:
            check_parts(len(leaves), value)
    return kind


def _is_of_a_float(value: Any) -> bool:
    """True if an exact number has all the digits of a binary float, as `Decimal(0.1)` has."""
    if isinstance(value, Decimal):
        long = value.is_finite() and len(value.as_tuple().digits) > _DIGITS
    else:
        long = isinstance(value, Fraction) and value.denominator > _DENOMINATOR
    if not long:
        return False
    number = float(value) if -_FARTHEST < value < _FARTHEST else math.inf
    return math.isfinite(number) and type(value)(number) == value


def leaf_of(value: Any) -> Leaf | None:
    """A scalar as a number or symbol, None for a container or anything else."""
    if value is None or value is pd.NaT or value is pd.NA:
        return str(value)
    if names_itself(type(value)):
        return member_name(value)
    if isinstance(value, (str, bytes)):
        return text_symbol(native(value))
    if isinstance(value, np.timedelta64):
        return None
    if isinstance(value, (bool, np.bool_)):
        return float(value)
    decimal = isinstance(value, Number) and hasattr(value, "__float__")
    return _number(value) if decimal or isinstance(value, (Real, np.number)) else None


def _number(value: Any) -> Leaf | None:
    if isinstance(value, (complex, np.complexfloating)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return "an integer beyond floats"
    except ValueError:
        if isinstance(value, Decimal):  # a signalling NaN
            return "nan"
        raise
    return number if math.isfinite(number) else str(number)


def _visit_digits(value: Any, name: str, leaves: dict[str, Leaf], depth: int) -> None:
    """Add what a float does not hold of an exact number."""
    if is_large(value):
        leaves[name + MODULO] = float(int(value) % MODULUS)
    if _is_of_a_float(value):
        return  # its last bits are read as those of a float, and speak for a leak alone
    if isinstance(value, Decimal) and value.is_finite():
        leaves[EXPONENT + name] = float(value.as_tuple().exponent)
    if isinstance(value, Fraction):
        _visit(value.denominator, DENOMINATOR + name, leaves, depth)


def _parts(value: Any, name: str, depth: int, before: int) -> Parts:
    """Kind, length and named parts of a container, its size checked before it is unpacked."""
    kind = type(value).__name__
    if isinstance(value, np.ndarray):
        return _array_parts(value, name, depth, before)
    if isinstance(value, pd.Categorical):
        check_parts(before + 1 + len(value), value)
        return kind, len(value), _numbered(value.tolist(), name)
    if isinstance(value, (pd.Series, pd.DataFrame)):
        check_parts(before + 1 + value.size, value)
        return _table_parts(value, name)
    if isinstance(value, _CONTAINERS):
        check_parts(before + 1 + len(value), value)
    if isinstance(value, dict):
        return kind, len(value), _keyed(value.keys(), value.values(), name)
    fields = fields_of(value)
    if fields is not None:
        parts = ((f"{name}.{field}", entry) for field, entry in fields.items())
        return f"{kind} of {len(fields)}", len(fields), parts
    return _unnamed_parts(value, name)


def _unnamed_parts(value: Any, name: str) -> Parts:
    kind = type(value).__name__
    if isinstance(value, (list, tuple)):
        return f"{kind} of {len(value)}", len(value), _numbered(value, name)
    if isinstance(value, (set, frozenset)):
        members = sorted(map(label, value))
        return kind, len(value), ((f"{member} in {name}", 1.0) for member in members)
    if isinstance(value, (complex, np.complexfloating)):
        return kind, 2, iter([(f"{name}.real", value.real), (f"{name}.imag", value.imag)])
    raise unsorted(value, name)


def _array_parts(value: NDArray[Any], name: str, depth: int, before: int) -> Parts:
    most = value.size
    if depth == 0 and holds_numbers(value):
        check_numbers(value.size, value)
        most = min(most, MOST_COLUMNS)
    check_parts(before + 1 + most, value)
    kind, first = array_kind(value.dtype, value.shape, value.flags.fnc), value.ravel()[:most]
    # As a list, times to the nanosecond would be integers, and records would lose their names.
    entries = list(first) if value.dtype.kind in "mMV" else first.tolist()
    return kind, value.size, zip(entry_names(value.shape, name, most), entries, strict=True)


def _table_parts(value: pd.Series | pd.DataFrame, name: str) -> Parts:
    if isinstance(value, pd.Series):
        return f"Series of {value.dtype}", len(value), _keyed(value.index, value.tolist(), name)
    shown = shortened(", ".join(map(str, value.columns)))
    return f"DataFrame with columns {shown}", len(value), _cells(value, name)


def entry_names(shape: tuple[int, ...], name: str, most: int) -> Iterator[str]:
    """Names of the first entries of an array."""
    # An empty array can have axes too long to be gone through.
    indices = iter(()) if 0 in shape else islice(np.ndindex(shape), most)
    return (f"{name}[{', '.join(map(str, index))}]" for index in indices)


def _numbered(entries: Iterable[Any], name: str) -> Iterator[tuple[str, Any]]:
    return ((f"{name}[{i}]", entry) for i, entry in enumerate(entries))


def _keyed(keys: Iterable[Any], entries: Iterable[Any], name: str) -> Iterator[tuple[str, Any]]:
    """Entries by their keys; a repeated key is numbered, so that no entry hides another."""
    seen: Counter[str] = Counter()
    for key, entry in zip(keys, entries, strict=True):
        shown = label(key)
        seen[shown] += 1
        again = f" #{seen[shown]}" if seen[shown] > 1 else ""
        yield f"{name}[{shown}]{again}", entry


def _cells(frame: pd.DataFrame, name: str) -> Iterator[tuple[str, Any]]:
    columns = [frame.iloc[:, place] for place in range(frame.shape[1])]
    for column, cells in _keyed(frame.columns, columns, name):
        yield from _keyed(frame.index, cells.tolist(), column)


_NAMED = (UUID, PurePath, IPv4Address, IPv4Network, IPv6Address, IPv6Network)
"""What a text says all of."""
_READ = (str, bytes, *_CONTAINERS)


def plainer(value: Any) -> Any:
    """The same as bytes, a text, a list, a dict or a set; itself where it is none of these.

    Raises:
        OutcomeError: it is too long for that.
    """
    if isinstance(value, _READ):
        return value
    if isinstance(value, (bytearray, memoryview)):
        return bytes(value)
    if isinstance(value, (*_NAMED, pd.Interval, pd.Period)):
        return str(value)
    if type(value).__module__.startswith("scipy.sparse"):
        check_parts(math.prod(value.shape), value)
        return value.toarray()
    if isinstance(value, slice):
        return value.start, value.stop, value.step
    if isinstance(value, (Sequence, Mapping, Set, array, deque)):
        check_parts(len(value), value)
        kind = dict if isinstance(value, Mapping) else set if isinstance(value, Set) else list
        return kind(value)
    return value


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
    """A date and time to the microsecond, and nanoseconds; None in no year from 1 to 9999."""
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
