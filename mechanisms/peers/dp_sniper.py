"""The twenty mechanisms on which dp-sniper was evaluated (Bichsel et al., S&P 2021).

Their epsilon is 0.1. Each has the input pair on which it loses most.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from math import inf, log, log1p

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from audit.claims import Claim, PureDP
from mechanisms.parts.calibration import Pure
from mechanisms.parts.counts import NoisyAnswers
from mechanisms.parts.local import Rappor
from mechanisms.parts.noise import Floats, Integers, choice
from mechanisms.parts.selection import NoisyMax, SparseVector
from mechanisms.peers.patterns import declared_patterns
from mechanisms.table import breaks, declared, keeps, table


@dataclass(frozen=True, slots=True)
class FiniteGeometric(Pure):
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
        return choice(self.probabilities(count), rng.random(size))


@dataclass(frozen=True, slots=True)
class SparseVectorPair:
    """Algorithms 3 and 4 on the same queries, side by side.

    Attributes:
        epsilon: claimed epsilon of each of the two.
        threshold: what the answers are compared with.
        cutoff: how many "above" until each stops.
    """

    epsilon: float = 0.1
    threshold: float = 1.0
    cutoff: int = 2

    @property
    def claim(self) -> Claim:
        return PureDP(2.0 * self.epsilon)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Outputs of Algorithm 3, then of Algorithm 4, shape (size, 2·queries)."""
        common = (self.epsilon, self.threshold, self.cutoff)
        third = SparseVector(*common, 2.0, 2.0 * self.cutoff, release_value="compared")
        fourth = SparseVector(*common, 4.0, 4.0 / 3.0)
        outputs = [vector.release(data, rng, size) for vector in (third, fourth)]
        return np.concatenate(outputs, axis=1)


ONE, FIVE, TEN = declared_patterns(1), declared_patterns(5), declared_patterns(10)
HALF_ABOVE = TEN["half above, half below"]

ENTRIES = table("dp-sniper", (
    ("sniper-laplace", NoisyAnswers(epsilon=0.1), ONE["one above"], keeps("LaplaceMechanism", 0.1),
     "LaplaceMechanism: one answer plus Laplace noise"),
    ("sniper-truncated-geometric", FiniteGeometric(), declared(np.array([1]), np.array([0])),
     breaks("TruncatedGeometric; arXiv 1709.05396, Theorem 4.7", log1p(1 / 8), pairs=3.81e4),
     "TruncatedGeometric: epsilon rounded up, to ln(1 + 1/8)"),
    ("sniper-noisy-histogram-1", NoisyAnswers(epsilon=0.1), FIVE["one above"],
     keeps("NoisyHist1", 0.1),
     "NoisyHist1: five counts plus Laplace noise of scale 1/epsilon"),
    ("sniper-noisy-histogram-2", NoisyAnswers(epsilon=0.1, calibration="inverted"),
     FIVE["one above"], breaks("NoisyHist2", 10.0, pairs=4.68),
     "NoisyHist2: five counts plus Laplace noise of scale epsilon"),
    ("sniper-rappor", Rappor(), declared(np.array([1]), np.array([0])),
     keeps("RAPPOR; arXiv 1407.6981, Theorem 2; six bits differ on this pair",
           8.0 * log(0.5125 / 0.4875)),
     "RAPPOR: a Bloom filter of four hashes on 20 bits, randomized twice"),
    ("sniper-one-time-rappor", Rappor(lie=0.95, responses="permanent"),
     declared(np.array([1]), np.array([0])),
     keeps("OneTimeRAPPOR; arXiv 1407.6981, Theorem 1; six bits differ on this pair",
           8.0 * log(0.525 / 0.475)),
     "OneTimeRAPPOR: a Bloom filter of four hashes on 20 bits, randomized once"),
    ("sniper-laplace-parallel", NoisyAnswers(epsilon=0.1, sensitivity=20.0, repeats=20),
     ONE["one above"], keeps("LaplaceParallel", 0.1),
     "LaplaceParallel: the same answer 20 times at epsilon/20"),
    ("sniper-prefix-sum", NoisyAnswers(epsilon=1.0, sensitivity=10.0, cumulative=True),
     TEN["all above"], keeps("PrefixSum; 0.1 for each of the answers", 1.0),
     "PrefixSum: running totals of ten noisy answers, all of which change by 1"),
    ("sniper-noisy-max-1", NoisyMax(epsilon=0.1), FIVE["one below, rest above"],
     keeps("ReportNoisyMax1", 0.1),
     "ReportNoisyMax1: index of the largest, Laplace noise"),
    ("sniper-noisy-max-2", NoisyMax(epsilon=0.1, noise="exponential"),
     FIVE["one below, rest above"], keeps("ReportNoisyMax2", 0.1),
     "ReportNoisyMax2: index of the largest, exponential noise"),
    ("sniper-noisy-max-3", NoisyMax(epsilon=0.1, output="value"), FIVE["all above"],
     breaks("ReportNoisyMax3", 0.25, pairs=17078),
     "ReportNoisyMax3: the largest noisy value, Laplace noise"),
    ("sniper-noisy-max-4", NoisyMax(epsilon=0.1, noise="exponential", output="value"),
     FIVE["all above"], breaks("ReportNoisyMax4", inf, pairs=15079),
     "ReportNoisyMax4: the largest noisy value, exponential noise"),
    ("sniper-sparse-vector-1", SparseVector(epsilon=0.1, threshold=0.5), HALF_ABOVE,
     keeps("SVT1", 0.1),
     "SVT1: stops at the first query above"),
    ("sniper-sparse-vector-2", SparseVector(epsilon=0.1, threshold=1.0, redraw=True), HALF_ABOVE,
     keeps("SVT2", 0.1),
     "SVT2: a new threshold after each query above, of which there is one"),
    ("sniper-sparse-vector-3",
     SparseVector(epsilon=0.1, threshold=1.0, query_factor=2.0, release_value="compared"),
     HALF_ABOVE, breaks("SVT3", inf, pairs=1.03e5),
     "SVT3: releases the noisy answer it compared"),
    ("sniper-sparse-vector-4",
     SparseVector(epsilon=0.1, threshold=1.0, threshold_factor=4.0, query_factor=4.0 / 3.0),
     HALF_ABOVE, breaks("SVT4", 0.175, pairs=1.19e5),
     "SVT4: too little noise on the queries"),
    ("sniper-sparse-vector-5", SparseVector(epsilon=0.1, threshold=1.0, cutoff=0, query_factor=0.0),
     HALF_ABOVE, breaks("SVT5", inf, pairs=95.3),
     "SVT5: no noise on the queries, no cutoff"),
    ("sniper-sparse-vector-6", SparseVector(epsilon=0.1, threshold=1.0, cutoff=0, query_factor=2.0),
     HALF_ABOVE, breaks("SVT6", inf, pairs=1.66e4),
     "SVT6: no cutoff"),
    ("sniper-numerical-sparse-vector",
     SparseVector(epsilon=0.1, threshold=1.0, cutoff=2, threshold_factor=3.0, query_factor=12.0,
                  release_value="fresh", value_factor=6.0),
     HALF_ABOVE, keeps("NumericalSVT; arXiv 1903.12254"),
     "NumericalSVT: answers with fresh noise for the first two queries above"),
    ("sniper-sparse-vector-3-and-4", SparseVectorPair(), HALF_ABOVE,
     breaks("SVT34Parallel", inf, pairs=1.1e5, reachable=False),
     "SVT34Parallel: two broken sparse vectors on the same queries"),
))  # fmt: skip
