"""Violations that no black-box audit of ordinary size can see."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from audit.declaration import Entry, Truth
from audit.relation import Relation
from mechanisms.families.broken.name_and_shame import NameAndShame
from mechanisms.parts.counts.keys import KeySelection
from mechanisms.parts.frames import frame
from mechanisms.parts.sums.additive import NoisySum

GROUP = "Out of reach"
_ONE, _NONE = np.array([1.0]), np.array([])
_NAMES = [f"key{number}" for number in range(10)]
_TEN_KEYS: dict[str, list[Any]] = {"user": [0] * 10, "key": _NAMES}

ENTRIES: tuple[Entry, ...] = (
    Entry(
        name="name-and-shame",
        group=GROUP,
        summary="publishes a record once in a million runs",
        mechanism=NameAndShame(),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(
            keeps=False,
            epsilon=math.inf,
            source="H01; calculation",
            pairs=9.6e6,
            reachable=False,
        ),
    ),
    Entry(
        name="laplace-claimed-0.99",
        group=GROUP,
        summary="Laplace noise of true epsilon 1 claimed as 0.99",
        mechanism=NoisySum(epsilon=0.99, sensitivity=0.99),
        data=_ONE,
        neighbors=(_NONE,),
        domain="float:0:1",
        truth=Truth(
            keeps=False,
            epsilon=1.0,
            source="H02; calculation",
            pairs=3.2e5,
            reachable=False,
        ),
    ),
    Entry(
        name="keys-delta-not-split-small",
        group=GROUP,
        summary="ten keys of one user at a delta of 0.00001 each",
        mechanism=KeySelection(keys_per_user=10, split_delta=False),
        relation=Relation.USER,
        data=frame(_TEN_KEYS),
        neighbors=(frame(_TEN_KEYS, 0),),
        domain="user=user:10,key=choice:" + ",".join(_NAMES),
        truth=Truth(
            keeps=False,
            epsilon=math.inf,
            source="H04; as keys-delta-not-split",
            pairs=1.1e5,
            reachable=False,
        ),
    ),
)
