"""Outputs that are built alike, taken apart all at once.

It gives what `leaves_of` gives output by output, only sooner: what is read off
an output is decided by its shape and its own values.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any

import numpy as np

from audit.blackbox.output import DEEPEST, MOST_PARTS
from audit.outcomes.column import Column, Floats, column_of, numeric_column, same_symbol
from audit.outcomes.leaves import Failure, leaf_of, leaves_of
from audit.outcomes.symbols import MOST_COLUMNS, any_large, holds_numbers, is_large, structure_of

Shape = type[Any] | tuple[Any, ...]
"""Types, lengths and keys of an output and of all that it holds: they decide its leaves' names."""

_NUMBERS = frozenset(
    {bool, int, float, np.bool_, np.float16, np.float32, np.float64}
    | {np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64}
)
TEXTS = frozenset({str, bytes, np.str_, np.bytes_})
"""Kinds of text; subclasses may be shown in their own way."""
_LONG = frozenset({int, np.int64, np.uint64})
"""Kinds of integers that floats may not hold exactly."""
_SCALARS = _NUMBERS | TEXTS | {type(None)}
_KEYS = frozenset({str, int})
"""Kinds of keys that are equal only if they are shown alike; 1, 1.0 and True are not."""
_WIDEST = 8
"""Bytes of a number that a float64 can stand for."""


def shape_of(output: Any) -> Shape | None:
    """Shape of an output; None if it has to be taken apart alone."""
    if type(output) is Failure:
        return Failure, output.name, bool(output.message)
    return _shape(output, 0)


def _shape(value: Any, depth: int) -> Shape | None:
    kind = type(value)
    if kind in _SCALARS:
        return None if kind in _LONG and is_large(value) else kind
    if depth >= DEEPEST:
        return None
    if kind is np.ndarray:
        return _array_shape(value)
    if kind not in (dict, list, tuple) or len(value) >= MOST_PARTS:
        return None
    if kind is not dict:
        entries = _entries(value, depth)
        return None if entries is None else (kind, entries)
    entries = _entries(value.values(), depth)
    if entries is None or not _KEYS.issuperset(map(type, value)):
        return None
    return kind, entries, tuple(value)


def _array_shape(value: Any) -> Shape | None:
    plain = holds_numbers(value) and value.dtype.itemsize <= _WIDEST and not any_large(value)
    return (type(value), value.dtype, value.shape, value.flags.fnc) if plain else None


def _entries(values: Collection[Any], depth: int) -> tuple[Shape, ...] | None:
    """Shapes of the entries of a container."""
    kinds = tuple(map(type, values))
    if _SCALARS.issuperset(kinds):
        large = not _LONG.isdisjoint(kinds) and any(map(is_large, values))
        return None if large else kinds
    shapes = [_shape(value, depth + 1) for value in values]
    known = tuple([shape for shape in shapes if shape is not None])
    return known if len(known) == len(shapes) else None


def taken_apart(
    outputs: Sequence[Any], shape: Shape, name: str
) -> tuple[str, dict[str, Column]] | None:
    """The kind of outputs that have all this shape, and their leaves as columns.

    Returns:
        None where two of their leaves have the same name.

    Raises:
        OutcomeError: they are too large.
    """
    kind, leaves = leaves_of(outputs[0], name)
    columns = list(_columns(outputs, shape, 0))
    if len(columns) != len(leaves):
        return None
    return kind, dict(zip(leaves, columns, strict=True))


def _columns(values: Sequence[Any], shape: Any, depth: int) -> Iterator[Column]:
    """Columns in the order in which `leaves_of` names them."""
    if isinstance(shape, type):
        yield _scalars(values, shape)
    elif shape[0] is Failure:
        if shape[2]:
            yield labels_column([failure.message for failure in values])
    elif shape[0] is np.ndarray:
        yield from _entries_of_arrays(values, depth)
    else:
        yield _constant(len(values[0]), len(values))
        for leaf in structure_of(values[0], "").values():
            yield same_symbol(str(leaf), len(values))
        if shape[0] is dict:
            entries: Iterable[Any] = (list(map(itemgetter(key), values)) for key in shape[2])
        else:
            entries = zip(*values, strict=True)
        for entry, inner in zip(entries, shape[1], strict=True):
            yield from _columns(entry, inner, depth + 1)


def _entries_of_arrays(arrays: Sequence[Any], depth: int) -> Iterator[Column]:
    yield _constant(arrays[0].size, len(arrays))
    most = MOST_COLUMNS if depth == 0 else arrays[0].size
    matrix = np.stack([array.reshape(-1)[:most] for array in arrays]).astype(np.float64)
    yield from map(numeric_column, matrix.T)


def _constant(length: int, size: int) -> Column:
    return Column(np.broadcast_to(np.float64(length), size))


def _scalars(values: Sequence[Any], kind: type) -> Column:
    if kind in _NUMBERS:
        try:
            numbers: Floats = np.fromiter(values, np.float64, len(values))
        except OverflowError:
            return column_of(map(leaf_of, values), len(values))
        return numeric_column(numbers)
    if kind in TEXTS:
        return labels_column(values)
    return column_of(map(leaf_of, values), len(values))


def labels_column(labels: Sequence[Any]) -> Column:
    """Texts, or members of an enumeration, as symbols; each different one looked at once."""
    # Not by a library's hash tables: some take two texts for one that differ behind a NUL.
    names = {"": 0}
    codes = {t: names.setdefault(str(leaf_of(t)), len(names)) for t in dict.fromkeys(labels)}
    symbols = np.fromiter(map(codes.__getitem__, labels), np.int64, len(labels))
    return Column(np.zeros(len(labels)), symbols, tuple(names))
