"""Entry point: fresh outputs on a counterexample, and the likely cause that they show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from audit.claim import Claim
from audit.diagnosis.evidence import Draw, Evidence, Observed, Outputs, Sample
from audit.diagnosis.rules import diagnose, unknown
from audit.relation import AnyRelation, Relation
from audit.verdict.diagnosis import Diagnosis

RUNS = 2_000
"""Fresh runs on each dataset of the pair at most, and on all further datasets together."""


@dataclass(slots=True)
class _Limited:
    """Draws on further datasets until their runs are spent; no outputs after that."""

    draw: Draw
    left: int

    def __call__(self, dataset: Any, runs: int) -> Outputs:
        allowed = min(runs, self.left)
        self.left -= allowed
        return self.draw(dataset, allowed) if allowed else []


def likely_cause(
    draw: Draw,
    dataset: Any,
    neighbor: Any,
    *,
    claim: Claim,
    relation: AnyRelation = Relation.ADD_REMOVE,
    observed: Observed | None = None,
    records: tuple[Any, ...] = (),
    worst: tuple[Any, Any] | None = None,
    runs: int = RUNS,
) -> Diagnosis:
    """Diagnose a refuted claim from fresh runs on its counterexample.

    To be called after a verdict: the runs are not bets, and the diagnosis has no level.

    Args:
        draw: fresh outputs of the mechanism on any dataset, as many as asked for; an array or a
            sequence, in which a failed run is its exception.
        dataset: D, on which the event is more likely than the claim allows.
        neighbor: D′.
        claim: the refuted claim.
        relation: the adjacency relation of D and D′.
        observed: the witness's event with its probabilities; None if there is none.
        records: records of the domain worth trying, such as `domain.extremes`.
        worst: the pair on which the largest loss was established, if it is another one.
        runs: fresh runs on each of both datasets, and on all further ones together.

    Returns:
        The likely cause; "unknown" with the event if no rule fits or if anything fails. It
        never raises an `Exception`.
    """
    try:
        return diagnose(
            Evidence(
                claim=claim,
                relation=relation,
                left=Sample.of(dataset, draw(dataset, runs)),
                right=Sample.of(neighbor, draw(neighbor, runs)),
                observed=observed,
                draw=_Limited(draw, runs),
                records=records,
                worst=worst,
            )
        )
    except Exception:  # a diagnosis never fails an audit
        return unknown("" if observed is None else observed.event)
