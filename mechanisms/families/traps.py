"""Mechanisms that look wrong, or carry a bug report, and yet keep their claim."""

from __future__ import annotations

import numpy as np

from audit.declaration import Entry, Truth
from audit.relation import Relation
from mechanisms.parts.selection.exponential import ExponentialMechanism
from mechanisms.parts.sessions.threshold import LargeGroups
from mechanisms.parts.sums.additive import NoisySum
from mechanisms.parts.sums.composition import NoisyGradientSteps
from mechanisms.parts.sums.truncated_geometric import RenormalizedGeometric

GROUP = "Traps"
_ONE, _NONE = np.array([1.0]), np.array([])
_FAVORITE = np.array([1.0] + [0.0] * 9)

ENTRIES: tuple[Entry, ...] = (
    Entry(
        name="scale-is-epsilon",
        group=GROUP,
        summary="Laplace noise of scale epsilon for 1/epsilon: above 1 that is too much noise",
        mechanism=NoisySum(epsilon=2.0, calibration="inverted"),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(keeps=True, epsilon=0.5, source="N01; calculation"),
    ),
    Entry(
        name="exponential-without-half-of-two",
        group=GROUP,
        summary="exponential mechanism without the 2, between two candidates",
        mechanism=ExponentialMechanism(factor=1.0),
        relation=Relation.DECLARED,
        data=np.array([1.0, 0.0]),
        neighbors=(np.array([0.0, 1.0]),),
        truth=Truth(keeps=True, epsilon=1.0, source="N03; calculation"),
    ),
    Entry(
        name="exponential-without-half-monotone",
        group=GROUP,
        summary="exponential mechanism without the 2, all scores moving in one direction",
        mechanism=ExponentialMechanism(factor=1.0),
        relation=Relation.DECLARED,
        data=_FAVORITE,
        neighbors=(np.zeros(10),),
        truth=Truth(keeps=True, epsilon=1.0, source="N03; Dwork and Roth 2014, section 3.4"),
    ),
    Entry(
        name="classic-gaussian-epsilon-5",
        group=GROUP,
        summary="textbook Gaussian beyond its proof: still too much noise at epsilon 5",
        mechanism=NoisySum(5.0, 1e-5, "gaussian", "classic"),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(keeps=True, epsilon=4.5401044015645, source="N08; calculation"),
    ),
    Entry(
        name="classic-gaussian",
        group=GROUP,
        summary="textbook Gaussian at epsilon 1, with more noise than it needs",
        mechanism=NoisySum(1.0, 1e-5, "gaussian", "classic"),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(keeps=True, epsilon=0.7509769568667172, source="N08; calculation"),
    ),
    Entry(
        name="laplace-rounded",
        group=GROUP,
        summary="Laplace noise, then rounded to a whole number",
        mechanism=NoisySum(finish="round"),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(keeps=True, epsilon=1.0, source="N10; post-processing"),
    ),
    Entry(
        name="laplace-not-negative",
        group=GROUP,
        summary="Laplace noise, then negative sums made zero",
        mechanism=NoisySum(finish="not-negative"),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(keeps=True, epsilon=1.0, source="N10; post-processing"),
    ),
    Entry(
        name="laplace-clamped",
        group=GROUP,
        summary="Laplace noise, then cut to the range of the records",
        mechanism=NoisySum(finish="clamp"),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(keeps=True, epsilon=1.0, source="N10; post-processing"),
    ),
    Entry(
        name="momentum-after-noise",
        group=GROUP,
        summary="gradient steps with momentum, computed from noisy gradients",
        mechanism=NoisyGradientSteps(),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(keeps=True, epsilon=1.0, source="N10; post-processing"),
    ),
    Entry(
        name="renormalized-geometric-of-one",
        group=GROUP,
        summary="a renormalised geometric on {0, 1}, which is randomized response",
        mechanism=RenormalizedGeometric(largest=1),
        data=np.array([], dtype=np.int64),
        neighbors=(np.array([1]),),
        domain="int:0:1",
        truth=Truth(keeps=True, epsilon=1.0, source="N12; calculation"),
    ),
    Entry(
        name="sparse-vector-session-same-threshold",
        group=GROUP,
        summary="a sparse vector that never draws its threshold again: no answer tells of it twice",
        mechanism=LargeGroups(kept="threshold"),
        relation=Relation.SUBSTITUTE,
        domain="int:0:3",
        questions="int:0:3[1..8]",
        truth=Truth(keeps=True, source="arXiv 1603.01699, Theorem 2: 0.75 epsilon suffices"),
    ),
)
