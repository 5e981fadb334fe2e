"""Outputs of any kind, sorted into columns of numbers and symbols.

A batch of n outputs becomes named columns of length n. Each entry of a column
is either a finite number or a symbol: "nan", "inf", "None", a string, "missing"
where the output has no such part. The column `KIND` holds what the output is as
a whole: "float", "list of 3", "dict", "raised ValueError".

What is read off an output depends on that output alone, never on the others of
its batch: otherwise draws would not be independent of each other as the bets
need them to be. So outputs that are built alike, which are sorted all at once,
give the same columns as when taken apart one by one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.blackbox.output import check_names, check_numbers, illegible, length_of
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
from audit.outcomes.leaves import Failure, entry_names, leaves_of
from audit.outcomes.outcomes import KIND, Outcomes, joined
from audit.outcomes.same_shape import TEXTS, Shape, labels_column, shape_of, taken_apart
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
    type_name,
)

OUTPUT = "output"
_FEW = 8
"""Outputs of one shape that are sooner taken apart one by one."""


def encode(outputs: Any, size: int) -> Outcomes:
    """Sort `size` outputs into columns.

    Args:
        outputs: an array or sequence whose first axis has length `size`.
        size: how many outputs were asked for.

    Raises:
        BlackBoxError: not `size` outputs.
        OutcomeError: an output of a kind that cannot be sorted into events, or
            too large for that.
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
    """Refuse what is no array or sequence of `size` outputs.

    Raises:
        BlackBoxError: the message says what was returned instead.
    """
    if not _in_a_row(outputs):
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


def _in_a_row(outputs: Any) -> bool:
    if isinstance(outputs, np.ndarray):
        return outputs.ndim > 0
    return isinstance(outputs, Sequence) and not isinstance(outputs, (str, bytes))


def _as_numeric_array(outputs: Sequence[Any], kind: type[Any]) -> tuple[NDArray[Any], str] | None:
    """The outputs, all of one kind, as one numeric array with its kind, where they are numbers."""
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
    shape = array.shape[1:]
    size = len(array)
    # A copy: a black box may fill the same array again in its next call.
    matrix = np.array(array, np.float64, order="C").reshape(size, -1)
    named = kind or array_kind(array.dtype, shape)
    kinds = _same_kind(named, size)
    large = any_large(array)
    if not shape:
        columns = {KIND: kinds, OUTPUT: numeric_column(matrix[:, 0])}
        return Outcomes(size, columns | _remainders(array, (OUTPUT,)) if large else columns, None)
    length = Column(np.broadcast_to(np.float64(matrix.shape[1]), size))
    columns = {KIND: kinds, LENGTH + OUTPUT: length}
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
    """Anything that is not one numeric array: outputs of one shape at once, others alone."""
    size = len(outputs)
    parts: dict[str, list[tuple[Rows, Column]]] = {KIND: []}
    alone: dict[str, dict[int, Leaf]] = {}
    for shape, rows in _alike(outputs):
        held = [outputs[row] for row in rows]
        apart = None if shape is None else taken_apart(held, shape, OUTPUT)
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
    """The arrays of numbers among the outputs, side by side with NaN."""
    arrays = {
        row: _flat(output)
        for row, output in enumerate(outputs)
        if isinstance(output, np.ndarray) and holds_numbers(output)
    }
    if not arrays:
        return None
    matrix = np.full((len(outputs), max(map(len, arrays.values()))), np.nan)
    for row, entries in arrays.items():
        matrix[row, : len(entries)] = entries
    return matrix


def _flat(array: NDArray[Any]) -> Floats:
    """All entries in a row; NaN where they are masked."""
    floats = array.astype(np.float64)
    if isinstance(floats, np.ma.MaskedArray):
        return np.asarray(floats.filled(np.nan)).reshape(-1)
    return np.asarray(floats).reshape(-1)


__all__ = ["KIND", "OUTPUT", "Column", "Failure", "Floats", "Outcomes", "encode", "joined"]


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
