"""Whole audits with independent calls on the pairs of a case: what the benchmarks measure."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

from audit.blackbox.interface import BlackBox, BoundBox
from audit.case import Budget, Case, Options, Settings, Until
from audit.declaration import Entry
from audit.engine.preparation import case_for
from audit.engine.steps import audit_case
from audit.sampling.draws import INDEPENDENT_CALLS
from audit.verdict.findings import CurvePoint
from audit.verdict.result import Verdict


@dataclass(frozen=True)
class Played:
    """One audit.

    Attributes:
        pairs: half of its runs, all stages together.
        refuted: True if the claim was refuted.
        bound: lower bound on the claim's parameter.
        seconds: of processor time.
        log_wealth: the largest there was.
        curve: bounds on epsilon at several deltas.
    """

    pairs: int
    refuted: bool
    bound: float
    seconds: float
    log_wealth: float
    curve: tuple[CurvePoint, ...] = ()


@dataclass(slots=True)
class Apart:
    """A black box whose calls on both datasets have no common random numbers.

    Attributes:
        box: the black box.
        name: of it.
        many: True if a call gives many outputs.
        seeded: False.
    """

    box: BlackBox
    name: str
    many: bool
    seeded: bool = False

    def bind(self, data: Any) -> BoundBox:
        """See `BlackBox.bind`."""
        return self.box.bind(data)


def play(
    mechanism: Entry | Case,
    *,
    alpha: float,
    samples: int,
    seed: int = 0,
    coupled: bool = True,
    until: Until = Until.VIOLATION,
) -> Played:
    """Audit a mechanism on its given pairs, with calls that are assumed to be independent.

    Args:
        mechanism: an entry of the catalogue, or a case.
        alpha: the level.
        samples: runs at most.
        seed: that all draws follow from.
        coupled: True for common random numbers on both datasets of a pair.
        until: when to stop.
    """
    given = Options(search=False)
    case = mechanism if isinstance(mechanism, Case) else case_for(mechanism, options=given)
    case = case if coupled else replace(case, box=Apart(case.box, case.box.name, case.box.many))
    start = time.process_time()
    budget = Budget(max_samples=samples, until=until)
    settings = Settings(alpha=alpha, seed=seed, assume=(INDEPENDENT_CALLS,), budget=budget)
    result = audit_case(case, settings)
    seconds, bound = time.process_time() - start, result.levels[case.claim.bound]
    refuted = result.verdict is Verdict.VIOLATION
    pairs, wealth = result.samples // 2, result.log_evalue
    return Played(pairs, refuted, bound, seconds, wealth, result.curve)
