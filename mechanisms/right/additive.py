"""Noise added to a sum, done right, with the neighbors that attain the claim."""

from __future__ import annotations

import numpy as np

from audit.declaration import Entry, Truth
from mechanisms.additive import NoisySum

GROUP = "Right"
_ONE, _NONE = np.array([1.0]), np.array([])

ENTRIES: tuple[Entry, ...] = (
    Entry(
        name="laplace",
        group=GROUP,
        summary="sum of records in [0, 1] plus Laplace noise of scale 1/epsilon",
        mechanism=NoisySum(),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(keeps=True, epsilon=1.0, source="K01; Dwork et al. 2006"),
    ),
    Entry(
        name="geometric",
        group=GROUP,
        summary="count plus two-sided geometric noise",
        mechanism=NoisySum(noise="geometric"),
        data=np.array([1]),
        neighbors=(np.array([], dtype=np.int64),),
        domain="int:0:1",
        truth=Truth(keeps=True, epsilon=1.0, source="K02; arXiv 0811.2841"),
    ),
    Entry(
        name="gaussian",
        group=GROUP,
        summary="sum of records in [0, 1] plus the smallest Gaussian noise for (epsilon, delta)",
        mechanism=NoisySum(delta=0.01, noise="gaussian", calibration="analytic"),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(keeps=True, epsilon=1.0, source="K03; arXiv 1805.06530, Theorem 8"),
    ),
)
