"""Sums whose noise is right for another sensitivity than theirs."""

from __future__ import annotations

import numpy as np

from audit.declaration import Entry, Truth
from mechanisms.additive import NoisySum

GROUP = "Wrong: sensitivity"

ENTRIES: tuple[Entry, ...] = (
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
            source="B13; opendp #178, google/differential-privacy #40",
            pairs=9.56,
        ),
    ),
)
