"""Small mechanisms with one number of data, for the benchmarks."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator

from audit.case import Case
from audit.claims import Claim, PureDP
from audit.engine.preparation import case_for
from audit.relation import Relation


def additive(noise: Callable[[Generator, int], Any], claim: Claim) -> Case:
    """f = 1 on D and 0 on D', plus noise."""

    def release(data: Any, rng: Generator, size: int) -> Any:
        return data[0] + noise(rng, size)

    return case_for(release, claim=claim, relation=Relation.DECLARED, data=[1.0], neighbors=[[0.0]])


def laplace(epsilon: float, claimed: float | None = None) -> Case:
    """A Laplace count with noise for one epsilon and a claim of another."""
    scale = 1.0 / epsilon
    return additive(lambda rng, size: rng.laplace(0.0, scale, size), PureDP(claimed or epsilon))


def many_counts(epsilon: float, counts: int, claimed: float | None = None) -> Case:
    """Several Laplace counts of this epsilon each, sold at that of one or as claimed."""

    def noise(rng: Generator, size: int) -> Any:
        return rng.laplace(0.0, 1.0 / epsilon, (size, counts))

    return additive(noise, PureDP(claimed or epsilon))


def response(epsilon: float, claimed: float) -> Case:
    """Randomized response of one bit for this epsilon."""
    truthful = 1.0 / (1.0 + math.exp(-epsilon))

    def release(data: Any, rng: Generator, size: int) -> Any:
        return np.where(rng.random(size) < truthful, data[0], 1.0 - data[0])

    return case_for(
        release,
        claim=PureDP(claimed),
        relation=Relation.DECLARED,
        data=[1.0],
        neighbors=[[0.0]],
    )
