"""Budgets that are spent more often than they are counted."""

from __future__ import annotations

import numpy as np

from audit.declaration import Entry, Truth
from audit.relation import Relation
from mechanisms.parts.counts.histogram import TreeCounts
from mechanisms.parts.frames import frame
from mechanisms.parts.sums.composition import CountAndSum, RepeatedSum
from mechanisms.parts.sums.subsampling import SampledSum
from mechanisms.parts.sums.users import RowCount

GROUP = "Wrong: composition"
_ONE, _NONE = np.array([1.0]), np.array([])
_ONE_COUNTED, _NONE_COUNTED = np.array([0]), np.array([], dtype=np.int64)
_FIVE_ROWS = {"user": [0] * 5, "value": [1] * 5}
_TENTH = np.array([1.0] + [0.0] * 9)

ENTRIES: tuple[Entry, ...] = (
    Entry(
        name="two-statistics-full-budget",
        group=GROUP,
        summary="count and sum for an average, all of epsilon for each",
        mechanism=CountAndSum(split=False),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(
            keeps=False,
            epsilon=2.0,
            source="C01; opendp/smartnoise-sdk #200, #202, #385",
            pairs=105,
        ),
    ),
    Entry(
        name="ten-gaussians-one-budget",
        group=GROUP,
        summary="the sigma of one release used for ten",
        mechanism=RepeatedSum(1.0, 1e-5, "gaussian", "analytic", split=False),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(keeps=False, epsilon=3.618591574343675, source="C03; calculation", pairs=516),
    ),
    Entry(
        name="record-noise-user-claim",
        group=GROUP,
        summary="noise for one row, claimed for users who own five",
        mechanism=RowCount(bound=False),
        relation=Relation.USER,
        data=frame(_FIVE_ROWS),
        neighbors=(frame(_FIVE_ROWS, 0),),
        domain="user=user:5,value=int:0:1",
        truth=Truth(
            keeps=False,
            epsilon=5.0,
            source="C05; google/differential-privacy #84",
            pairs=11.8,
        ),
    ),
    Entry(
        name="amplification-without-sampling",
        group=GROUP,
        summary="the first tenth of the rows, claimed as a random tenth",
        mechanism=SampledSum(sampling="head"),
        data=_TENTH,
        neighbors=(np.zeros(10),),
        relation=Relation.SUBSTITUTE,
        domain="float:0:1",
        truth=Truth(keeps=False, epsilon=1.0, source="C06; calculation", pairs=39.4),
    ),
    Entry(
        name="tree-one-level-short",
        group=GROUP,
        summary="budget split among three levels of a tree that has four",
        mechanism=TreeCounts(levels=3),
        data=_ONE_COUNTED,
        neighbors=(_NONE_COUNTED,),
        domain="int:0:7",
        truth=Truth(keeps=False, epsilon=4 / 3, source="C09; calculation", pairs=3181),
    ),
    Entry(
        name="tree-without-split",
        group=GROUP,
        summary="all of epsilon at each of the five levels of a tree",
        mechanism=TreeCounts(leaves=16, levels=1),
        data=_ONE_COUNTED,
        neighbors=(_NONE_COUNTED,),
        domain="int:0:15",
        truth=Truth(keeps=False, epsilon=5.0, source="C10; calculation", pairs=29.2),
    ),
)
