"""Selections with too little noise, or that say more than the name of the winner."""

from __future__ import annotations

import math

import numpy as np

from audit.declaration import Entry, Truth
from audit.relation import Relation
from mechanisms.parts.selection.noisy_max import NoisyMax
from mechanisms.parts.selection.sparse_vector import SparseVector

GROUP = "Wrong: selection"

ENTRIES: tuple[Entry, ...] = (
    Entry(
        name="noisy-max-value",
        group=GROUP,
        summary="noisy max that releases the winning noisy value",
        mechanism=NoisyMax(output="value"),
        relation=Relation.DECLARED,
        data=np.zeros(5),
        neighbors=(np.ones(5),),
        truth=Truth(keeps=False, epsilon=2.5, source="D01; arXiv 1805.10277", pairs=312),
    ),
    Entry(
        name="noisy-max-exponential-value",
        group=GROUP,
        summary="the winning noisy value, with noise that only adds",
        mechanism=NoisyMax(noise="exponential", output="value"),
        relation=Relation.DECLARED,
        data=np.zeros(2),
        neighbors=(np.ones(2),),
        truth=Truth(keeps=False, epsilon=math.inf, source="D02; arXiv 1805.10277", pairs=61.8),
    ),
    Entry(
        name="noisy-max-half-noise",
        group=GROUP,
        summary="noisy max at scale 1/epsilon, while answers move in opposite directions",
        mechanism=NoisyMax(factor=1.0),
        relation=Relation.DECLARED,
        data=np.zeros(5),
        neighbors=(np.array([-1.0, 1.0, 1.0, 1.0, 1.0]),),
        truth=Truth(keeps=False, epsilon=2.0, source="D03; calculation", pairs=188),
    ),
    Entry(
        name="sparse-vector-3",
        group=GROUP,
        summary="sparse vector, Algorithm 3: releases the noisy answer it compared",
        mechanism=SparseVector(query_factor=2.0, release_value="compared"),
        relation=Relation.DECLARED,
        data=np.array([0.0] * 5 + [1.0]),
        neighbors=(np.array([1.0] * 5 + [0.0]),),
        truth=Truth(
            keeps=False,
            epsilon=math.inf,
            source="D05; arXiv 1603.01699, Algorithm 3",
            pairs=2700,
        ),
    ),
    Entry(
        name="sparse-vector-4",
        group=GROUP,
        summary="sparse vector, Algorithm 4: query noise that does not grow with the cutoff",
        mechanism=SparseVector(cutoff=2, threshold_factor=4.0, query_factor=4.0 / 3.0),
        relation=Relation.DECLARED,
        data=np.zeros(4),
        neighbors=(np.array([1.0, 1.0, -1.0, -1.0]),),
        truth=Truth(
            keeps=False,
            epsilon=3.25,
            source="D06; arXiv 1603.01699, Algorithm 4",
            pairs=1488,
        ),
    ),
    Entry(
        name="sparse-vector-5",
        group=GROUP,
        summary="sparse vector, Algorithm 5: no noise on queries, no cutoff",
        mechanism=SparseVector(cutoff=0, query_factor=0.0),
        relation=Relation.DECLARED,
        data=np.array([0.0, 1.0]),
        neighbors=(np.array([1.0, 0.0]),),
        truth=Truth(
            keeps=False,
            epsilon=math.inf,
            source="D07; arXiv 1603.01699, Algorithm 5",
            pairs=48.6,
        ),
    ),
    Entry(
        name="sparse-vector-3-long",
        group=GROUP,
        summary="Algorithm 3 on eleven queries, where one pattern of answers is very rare",
        mechanism=SparseVector(query_factor=2.0, release_value="compared"),
        relation=Relation.DECLARED,
        data=np.array([0.0] * 10 + [1.0]),
        neighbors=(np.array([1.0] * 10 + [0.0]),),
        truth=Truth(
            keeps=False,
            epsilon=math.inf,
            source="H05; arXiv 1603.01699, Algorithm 3",
            pairs=6674,
        ),
    ),
    Entry(
        name="sparse-vector-6-long",
        group=GROUP,
        summary="Algorithm 6, no cutoff: no pattern of twenty answers is likely, their counts are",
        mechanism=SparseVector(cutoff=0, query_factor=2.0),
        relation=Relation.DECLARED,
        data=np.zeros(20),
        neighbors=(np.array([1.0] * 10 + [-1.0] * 10),),
        truth=Truth(
            keeps=False,
            epsilon=math.inf,
            source="H05; arXiv 1603.01699, Algorithm 6",
            pairs=79,
        ),
    ),
)
