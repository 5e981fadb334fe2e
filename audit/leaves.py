"""One output of any kind, taken apart into named leaves."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Number, Real
from typing import Any

import numpy as np
import pandas as pd

from audit.errors import OutcomeError

Leaf = float | str
"""A finite number, or a symbol."""

MISSING = "missing"
LENGTH = "length of "
_LONGEST_SYMBOL = 80
_DEEPEST = 5
_MOST_LEAVES = 4096


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
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    leaf = _as_leaf(value)
    if leaf is not None:
        leaves[name] = leaf
        return type(value).__name__ if value is not None else "None"
    if depth >= _DEEPEST:
        raise OutcomeError(f"{name} is nested deeper than {_DEEPEST} levels; return a flatter output", value)
    kind, length, parts = _parts(value, name)
    leaves[LENGTH + name] = float(length)
    for child, entry in parts:
        if len(leaves) >= _MOST_LEAVES:
            raise OutcomeError(
                f"one output has more than {_MOST_LEAVES} parts; return a numpy array or a summary",
                value,
            )
        _visit(entry, child, leaves, depth + 1)
    return kind


def _as_leaf(value: Any) -> Leaf | None:
    """A scalar as a number or symbol, None for a container or anything else."""
    if value is None or value is pd.NaT or value is pd.NA:
        return str(value)
    if isinstance(value, (str, bytes)):
        return _shortened(repr(value))
    if isinstance(value, (bool, np.bool_)):
        return float(value)
    if isinstance(value, (Real, np.number)) or (isinstance(value, Number) and hasattr(value, "__float__")):
        return _number(value)
    return None


def _number(value: Any) -> Leaf | None:
    if isinstance(value, (complex, np.complexfloating)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return "an integer beyond floats"
    return number if math.isfinite(number) else str(number)


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_SYMBOL else text[: _LONGEST_SYMBOL - 1] + "…"


def _parts(value: Any, name: str) -> tuple[str, int, Iterator[tuple[str, Any]]]:
    """Kind, length and named parts of a container."""
    kind = type(value).__name__
    if isinstance(value, dict):
        keyed = ((f"{name}[{_shortened(repr(key))}]", entry) for key, entry in value.items())
        return kind, len(value), keyed
    if isinstance(value, (list, tuple)):
        return f"{kind} of {len(value)}", len(value), _numbered(value, name)
    if isinstance(value, np.ndarray):
        shape = " x ".join(map(str, value.shape))
        return f"{value.dtype} array of {shape}", value.size, _numbered(value.ravel().tolist(), name)
    if isinstance(value, (set, frozenset)):
        members = sorted(_shortened(repr(member)) for member in value)
        return kind, len(value), ((f"{member} in {name}", 1.0) for member in members)
    if isinstance(value, pd.Series):
        keyed = ((f"{name}[{label!r}]", entry) for label, entry in value.items())
        return f"Series of {value.dtype}", len(value), keyed
    if isinstance(value, pd.DataFrame):
        shown = ", ".join(map(str, value.columns))
        return f"DataFrame with columns {_shortened(shown)}", len(value), _cells(value, name)
    if isinstance(value, (complex, np.complexfloating)):
        return kind, 2, iter([(f"{name}.real", value.real), (f"{name}.imag", value.imag)])
    raise OutcomeError(
        f"{name} is of type {type(value).__module__}.{kind}, which cannot be sorted into events; "
        "return numbers, text, None, or lists, dicts, sets, arrays, Series or DataFrames of them",
        value,
    )


def _numbered(entries: Any, name: str) -> Iterator[tuple[str, Any]]:
    return ((f"{name}[{i}]", entry) for i, entry in enumerate(entries))


def _cells(frame: pd.DataFrame, name: str) -> Iterator[tuple[str, Any]]:
    for column in frame.columns:
        for label, entry in zip(frame.index, frame[column].tolist(), strict=True):
            yield f"{name}[{column!r}][{label!r}]", entry
