"""diffprivlib's noise and choices."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import Any

from numpy.random import Generator

from audit.claims import ApproxDP, Claim, PureDP
from audit.declaration import Entry
from mechanisms.external.call import Release
from mechanisms.external.diffprivlib.tools import state
from mechanisms.external.shelf import Shelf
from mechanisms.external.walks.steps import shown, step

_EPSILONS = (0.5, 1.0, 2.0)
_DELTA = 0.01
_BOX = {"lower": 0, "upper": 3}
_PURE: Mapping[str, Mapping[str, Any]] = {
    "Laplace": {},
    "LaplaceTruncated": _BOX,
    "LaplaceFolded": _BOX,
    "LaplaceBoundedDomain": _BOX,
    "Geometric": {},
    "GeometricTruncated": _BOX,
    "GeometricFolded": _BOX,
    "Snapping": _BOX,
    "Staircase": {},
}
_APPROXIMATE: Mapping[str, Mapping[str, Any]] = {
    "GaussianAnalytic": {},
    "GaussianDiscrete": {},
    "LaplaceBoundedNoise": {},
    "Laplace": {},
    "LaplaceTruncated": _BOX,
    "LaplaceFolded": _BOX,
    "LaplaceBoundedDomain": _BOX,
}
_WHOLE = ("Geometric", "GaussianDiscrete")
_WORDS = "mechanisms; epsilon and delta: privacy parameters"


def entries(shelf: Shelf) -> Iterator[Entry]:
    """Additive noise, then choices."""
    for epsilon in _EPSILONS:
        for sensitivity in (1, 2):
            given = {"epsilon": epsilon, "sensitivity": sensitivity}
            for kind, options in _PURE.items():
                yield from _noise(shelf, kind, PureDP(epsilon), {**given, **options})
            small = {**given, "delta": _DELTA}
            for kind, options in _APPROXIMATE.items():
                yield from _noise(shelf, kind, ApproxDP(epsilon, _DELTA), {**small, **options})
            if epsilon <= 1:
                yield from _noise(shelf, "Gaussian", ApproxDP(epsilon, _DELTA), small)
        for gamma in (0.1, 0.9):
            options = {"epsilon": epsilon, "sensitivity": 1, "gamma": gamma}
            yield from _noise(shelf, "Staircase", PureDP(epsilon), options)
        yield from _choices(shelf, epsilon)
        yield from _words(shelf, epsilon)


def _noise(shelf: Shelf, kind: str, claims: Claim, given: Mapping[str, Any]) -> Iterator[Entry]:
    made = getattr(importlib.import_module("diffprivlib.mechanisms"), kind)
    cast = int if kind.startswith(_WHOLE) else float
    try:
        made(**given)
    except (ValueError, TypeError):
        return

    def release(data: Any, rng: Generator) -> Any:
        return made(random_state=state(rng), **given).randomise(cast(data[0]))

    pair = [0], [given["sensitivity"]]
    yield step(shelf, f"{kind}({shown(given)})", release, pair, claims=claims, documented=_WORDS)


def _choices(shelf: Shelf, epsilon: float) -> Iterator[Entry]:
    """A score that rises while the others fall, or scores that all rise."""
    pairs = {False: ([1, 1, 1], [0, 2, 2]), True: ([0, 1, 1], [1, 1, 1])}
    for kind in ("Exponential", "PermuteAndFlip"):
        made = getattr(importlib.import_module("diffprivlib.mechanisms"), kind)
        for monotonic, pair in pairs.items():
            for options in ({}, {"measure": [1.0, 2.0, 3.0]}):
                given = {"epsilon": epsilon, "sensitivity": 1, "monotonic": monotonic, **options}
                try:
                    made(utility=[0.0, 0.0, 0.0], **given)
                except (ValueError, TypeError):
                    continue
                yield step(
                    shelf,
                    f"{kind}({shown(given)})",
                    _chosen(made, given),
                    pair,
                    claims=PureDP(epsilon),
                    documented=_WORDS,
                )


def _chosen(made: Any, given: Mapping[str, Any]) -> Release:
    def release(data: Any, rng: Generator) -> Any:
        scores = [float(score) for score in data]
        return made(utility=scores, random_state=state(rng), **given).randomise()

    return release


def _words(shelf: Shelf, epsilon: float) -> Iterator[Entry]:
    """Randomized words, with a table of distances or a tree."""
    near = [("a", "b", 1), ("b", "c", 1), ("a", "c", 2)]
    tree = [["a", "b"], ["c", "d"]]
    deep = [[["a"], ["b"]], [["c"], ["d"]]]
    made: Mapping[str, Mapping[str, Any]] = {
        "Binary(": {"value0": "a", "value1": "b"},
        "ExponentialCategorical(distances 1, 1 and 2, ": {"utility_list": near},
        "ExponentialHierarchical(two levels, ": {"hierarchy": tree},
        "ExponentialHierarchical(three levels, ": {"hierarchy": deep},
    }
    for call, given in made.items():
        kind = getattr(importlib.import_module("diffprivlib.mechanisms"), call.partition("(")[0])
        last = {"Binary": 1, "ExponentialCategorical": 2}.get(kind.__name__, 3)
        yield step(
            shelf,
            f"{call}epsilon={epsilon})",
            _word(kind, {**given, "epsilon": epsilon}),
            ([0], [last]),
            claims=PureDP(epsilon),
            documented=_WORDS,
        )


def _word(kind: Any, given: Mapping[str, Any]) -> Release:
    def release(data: Any, rng: Generator) -> Any:
        return kind(random_state=state(rng), **given).randomise("abcd"[int(data[0])])

    return release
