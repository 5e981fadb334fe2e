"""Local mechanisms done right: each person randomizes one answer."""

from __future__ import annotations

import math

import numpy as np

from audit.declaration import Entry, Truth
from audit.relation import Relation
from mechanisms.parts.local.mean import OneBitMean, PiecewiseMean
from mechanisms.parts.local.rappor import Rappor
from mechanisms.parts.local.response import RandomizedResponse
from mechanisms.parts.local.unary import UnaryEncoding

GROUP = "Right"
_LEFT, _RIGHT = np.array([-1.0]), np.array([1.0])

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
    Entry(
        name="randomized-response-four",
        group=GROUP,
        summary="randomized response among four answers",
        mechanism=RandomizedResponse(choices=4),
        relation=Relation.SUBSTITUTE,
        data=np.array([1]),
        neighbors=(np.array([0]),),
        domain="int:0:3",
        truth=Truth(keeps=True, epsilon=1.0, source="K06; arXiv 1407.1338"),
    ),
    Entry(
        name="optimized-unary-encoding",
        group=GROUP,
        summary="one bit per answer: the one is kept half of the time, zeros rarely flip",
        mechanism=UnaryEncoding(),
        relation=Relation.SUBSTITUTE,
        data=np.array([0]),
        neighbors=(np.array([1]),),
        domain="int:0:3",
        truth=Truth(keeps=True, epsilon=1.0, source="K07; Wang et al. 2017"),
    ),
    Entry(
        name="symmetric-unary-encoding",
        group=GROUP,
        summary="one bit per answer, each flipped as if it had half of epsilon",
        mechanism=UnaryEncoding(encoding="symmetric"),
        relation=Relation.SUBSTITUTE,
        data=np.array([0]),
        neighbors=(np.array([1]),),
        domain="int:0:3",
        truth=Truth(keeps=True, epsilon=1.0, source="K08; Wang et al. 2017"),
    ),
    Entry(
        name="rappor-permanent",
        group=GROUP,
        summary="one-time RAPPOR with one hash: a noisy Bloom filter",
        mechanism=Rappor(hashes=1, bits=8, lie=0.5, responses="permanent"),
        relation=Relation.SUBSTITUTE,
        data=np.array([1]),
        neighbors=(np.array([0]),),
        domain="int:0:9",
        truth=Truth(keeps=True, epsilon=2.0 * math.log(3.0), source="K08; arXiv 1407.6981"),
    ),
    Entry(
        name="one-bit-mean",
        group=GROUP,
        summary="a number in [-1, 1] as one of two opposite numbers",
        mechanism=OneBitMean(),
        relation=Relation.SUBSTITUTE,
        data=_RIGHT,
        neighbors=(_LEFT,),
        domain="float:-1:1",
        truth=Truth(keeps=True, epsilon=1.0, source="K26; Duchi et al. 2018"),
    ),
    Entry(
        name="piecewise-mean",
        group=GROUP,
        summary="a number in [-1, 1] from a density that is high around it",
        mechanism=PiecewiseMean(),
        relation=Relation.SUBSTITUTE,
        data=_RIGHT,
        neighbors=(_LEFT,),
        domain="float:-1:1",
        truth=Truth(keeps=True, epsilon=1.0, source="K26; arXiv 1907.00782"),
    ),
)
