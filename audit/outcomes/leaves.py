"""One output of any kind, taken apart into named leaves."""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from functools import lru_cache
from itertools import islice
from numbers import Number, Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from audit.blackbox.output_size import DEEPEST, MOST_PARTS, check_numbers, check_parts, check_text
from audit.errors import OutcomeError
from audit.validation import native

Leaf = float | str
"""A finite number, or a symbol."""

MISSING = "missing"
LENGTH = "length of "
MOST_COLUMNS = 64
"""Entries of an array of numbers with a column of their own; a matrix holds all of them."""
_LONGEST_SYMBOL = 80
_TAKEN = frozenset({MISSING, "nan", "inf"})
"""Names that stand for something else."""


_CONTAINERS = (dict, list, tuple, set, frozenset)


@dataclass(frozen=True, slots=True)
class Failure:
    """A run that gave no value: an exception by its type, a time-out, an exit code."""

    name: str


def leaves_of(output: Any, name: str) -> tuple[str, dict[str, Leaf]]:
    """The kind of an output and its leaves by name.

    Raises:
        OutcomeError: it holds something that is no number, text or container.
    """
    if isinstance(output, Failure):
        return output.name, {}
    leaves: dict[str, Leaf] = {}
    kind = _visit(output, name, leaves, 0)
    return kind, leaves


def _visit(value: Any, name: str, leaves: dict[str, Leaf], depth: int) -> str:
    """Add the leaves below `value` and return what it is."""
    if isinstance(value, np.ndarray):
        value = _plain_array(value)
    leaf = leaf_of(value)
    if leaf is not None:
        leaves[name] = leaf
        return type(value).__name__ if value is not None else "None"
    if depth >= DEEPEST:
        raise OutcomeError(
            f"{name} is nested deeper than {DEEPEST} levels; return a flatter output", value
        )
    kind, length, parts = _parts(value, name, depth, len(leaves))
    leaves[LENGTH + name] = float(length)
    for child, entry in parts:
        _visit(entry, child, leaves, depth + 1)
        if len(leaves) > MOST_PARTS:
            check_parts(len(leaves), value)
    return kind


def _plain_array(array: NDArray[Any]) -> Any:
    """Without the habits of a subclass, such as never being flat; without an axis a scalar."""
    plain = array if isinstance(array, np.ma.MaskedArray) else np.asarray(array)
    return plain if plain.ndim else plain[()]


def leaf_of(value: Any) -> Leaf | None:
    """A scalar as a number or symbol, None for a container or anything else."""
    if value is None or value is pd.NaT or value is pd.NA:
        return str(value)
    if names_itself(type(value)):
        return _member(value)
    if isinstance(value, (str, bytes)):
        return _label(value)
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


def names_itself(kind: type[Any]) -> bool:
    """Whether outputs of this kind are read by their names: members of enumerations, but numbers.

    Those of an `IntEnum` are numbers, of which larger and smaller can be told.
    """
    return issubclass(kind, Enum) and not issubclass(kind, Number)


def _member(member: Enum) -> str:
    """A member of an enumeration by its name."""
    # Several flags together can be without a name.
    name = member.name
    return _shortened(name if name and name not in _TAKEN else repr(member))


def _label(value: Any) -> str:
    """Text, or the key of an entry, as in source code."""
    if names_itself(type(value)):
        return _member(value)
    plain = native(value)
    if isinstance(plain, (str, bytes)):
        check_text(plain)
    if isinstance(plain, frozenset):
        text = f"{{{', '.join(sorted(map(_label, plain)))}}}"
    else:
        text = repr(plain)
    if " at 0x" in text and not isinstance(plain, (str, bytes)):
        raise _unsorted(value, "a key")
    return _shortened(text)


def _shortened(text: str) -> str:
    """A long text ends in a checksum, so that what differs late still differs."""
    if len(text) <= _LONGEST_SYMBOL:
        return text
    return f"{text[: _LONGEST_SYMBOL - 9]}…{zlib.crc32(text.encode('utf-8', 'replace')):08x}"


def _parts(
    value: Any, name: str, depth: int, before: int
) -> tuple[str, int, Iterator[tuple[str, Any]]]:
    """Kind, length and named parts of a container, its size checked before it is unpacked."""
    kind = type(value).__name__
    if isinstance(value, np.ndarray):
        most = value.size
        if depth == 0 and holds_numbers(value):
            check_numbers(value.size, value)
            most = min(most, MOST_COLUMNS)
        check_parts(before + 1 + most, value)
        return array_kind(value.dtype, value.shape), value.size, _entries(value, name, most)
    if isinstance(value, (pd.Series, pd.DataFrame)):
        check_parts(before + 1 + value.size, value)
        return _table_parts(value, name)
    if isinstance(value, _CONTAINERS):
        check_parts(before + 1 + len(value), value)
    if isinstance(value, dict):
        return kind, len(value), _keyed(value.keys(), value.values(), name)
    if isinstance(value, (list, tuple)):
        return f"{kind} of {len(value)}", len(value), _numbered(value, name)
    if isinstance(value, (set, frozenset)):
        members = sorted(map(_label, value))
        return kind, len(value), ((f"{member} in {name}", 1.0) for member in members)
    if isinstance(value, (complex, np.complexfloating)):
        return kind, 2, iter([(f"{name}.real", value.real), (f"{name}.imag", value.imag)])
    raise _unsorted(value, name)


def _table_parts(
    value: pd.Series | pd.DataFrame, name: str
) -> tuple[str, int, Iterator[tuple[str, Any]]]:
    if isinstance(value, pd.Series):
        return f"Series of {value.dtype}", len(value), _keyed(value.index, value.tolist(), name)
    shown = _shortened(", ".join(map(str, value.columns)))
    return f"DataFrame with columns {shown}", len(value), _cells(value, name)


def _unsorted(value: Any, name: str) -> OutcomeError:
    kind = type(value)
    return OutcomeError(
        f"{name} is of type {kind.__module__}.{kind.__name__}, which cannot be sorted into events; "
        "return numbers, text, None, or lists, dicts, sets, arrays, Series or DataFrames of them",
        value,
    )


def holds_numbers(array: NDArray[Any]) -> bool:
    """Whether it is an array of one or more axes with real numbers or truth values."""
    return array.ndim > 0 and array.dtype.kind in "fiub"


@lru_cache(maxsize=256)
def array_kind(dtype: np.dtype[Any], shape: tuple[int, ...]) -> str:
    """What an array is as a whole; its dtype alone when it has no axes."""
    if not shape:
        return str(dtype)
    return f"{dtype} array of " + " x ".join(map(str, shape))


def entry_names(shape: tuple[int, ...], name: str, most: int) -> Iterator[str]:
    """Names of the first entries of an array."""
    # An empty array can have axes too long to be gone through.
    indices = iter(()) if 0 in shape else islice(np.ndindex(shape), most)
    return (f"{name}[{', '.join(map(str, index))}]" for index in indices)


def _entries(array: NDArray[Any], name: str, most: int) -> Iterator[tuple[str, Any]]:
    return zip(entry_names(array.shape, name, most), array.ravel()[:most].tolist(), strict=True)


def _numbered(entries: Iterable[Any], name: str) -> Iterator[tuple[str, Any]]:
    return ((f"{name}[{i}]", entry) for i, entry in enumerate(entries))


def _keyed(keys: Iterable[Any], entries: Iterable[Any], name: str) -> Iterator[tuple[str, Any]]:
    """Entries by their keys; a repeated key is numbered, so that no entry hides another."""
    seen: Counter[str] = Counter()
    for key, entry in zip(keys, entries, strict=True):
        label = _label(key)
        seen[label] += 1
        again = f" #{seen[label]}" if seen[label] > 1 else ""
        yield f"{name}[{label}]{again}", entry


def _cells(frame: pd.DataFrame, name: str) -> Iterator[tuple[str, Any]]:
    columns = [frame.iloc[:, place] for place in range(frame.shape[1])]
    for column, cells in _keyed(frame.columns, columns, name):
        yield from _keyed(frame.index, cells.tolist(), column)
