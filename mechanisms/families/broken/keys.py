"""Keys that are shown too easily when a single user owns them."""

from __future__ import annotations

import math
from typing import Any

from audit.declaration import Entry, Truth
from audit.relation import Relation
from mechanisms.parts.counts.keys import KeySelection
from mechanisms.parts.frames import frame

GROUP = "Wrong: keys"
_NAMES = [f"key{number}" for number in range(10)]
_TEN_KEYS: dict[str, list[Any]] = {"user": [0] * 10, "key": _NAMES}
_DOMAIN = "choice:apple,pear,plum"

ENTRIES: tuple[Entry, ...] = (
    Entry(
        name="keys-delta-not-split",
        group=GROUP,
        summary="a user adds ten keys, each of which may be shown with probability delta",
        mechanism=KeySelection(delta=0.01, keys_per_user=10, split_delta=False),
        relation=Relation.USER,
        data=frame(_TEN_KEYS),
        neighbors=(frame(_TEN_KEYS, 0),),
        domain="user=user:10,key=choice:" + ",".join(_NAMES),
        truth=Truth(
            keeps=False,
            epsilon=math.inf,
            source="C08; opendp/smartnoise-sdk #568, #200",
            pairs=114,
        ),
    ),
    Entry(
        name="keys-threshold-zero",
        group=GROUP,
        summary="keys are shown when their noisy count is positive",
        mechanism=KeySelection(threshold="zero"),
        data=["apple"],
        neighbors=([],),
        domain=_DOMAIN,
        truth=Truth(keeps=False, epsilon=math.inf, source="D12; calculation", pairs=11.7),
    ),
    Entry(
        name="keys-threshold-for-other-noise",
        group=GROUP,
        summary="a threshold for Laplace noise used with Gaussian noise",
        mechanism=KeySelection(noise="gaussian", calibration="classic"),
        data=["apple"],
        neighbors=([],),
        domain=_DOMAIN,
        truth=Truth(
            keeps=False,
            epsilon=math.inf,
            source="D13; opendp/smartnoise-sdk #204",
            pairs=750,
        ),
    ),
    Entry(
        name="keys-threshold-truncated",
        group=GROUP,
        summary="a threshold of 3.99992 cut to 3",
        mechanism=KeySelection(delta=0.0364, noise="geometric", threshold="geometric-truncated"),
        data=["apple"],
        neighbors=([],),
        domain=_DOMAIN,
        truth=Truth(
            keeps=False,
            epsilon=math.inf,
            source="D15; google/differential-privacy #101",
            pairs=169,
        ),
    ),
)
