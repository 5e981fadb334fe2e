"""Statistics of `diffprivlib.tools` at epsilon 1, with public bounds or range."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from numpy.random import Generator, RandomState

from audit.declaration import Entry
from mechanisms.external.call import Release
from mechanisms.external.shelf import ADD_REMOVE, SUBSTITUTE, Finding, Shelf

_MANUAL = "numpy statistics; noise is added to satisfy differential privacy"
_ISSUES = "github.com/IBM/differential-privacy-library"
_NAN = float("nan")
_SPREAD = [0.05, 0.13, 0.21, 0.3, 0.38, 0.46, 0.54, 0.62, 0.7, 0.79, 0.87, 0.95]


def state(rng: Generator) -> RandomState:
    """The `random_state` that the library documents, seeded by a generator."""
    return RandomState(int(rng.integers(2**32)))


def _tool(name: str, **options: Any) -> Release:
    function = getattr(importlib.import_module("diffprivlib.tools"), name)

    def release(data: Any, rng: Generator) -> Any:
        return function(np.asarray(data), epsilon=1.0, random_state=state(rng), **options)

    return release


def _histogram(weighted: bool = False, **options: Any) -> Release:
    function = importlib.import_module("diffprivlib.tools").histogram

    def release(data: Any, rng: Generator) -> Any:
        values = np.asarray(data, dtype=float)
        extra = {"weights": values[:, 1]} if weighted else {}
        sample = values[:, 0] if weighted else values
        return function(sample, epsilon=1.0, random_state=state(rng), **extra, **options)[0]

    return release


def _plane(data: Any, rng: Generator) -> Any:
    function = importlib.import_module("diffprivlib.tools").histogram2d
    points = np.asarray(data, dtype=float).reshape(-1, 2)
    box = [(0, 1), (0, 1)]
    return function(
        points[:, 0], points[:, 1], epsilon=1.0, bins=2, range=box, random_state=state(rng)
    )[0]


def entries(shelf: Shelf) -> tuple[Entry, ...]:
    """Every statistic at its best, then the edges at which it breaks."""
    return (*_kept(shelf), *_unknown_size(shelf), *_missing(shelf), *_edges(shelf))


def _kept(shelf: Shelf) -> tuple[Entry, ...]:
    unit: dict[str, Any] = {"bounds": (0.0, 1.0)}
    few = [0.0, 0.2, 0.4, 0.6, 1.0]

    def kept(name: str, call: str, does: Release, data: Any, relation: Any, domain: Any) -> Entry:
        return shelf.entry(
            name, call, does, data, relation=relation, domain=domain, documented=_MANUAL
        )

    reals = (SUBSTITUTE, "float:0:1")
    return (
        kept("count", "count_nonzero(x)", _tool("count_nonzero"), [1, 0, 1], SUBSTITUTE, "int:0:1"),
        kept("mean", "mean(x, bounds=(0, 1))", _tool("mean", **unit), few, *reals),
        kept("sum", "sum(x, bounds=(0, 1))", _tool("sum", **unit), few, *reals),
        kept("var", "var(x, bounds=(0, 1))", _tool("var", **unit), few, *reals),
        kept("std", "std(x, bounds=(0, 1))", _tool("std", **unit), few, *reals),
        kept("median", "median(x, bounds=(0, 1))", _tool("median", **unit), few, *reals),
        kept(
            "percentile",
            "percentile(x, 90, bounds=(0, 1))",
            _tool("percentile", percent=90, **unit),
            few,
            *reals,
        ),
        kept(
            "sum-integers",
            "sum(x, bounds=(0, 5), dtype=int)",
            _tool("sum", bounds=(0, 5), dtype=int),
            [0, 3, 5],
            SUBSTITUTE,
            "int:0:5",
        ),
        kept(
            "histogram",
            "histogram(x, bins=4, range=(0, 1))",
            _histogram(bins=4, range=(0, 1)),
            few,
            ADD_REMOVE,
            "float:0:1",
        ),
        kept(
            "histogram2d",
            "histogram2d(x, y, bins=2, range=[(0, 1), (0, 1)])",
            _plane,
            [[0.1, 0.1], [0.9, 0.1]],
            ADD_REMOVE,
            None,
        ),
    )


def _unknown_size(shelf: Shelf) -> tuple[Entry, ...]:
    """Findings on counts: a record more or less, and two bins that change."""
    small = "the noise is scaled for substituted records and their number is taken as public"
    return (
        shelf.entry(
            "sum-add-remove",
            "sum(x, bounds=(90, 100)), a record added",
            _tool("sum", bounds=(90.0, 100.0)),
            [100.0, 100.0],
            [100.0],
            relation=ADD_REMOVE,
            documented=_MANUAL,
            broken=Finding(f"{small}; the result is cut to [90 n, 100 n]"),
        ),
        shelf.entry(
            "count-add-remove",
            "count_nonzero(x), a record added",
            _tool("count_nonzero"),
            [1, 1],
            [1],
            relation=ADD_REMOVE,
            documented=_MANUAL,
            broken=Finding("the result is cut to [0, n], where n is the number of records"),
        ),
        shelf.entry(
            "mean-of-nobody",
            "mean(x, bounds=(0, 1)), nobody or one record",
            _tool("mean", bounds=(0.0, 1.0)),
            [1.0],
            [],
            relation=ADD_REMOVE,
            documented=_MANUAL,
            broken=Finding(f"{small}; without records it divides by zero and raises"),
        ),
        shelf.entry(
            "histogram-substitute",
            "histogram(x, bins=2, range=(0, 1)), a record moved",
            _histogram(bins=2, range=(0, 1)),
            [0.1, 0.1, 0.9, 0.9],
            [0.1, 0.9, 0.9, 0.9],
            relation=SUBSTITUTE,
            documented=_MANUAL,
            broken=Finding("sensitivity 1 per bin, but a moved record changes two bins", 2.0),
        ),
    )


def _missing(shelf: Shelf) -> tuple[Entry, ...]:
    """NaN, which only the nan-functions ignore."""
    known = f"{_ISSUES}/issues/80 (open)"
    size = "the sensitivity divides by all records, the statistic only by those that are not NaN"
    lone = [_NAN] * 99
    unit: dict[str, Any] = {"bounds": (0.0, 1.0)}

    def missing(name: str, call: str, does: Release, left: Any, right: Any, why: Finding) -> Entry:
        return shelf.entry(
            name, call, does, left, right, relation=SUBSTITUTE, documented=_MANUAL, broken=why
        )

    return (
        missing(
            "nanmean",
            "nanmean(x, bounds=(0, 1)), 99 of 100 missing",
            _tool("nanmean", **unit),
            [*lone, 0.0],
            [*lone, 1.0],
            Finding(size, 100.0),
        ),
        missing(
            "nanvar",
            "nanvar(x, bounds=(0, 1)), 98 of 100 missing",
            _tool("nanvar", **unit),
            [*lone[1:], 0.0, 0.0],
            [*lone[1:], 0.0, 1.0],
            Finding(size, None),
        ),
        missing(
            "nanstd",
            "nanstd(x, bounds=(0, 1)), 98 of 100 missing",
            _tool("nanstd", **unit),
            [*lone[1:], 0.0, 0.0],
            [*lone[1:], 0.0, 1.0],
            Finding(size, None),
        ),
        missing(
            "nansum",
            "nansum(x, bounds=(90, 100)), one missing",
            _tool("nansum", bounds=(90.0, 100.0)),
            [100.0, 100.0],
            [100.0, _NAN],
            Finding("a missing record counts as 0, outside the bounds that scale the noise", None),
        ),
        missing(
            "mean-nan",
            "mean(x, bounds=(0, 1)), one NaN",
            _tool("mean", **unit),
            [0.5, 0.5],
            [0.5, _NAN],
            Finding("one NaN makes the result NaN", thread=known),
        ),
        missing(
            "median-nan",
            "median(x, bounds=(0, 1)), one NaN",
            _tool("median", **unit),
            [0.5, 0.5],
            [0.5, _NAN],
            Finding("one NaN makes the result NaN", thread=known),
        ),
    )


def _edges(shelf: Shelf) -> tuple[Entry, ...]:
    """Options and sizes at which the claim is lost."""
    return (
        shelf.entry(
            "median-of-many",
            "median(x, bounds=(0, 1)) of 2982 equal records",
            _tool("median", bounds=(0.0, 1.0)),
            [0.0] * 2982,
            [0.0] * 2981 + [1.0],
            relation=SUBSTITUTE,
            documented=_MANUAL,
            broken=Finding(
                "all probabilities of the exponential mechanism underflow to 0 and it raises",
                thread=f"{_ISSUES}/issues/107 (open), a fix in pull/108 (open)",
            ),
        ),
        shelf.entry(
            "sum-int8",
            "sum(x, bounds=(0, 1), dtype=numpy.int8)",
            _tool("sum", bounds=(0, 1), dtype=np.int8),
            [1] * 128,
            [1] * 127 + [0],
            relation=SUBSTITUTE,
            documented=f"{_MANUAL}; dtype: the type of the accumulator",
            broken=Finding("the sum wraps around from 127 to -128, the sensitivity stays 1"),
        ),
        shelf.entry(
            "histogram-auto",
            "histogram(x, bins='auto', range=(0, 1))",
            _histogram(bins="auto", range=(0, 1)),
            _SPREAD,
            _SPREAD[:1] + _SPREAD[2:],
            relation=ADD_REMOVE,
            documented=f"{_MANUAL}; bins may be a string, the method that finds the bins",
            broken=Finding("the bins are computed from the data, without noise or a warning"),
        ),
        shelf.entry(
            "histogram-weights",
            "histogram(x, bins=1, range=(0, 1), weights=w)",
            _histogram(weighted=True, bins=1, range=(0, 1)),
            [[0.5, 1.0], [0.5, 10.0]],
            [[0.5, 1.0]],
            relation=ADD_REMOVE,
            documented=f"{_MANUAL}; each value only contributes its associated weight",
            broken=Finding("sensitivity 1 whatever the weights", 10.0),
        ),
    )
