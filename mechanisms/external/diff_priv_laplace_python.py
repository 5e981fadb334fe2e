"""diff-priv-laplace-python: noisy statistics of arrays, drawn from numpy's global state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from audit.declaration import Entry
from audit.relation import Relation
from mechanisms.external.call import Release, imported
from mechanisms.external.shelf import DECLARED, SUBSTITUTE, Finding, Shelf

REQUIREMENT = "diff-priv-laplace-python==1.0.5"
_STATISTICS = "README, Statistics; docstrings: anonymizes the value(s) using the privacy budget"
_SEQUENTIAL = "README, Sequential composition: we divide the provided privacy budget"
_PARALLEL = "README, Parallel composition: the maximum budget, for disjoint data sets"
_ONE = "sensitivity 1 whatever the data"
_SEEN = "the bounds that scale the noise are the least and the largest of the records themselves"
_WHOLE = "the budget is divided only where kinds is a list; kinds joined with | get all of it each"
_SAME = "both statistics are of the same records and get all of the budget"
_MOVED = (
    "a record that moves changes two counts; one that is added changes the total, which is kept"
)
_DISJOINT = "README: parallel composition is for disjoint data sets"
_UNNAMED = "no relation is named"


def entries() -> tuple[Entry, ...]:
    """Calls of diff-priv-laplace-python.

    Raises:
        InputError: it is not installed.
    """
    library, version = imported("diffpriv_laplace", "diff-priv-laplace-python", REQUIREMENT)
    shelf = Shelf("diff-priv-laplace-python", version, "pypi: diff-priv-laplace-python")
    return (*_statistics(shelf, library), *_known(shelf, library), *_queries(shelf, library))


def _floats(function: Callable[[Any], Any]) -> Release:
    return lambda data: function(np.asarray(data, dtype=float))


def _statistics(shelf: Shelf, library: Any) -> tuple[Entry, ...]:
    def one(name: str, pair: tuple[Any, Any], why: Finding | None = None) -> Entry:
        function = getattr(library.DiffPrivStatistics, name)
        return shelf.entry(
            name,
            f"DiffPrivStatistics.{name}(x, epsilon=1)",
            _floats(lambda data: function(data, 1.0)),
            *pair,
            relation=SUBSTITUTE,
            documented=_STATISTICS,
            broken=why,
        )

    bits = ([1, 0, 1, 0, 1, 0], [1, 1, 1, 0, 1, 0])
    low, high = [50.0, 60.0, 70.0], [90.0, 95.0, 99.0]
    return (
        one("count", bits),
        one("proportion", bits),
        one("min", ([40.0, *low], [10.0, *low]), Finding(_ONE)),
        one("max", ([40.0, *low], [90.0, *low]), Finding(_ONE)),
        one("median", ([10.0, 20.0, *high], [99.0, 20.0, *high]), Finding(_ONE)),
        one("sum", ([0.0] * 4, [0.0, 0.0, 0.0, 1.0]), Finding(_SEEN)),
        one("mean", ([5.0] * 4, [5.0, 5.0, 5.0, 6.0]), Finding(_SEEN)),
        one("variance", ([5.0] * 4, [5.0, 5.0, 5.0, 6.0]), Finding(_SEEN)),
    )


def _known(shelf: Shelf, library: Any) -> tuple[Entry, ...]:
    """Values with bounds and size from the caller: within [0, 1], four records."""
    made = library.DiffPrivLaplaceMechanism(1.0)
    bounds = {"lower": 0.0, "upper": 1.0}
    sized = {**bounds, "n": 4}

    def one(name: str, value: Callable[[Any], Any], given: dict[str, float]) -> Entry:
        function = getattr(made, f"anonymize_{name}")
        told = ", ".join(f"{key}={size:g}" for key, size in given.items())
        return shelf.entry(
            f"mechanism-{name}",
            f"DiffPrivLaplaceMechanism(1).anonymize_{name}({name}(x){', ' if told else ''}{told})",
            _floats(lambda data: function(value(data), **given)),
            [0.0, 0.0, 0.0, 1.0],
            [1.0, 0.0, 0.0, 1.0],
            relation=SUBSTITUTE,
            documented="README, Laplace mechanism",
        )

    return (
        one("count", np.count_nonzero, {}),
        one("proportion", np.mean, {"n": 4}),
        one("sum", np.sum, bounds),
        one("mean", np.mean, sized),
        one("variance", np.var, sized),
    )


def _queries(shelf: Shelf, library: Any) -> tuple[Entry, ...]:
    kind = library.DiffPrivStatisticKind
    both = kind.count | kind.proportion
    sequential = library.DiffPrivSequentialStatisticsQuery.query
    parallel = library.DiffPrivParallelStatisticsQuery.query
    sanitize = library.DiffPrivLaplaceSanitizer.count
    selectors = [lambda data: data >= 0.0, lambda data: data < 0.0]
    bits = ([1, 0, 1, 0, 1, 0], [1, 1, 1, 0, 1, 0])

    def one(
        name: str,
        call: str,
        does: Release,
        documented: str,
        why: Finding | None = None,
        pair: tuple[Any, Any] = bits,
        relation: Relation = SUBSTITUTE,
    ) -> Entry:
        return shelf.entry(
            name, call, does, *pair, relation=relation, documented=documented, broken=why
        )

    return (
        one(
            "sequential",
            "DiffPrivSequentialStatisticsQuery.query(x, count | proportion, epsilon=1)",
            _floats(lambda data: _values(sequential(data, both, 1.0))),
            _SEQUENTIAL,
            Finding(_WHOLE, 2.0),
        ),
        one(
            "sequential-list",
            "DiffPrivSequentialStatisticsQuery.query([x], [count | proportion], epsilon=1, axis=1)",
            _floats(lambda data: _values(sequential(np.array([data]), [both], 1.0, axis=1))),
            _SEQUENTIAL,
        ),
        one(
            "parallel",
            "DiffPrivParallelStatisticsQuery.query(x, count | proportion, epsilon=1)",
            _floats(lambda data: _values(parallel(data, both, 1.0))),
            _PARALLEL,
            Finding(_SAME, 2.0, warned=_DISJOINT),
        ),
        one(
            "parallel-disjoint",
            "DiffPrivParallelStatisticsQuery.query([x, y], [count, count], epsilon=1, axis=1)",
            lambda data: _values(parallel(np.array(data), [kind.count] * 2, 1.0, axis=1)),
            _PARALLEL,
            None,
            ([[1, 0, 1], [0, 1, 1]], [[1, 1, 1], [0, 1, 1]]),
            DECLARED,
        ),
        one(
            "sanitizer",
            "DiffPrivLaplaceSanitizer.count(x, [x >= 0, x < 0], epsilon=1, postprocess=False)",
            _floats(lambda data: sanitize(data, selectors, 1.0, postprocess=False)[0]),
            "README, Laplace sanitizer",
            Finding(_MOVED, 2.0, warned=_UNNAMED),
            ([1, 1, 1, -1, -1, -1], [-1, 1, 1, -1, -1, -1]),
        ),
    )


def _values(answers: Any) -> list[float]:
    """All statistics of all slices, in the order in which they come."""
    return [float(value) for answer in answers for value in answer.values()]
