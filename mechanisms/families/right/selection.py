"""Selections done right: the best of several scores, queries above a threshold, new keys."""

from __future__ import annotations

import numpy as np

from audit.declaration import Entry, Truth
from audit.relation import Relation
from mechanisms.parts.counts.keys import KeySelection
from mechanisms.parts.selection.exponential import ExponentialMechanism
from mechanisms.parts.selection.noisy_max import NoisyMax
from mechanisms.parts.selection.quantile import ExponentialQuantile
from mechanisms.parts.selection.sparse_vector import SparseVector

GROUP = "Right"
_FAVORITE = np.array([1.0] + [0.0] * 9)
_BEHIND = np.array([-4.0, 0.0, 0.0, 0.0, 0.0])
_FURTHER_BEHIND = np.array([-5.0, 1.0, 1.0, 1.0, 1.0])

ENTRIES: tuple[Entry, ...] = (
    Entry(
        name="exponential-mechanism",
        group=GROUP,
        summary="one of ten candidates with probability proportional to exp(epsilon·score/2)",
        mechanism=ExponentialMechanism(),
        relation=Relation.DECLARED,
        data=_FAVORITE,
        neighbors=(1.0 - _FAVORITE,),
        truth=Truth(keeps=True, epsilon=1.0, source="K09; McSherry and Talwar 2007"),
    ),
    Entry(
        name="noisy-max-index",
        group=GROUP,
        summary="index of the largest answer with Laplace noise of scale 2/epsilon",
        mechanism=NoisyMax(),
        relation=Relation.DECLARED,
        data=_BEHIND,
        neighbors=(_FURTHER_BEHIND,),
        truth=Truth(keeps=True, epsilon=1.0, source="K10; Dwork and Roth 2014, Claim 3.9"),
    ),
    Entry(
        name="permute-and-flip",
        group=GROUP,
        summary="index of the largest answer with exponential noise of scale 2/epsilon",
        mechanism=NoisyMax(noise="exponential"),
        relation=Relation.DECLARED,
        data=np.array([0.0, 0.0]),
        neighbors=(np.array([1.0, -1.0]),),
        truth=Truth(keeps=True, epsilon=1.0, source="K11; arXiv 2010.12603, 2105.07260"),
    ),
    Entry(
        name="noisy-max-gumbel",
        group=GROUP,
        summary="index of the largest answer with Gumbel noise of scale 2/epsilon",
        mechanism=NoisyMax(noise="gumbel"),
        relation=Relation.DECLARED,
        data=_FAVORITE,
        neighbors=(1.0 - _FAVORITE,),
        truth=Truth(keeps=True, epsilon=1.0, source="K12; arXiv 2105.07260"),
    ),
    Entry(
        name="noisy-max-gap",
        group=GROUP,
        summary="index of the largest noisy answer and its lead over the runner-up",
        mechanism=NoisyMax(output="gap"),
        relation=Relation.DECLARED,
        data=_BEHIND,
        neighbors=(_FURTHER_BEHIND,),
        truth=Truth(keeps=True, epsilon=1.0, source="K25; arXiv 1904.12773"),
    ),
    Entry(
        name="sparse-vector-1",
        group=GROUP,
        summary="sparse vector, Algorithm 1: stops at the first query above",
        mechanism=SparseVector(),
        relation=Relation.DECLARED,
        data=np.zeros(6),
        neighbors=(np.array([1.0] * 5 + [-1.0]),),
        truth=Truth(keeps=True, epsilon=1.0, source="K13; arXiv 1603.01699, Algorithm 1"),
    ),
    Entry(
        name="sparse-vector-2",
        group=GROUP,
        summary="sparse vector, Algorithm 2: a new threshold after each query above",
        mechanism=SparseVector(cutoff=2, threshold_factor=4.0, query_factor=8.0, redraw=True),
        relation=Relation.DECLARED,
        data=np.zeros(6),
        neighbors=(np.array([1.0] * 4 + [-1.0] * 2),),
        truth=Truth(keeps=True, source="K14; arXiv 1603.01699, Algorithm 2"),
    ),
    Entry(
        name="key-selection",
        group=GROUP,
        summary="counts of unlisted keys, shown when their discrete Laplace count is large",
        mechanism=KeySelection(delta=0.0364, noise="geometric", threshold="geometric"),
        data=["apple"],
        neighbors=([],),
        domain="choice:apple,pear,plum",
        truth=Truth(keeps=True, epsilon=1.0, source="K23; arXiv 2006.03684"),
    ),
    Entry(
        name="median",
        group=GROUP,
        summary="median by the exponential mechanism, on declared bounds",
        mechanism=ExponentialQuantile(),
        relation=Relation.SUBSTITUTE,
        data=np.array([0.0, 0.0, 1.0]),
        neighbors=(np.array([0.0, 1.0, 1.0]),),
        domain="float:0:1",
        truth=Truth(keeps=True, source="Smith 2011"),
    ),
)
