"""eeprivacy: statistics on the use of energy, drawn from numpy's global state."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from audit.claims import ApproxDP, Claim
from audit.declaration import Entry
from mechanisms.external.call import Release, imported
from mechanisms.external.shelf import ADD_REMOVE, DECLARED, SUBSTITUTE, Finding, Shelf

REQUIREMENT = "eeprivacy==0.0.5"
_WORDS = "docstrings of operations and mechanisms"
_OPEN = "the values are not clamped, only the mean is: one record moves it as far as it likes"
_SHARED = "LaplaceMechanism.execute draws one number and adds it to every coordinate"
_SCORES = "one record moves the score of one option up and of another down by up to 1: noise for 2"


def entries() -> tuple[Entry, ...]:
    """Calls of eeprivacy.

    Raises:
        InputError: it is not installed.
    """
    _, version = imported("eeprivacy", "eeprivacy", REQUIREMENT)
    operations = importlib.import_module("eeprivacy.operations")
    mechanisms = importlib.import_module("eeprivacy.mechanisms")
    shelf = Shelf("eeprivacy", version, "openeemeter.github.io/eeprivacy")
    return (
        *_mechanisms(shelf, mechanisms),
        *_scalars(shelf, operations),
        *_many(shelf, operations),
    )


def _mechanisms(shelf: Shelf, library: Any) -> tuple[Entry, ...]:
    def noisy(name: str, does: Any, claims: Claim | None) -> Entry:
        call = f"{name}: {claims or 'ε = 1'}, sensitivity 1"
        return shelf.entry(name, call, does, [0], [1], claims=claims, documented=_WORDS)

    def gaussian(epsilon: float) -> Release:
        given = {"epsilon": epsilon, "delta": 0.01, "sensitivity": 1.0}
        return lambda data: library.GaussianMechanism.execute(value=float(data[0]), **given)

    laplace = library.LaplaceMechanism.execute
    return (
        noisy(
            "laplace-mechanism",
            lambda data: laplace(value=float(data[0]), epsilon=1.0, sensitivity=1.0),
            None,
        ),
        noisy("gaussian-mechanism", gaussian(1.0), ApproxDP(1.0, 0.01)),
    )


def _scalars(shelf: Shelf, library: Any) -> tuple[Entry, ...]:
    unit = {"lower_bound": 0.0, "upper_bound": 1.0}
    total, mean = library.PrivateClampedSum(**unit), library.PrivateClampedMean(**unit)

    def entry(name: str, made: Any, top: float, why: Finding | None = None) -> Entry:
        return shelf.entry(
            name,
            f"{type(made).__name__}(lower_bound=0, upper_bound=1), a record at {top:g}",
            lambda data: made.execute(values=np.asarray(data, dtype=float), epsilon=1.0),
            [0.0, 0.0, 0.0, 0.0],
            [top, 0.0, 0.0, 0.0],
            relation=SUBSTITUTE,
            documented=_WORDS,
            broken=why,
        )

    return (
        entry("sum", total, 1.0),
        entry("sum-outlier", total, 1000.0),
        entry("mean", mean, 1.0),
        entry("mean-outlier", mean, 1000.0, Finding(_OPEN)),
    )


def _many(shelf: Shelf, library: Any) -> tuple[Entry, ...]:
    size = {"lower_bound": 0.0, "upper_bound": 1.0, "k": 2, "N": 2}
    laplace = library.PrivateVectorClampedMeanLaplace(**size)
    gaussian = library.PrivateVectorClampedMeanGaussian(**size)
    histogram = library.PrivateHistogram(bins=[0.0, 0.5, 1.0])
    quantile = library.PrivateQuantile(options=[0.5, *(2.0 + step / 10 for step in range(8))])
    rows = [[0.0, 0.0], [1.0, 1.0]], [[0.0, 1.0], [1.0, 1.0]]
    few = [1.0, 1.0, *[3.0] * 8]

    def entry(
        name: str,
        does: Release,
        pair: tuple[Any, Any],
        relation: Any = DECLARED,
        claims: Claim | None = None,
        why: Finding | None = None,
    ) -> Entry:
        return shelf.entry(
            name,
            f"{name} at epsilon=1",
            does,
            *pair,
            relation=relation,
            claims=claims,
            documented=_WORDS,
            broken=why,
        )

    return (
        entry(
            "vector-mean-gaussian",
            lambda data: gaussian.execute(vectors=data, epsilon=1.0, delta=0.01),
            rows,
            SUBSTITUTE,
            ApproxDP(1.0, 0.01),
        ),
        entry(
            "vector-mean-laplace",
            lambda data: laplace.execute(vectors=data, epsilon=1.0, delta=0.0),
            rows,
            SUBSTITUTE,
            why=Finding(_SHARED),
        ),
        entry(
            "histogram",
            lambda data: histogram.execute(values=data, epsilon=1.0),
            ([0.1, 0.9, 0.9], [0.9, 0.9]),
            ADD_REMOVE,
        ),
        entry(
            "quantile",
            lambda data: quantile.execute(values=data, epsilon=1.0, quantile=0.1),
            (few, [0.0, *few]),
            ADD_REMOVE,
            why=Finding(_SCORES, None),
        ),
    )
