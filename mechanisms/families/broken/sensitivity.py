"""Statistics whose noise is right for another sensitivity than theirs."""

from __future__ import annotations

import math

import numpy as np

from audit.declaration import Entry, Truth
from audit.relation import Relation
from mechanisms.parts.counts.histogram import NoisyHistogram
from mechanisms.parts.selection.exponential import ExponentialMechanism
from mechanisms.parts.selection.quantile import ExponentialQuantile
from mechanisms.parts.sums.additive import NoisySum
from mechanisms.parts.sums.mean import NoisyMean

GROUP = "Wrong: sensitivity"
_ONE, _NONE = np.array([1.0]), np.array([])
_FAVORITE = np.array([4.0] + [0.0] * 9)

ENTRIES: tuple[Entry, ...] = (
    Entry(
        name="histogram-replace-one",
        group=GROUP,
        summary="histogram noise for a record that comes or goes; here it changes bins",
        mechanism=NoisyHistogram(),
        relation=Relation.SUBSTITUTE,
        data=np.array([0]),
        neighbors=(np.array([1]),),
        domain="int:0:1",
        truth=Truth(keeps=False, epsilon=2.0, source="B01; divviup/libprio-rs #1072", pairs=143),
    ),
    Entry(
        name="gaussian-sum-replace-one",
        group=GROUP,
        summary="Gaussian noise for the clipping bound, while a replaced record moves twice that",
        mechanism=NoisySum(1.0, 1e-5, "gaussian", "analytic", lower=-1.0),
        relation=Relation.SUBSTITUTE,
        data=_ONE,
        neighbors=(-_ONE,),
        domain="float:-1:1",
        truth=Truth(
            keeps=False,
            epsilon=2.1546766576780096,
            source="B02; google/differential-privacy #464, tensorflow/privacy #620",
            pairs=7534,
        ),
    ),
    Entry(
        name="range-for-magnitude",
        group=GROUP,
        summary="sum of records in [90, 100] with noise for their range of 10",
        mechanism=NoisySum(lower=90.0, upper=100.0, sensitivity=10.0),
        data=np.array([100.0]),
        neighbors=(_NONE,),
        domain="float:90:100",
        truth=Truth(keeps=False, epsilon=10.0, source="B03; calculation", pairs=19.1),
    ),
    Entry(
        name="sum-wraps-around",
        group=GROUP,
        summary="a sum of zeros and ones kept in 8 bits: 127 + 1 is -128",
        mechanism=NoisySum(accumulator="int8"),
        data=np.ones(127, dtype=np.int64),
        neighbors=(np.ones(128, dtype=np.int64),),
        domain="int:0:1",
        truth=Truth(
            keeps=False,
            epsilon=255.0,
            source="B13; opendp/opendp #178, google/differential-privacy #40",
            pairs=9.56,
        ),
    ),
    Entry(
        name="quantile-range-from-data",
        group=GROUP,
        summary="a median drawn between the smallest and the largest record",
        mechanism=ExponentialQuantile(bounds="data"),
        relation=Relation.SUBSTITUTE,
        data=np.array([0.0, 0.0, 1.0]),
        neighbors=(np.array([0.0, 0.0, 0.0]),),
        domain="float:0:1",
        truth=Truth(keeps=False, epsilon=math.inf, source="B15; calculation", pairs=9.56),
    ),
    Entry(
        name="clip-result-dropped",
        group=GROUP,
        summary="records are clipped and the sum is taken over the unclipped ones",
        mechanism=NoisySum(clamp=False),
        data=np.array([1e6]),
        neighbors=(_NONE,),
        domain="float:0:1000000",
        truth=Truth(
            keeps=False,
            epsilon=math.inf,
            source="B17; opendp/smartnoise-sdk #622, #624",
            pairs=9.56,
        ),
    ),
    Entry(
        name="mean-range-over-size",
        group=GROUP,
        summary="mean whose noise shrinks with the number of records, which is private",
        mechanism=NoisyMean(method="range-over-size"),
        data=_ONE,
        neighbors=(np.array([1.0, 0.0]),),
        domain="float:0:1",
        truth=Truth(
            keeps=False,
            epsilon=math.inf,
            source="B19; opendp/smartnoise-core #356",
            pairs=193,
        ),
    ),
    Entry(
        name="score-sensitivity-halved",
        group=GROUP,
        summary="scores that move by 4, drawn as if they moved by 2",
        mechanism=ExponentialMechanism(sensitivity=2.0),
        relation=Relation.DECLARED,
        data=_FAVORITE,
        neighbors=(4.0 - _FAVORITE,),
        truth=Truth(keeps=False, epsilon=2.0, source="B21; ryan112358/mbi #65", pairs=226),
    ),
    Entry(
        name="count-noised-as-probability",
        group=GROUP,
        summary="noise for a probability over 1,000 records, added to a count",
        mechanism=NoisySum(sensitivity=1e-3),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(
            keeps=False,
            epsilon=1000.0,
            source="B22; DataResponsibly/DataSynthesizer #34",
            pairs=9.56,
        ),
    ),
    Entry(
        name="scale-over-dimensions",
        group=GROUP,
        summary="Laplace scale divided by four dimensions",
        mechanism=NoisySum(sensitivity=0.25),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(keeps=False, epsilon=4.0, source="B23; opendp/smartnoise-sdk #472", pairs=14.2),
    ),
    Entry(
        name="clip-norm-ignored",
        group=GROUP,
        summary="gradients clipped at 1, noise for a clipping norm of 0.2",
        mechanism=NoisySum(1.0, 1e-5, "gaussian", "analytic", sensitivity=0.2),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(
            keeps=False,
            epsilon=6.166941181014972,
            source="F07; pytorch/opacus #664",
            pairs=84.8,
        ),
    ),
    Entry(
        name="laplace-claimed-0.9",
        group=GROUP,
        summary="Laplace noise of true epsilon 1 claimed as 0.9",
        mechanism=NoisySum(epsilon=0.9, sensitivity=0.9),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(keeps=False, epsilon=1.0, source="H02; calculation", pairs=3.2e3),
    ),
    Entry(
        name="laplace-claimed-0.95",
        group=GROUP,
        summary="Laplace noise of true epsilon 1 claimed as 0.95",
        mechanism=NoisySum(epsilon=0.95, sensitivity=0.95),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(keeps=False, epsilon=1.0, source="H02; calculation", pairs=1.3e4),
    ),
)
