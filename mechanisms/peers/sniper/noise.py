"""dp-sniper's mechanisms that add noise to counts, or flip bits."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from audit.claim import Claim, PureDP
from audit.declaration import Entry, Truth
from audit.relation import Relation
from mechanisms.parts.counts.answers import NoisyAnswers
from mechanisms.parts.local.rappor import Rappor
from mechanisms.parts.noise import Floats, Integers
from mechanisms.peers.patterns import input_patterns

GROUP = "dp-sniper"
_SINGLE, _FIVE, _TEN = input_patterns(1), input_patterns(5), input_patterns(10)


@dataclass(frozen=True, slots=True)
class FiniteGeometric:
    """Truncated geometric noise in exact integer arithmetic (arXiv 1709.05396, Algorithm 4.8).

    It rounds epsilon to ln(1 + 2^-k). The published code computes k as
    ceil(ln(2/epsilon)), with the natural logarithm for the binary one, and so
    rounds up.

    Attributes:
        epsilon: claimed epsilon.
        people: largest count.
    """

    epsilon: float = 0.1
    people: int = 5

    @property
    def claim(self) -> Claim:
        return PureDP(self.epsilon)

    @property
    def base(self) -> int:
        """2^k: outputs a step further from the count are 1 + 2^-k times rarer."""
        return int(2 ** math.ceil(math.log(2.0 / self.epsilon)))

    def probabilities(self, count: int) -> Floats:
        """Shape (people + 1,): a two-sided geometric whose tails fall on the ends."""
        ratio = self.base / (self.base + 1)
        distance = np.abs(np.arange(self.people + 1) - count)
        mass = ratio**distance * (1.0 - ratio) / (1.0 + ratio)
        mass[[0, -1]] = ratio ** distance[[0, -1]] / (1.0 + ratio)
        return np.asarray(mass)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Integers:
        """Noisy counts, shape (size,), one uniform each."""
        count = int(np.clip(np.asarray(data).reshape(-1)[0], 0, self.people))
        cumulative = np.cumsum(self.probabilities(count))
        cumulative[-1] = 1.0
        return np.searchsorted(cumulative, rng.random(size), side="right")


ENTRIES: tuple[Entry, ...] = (
    Entry(
        name="sniper-laplace",
        group=GROUP,
        summary="LaplaceMechanism: one answer plus Laplace noise",
        mechanism=NoisyAnswers(epsilon=0.1),
        relation=Relation.DECLARED,
        data=_SINGLE["one above"][0],
        neighbors=(_SINGLE["one above"][1],),
        truth=Truth(keeps=True, epsilon=0.1, source="LaplaceMechanism"),
    ),
    Entry(
        name="sniper-truncated-geometric",
        group=GROUP,
        summary="TruncatedGeometric: epsilon rounded up, to ln(1 + 1/8)",
        mechanism=FiniteGeometric(),
        relation=Relation.DECLARED,
        data=np.array([1]),
        neighbors=(np.array([0]),),
        truth=Truth(
            keeps=False,
            epsilon=math.log1p(1 / 8),
            source="TruncatedGeometric; arXiv 1709.05396, Theorem 4.7",
            pairs=3.81e4,
        ),
    ),
    Entry(
        name="sniper-noisy-histogram-1",
        group=GROUP,
        summary="NoisyHist1: five counts plus Laplace noise of scale 1/epsilon",
        mechanism=NoisyAnswers(epsilon=0.1),
        relation=Relation.DECLARED,
        data=_FIVE["one above"][0],
        neighbors=(_FIVE["one above"][1],),
        truth=Truth(keeps=True, epsilon=0.1, source="NoisyHist1"),
    ),
    Entry(
        name="sniper-noisy-histogram-2",
        group=GROUP,
        summary="NoisyHist2: the same with scale epsilon",
        mechanism=NoisyAnswers(epsilon=0.1, calibration="inverted"),
        relation=Relation.DECLARED,
        data=_FIVE["one above"][0],
        neighbors=(_FIVE["one above"][1],),
        truth=Truth(keeps=False, epsilon=10.0, source="NoisyHist2", pairs=4.68),
    ),
    Entry(
        name="sniper-rappor",
        group=GROUP,
        summary="RAPPOR: a Bloom filter of four hashes on 20 bits, randomized twice",
        mechanism=Rappor(),
        relation=Relation.DECLARED,
        data=np.array([1]),
        neighbors=(np.array([0]),),
        truth=Truth(
            keeps=True,
            epsilon=8.0 * math.log(0.5125 / 0.4875),
            source="RAPPOR; arXiv 1407.6981, Theorem 2; six bits differ on this pair",
        ),
    ),
    Entry(
        name="sniper-one-time-rappor",
        group=GROUP,
        summary="OneTimeRAPPOR: the same filter, randomized once",
        mechanism=Rappor(lie=0.95, responses="permanent"),
        relation=Relation.DECLARED,
        data=np.array([1]),
        neighbors=(np.array([0]),),
        truth=Truth(
            keeps=True,
            epsilon=8.0 * math.log(0.525 / 0.475),
            source="OneTimeRAPPOR; arXiv 1407.6981, Theorem 1; six bits differ on this pair",
        ),
    ),
    Entry(
        name="sniper-laplace-parallel",
        group=GROUP,
        summary="LaplaceParallel: the same answer 20 times at epsilon/20",
        mechanism=NoisyAnswers(epsilon=0.1, sensitivity=20.0, repeats=20),
        relation=Relation.DECLARED,
        data=_SINGLE["one above"][0],
        neighbors=(_SINGLE["one above"][1],),
        truth=Truth(keeps=True, epsilon=0.1, source="LaplaceParallel"),
    ),
    Entry(
        name="sniper-prefix-sum",
        group=GROUP,
        summary="PrefixSum: running totals of ten noisy answers, all of which change by 1",
        mechanism=NoisyAnswers(epsilon=1.0, sensitivity=10.0, cumulative=True),
        relation=Relation.DECLARED,
        data=_TEN["all above"][0],
        neighbors=(_TEN["all above"][1],),
        truth=Truth(keeps=True, epsilon=1.0, source="PrefixSum; 0.1 for each of the answers"),
    ),
)
