"""Several releases whose budgets add up to the claim."""

from __future__ import annotations

import math

import numpy as np

from audit.declaration import Entry, Truth
from audit.relation import Relation
from mechanisms.parts.counts.histogram import NoisyHistogram, TreeCounts
from mechanisms.parts.counts.total import HistogramOfTotal
from mechanisms.parts.frames import frame
from mechanisms.parts.sums.composition import CountAndSum, RepeatedSum
from mechanisms.parts.sums.gaussian import GaussianReleases
from mechanisms.parts.sums.subsampling import SampledSum
from mechanisms.parts.sums.users import RowCount

GROUP = "Right"
_ONE, _NONE = np.array([1.0]), np.array([])
_NONE_COUNTED = np.array([], dtype=np.int64)
_FIVE_ROWS = {"user": [0] * 5, "value": [1] * 5}

ENTRIES: tuple[Entry, ...] = (
    Entry(
        name="histogram",
        group=GROUP,
        summary="Laplace noise of scale 1/epsilon on each bin; records come and go",
        mechanism=NoisyHistogram(),
        data=np.array([0]),
        neighbors=(_NONE_COUNTED,),
        domain="int:0:1",
        truth=Truth(keeps=True, epsilon=1.0, source="K16; parallel composition"),
    ),
    Entry(
        name="histogram-substitute",
        group=GROUP,
        summary="Laplace noise of scale 2/epsilon on each bin; records move between bins",
        mechanism=NoisyHistogram(sensitivity=2.0),
        relation=Relation.SUBSTITUTE,
        data=np.array([0]),
        neighbors=(np.array([1]),),
        domain="int:0:1",
        truth=Truth(keeps=True, epsilon=1.0, source="K16; calculation"),
    ),
    Entry(
        name="histogram-noise-kept",
        group=GROUP,
        summary="a noisy histogram moved until its bins add up to a noisy number of records",
        mechanism=HistogramOfTotal(),
        data=np.array([0]),
        neighbors=(_NONE_COUNTED,),
        domain="int:0:3",
        truth=Truth(keeps=True, epsilon=1.0, source="calculation; half for bins, half for total"),
    ),
    Entry(
        name="tree-counts",
        group=GROUP,
        summary="counts at all nodes of a binary tree, epsilon split among its levels",
        mechanism=TreeCounts(),
        data=np.array([0]),
        neighbors=(_NONE_COUNTED,),
        domain="int:0:7",
        truth=Truth(keeps=True, epsilon=1.0, source="K17; arXiv 0904.0942"),
    ),
    Entry(
        name="prefix-sums",
        group=GROUP,
        summary="running totals of a noisy histogram",
        mechanism=NoisyHistogram(bins=5, cumulative=True),
        data=np.array([2]),
        neighbors=(_NONE_COUNTED,),
        domain="int:0:4",
        truth=Truth(keeps=True, epsilon=1.0, source="K18; post-processing"),
    ),
    Entry(
        name="poisson-subsampled-laplace",
        group=GROUP,
        summary="Laplace sum of a tenth of the records, each drawn by itself",
        mechanism=SampledSum(),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(
            keeps=True,
            epsilon=math.log1p(0.1 * math.expm1(1.0)),
            source="K19; arXiv 1807.01647, Theorem 8",
        ),
    ),
    Entry(
        name="laplace-ten-times",
        group=GROUP,
        summary="the same Laplace sum ten times at epsilon/10",
        mechanism=RepeatedSum(),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(keeps=True, epsilon=1.0, source="K20; sequential composition"),
    ),
    Entry(
        name="gaussian-ten-times",
        group=GROUP,
        summary="ten Gaussian releases, composed exactly",
        mechanism=GaussianReleases(sigma=3.0, repeats=10),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(keeps=True, source="K21; arXiv 1905.02383, Corollary 3.3"),
    ),
    Entry(
        name="count-and-sum",
        group=GROUP,
        summary="count and sum at half of epsilon each",
        mechanism=CountAndSum(),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(keeps=True, epsilon=1.0, source="sequential composition"),
    ),
    Entry(
        name="user-row-count",
        group=GROUP,
        summary="number of rows, at most five of each user, noise for five",
        mechanism=RowCount(rows_per_user=5),
        relation=Relation.USER,
        data=frame(_FIVE_ROWS),
        neighbors=(frame(_FIVE_ROWS, 0),),
        domain="user=user:5,value=int:0:1",
        truth=Truth(keeps=True, epsilon=1.0, source="contribution bounding"),
    ),
)
