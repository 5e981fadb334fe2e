"""Laplace noise that is right in real arithmetic and gives the data away by its bits."""

from __future__ import annotations

import numpy as np

from audit.declaration import Entry, Truth
from mechanisms.parts.sums.additive import NoisySum

GROUP = "Wrong: floating point"
_ONE, _NONE = np.array([1.0]), np.array([])

ENTRIES: tuple[Entry, ...] = (
    Entry(
        name="laplace-low-bits",
        group=GROUP,
        summary="a double plus numpy's Laplace noise: near 1 the last bits are always 0",
        mechanism=NoisySum(),
        data=_NONE,
        neighbors=(_ONE,),
        domain="float:0:1",
        truth=Truth(
            keeps=True,
            epsilon=1.0,
            leaks=True,
            source="A15; arXiv 2207.13793; IBM/differential-privacy-library #94",
            pairs=35.2,
        ),
    ),
    Entry(
        name="laplace-four-uniforms",
        group=GROUP,
        summary="Laplace noise from four uniforms, meant to be secure, with the same leak",
        mechanism=NoisySum(noise="laplace-four-uniforms"),
        data=_NONE,
        neighbors=(_ONE,),
        domain="float:0:1",
        truth=Truth(
            keeps=True,
            epsilon=1.0,
            leaks=True,
            source="A16; arXiv 2107.10138; IBM/differential-privacy-library #94",
            pairs=46,
        ),
    ),
    Entry(
        name="laplace-porous",
        group=GROUP,
        summary="Laplace noise as the logarithm of a 53-bit uniform: most doubles never come",
        mechanism=NoisySum(noise="laplace-porous"),
        data=_NONE,
        neighbors=(_ONE,),
        domain="float:0:1",
        truth=Truth(
            keeps=True,
            epsilon=1.0,
            leaks=True,
            source="A17; Mironov 2012; IBM/differential-privacy-library #19",
            pairs=14.3,
        ),
    ),
)
