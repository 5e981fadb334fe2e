"""The same DP-SGD audited with pairs and with canaries, for the same number of trainings."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.random import Generator, default_rng

import audit
from audit.canary.training import trained_with_canaries
from mechanisms.parts.noise import Floats
from mechanisms.parts.training import DpSgd, Flaw

CANARIES = 500
WITH_CANARIES, WITH_PAIRS = (1, 10, 100), (1_000, 10_000, 100_000)
ALPHA, DELTA, EPSILON = 0.05, 1e-5, 2.8552
"""The accountant's epsilon of ten Poisson batches at rate .1 with noise 1."""

AGAINST = np.array([[100.0, 0.0]] * 9)
"""Others whose gradients point away from that of the record: the batch without them is known."""

RIGHT = DpSgd(EPSILON, DELTA, noise=1.0, rate=0.1, features=CANARIES)
TRUTHS: dict[Flaw, float | None] = {
    "none": EPSILON,
    "not clipped": np.inf,
    "scale of the average": 329.2,
    "batch twice": 4.861,
    "shuffled": None,
}
"""The accountant's epsilon at delta, None where it has none to give."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What one audit of a training shows.

    Attributes:
        flaw: of the training.
        way: "pairs" or "canaries".
        trainings: how many models it took.
        verdict: of the claim.
        bound: lower bound on epsilon at delta.
        seconds: to train and to audit.
    """

    flaw: Flaw
    way: str
    trainings: int
    verdict: str
    bound: float
    seconds: float


def evidence(sums: Floats, gradients: Floats, mechanism: DpSgd) -> Floats:
    """Log odds that a record was in some of the batches, from the products with its gradient.

    Those of independent batches; it is no worse a score for trainings that draw
    their batches in another way than they should.

    Args:
        sums: noisy sums of a training, shape (steps, features).
        gradients: of each canary at each step, shape (steps, canaries, features).
        mechanism: as it is accounted for.
    """
    products = np.einsum("sf,scf->sc", sums, gradients)
    loss = (2.0 * products - mechanism.clip**2) / (2.0 * mechanism.noise**2)
    told = np.logaddexp(np.log1p(-mechanism.rate), np.log(mechanism.rate) + loss)
    return np.asarray(told.sum(axis=0))


def canaries_of(flaw: Flaw, trainings: int, seed: int) -> Shown:
    """So many trainings, each with its own coins for canaries along a coordinate of their own."""
    mechanism, started = replace(RIGHT, flaw=flaw), time.perf_counter()
    canaries = np.column_stack([100.0 * np.eye(CANARIES), np.ones(CANARIES)])
    records = np.empty((0, CANARIES + 1))

    def train(data: Any, rng: Generator) -> Floats:
        return np.asarray(mechanism.release(data, rng, 1)[0])

    def score(sums: Floats, known: Any) -> Floats:
        gradients = mechanism.gradients(known, mechanism.weights_after(sums)[:-1])
        return evidence(sums, gradients, RIGHT)

    trained = partial(trained_with_canaries, train, score, records, canaries)
    trials = [trained(rng) for rng in default_rng(seed).spawn(trainings)]
    result = audit.canaries(
        np.concatenate([trial.scores for trial in trials]),
        np.concatenate([trial.members for trial in trials]),
        runs=np.repeat(np.arange(trainings), CANARIES),
        epsilon=EPSILON,
        delta=DELTA,
        assignment="coin",
        alpha=ALPHA,
    )
    return Shown(
        flaw=flaw,
        way="canaries",
        trainings=trainings,
        verdict=str(result.verdict),
        bound=result.epsilon_lower,
        seconds=time.perf_counter() - started,
    )


def pairs_of(flaw: Flaw, trainings: int, seed: int) -> Shown:
    """So many trainings on two datasets: of all coordinates, only that of the record can tell.

    A training keeps nothing for the next one, which is declared.
    """
    mechanism, started = replace(RIGHT, flaw=flaw, features=1), time.perf_counter()
    others = AGAINST if flaw == "shuffled" else AGAINST[:0]
    result = audit.run(
        mechanism.release,
        epsilon=EPSILON,
        delta=DELTA,
        data=np.concatenate([others, [[100.0, 1.0]]]),
        neighbors=[others],
        max_samples=trainings,
        alpha=ALPHA,
        seed=seed,
        assume=("independent-calls",),
    )
    return Shown(
        flaw=flaw,
        way="pairs",
        trainings=trainings,
        verdict=str(result.verdict),
        bound=result.epsilon_lower,
        seconds=time.perf_counter() - started,
    )


def compared(seed: int = 1) -> Iterator[Shown]:
    """All flaws, both ways."""
    for flaw in TRUTHS:
        for trainings in WITH_CANARIES:
            yield canaries_of(flaw, trainings, seed)
        for trainings in WITH_PAIRS:
            yield pairs_of(flaw, trainings, seed)
