"""Small mechanisms and the evidence that fresh runs of them give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator

from audit.claims import Claim, PureDP
from audit.diagnosis.evidence import Draw, Evidence, Observed, Outputs, Sample
from audit.diagnosis.rules import diagnose
from audit.relation import AnyRelation, Relation
from audit.verdict.findings import Diagnosis

RUNS = 2_000
ONE, NONE = np.array([1.0]), np.array([])

Mechanism = Callable[[Any, Generator, int], Outputs]


def drawing(mechanism: Mechanism, seed: int = 0) -> Draw:
    """Fresh outputs; an exception of the whole call is that of each run."""
    rng = np.random.default_rng(seed)

    def draw(dataset: Any, runs: int) -> Outputs:
        try:
            return mechanism(dataset, rng, runs)
        except ValueError as error:
            return [error] * runs

    return draw


def evidence(
    mechanism: Mechanism,
    dataset: Any = ONE,
    neighbor: Any = NONE,
    *,
    claim: Claim | None = None,
    relation: AnyRelation = Relation.ADD_REMOVE,
    observed: Observed | None = None,
    records: tuple[Any, ...] = (),
    runs: int = RUNS,
) -> Evidence:
    """Evidence of a pure claim of 1 about one record, where nothing else is said."""
    draw = drawing(mechanism)
    return Evidence(
        claim=claim or PureDP(1.0),
        relation=relation,
        left=Sample.of(dataset, draw(dataset, runs)),
        right=Sample.of(neighbor, draw(neighbor, runs)),
        observed=observed,
        draw=draw,
        records=records,
    )


def diagnosed(mechanism: Mechanism, *pair: Any, **more: Any) -> Diagnosis:
    """The diagnosis of a mechanism on a pair."""
    return diagnose(evidence(mechanism, *pair, **more))


def seen(event: str, p: float, q: float) -> Observed:
    """A witness measured on 400 runs."""
    return Observed(event=event, p=p, q=q, draws=400)
