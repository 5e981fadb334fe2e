"""diffprivlib's statistics, over bounds, types of records and of results, and axes."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.random import Generator

from audit.claims import PureDP
from audit.declaration import Entry
from mechanisms.external.call import Release
from mechanisms.external.diffprivlib.tools import state
from mechanisms.external.shelf import ADD_REMOVE, SUBSTITUTE, Shelf
from mechanisms.external.walks.steps import shown, step

_NUMBERS = ("mean", "var", "std", "sum", "nanmean", "nanvar", "nanstd", "nansum")
_ORDERED: Mapping[str, Mapping[str, Any]] = {
    "median": {},
    "quantile": {"quant": 0.25},
    "percentile": {"percent": 90},
}
_BOUNDS = ((0, 1), (-3, 5), (90, 100))
_RESULTS = (None, int, np.float32)
_HALF = {"mean": (np.float16,), "sum": (np.float16,)}
"""A variance of half precision never ends where its bounds are 0 and 1000."""
_WORDS = "numpy statistics with differential privacy; epsilon: privacy parameter"


def entries(shelf: Shelf) -> Iterator[Entry]:
    """Numbers of records, of columns, counts, and histograms."""
    yield from _statistics(shelf)
    yield from _results(shelf)
    yield from _columns(shelf)
    yield from _counts(shelf)
    yield from _histograms(shelf)


def _statistics(shelf: Shelf) -> Iterator[Entry]:
    """Four records, of which one moves from one bound to the other."""
    for name in (*_NUMBERS, *_ORDERED):
        for low, high in _BOUNDS:
            for kind in ("float64", "float32", "int64"):
                given = {"bounds": (low, high), **_ORDERED.get(name, {})}
                pair = [high, low, high, high], [low, low, high, high]
                call = f"{name}({kind}, {shown(given)})"
                yield _entry(shelf, call, _tool(name, kind, given), pair)


def _results(shelf: Shelf) -> Iterator[Entry]:
    """A hundred records at the upper bound, of which one moves; results of another type."""
    for name in ("mean", "var", "std", "sum"):
        for result in (*_RESULTS, *_HALF.get(name, ())):
            for low, high in ((0, 1), (0, 1000)):
                given = {"bounds": (low, high), "dtype": result}
                pair = [high] * 100, [low] + [high] * 99
                call = f"{name}(100 records of int64, {shown(given)})"
                yield _entry(shelf, call, _tool(name, "int64", given), pair)


def _columns(shelf: Shelf) -> Iterator[Entry]:
    """Rows of two numbers, of which one row moves."""
    pair: Any = [[1, 1], [0, 0], [1, 0]], [[0, 0], [0, 0], [1, 0]]
    for name in (*_NUMBERS, *_ORDERED):
        for bounds in ((0, 1), ([0, 0], [1, 1])):
            given: dict[str, Any] = {"bounds": bounds, "axis": 0, **_ORDERED.get(name, {})}
            call = f"{name}(rows of 2, {shown(given)})"
            yield _entry(shelf, call, _tool(name, "float64", given), pair)
    for quantiles in ([0.25, 0.75], [0.1, 0.5, 0.9]):
        given = {"quant": quantiles, "bounds": (0, 1)}
        data = [1, 0, 1, 1], [0, 0, 1, 1]
        does = _tool("quantile", "float64", given)
        yield _entry(shelf, f"quantile(float64, {shown(given)})", does, data)


def _counts(shelf: Shelf) -> Iterator[Entry]:
    for kind in ("bool", "int64", "float64"):
        does = _tool("count_nonzero", kind, {})
        pair: Any = [1, 0, 1, 1], [0, 0, 1, 1]
        yield _entry(shelf, f"count_nonzero({kind})", does, pair)
    does = _tool("count_nonzero", "int64", {"axis": 0})
    pair = [[1, 1], [0, 0], [1, 0]], [[0, 0], [0, 0], [1, 0]]
    yield _entry(shelf, "count_nonzero(rows of 2, axis=0)", does, pair)


def _histograms(shelf: Shelf) -> Iterator[Entry]:
    for epsilon in (0.5, 1.0):
        for bins in (1, 2, 5, [0, 0.5, 1]):
            for density in (False, True):
                given: dict[str, Any] = {
                    "bins": bins,
                    "range": (0, 1),
                    "density": density,
                    "epsilon": epsilon,
                }
                does = _tool("histogram", "float64", given, first=True)
                pair: Any = [0.1, 0.9, 0.9], [0.1, 0.9]
                call = f"histogram({shown(given)})"
                yield _entry(shelf, call, does, pair, ADD_REMOVE, epsilon)
    for density in (False, True):
        given = {"bins": 2, "range": [(0, 1), (0, 1)], "density": density}
        does = _tool("histogramdd", "float64", given, first=True)
        pair = [[0.1, 0.1], [0.9, 0.1]], [[0.1, 0.1]]
        yield _entry(shelf, f"histogramdd(rows of 2, {shown(given)})", does, pair, ADD_REMOVE)


def _tool(name: str, kind: str, given: Mapping[str, Any], first: bool = False) -> Release:
    function = getattr(importlib.import_module("diffprivlib.tools"), name)
    told = {"epsilon": 1.0, **given}

    def release(data: Any, rng: Generator) -> Any:
        found = function(np.asarray(data, dtype=kind), random_state=state(rng), **told)
        return found[0] if first else found

    return release


def _entry(
    shelf: Shelf,
    call: str,
    does: Release,
    pair: Any,
    relation: Any = SUBSTITUTE,
    epsilon: float = 1.0,
) -> Entry:
    return step(
        shelf, call, does, pair, claims=PureDP(epsilon), relation=relation, documented=_WORDS
    )
