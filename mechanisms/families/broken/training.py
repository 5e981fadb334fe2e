"""Training by DP-SGD that is not what it is accounted for."""

from __future__ import annotations

import math

import numpy as np

from audit.declaration import Entry, Truth
from mechanisms.families.right.training import NONE, ONE_LOUD
from mechanisms.parts.training import DpSgd, DpSgdByItsCurve

GROUP = "Wrong: training"
_AGAINST = np.array([[100.0, 0.0]] * 9)
"""Nine records whose gradients point away from that of the loud one."""

ENTRIES: tuple[Entry, ...] = (
    Entry(
        name="dp-sgd-not-clipped",
        group=GROUP,
        summary="DP-SGD whose gradients keep their norm, so that no noise is enough",
        mechanism=DpSgd(flaw="not clipped"),
        data=ONE_LOUD,
        neighbors=(NONE,),
        truth=Truth(keeps=False, epsilon=math.inf, source="sensitivity without a bound"),
    ),
    Entry(
        name="dp-sgd-scale-of-the-average",
        group=GROUP,
        summary="DP-SGD whose batches get the noise of an average over all records",
        mechanism=DpSgd(flaw="scale of the average"),
        data=ONE_LOUD,
        neighbors=(NONE,),
        truth=Truth(
            keeps=False,
            epsilon=284.458,
            source="dp_accounting: noise 0.07 in place of 0.7",
        ),
    ),
    Entry(
        name="dp-sgd-batch-twice",
        group=GROUP,
        summary="DP-SGD that takes every batch twice, accounted for as ten batches",
        mechanism=DpSgd(flaw="batch twice"),
        data=ONE_LOUD,
        neighbors=(NONE,),
        truth=Truth(
            keeps=False,
            epsilon=1.7468,
            source="dp_accounting: five batches with noise 0.7/sqrt(2)",
        ),
    ),
    Entry(
        name="dp-sgd-batch-twice-curve",
        group=GROUP,
        summary="the same, claimed by the curve of ten batches",
        mechanism=DpSgdByItsCurve(flaw="batch twice"),
        data=ONE_LOUD,
        neighbors=(NONE,),
        truth=Truth(keeps=False, source="dp_accounting: five batches with noise 0.7/sqrt(2)"),
    ),
    Entry(
        name="dp-sgd-shuffled",
        group=GROUP,
        summary="DP-SGD with shuffled batches, accounted for as Poisson batches",
        mechanism=DpSgd(2.0, 0.2045, noise=0.4, flaw="shuffled"),
        data=np.concatenate([_AGAINST, ONE_LOUD]),
        neighbors=(_AGAINST,),
        truth=Truth(
            keeps=False,
            epsilon=4.343,
            source="likelihood ratio of this pair, averaged over draws; arXiv 2403.17673",
        ),
    ),
)
