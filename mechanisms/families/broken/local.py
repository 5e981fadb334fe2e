"""Local mechanisms whose answers say too much about one person."""

from __future__ import annotations

import math

import numpy as np

from audit.declaration import Entry, Truth
from audit.relation import Relation
from mechanisms.parts.local.response import RandomizedResponse
from mechanisms.parts.local.unary import UnaryEncoding

GROUP = "Wrong: local"

ENTRIES: tuple[Entry, ...] = (
    Entry(
        name="randomized-response-true-lies",
        group=GROUP,
        summary="the truth three times out of four, else a fair coin that may be the truth",
        mechanism=RandomizedResponse(epsilon=math.log(3.0), lie="any"),
        relation=Relation.SUBSTITUTE,
        data=np.array([1]),
        neighbors=(np.array([0]),),
        domain="int:0:1",
        truth=Truth(
            keeps=False, epsilon=math.log(7.0), source="F01; opendp/opendp #480", pairs=40.8
        ),
    ),
    Entry(
        name="unary-encoding-per-bit",
        group=GROUP,
        summary="each bit of a unary encoding flipped at all of epsilon; two bits differ",
        mechanism=UnaryEncoding(encoding="per-bit"),
        relation=Relation.SUBSTITUTE,
        data=np.array([0]),
        neighbors=(np.array([1]),),
        domain="int:0:3",
        truth=Truth(keeps=False, epsilon=2.0, source="F04; Wang et al. 2017", pairs=59.2),
    ),
)
