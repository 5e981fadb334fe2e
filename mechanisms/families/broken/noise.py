"""Noise of the wrong shape or size on a sum that is itself computed right."""

from __future__ import annotations

import math

import numpy as np

from audit.declaration import Entry, Truth
from mechanisms.parts.counts.total import HistogramOfTotal
from mechanisms.parts.sums.additive import NoisySum
from mechanisms.parts.sums.gaussian import GaussianReleases
from mechanisms.parts.sums.truncated_geometric import RenormalizedGeometric

GROUP = "Wrong: noise"
_ONE, _NONE = np.array([1.0]), np.array([])
_ONE_COUNTED, _NONE_COUNTED = np.array([1]), np.array([], dtype=np.int64)

ENTRIES: tuple[Entry, ...] = (
    Entry(
        name="laplace-with-hole",
        group=GROUP,
        summary="scale·(1 - ln U) for -scale·ln(1 - U): no noise smaller than the scale",
        mechanism=NoisySum(noise="laplace-with-hole"),
        data=_NONE,
        neighbors=(_ONE,),
        domain="float:0:1",
        truth=Truth(
            keeps=False, epsilon=math.inf, source="A01; code of a published primer", pairs=30.3
        ),
    ),
    Entry(
        name="geometric-from-one",
        group=GROUP,
        summary="a sign times a geometric that starts at 1: the true count never comes out",
        mechanism=NoisySum(noise="geometric-from-one"),
        data=_ONE_COUNTED,
        neighbors=(_NONE_COUNTED,),
        domain="int:0:1",
        truth=Truth(
            keeps=False,
            epsilon=math.inf,
            source="A06; private-attribution/ipa #898",
            pairs=30.3,
        ),
    ),
    Entry(
        name="renormalized-geometric",
        group=GROUP,
        summary="geometric noise rejected until in range: the normaliser depends on the count",
        mechanism=RenormalizedGeometric(),
        data=_NONE_COUNTED,
        neighbors=(_ONE_COUNTED,),
        domain="int:0:1",
        truth=Truth(
            keeps=False,
            epsilon=1.209060321070666,
            source="A07; arXiv 1808.10410",
            pairs=622,
        ),
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
        name="histogram-noise-taken-back",
        group=GROUP,
        summary="a noisy histogram moved until its bins add up to the true number of records",
        mechanism=HistogramOfTotal(noisy_total=False),
        data=_ONE_COUNTED,
        neighbors=(_NONE_COUNTED,),
        domain="int:0:3",
        truth=Truth(keeps=False, epsilon=math.inf, source="calculation", pairs=9.56),
    ),
    Entry(
        name="gaussian-variance-as-deviation",
        group=GROUP,
        summary="the textbook sigma handed over where a variance is expected",
        mechanism=NoisySum(1.0, 1e-5, "gaussian", "classic-variance"),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(
            keeps=False,
            epsilon=1.7912019983031986,
            source="A11; opendp/smartnoise-core #315, greenelab/SPRINT_gan #5",
            pairs=28533,
        ),
    ),
    Entry(
        name="analytic-gaussian-sign-slip",
        group=GROUP,
        summary="the analytic Gaussian with a minus in its last formula: a 28th of the noise",
        mechanism=NoisySum(1.0, 1e-5, "gaussian", "analytic-sign-slip"),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(
            keeps=False,
            epsilon=58.86749915371916,
            source="A12; opendp/smartnoise-core #315, #316",
            pairs=9.57,
        ),
    ),
    Entry(
        name="classic-gaussian-epsilon-10",
        group=GROUP,
        summary="textbook Gaussian far beyond its proof, at (10, 0.1)",
        mechanism=NoisySum(10.0, 0.1, "gaussian", "classic"),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(
            keeps=False,
            epsilon=14.729285770123681,
            source="A13; opendp/smartnoise-sdk #462, arXiv 1805.06530, Theorem 4",
            pairs=3.8e5,
            reachable=False,
        ),
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
    Entry(
        name="gaussian-mu-understated",
        group=GROUP,
        summary="Gaussian differential privacy claimed for half of the true sensitivity",
        mechanism=GaussianReleases(sensitivity=0.5),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(keeps=False, source="twice the claimed mu"),
    ),
    Entry(
        name="gaussian-zcdp-understated",
        group=GROUP,
        summary="zero-concentrated differential privacy claimed for a third of the sensitivity",
        mechanism=GaussianReleases(notion="zcdp", sensitivity=1.0 / 3.0),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(keeps=False, source="nine times the claimed rho"),
    ),
    Entry(
        name="gaussian-renyi-understated",
        group=GROUP,
        summary="Rényi differential privacy of order 8 claimed for a third of the sensitivity",
        mechanism=GaussianReleases(notion="renyi", order=8.0, sensitivity=1.0 / 3.0),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(keeps=False, source="nine times the claimed divergence"),
    ),
)
