"""The eleven algorithms on which StatDP was evaluated (arXiv 1805.10277).

Their epsilon is 0.7, one of the three values of that evaluation. Each has the
input pair on which its odds are worst.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from mechanisms.parts.calibration import Calibration, Pure
from mechanisms.parts.counts import NoisyAnswers
from mechanisms.parts.noise import Floats
from mechanisms.parts.selection import ABOVE, BELOW, NoisyMax, SparseVector
from mechanisms.peers.patterns import declared_patterns
from mechanisms.table import breaks, keeps, table


@dataclass(frozen=True, slots=True)
class FirstBin(Pure):
    """The first entry of a noisy histogram.

    Attributes:
        epsilon: claimed epsilon.
        scale: the noise's scale: "reciprocal" is 1/epsilon, "epsilon" is wrong.
    """

    epsilon: float = 0.7
    scale: Literal["reciprocal", "epsilon"] = "reciprocal"

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Noisy first counts, shape (size,)."""
        calibration: Calibration = "pure" if self.scale == "reciprocal" else "inverted"
        histogram = NoisyAnswers(self.epsilon, calibration=calibration)
        return np.asarray(histogram.release(data, rng, size)[:, 0])


@dataclass(frozen=True, slots=True)
class SummarizedSparseVector(SparseVector):
    """A sparse vector of which only a summary is released.

    Attributes:
        summary: "below" counts the answers below; "distance" counts where the
            answers differ from above for the first half and below for the rest,
            an answer not given differing too; "below-and-value" is the number
            below with the value released, -inf when there is none.
    """

    epsilon: float = 0.7
    threshold: float = 1.0
    summary: Literal["below", "distance", "below-and-value"] = "distance"

    def release(self, data: ArrayLike, rng: Generator, size: int) -> NDArray[Any]:
        """Integers, shape (size,); with values rows (below, value), shape (size, 2)."""
        outputs = SparseVector.release(self, data, rng, size)
        match self.summary:
            case "below":
                return np.asarray((outputs == BELOW).sum(axis=1))
            case "below-and-value":
                last = np.max(outputs, axis=1, where=~np.isnan(outputs), initial=-np.inf)
                return np.column_stack([np.isneginf(outputs).sum(axis=1), last])
        half = np.arange(outputs.shape[1]) < outputs.shape[1] // 2
        return np.asarray((outputs != np.where(half, ABOVE, BELOW)).sum(axis=1))


FIVE, TEN = declared_patterns(5), declared_patterns(10)

ENTRIES = table("StatDP", (
    ("statdp-noisy-max-1a", NoisyMax(epsilon=0.7), FIVE["one below, rest above"],
     keeps("noisy_max_v1a", 0.7),
     "noisy_max_v1a: index of the largest, Laplace noise"),
    ("statdp-noisy-max-1b", NoisyMax(epsilon=0.7, output="value"), FIVE["all above"],
     breaks("noisy_max_v1b", 1.75, pairs=497),
     "noisy_max_v1b: the largest noisy value, Laplace noise"),
    ("statdp-noisy-max-2a", NoisyMax(epsilon=0.7, noise="exponential"),
     FIVE["one below, rest above"], keeps("noisy_max_v2a", 0.7),
     "noisy_max_v2a: index of the largest, exponential noise"),
    ("statdp-noisy-max-2b", NoisyMax(epsilon=0.7, noise="exponential", output="value"),
     FIVE["all above"], breaks("noisy_max_v2b", inf, pairs=387),
     "noisy_max_v2b: the largest noisy value, exponential noise"),
    ("statdp-histogram", FirstBin(), FIVE["one above"], keeps("histogram", 0.7),
     "histogram: the first of five noisy counts"),
    ("statdp-histogram-epsilon", FirstBin(scale="epsilon"), FIVE["one above"],
     breaks("histogram_eps", 1 / 0.7, pairs=64.3),
     "histogram_eps: the first of five noisy counts, with scale epsilon"),
    ("statdp-sparse-vector", SummarizedSparseVector(threshold=0.5, summary="below"),
     TEN["half above, half below"], keeps("SVT", 0.7),
     "SVT: how many queries were below before the first above"),
    ("statdp-sparse-vector-wrong-1", SummarizedSparseVector(cutoff=0, query_factor=0.0),
     TEN["half above, half below"], breaks("iSVT1", inf, pairs=25.2),
     "iSVT1: no noise on the queries, no cutoff"),
    ("statdp-sparse-vector-wrong-2", SummarizedSparseVector(cutoff=0, query_factor=2.0),
     TEN["half above, half below"], breaks("iSVT2", inf, pairs=376),
     "iSVT2: no cutoff"),
    ("statdp-sparse-vector-wrong-3",
     SummarizedSparseVector(threshold_factor=4.0, query_factor=4.0 / 3.0), TEN["crossed"],
     breaks("iSVT3", 1.225, pairs=3131),
     "iSVT3: too little noise on the queries"),
    ("statdp-sparse-vector-wrong-4",
     SummarizedSparseVector(query_factor=2.0, release_value="compared", summary="below-and-value"),
     TEN["half above, half below"], breaks("iSVT4", inf, pairs=2631),
     "iSVT4: releases the noisy answer it compared"),
))  # fmt: skip
