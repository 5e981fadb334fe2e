"""dp-sniper's variants of the sparse vector technique, on ten queries."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from audit.claim import Claim, PureDP
from audit.declaration import Entry, Truth
from audit.relation import Relation
from mechanisms.parts.noise import Floats
from mechanisms.parts.selection.sparse_vector import SparseVector
from mechanisms.peers.patterns import input_patterns

GROUP = "dp-sniper"
_ONES, _HALVES = input_patterns(10)["half above, half below"]


@dataclass(frozen=True, slots=True)
class SparseVectorPair:
    """Algorithms 3 and 4 on the same queries, side by side.

    Attributes:
        epsilon: claimed epsilon of each of the two.
        threshold: what the answers are compared with.
        cutoff: how many "above" until each stops.
    """

    epsilon: float = 0.1
    threshold: float = 1.0
    cutoff: int = 2

    @property
    def claim(self) -> Claim:
        return PureDP(2.0 * self.epsilon)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Outputs of Algorithm 3, then of Algorithm 4, shape (size, 2·queries)."""
        common = (self.epsilon, self.threshold, self.cutoff)
        third = SparseVector(*common, 2.0, 2.0 * self.cutoff, release_value="compared")
        fourth = SparseVector(*common, 4.0, 4.0 / 3.0)
        outputs = [vector.release(data, rng, size) for vector in (third, fourth)]
        return np.concatenate(outputs, axis=1)


ENTRIES: tuple[Entry, ...] = (
    Entry(
        name="sniper-sparse-vector-1",
        group=GROUP,
        summary="SVT1: stops at the first query above",
        mechanism=SparseVector(epsilon=0.1, threshold=0.5),
        relation=Relation.DECLARED,
        data=_ONES,
        neighbors=(_HALVES,),
        truth=Truth(keeps=True, epsilon=0.1, source="SVT1"),
    ),
    Entry(
        name="sniper-sparse-vector-2",
        group=GROUP,
        summary="SVT2: a new threshold after each query above, of which there is one",
        mechanism=SparseVector(epsilon=0.1, threshold=1.0, redraw=True),
        relation=Relation.DECLARED,
        data=_ONES,
        neighbors=(_HALVES,),
        truth=Truth(keeps=True, epsilon=0.1, source="SVT2"),
    ),
    Entry(
        name="sniper-sparse-vector-3",
        group=GROUP,
        summary="SVT3: releases the noisy answer it compared",
        mechanism=SparseVector(
            epsilon=0.1, threshold=1.0, query_factor=2.0, release_value="compared"
        ),
        relation=Relation.DECLARED,
        data=_ONES,
        neighbors=(_HALVES,),
        truth=Truth(keeps=False, epsilon=math.inf, source="SVT3", pairs=1.03e5),
    ),
    Entry(
        name="sniper-sparse-vector-4",
        group=GROUP,
        summary="SVT4: too little noise on the queries",
        mechanism=SparseVector(
            epsilon=0.1, threshold=1.0, threshold_factor=4.0, query_factor=4.0 / 3.0
        ),
        relation=Relation.DECLARED,
        data=_ONES,
        neighbors=(_HALVES,),
        truth=Truth(keeps=False, epsilon=0.175, source="SVT4", pairs=1.19e5),
    ),
    Entry(
        name="sniper-sparse-vector-5",
        group=GROUP,
        summary="SVT5: no noise on the queries, no cutoff",
        mechanism=SparseVector(epsilon=0.1, threshold=1.0, cutoff=0, query_factor=0.0),
        relation=Relation.DECLARED,
        data=_ONES,
        neighbors=(_HALVES,),
        truth=Truth(keeps=False, epsilon=math.inf, source="SVT5", pairs=95.3),
    ),
    Entry(
        name="sniper-sparse-vector-6",
        group=GROUP,
        summary="SVT6: no cutoff",
        mechanism=SparseVector(epsilon=0.1, threshold=1.0, cutoff=0, query_factor=2.0),
        relation=Relation.DECLARED,
        data=_ONES,
        neighbors=(_HALVES,),
        truth=Truth(keeps=False, epsilon=math.inf, source="SVT6", pairs=1.66e4),
    ),
    Entry(
        name="sniper-numerical-sparse-vector",
        group=GROUP,
        summary="NumericalSVT: answers with fresh noise for the first two queries above",
        mechanism=SparseVector(
            epsilon=0.1,
            threshold=1.0,
            cutoff=2,
            threshold_factor=3.0,
            query_factor=12.0,
            release_value="fresh",
            value_factor=6.0,
        ),
        relation=Relation.DECLARED,
        data=_ONES,
        neighbors=(_HALVES,),
        truth=Truth(keeps=True, source="NumericalSVT; arXiv 1903.12254"),
    ),
    Entry(
        name="sniper-sparse-vector-3-and-4",
        group=GROUP,
        summary="SVT34Parallel: two broken sparse vectors on the same queries",
        mechanism=SparseVectorPair(),
        relation=Relation.DECLARED,
        data=_ONES,
        neighbors=(_HALVES,),
        truth=Truth(
            keeps=False, epsilon=math.inf, source="SVT34Parallel", pairs=1.1e5, reachable=False
        ),
    ),
)
