"""StatDP's variants of the sparse vector technique, on ten queries, with summarized outputs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from audit.declaration import Entry, Truth
from audit.relation import Relation
from mechanisms.parts.selection.sparse_vector import ABOVE, BELOW, SparseVector
from mechanisms.peers.patterns import input_patterns

GROUP = "StatDP"
_TEN = input_patterns(10)


@dataclass(frozen=True, slots=True)
class SummarizedSparseVector(SparseVector):
    """A sparse vector of which only a summary is released.

    Attributes:
        summary: "below" counts the answers below; "distance" counts where the
            answers differ from above for the first half and below for the rest,
            an answer not given differing too; "below-and-value" is the number
            below with the value released, -inf when there is none.
    """

    epsilon: float = 0.7
    threshold: float = 1.0
    summary: Literal["below", "distance", "below-and-value"] = "distance"

    def release(self, data: ArrayLike, rng: Generator, size: int) -> NDArray[Any]:
        """Integers, shape (size,); with values rows (below, value), shape (size, 2)."""
        outputs = SparseVector.release(self, data, rng, size)
        match self.summary:
            case "below":
                return np.asarray((outputs == BELOW).sum(axis=1))
            case "below-and-value":
                last = np.max(outputs, axis=1, where=~np.isnan(outputs), initial=-np.inf)
                return np.column_stack([np.isneginf(outputs).sum(axis=1), last])
        half = np.arange(outputs.shape[1]) < outputs.shape[1] // 2
        return np.asarray((outputs != np.where(half, ABOVE, BELOW)).sum(axis=1))


ENTRIES: tuple[Entry, ...] = (
    Entry(
        name="statdp-sparse-vector",
        group=GROUP,
        summary="SVT: how many queries were below before the first above",
        mechanism=SummarizedSparseVector(threshold=0.5, summary="below"),
        relation=Relation.DECLARED,
        data=_TEN["half above, half below"][0],
        neighbors=(_TEN["half above, half below"][1],),
        truth=Truth(keeps=True, epsilon=0.7, source="SVT"),
    ),
    Entry(
        name="statdp-sparse-vector-wrong-1",
        group=GROUP,
        summary="iSVT1: no noise on the queries, no cutoff",
        mechanism=SummarizedSparseVector(cutoff=0, query_factor=0.0),
        relation=Relation.DECLARED,
        data=_TEN["half above, half below"][0],
        neighbors=(_TEN["half above, half below"][1],),
        truth=Truth(keeps=False, epsilon=math.inf, source="iSVT1", pairs=25.2),
    ),
    Entry(
        name="statdp-sparse-vector-wrong-2",
        group=GROUP,
        summary="iSVT2: no cutoff",
        mechanism=SummarizedSparseVector(cutoff=0, query_factor=2.0),
        relation=Relation.DECLARED,
        data=_TEN["half above, half below"][0],
        neighbors=(_TEN["half above, half below"][1],),
        truth=Truth(keeps=False, epsilon=math.inf, source="iSVT2", pairs=376),
    ),
    Entry(
        name="statdp-sparse-vector-wrong-3",
        group=GROUP,
        summary="iSVT3: too little noise on the queries",
        mechanism=SummarizedSparseVector(threshold_factor=4.0, query_factor=4.0 / 3.0),
        relation=Relation.DECLARED,
        data=_TEN["crossed"][0],
        neighbors=(_TEN["crossed"][1],),
        truth=Truth(keeps=False, epsilon=1.225, source="iSVT3", pairs=3131),
    ),
    Entry(
        name="statdp-sparse-vector-wrong-4",
        group=GROUP,
        summary="iSVT4: releases the noisy answer it compared",
        mechanism=SummarizedSparseVector(
            query_factor=2.0, release_value="compared", summary="below-and-value"
        ),
        relation=Relation.DECLARED,
        data=_TEN["half above, half below"][0],
        neighbors=(_TEN["half above, half below"][1],),
        truth=Truth(keeps=False, epsilon=math.inf, source="iSVT4", pairs=2631),
    ),
)
