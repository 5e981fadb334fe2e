"""Noise added to sums, counts and means, done right, with the neighbors that attain the claim."""

from __future__ import annotations

import numpy as np

from audit.declaration import Entry, Truth
from mechanisms.parts.sums.additive import NoisySum
from mechanisms.parts.sums.gaussian import GaussianReleases
from mechanisms.parts.sums.mean import NoisyMean

GROUP = "Right"
_ONE, _NONE = np.array([1.0]), np.array([])
_ONE_COUNTED, _NONE_COUNTED = np.array([1]), np.array([], dtype=np.int64)

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
        data=_ONE_COUNTED,
        neighbors=(_NONE_COUNTED,),
        domain="int:0:1",
        truth=Truth(keeps=True, epsilon=1.0, source="K02; arXiv 0811.2841"),
    ),
    Entry(
        name="staircase",
        group=GROUP,
        summary="sum of records in [0, 1] plus staircase noise",
        mechanism=NoisySum(noise="staircase"),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(keeps=True, epsilon=1.0, source="arXiv 1212.1186"),
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
    Entry(
        name="gaussian-small-delta",
        group=GROUP,
        summary="the same at delta 0.00001",
        mechanism=NoisySum(delta=1e-5, noise="gaussian", calibration="analytic"),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(keeps=True, epsilon=1.0, source="K03; arXiv 1805.06530, Theorem 8"),
    ),
    Entry(
        name="gaussian-mu",
        group=GROUP,
        summary="Gaussian noise with the claim it fits exactly: Gaussian differential privacy",
        mechanism=GaussianReleases(),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(keeps=True, source="K03; arXiv 1905.02383, Theorem 2.7"),
    ),
    Entry(
        name="gaussian-zcdp",
        group=GROUP,
        summary="Gaussian noise claimed as zero-concentrated differential privacy",
        mechanism=GaussianReleases(notion="zcdp"),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(keeps=True, source="K03; arXiv 1605.02065, Proposition 6"),
    ),
    Entry(
        name="discrete-gaussian-zcdp",
        group=GROUP,
        summary="count plus discrete Gaussian noise, zero-concentrated",
        mechanism=GaussianReleases(discrete=True, notion="zcdp"),
        data=_ONE_COUNTED,
        neighbors=(_NONE_COUNTED,),
        domain="int:0:1",
        truth=Truth(keeps=True, source="arXiv 2004.00010, Theorem 4"),
    ),
    Entry(
        name="gaussian-renyi",
        group=GROUP,
        summary="Gaussian noise claimed as Rényi differential privacy of order 2",
        mechanism=GaussianReleases(notion="renyi"),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(keeps=True, source="K03; arXiv 1702.07476, Proposition 7"),
    ),
    Entry(
        name="sum-by-magnitude",
        group=GROUP,
        summary="sum of records in [90, 100], noise for the largest magnitude",
        mechanism=NoisySum(lower=90.0, upper=100.0, sensitivity=100.0),
        data=np.array([100.0]),
        neighbors=(_NONE,),
        domain="float:90:100",
        truth=Truth(keeps=True, epsilon=1.0, source="K24; calculation"),
    ),
    Entry(
        name="mean-as-ratio",
        group=GROUP,
        summary="noisy sum over noisy count, half of epsilon each",
        mechanism=NoisyMean(),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(keeps=True, source="K24; sequential composition"),
    ),
)
