"""The likely cause of a violation or a leak, from fresh calls on the counterexample."""

from __future__ import annotations

from itertools import count
from typing import Any

import numpy as np
from numpy.random import Generator

from audit.blackbox.interface import BoundBox
from audit.case import Case
from audit.diagnosis.evidence import Observed, Outputs
from audit.diagnosis.leaks import cause_of_leaks
from audit.diagnosis.likely_cause import RUNS, likely_cause
from audit.errors import BlackBoxError
from audit.neighbors import Pair
from audit.sampling.draws import Draws
from audit.sampling.stream import Address, Stage
from audit.verdict.diagnosis import Diagnosis
from audit.verdict.fresh_units import Allowance
from audit.verdict.result import AuditResult, Witness

_FEW = 200
"""Calls on a dataset of a mechanism that gives one output a call and is slow."""
_SLOW = 1e-3
_FEWEST = 40


def diagnosed(
    case: Case, draws: Draws, result: AuditResult, pairs: dict[str, Pair], allowance: Allowance
) -> Diagnosis | None:
    """The likely cause; None without a violation or a leak, or if too few runs are left.

    Args:
        case: the mechanism, its claim and its data.
        draws: of the audit.
        result: with its witness or its leaks.
        pairs: of the audit, by name; "worst" for the pair with the largest loss.
        allowance: outputs and time left.
    """
    witness = result.witness
    if witness is None:
        return cause_of_leaks(result.leaks)
    runs = allowance.units(RUNS, draws.samples, 4)
    if not draws.sampler.box.many and draws.units.costs()[0] >= _SLOW:
        runs = min(runs, _FEW)
    if runs < _FEWEST or witness.pair not in pairs:
        return None
    dataset, neighbor = _sides(pairs[witness.pair], witness)
    worst = pairs.get("worst")
    places = count()

    def draw(data: Any, size: int) -> Outputs:
        """Fresh outputs of one instance in this process; a failed run is its exception."""
        address = Address(Stage.DIAGNOSIS, next(places), 0)
        rng = np.random.default_rng(address.stream(draws.sampler.seed, 0))
        draws.sampler.samples += size
        bound = draws.source(data).bound
        if not draws.sampler.box.many:
            return [_one(bound, rng, 1) for _ in range(size)]
        outputs = _one(bound, rng, size)
        return [outputs] * size if isinstance(outputs, Exception) else outputs

    return likely_cause(
        draw,
        dataset,
        neighbor,
        claim=case.claim,
        relation=case.relation,
        observed=_observed(witness),
        records=() if case.domain is None else tuple(getattr(case.domain, "extremes", ())),
        worst=None if worst is None else (worst.dataset, worst.neighbor),
        runs=runs,
    )


def _one(bound: BoundBox, rng: Generator, size: int) -> Any:
    """The output of a call, or the exception that it ended in."""
    try:
        return bound.draw(rng, size)
    except BlackBoxError:
        raise
    except Exception as error:
        return error


def _sides(pair: Pair, witness: Witness) -> tuple[Any, Any]:
    """The dataset on which the event is too likely, and the other one."""
    forward = witness.direction.startswith("D over")
    return (pair.dataset, pair.neighbor) if forward else (pair.neighbor, pair.dataset)


def _observed(witness: Witness) -> Observed | None:
    if witness.function is not None:
        return None
    return Observed(
        event=witness.event.description,
        p=witness.p.estimate,
        q=witness.q.estimate,
        draws=witness.draws,
    )
