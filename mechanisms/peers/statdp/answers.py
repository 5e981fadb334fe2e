"""StatDP's variants of report-noisy-max and of the noisy histogram, on five answers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from audit.claim import Claim, PureDP
from audit.declaration import Entry, Truth
from audit.relation import Relation
from mechanisms.parts.calibration import Calibration
from mechanisms.parts.counts.answers import NoisyAnswers
from mechanisms.parts.noise import Floats
from mechanisms.parts.selection.noisy_max import NoisyMax
from mechanisms.peers.patterns import input_patterns

GROUP = "StatDP"
_FIVE = input_patterns(5)


@dataclass(frozen=True, slots=True)
class FirstBin:
    """The first entry of a noisy histogram.

    Attributes:
        epsilon: claimed epsilon.
        scale: the noise's scale: "reciprocal" is 1/epsilon, "epsilon" is wrong.
    """

    epsilon: float = 0.7
    scale: Literal["reciprocal", "epsilon"] = "reciprocal"

    @property
    def claim(self) -> Claim:
        return PureDP(self.epsilon)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Noisy first counts, shape (size,)."""
        calibration: Calibration = "pure" if self.scale == "reciprocal" else "inverted"
        histogram = NoisyAnswers(self.epsilon, calibration=calibration)
        return np.asarray(histogram.release(data, rng, size)[:, 0])


ENTRIES: tuple[Entry, ...] = (
    Entry(
        name="statdp-noisy-max-1a",
        group=GROUP,
        summary="noisy_max_v1a: index of the largest, Laplace noise",
        mechanism=NoisyMax(epsilon=0.7),
        relation=Relation.DECLARED,
        data=_FIVE["one below, rest above"][0],
        neighbors=(_FIVE["one below, rest above"][1],),
        truth=Truth(keeps=True, epsilon=0.7, source="noisy_max_v1a"),
    ),
    Entry(
        name="statdp-noisy-max-1b",
        group=GROUP,
        summary="noisy_max_v1b: the largest noisy value, Laplace noise",
        mechanism=NoisyMax(epsilon=0.7, output="value"),
        relation=Relation.DECLARED,
        data=_FIVE["all above"][0],
        neighbors=(_FIVE["all above"][1],),
        truth=Truth(keeps=False, epsilon=1.75, source="noisy_max_v1b", pairs=497),
    ),
    Entry(
        name="statdp-noisy-max-2a",
        group=GROUP,
        summary="noisy_max_v2a: index of the largest, exponential noise",
        mechanism=NoisyMax(epsilon=0.7, noise="exponential"),
        relation=Relation.DECLARED,
        data=_FIVE["one below, rest above"][0],
        neighbors=(_FIVE["one below, rest above"][1],),
        truth=Truth(keeps=True, epsilon=0.7, source="noisy_max_v2a"),
    ),
    Entry(
        name="statdp-noisy-max-2b",
        group=GROUP,
        summary="noisy_max_v2b: the largest noisy value, exponential noise",
        mechanism=NoisyMax(epsilon=0.7, noise="exponential", output="value"),
        relation=Relation.DECLARED,
        data=_FIVE["all above"][0],
        neighbors=(_FIVE["all above"][1],),
        truth=Truth(keeps=False, epsilon=math.inf, source="noisy_max_v2b", pairs=387),
    ),
    Entry(
        name="statdp-histogram",
        group=GROUP,
        summary="histogram: the first of five noisy counts",
        mechanism=FirstBin(),
        relation=Relation.DECLARED,
        data=_FIVE["one above"][0],
        neighbors=(_FIVE["one above"][1],),
        truth=Truth(keeps=True, epsilon=0.7, source="histogram"),
    ),
    Entry(
        name="statdp-histogram-epsilon",
        group=GROUP,
        summary="histogram_eps: the same with scale epsilon",
        mechanism=FirstBin(scale="epsilon"),
        relation=Relation.DECLARED,
        data=_FIVE["one above"][0],
        neighbors=(_FIVE["one above"][1],),
        truth=Truth(keeps=False, epsilon=1 / 0.7, source="histogram_eps", pairs=64.3),
    ),
)
