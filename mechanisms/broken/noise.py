"""Noise of the wrong shape or size on a sum that is itself computed right."""

from __future__ import annotations

import math

import numpy as np

from audit.declaration import Entry, Truth
from mechanisms.additive import NoisySum

GROUP = "Wrong: noise"
_ONE, _NONE = np.array([1.0]), np.array([])

ENTRIES: tuple[Entry, ...] = (
    Entry(
        name="laplace-with-hole",
        group=GROUP,
        summary="scale·(1 - ln U) for -scale·ln(1 - U): no noise smaller than the scale",
        mechanism=NoisySum(noise="laplace-with-hole"),
        data=_NONE,
        neighbors=(_ONE,),
        domain="float:0:1",
        truth=Truth(keeps=False, epsilon=math.inf, source="A01; published code", pairs=30.3),
    ),
    Entry(
        name="geometric-from-one",
        group=GROUP,
        summary="a sign times a geometric that starts at 1: the true count never comes out",
        mechanism=NoisySum(noise="geometric-from-one"),
        data=np.array([1]),
        neighbors=(np.array([], dtype=np.int64),),
        domain="int:0:1",
        truth=Truth(keeps=False, epsilon=math.inf, source="A06; calculation", pairs=30.3),
    ),
    Entry(
        name="uniform-noise",
        group=GROUP,
        summary="uniform noise of half-width 5 sold as pure differential privacy",
        mechanism=NoisySum(noise="uniform", sensitivity=5.0),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(keeps=False, epsilon=math.inf, source="A10; calculation", pairs=95.6),
    ),
    Entry(
        name="gaussian-as-pure",
        group=GROUP,
        summary="Gaussian noise of sigma 1/epsilon sold as pure differential privacy",
        mechanism=NoisySum(noise="gaussian"),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(keeps=False, epsilon=math.inf, source="A14; calculation", pairs=249),
    ),
)
