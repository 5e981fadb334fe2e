"""Local mechanisms done right: each person randomizes one answer."""

from __future__ import annotations

import numpy as np

from audit.declaration import Entry, Relation, Truth
from mechanisms.response import RandomizedResponse

GROUP = "Right"

ENTRIES: tuple[Entry, ...] = (
    Entry(
        name="randomized-response",
        group=GROUP,
        summary="the truth with probability e^epsilon/(1 + e^epsilon), else the other answer",
        mechanism=RandomizedResponse(),
        relation=Relation.SUBSTITUTE,
        data=np.array([1]),
        neighbors=(np.array([0]),),
        domain="int:0:1",
        truth=Truth(keeps=True, epsilon=1.0, source="K05; Warner 1965"),
    ),
)
