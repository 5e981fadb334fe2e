"""Mechanisms of `diffprivlib.mechanisms`, at the values 0 and 1 with sensitivity 1."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from numpy.random import Generator

from audit.claims import ApproxDP, Claim, PureDP
from audit.declaration import Entry
from mechanisms.external.call import Release
from mechanisms.external.diffprivlib.tools import state
from mechanisms.external.shelf import Finding, Shelf

_DELTA = 1e-2
_MANUAL = "mechanisms; epsilon and delta: privacy parameters"
_BITS = "github.com/IBM/differential-privacy-library/issues/19 and 94"


def _noise(name: str, whole: bool = False, **options: Any) -> Release:
    kind = getattr(importlib.import_module("diffprivlib.mechanisms"), name)
    cast = int if whole else float

    def release(data: Any, rng: Generator) -> Any:
        return kind(sensitivity=1, random_state=state(rng), **options).randomise(cast(data[0]))

    return release


def _choice(name: str, **options: Any) -> Release:
    kind = getattr(importlib.import_module("diffprivlib.mechanisms"), name)

    def release(data: Any, rng: Generator) -> Any:
        scores = [float(score) for score in data]
        mechanism = kind(
            epsilon=1.0, sensitivity=1.0, utility=scores, random_state=state(rng), **options
        )
        return mechanism.randomise()

    return release


def _words(name: str, words: tuple[str, ...], **options: Any) -> Release:
    kind = getattr(importlib.import_module("diffprivlib.mechanisms"), name)

    def release(data: Any, rng: Generator) -> Any:
        return kind(epsilon=1.0, random_state=state(rng), **options).randomise(words[int(data[0])])

    return release


def _bingham(data: Any, rng: Generator) -> Any:
    kind = importlib.import_module("diffprivlib.mechanisms").Bingham
    points = np.asarray(data, dtype=float)
    direction = kind(epsilon=1.0, random_state=state(rng)).randomise(points.T @ points)
    return np.abs(direction)


def entries(shelf: Shelf) -> tuple[Entry, ...]:
    """Additive noise, then choices."""
    return (*_additive(shelf), *_choices(shelf))


def _additive(shelf: Shelf) -> tuple[Entry, ...]:
    approximate = ApproxDP(1.0, _DELTA)
    small = {"epsilon": 1.0, "delta": _DELTA}

    def noisy(name: str, kind: str, claims: Claim, leaks: bool, **options: Any) -> Entry:
        whole = kind.startswith("Geometric") or kind == "GaussianDiscrete"
        shown = ", ".join(f"{key}={value}" for key, value in options.items())
        return shelf.entry(
            name,
            f"{kind}(sensitivity=1, {shown})",
            _noise(kind, whole=whole, **options),
            [0],
            [1],
            claims=claims,
            documented=_MANUAL,
            leaks=leaks,
            warned=f"floating-point outputs are known to leak: {_BITS}" if leaks else "",
        )

    pure = PureDP(1.0)
    return (
        noisy("laplace", "Laplace", pure, True, epsilon=1.0),
        noisy("laplace-truncated", "LaplaceTruncated", pure, True, epsilon=1.0, lower=0, upper=1),
        noisy("laplace-folded", "LaplaceFolded", pure, True, epsilon=1.0, lower=0, upper=1),
        noisy("laplace-domain", "LaplaceBoundedDomain", pure, True, epsilon=1.0, lower=0, upper=1),
        noisy("laplace-bounded", "LaplaceBoundedNoise", approximate, True, **small),
        noisy("staircase", "Staircase", pure, True, epsilon=1.0),
        noisy("snapping", "Snapping", pure, False, epsilon=1.0, lower=-10, upper=10),
        noisy("geometric", "Geometric", pure, False, epsilon=1.0),
        noisy(
            "geometric-truncated", "GeometricTruncated", pure, False, epsilon=1.0, lower=0, upper=3
        ),
        noisy("geometric-folded", "GeometricFolded", pure, False, epsilon=1.0, lower=0, upper=3),
        noisy("gaussian", "Gaussian", approximate, True, **small),
        noisy("gaussian-analytic", "GaussianAnalytic", approximate, True, **small),
        noisy("gaussian-discrete", "GaussianDiscrete", approximate, False, **small),
        noisy("uniform", "Uniform", ApproxDP(1e-9, 0.1), True, delta=0.1),
    )


def _choices(shelf: Shelf) -> tuple[Entry, ...]:
    scores = ([0, 0, 0, 0], [1, -1, -1, -1])
    letters = ("a", "b", "c")
    distances = [("a", "b", 1), ("b", "c", 1), ("a", "c", 2)]

    def chosen(name: str, call: str, does: Release, *data: Any) -> Entry:
        return shelf.entry(name, call, does, *data, documented=_MANUAL)

    return (
        chosen("exponential", "Exponential(sensitivity=1)", _choice("Exponential"), *scores),
        chosen(
            "permute-and-flip", "PermuteAndFlip(sensitivity=1)", _choice("PermuteAndFlip"), *scores
        ),
        chosen(
            "binary",
            "Binary(value0='a', value1='b')",
            _words("Binary", letters, value0="a", value1="b"),
            [0],
            [1],
        ),
        chosen(
            "categorical",
            "ExponentialCategorical, distances 1, 1 and 2",
            _words("ExponentialCategorical", letters, utility_list=distances),
            [0],
            [2],
        ),
        chosen(
            "hierarchical",
            "ExponentialHierarchical(hierarchy=[['a', 'b'], ['c']])",
            _words("ExponentialHierarchical", letters, hierarchy=[["a", "b"], ["c"]]),
            [0],
            [2],
        ),
        chosen(
            "bingham",
            "Bingham(sensitivity=1) on the covariance of rows of norm 1",
            _bingham,
            [[1.0, 0.0], [0.0, 1.0]],
            [[1.0, 0.0], [1.0, 0.0]],
        ),
        shelf.entry(
            "exponential-many",
            "Exponential(sensitivity=1, measure=m) where the best candidate has measure 0",
            _choice("Exponential", measure=[0.0, 1.0]),
            [1491.0, 0.0],
            [1490.0, 0.0],
            documented=_MANUAL,
            broken=Finding(
                "all probabilities underflow to 0 and it raises",
                thread="github.com/IBM/differential-privacy-library/issues/107 (open)",
            ),
        ),
    )
