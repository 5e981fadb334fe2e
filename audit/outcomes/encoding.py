"""Outputs of any kind, sorted into columns of numbers and symbols.

A batch of n outputs becomes named columns of length n. Each entry of a column
is either a finite number or a symbol: "nan", "inf", "None", a string, "missing"
where the output has no such part. The column `KIND` holds what the output is as
a whole: "float", "list of 3", "dict", "raised ValueError".

What is read off an output depends on that output alone, never on the others of
its batch: otherwise draws would not be independent of each other as the bets
need them to be. So outputs that are built alike, which are sorted all at once,
give the same columns as when taken apart one by one, only sooner: their shape and
their own values decide what is read off them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.blackbox.output import (
    DEEPEST,
    MOST_PARTS,
    check_names,
    check_numbers,
    illegible,
    length_of,
)
from audit.errors import AuditError, BlackBoxError
from audit.outcomes.column import (
    Column,
    Floats,
    Rows,
    column_of,
    numeric_column,
    same_symbol,
    scattered,
    symbol_column,
)
from audit.outcomes.leaves import Failure, entry_names, leaf_of, leaves_of
from audit.outcomes.outcomes import KIND, Outcomes, joined
from audit.outcomes.symbols import (
    LENGTH,
    MISSING,
    MODULO,
    MODULUS,
    MOST_COLUMNS,
    ZERO,
    Leaf,
    any_large,
    array_kind,
    holds_numbers,
    is_large,
    names_itself,
    structure_of,
    type_name,
)

__all__ = ["KIND", "OUTPUT", "Column", "Failure", "Floats", "Outcomes", "encode", "joined"]

OUTPUT = "output"
_FEW = 8
"""Outputs of one shape that are sooner taken apart one by one."""


def encode(outputs: Any, size: int) -> Outcomes:
    """Sort the `size` outputs that were asked for, an array or sequence, into columns.

    Raises:
        BlackBoxError: not `size` outputs.
        OutcomeError: an output of a kind that cannot be sorted into events, or too large for that.
    """
    try:
        outcomes = _encoded(outputs, size)
        signs = signs_of_zeros(outcomes.columns)
        return replace(outcomes, columns={**outcomes.columns, **signs}) if signs else outcomes
    except (AuditError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise illegible(error) from error


def _encoded(outputs: Any, size: int) -> Outcomes:
    check_batch(outputs, size)
    if isinstance(outputs, np.ndarray):
        check_numbers(outputs.size // max(1, size), outputs)
        if holds_numbers(outputs):
            return _encode_array(outputs)
    kinds = set(map(type, outputs))
    if len(kinds) == 1:
        (kind,) = kinds
        if kind in TEXTS or names_itself(kind):
            held = labels_column(list(outputs))
            return Outcomes(size, {KIND: _same_kind(type_name(kind), size), OUTPUT: held})
        array = _as_numeric_array(outputs, kind)
        if array is not None:
            return _encode_array(*array)
    return _encode_objects(list(outputs))


def check_batch(outputs: Any, size: int) -> None:
    """Raises BlackBoxError at what is no array or sequence of `size` outputs."""
    array = isinstance(outputs, np.ndarray) and outputs.ndim > 0
    if not array and (isinstance(outputs, (str, bytes)) or not isinstance(outputs, Sequence)):
        raise BlackBoxError(
            f"the black box returned {type(outputs).__name__} where an array or sequence of "
            f"{size} outputs was expected; return `size` outputs, or drop `size` and return one",
            outputs,
        )
    if (length := length_of(outputs)) != size:
        raise BlackBoxError(
            f"the black box returned {length} outputs where {size} were asked for; "
            "let the first axis of the result have the length `size`",
            length,
        )


def _as_numeric_array(outputs: Sequence[Any], kind: type[Any]) -> tuple[NDArray[Any], str] | None:
    if kind in (float, bool) or issubclass(kind, (np.floating, np.bool_)):
        return np.asarray(outputs), type_name(kind)
    if kind is int or issubclass(kind, np.integer):
        array = np.asarray(outputs)
        return (array, type_name(kind)) if array.dtype.kind in "iu" else None
    if kind is np.ndarray:
        first = outputs[0]
        held = first.shape, first.dtype, first.flags.fnc
        alike = all((o.shape, o.dtype, o.flags.fnc) == held for o in outputs)
        if alike and holds_numbers(first):
            check_numbers(first.size, first)
            return np.stack(outputs), array_kind(first.dtype, first.shape, first.flags.fnc)
    return None


def _encode_array(array: NDArray[Any], kind: str | None = None) -> Outcomes:
    size, shape = len(array), array.shape[1:]
    # A copy: a black box may fill the same array again in its next call.
    matrix = np.array(array, np.float64, order="C").reshape(size, -1)
    kinds = _same_kind(kind or array_kind(array.dtype, shape), size)
    large = any_large(array)
    if not shape:
        columns = {KIND: kinds, OUTPUT: numeric_column(matrix[:, 0])}
        return Outcomes(size, columns | _remainders(array, (OUTPUT,)) if large else columns, None)
    columns = {KIND: kinds, LENGTH + OUTPUT: _constant(matrix.shape[1], size)}
    names = tuple(entry_names(shape, OUTPUT, MOST_COLUMNS))
    for position, name in enumerate(names):
        columns[name] = numeric_column(matrix[:, position])
    return Outcomes(size, columns | _remainders(array, names) if large else columns, matrix)


def _remainders(array: NDArray[Any], names: tuple[str, ...]) -> dict[str, Column]:
    """Exact remainders of integers too large for floats, for each of these entries."""
    rows = array.reshape(len(array), -1)
    return {
        f"{name}{MODULO}": column_of(
            [float(v % MODULUS) if is_large(v) else MISSING for v in rows[:, place].tolist()],
            len(rows),
        )
        for place, name in enumerate(names)
        if any_large(rows[:, place])
    }


_same_kind = lru_cache(maxsize=64)(same_symbol)
"""The column of kinds of a batch whose outputs are all alike."""


def _encode_objects(outputs: list[Any]) -> Outcomes:
    """Outputs of one shape at once, others alone."""
    size = len(outputs)
    parts: dict[str, list[tuple[Rows, Column]]] = {KIND: []}
    alone: dict[str, dict[int, Leaf]] = {}
    for shape, rows in _alike(outputs):
        held = [outputs[row] for row in rows]
        apart = None if shape is None else taken_apart(held, shape)
        if apart is None:
            for row, output in zip(rows, held, strict=True):
                kind, leaves = leaves_of(output, OUTPUT)
                for name, leaf in ((KIND, kind), *leaves.items()):
                    parts.setdefault(name, [])
                    alone.setdefault(name, {})[row] = leaf
        else:
            places: Rows = slice(None) if len(rows) == size else np.array(rows)
            kind, columns = apart
            parts[KIND].append((places, same_symbol(kind, len(rows))))
            for name, column in columns.items():
                parts.setdefault(name, []).append((places, column))
    check_names(len(parts))
    for name, entries in alone.items():
        column = column_of(entries.values(), len(entries))
        parts[name].append((np.fromiter(entries, np.intp, len(entries)), column))
    columns = {name: scattered(found, size) for name, found in parts.items()}
    return Outcomes(size, columns, _matrix_of(outputs))


def _alike(outputs: list[Any]) -> list[tuple[Shape | None, list[int]]]:
    """Positions of outputs of the same shape, in the order in which their first ones come."""
    found: dict[Shape | None, list[int]] = {}
    for row, output in enumerate(outputs):
        found.setdefault(shape_of(output), []).append(row)
    singles = [row for s, rows in found.items() if s is None or len(rows) < _FEW for row in rows]
    several = [(s, rows) for s, rows in found.items() if s is not None and len(rows) >= _FEW]
    return sorted([*several, *((None, [row]) for row in singles)], key=lambda part: part[1][0])


def _matrix_of(outputs: list[Any]) -> Floats | None:
    """The arrays of numbers among the outputs, side by side; NaN behind them and where masked."""
    arrays = {
        row: np.asarray(np.ma.filled(output.astype(np.float64), np.nan)).reshape(-1)
        for row, output in enumerate(outputs)
        if isinstance(output, np.ndarray) and holds_numbers(output)
    }
    if not arrays:
        return None
    matrix = np.full((len(outputs), max(map(len, arrays.values()))), np.nan)
    for row, entries in arrays.items():
        matrix[row, : len(entries)] = entries
    return matrix


_NEGATIVE = np.iinfo(np.int64).min
"""The bits of a negative zero as an integer: there is no smaller one."""


def signs_of_zeros(columns: Mapping[str, Column]) -> dict[str, Column]:
    """A column of signs beside each that holds a negative zero; its other entries have none."""
    bits = {ZERO + name: column.values.view(np.int64) for name, column in columns.items()}
    return {
        name: symbol_column((MISSING, "negative"), held == _NEGATIVE)
        for name, held in bits.items()
        if held.min(initial=0) == _NEGATIVE
    }


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


def shape_of(value: Any, depth: int = 0) -> Shape | None:
    """Shape of an output, or of a part so deep in it; None if it has to be taken apart alone."""
    kind = type(value)
    if kind in _SCALARS:
        return None if kind in _LONG and is_large(value) else kind
    if kind is Failure:
        return Failure, value.name, bool(value.message)
    if depth >= DEEPEST:
        return None
    if kind is np.ndarray:
        plain = holds_numbers(value) and value.dtype.itemsize <= _WIDEST and not any_large(value)
        return (kind, value.dtype, value.shape, value.flags.fnc) if plain else None
    is_read = kind in (dict, list, tuple) and len(value) < MOST_PARTS
    return _shape_of_container(value, kind, depth) if is_read else None


def _shape_of_container(value: Any, kind: type, depth: int) -> Shape | None:
    entries = _entries(value.values() if kind is dict else value, depth)
    if entries is None or (kind is dict and not _KEYS.issuperset(map(type, value))):
        return None
    return (kind, entries, tuple(value)) if kind is dict else (kind, entries)


def _entries(values: Collection[Any], depth: int) -> tuple[Shape, ...] | None:
    kinds = tuple(map(type, values))
    if _SCALARS.issuperset(kinds):
        large = not _LONG.isdisjoint(kinds) and any(map(is_large, values))
        return None if large else kinds
    shapes = [shape_of(value, depth + 1) for value in values]
    known = tuple([shape for shape in shapes if shape is not None])
    return known if len(known) == len(shapes) else None


def taken_apart(outputs: Sequence[Any], shape: Shape) -> tuple[str, dict[str, Column]] | None:
    """The kind of outputs that have all this shape, and their leaves as columns.

    None where two of their leaves have the same name.
    """
    kind, leaves = leaves_of(outputs[0], OUTPUT)
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
        yield _constant(values[0].size, len(values))
        most = MOST_COLUMNS if depth == 0 else values[0].size
        matrix = np.stack([array.reshape(-1)[:most] for array in values]).astype(np.float64)
        yield from map(numeric_column, matrix.T)
    else:
        yield from _columns_of_containers(values, shape, depth)


def _columns_of_containers(values: Sequence[Any], shape: Any, depth: int) -> Iterator[Column]:
    yield _constant(len(values[0]), len(values))
    for leaf in structure_of(values[0], "").values():
        yield same_symbol(str(leaf), len(values))
    if shape[0] is dict:
        entries: Iterable[Any] = (list(map(itemgetter(key), values)) for key in shape[2])
    else:
        entries = zip(*values, strict=True)
    for entry, inner in zip(entries, shape[1], strict=True):
        yield from _columns(entry, inner, depth + 1)


def _constant(length: int, size: int) -> Column:
    return Column(np.broadcast_to(np.float64(length), size))


def _scalars(values: Sequence[Any], kind: type) -> Column:
    if kind in TEXTS:
        return labels_column(values)
    with suppress(OverflowError):
        if kind in _NUMBERS:
            return numeric_column(np.fromiter(values, np.float64, len(values)))
    return column_of(map(leaf_of, values), len(values))


def labels_column(labels: Sequence[Any]) -> Column:
    """Texts, or members of an enumeration, as symbols; each different one looked at once."""
    # Not by a library's hash tables: some take two texts for one that differ behind a NUL.
    names = {"": 0}
    codes = {t: names.setdefault(str(leaf_of(t)), len(names)) for t in dict.fromkeys(labels)}
    symbols = np.fromiter(map(codes.__getitem__, labels), np.int64, len(labels))
    return Column(np.zeros(len(labels)), symbols, tuple(names))
