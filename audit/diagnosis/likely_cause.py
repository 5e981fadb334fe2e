"""Entry point: fresh outputs on a counterexample, and the likely cause that they show."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import numpy as np
from numpy.random import Generator

from audit.blackbox.interface import BoundBox
from audit.blackbox.python import PythonBlackBox
from audit.case import Case
from audit.claims import Claim
from audit.diagnosis.evidence import (
    Coupled,
    Draw,
    Evidence,
    Observed,
    Outputs,
    Sample,
    at_least,
    found,
)
from audit.diagnosis.rules import diagnose, kept_state, unknown
from audit.errors import BlackBoxError
from audit.neighbors import Pair
from audit.outcomes.outcomes import Outcomes
from audit.relation import AnyRelation, Relation
from audit.sampling.draws import Draws
from audit.sampling.source import Address, Stage
from audit.sampling.units import UnitKind
from audit.verdict.findings import Cause, Diagnosis, Leak
from audit.verdict.fresh_units import Allowance, Measured, sides_of
from audit.verdict.result import AuditResult, Witness

RUNS = 2_000
"""Fresh runs on each dataset of the pair at most; twice as many on all further ones together."""
_ON_WORST = 400
"""Runs on each dataset of the worst pair, at most; a quarter of the runs on the others."""
_SHARE = 8
"""One dataset takes one of so many further runs at most."""


@dataclass(slots=True)
class _Limited:
    """Draws on further datasets until their runs are spent; each dataset is drawn on once.

    Attributes:
        draw: fresh outputs on a dataset.
        coupled: outputs on two datasets with common random numbers; None if there are none.
        most: runs on a dataset at most.
        left: runs that are left.
        drawn: outputs by dataset.
        pairs: outputs with common random numbers by pair.
    """

    draw: Draw
    coupled: Coupled | None
    most: int
    left: int
    drawn: dict[bytes, Outputs] = field(default_factory=dict)
    pairs: dict[bytes, tuple[Sequence[Any], Sequence[Any]]] = field(default_factory=dict)

    def __call__(self, dataset: Any, runs: int) -> Outputs:
        key = pickle.dumps(dataset)
        if key not in self.drawn:
            allowed = min(runs, self.most, self.left)
            if not allowed:
                return []
            self.left -= allowed
            self.drawn[key] = self.draw(dataset, allowed)
        return self.drawn[key]

    def together(
        self, dataset: Any, neighbor: Any, runs: int
    ) -> tuple[Sequence[Any], Sequence[Any]]:
        """Outputs on both datasets with common random numbers; none if too few runs are left."""
        key = pickle.dumps((dataset, neighbor))
        if key not in self.pairs:
            if self.coupled is None or 2 * runs > self.left:
                return [], []
            self.left -= 2 * runs
            self.pairs[key] = self.coupled(dataset, neighbor, runs)
        return self.pairs[key]


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
    coupled: Coupled | None = None,
    first: tuple[Outcomes, Outcomes] | None = None,
    runs: int = RUNS,
) -> Diagnosis:
    """Diagnose a refuted claim from fresh runs on its counterexample.

    To be called after a verdict: the runs are not bets, and the diagnosis has no level.

    Args:
        draw: fresh outputs of the mechanism on any dataset, as many as asked for; an array or a
            sequence, in which a failed run is its exception.
        dataset: D, on which the event is more likely than the claim allows.
        neighbor: D′.
        claim: this, `relation`, `observed`, `records`, `worst` and `coupled` as of `Evidence`.
        first: first answers of fresh instances on D and D′; None if calls are independent.
        runs: fresh runs on each of both datasets; twice as many on all further ones together.

    Returns:
        The likely cause; "unknown" with the event if no rule fits or if anything fails. It
        never raises an `Exception`.
    """
    try:
        further = _Limited(draw, coupled, max(1, 2 * runs // _SHARE), 2 * runs)
        if worst is not None and not (worst[0] is dataset or worst[0] is neighbor):
            for one in worst:
                further(one, min(_ON_WORST, runs // 4))
        evidence = Evidence(
            claim=claim,
            relation=relation,
            left=Sample.of(dataset, draw(dataset, runs)),
            right=Sample.of(neighbor, draw(neighbor, runs)),
            observed=observed,
            draw=further,
            coupled=None if coupled is None else further.together,
            records=records,
            worst=worst,
        )
        kept = None if first is None else kept_state(evidence, first)
        return kept or diagnose(evidence)
    except Exception:  # a diagnosis never fails an audit
        return unknown(observed)


_FEW = 200
"""Calls on a dataset of a mechanism that gives one output a call and is slow."""
_SLOW = 1e-3
_FEWEST = 20
_OUTPUTS = 4
"""Outputs for a run on each dataset: one on both, and as many on further ones."""


def diagnosed(
    case: Case,
    draws: Draws,
    result: AuditResult,
    pairs: dict[str, Pair],
    measured: Measured | None,
    allowance: Allowance,
) -> Diagnosis | None:
    """The likely cause; None without a violation or a leak, or if too few runs are left.

    Pairs are by name, "worst" for that with the largest loss; the witness was `measured` by fresh
    units.
    """
    witness = result.witness
    if witness is None:
        return cause_of_leaks(result.leaks)
    if draws.sampler.runs.crashed:
        # A call in this process might end it, and the answer with it.
        return unknown(observed_of(witness))
    runs = affordable_runs(draws, allowance)
    if runs < _FEWEST or witness.pair not in pairs:
        return None
    forward = witness.direction.startswith("D over")
    pair = pairs[witness.pair]
    dataset, neighbor = (pair.dataset, pair.neighbor)[:: 1 if forward else -1]
    worst = pairs.get("worst")
    places = count()

    def stream(place: int, run: int) -> Generator:
        address = Address(Stage.DIAGNOSIS, place, run)
        return np.random.default_rng(address.stream(draws.sampler.seed, 0))

    def draw(data: Any, size: int) -> Outputs:
        """Fresh outputs of one instance in this process; a failed run is its exception."""
        rng = stream(next(places), 0)
        draws.sampler.samples += size
        bound = draws.source(data).bound
        if not draws.sampler.box.many:
            return [_one(bound, rng, 1) for _ in range(size)]
        outputs = _one(bound, rng, size)
        return [outputs] * size if isinstance(outputs, Exception) else outputs

    def coupled(one: Any, other: Any, size: int) -> tuple[list[Any], list[Any]]:
        """Outputs of both datasets, each run of one with the random numbers of the other's."""
        place = next(places)
        draws.sampler.samples += 2 * size

        def outputs(data: Any) -> list[Any]:
            bound = draws.source(data).bound
            made = [_one(bound, stream(place, run), 1) for run in range(size)]
            if not draws.sampler.box.many:
                return made
            return [one if isinstance(one, Exception) else one[0] for one in made]

        return outputs(one), outputs(other)

    first = _first_answers(pairs[witness.pair], forward, measured)
    return likely_cause(
        draw,
        dataset,
        neighbor,
        claim=case.claim,
        relation=case.relation,
        observed=observed_of(witness),
        records=() if case.domain is None else tuple(getattr(case.domain, "extremes", ())),
        worst=None if worst is None else (worst.dataset, worst.neighbor),
        coupled=coupled if draws.sampler.box.seeded else None,
        first=first if draws.units.kind is UnitKind.LIFE else None,
        runs=runs,
    )


def affordable_runs(draws: Draws, allowance: Allowance) -> int:
    """Runs on each dataset: calls, which cost less than fresh instances of a function do."""
    if isinstance(draws.sampler.box, PythonBlackBox) and draws.units.kind is UnitKind.LIFE:
        allowance = replace(allowance, pace=_OUTPUTS * draws.units.costs()[1])
    runs = allowance.units(RUNS, _OUTPUTS)
    slow = not draws.sampler.box.many and draws.units.costs()[0] >= _SLOW
    return min(runs, _FEW) if slow else runs


def _first_answers(
    pair: Pair, forward: bool, measured: Measured | None
) -> tuple[Outcomes, Outcomes] | None:
    """Answers of fresh units on the dataset on which the event is too likely, and on the other."""
    if measured is None:
        return None
    left, right = (measured.outputs[side] for side in sides_of(pair))
    if left.size < _FEWEST:
        return None
    return (left, right) if forward else (right, left)


def _one(bound: BoundBox, rng: Generator, size: int) -> Any:
    """The output of a call, or the exception that it ended in."""
    try:
        return bound.draw(rng, size)
    except BlackBoxError:
        raise
    except Exception as error:
        return error


def observed_of(witness: Witness) -> Observed | None:
    """The witness's event with its frequencies; None if it is a function of the output.

    They are those of the larger sample: of the test, or of the fresh runs.
    """
    if witness.function is not None:
        return None
    p, q, draws = witness.p.estimate, witness.q.estimate, witness.draws
    if witness.counts is not None and witness.counts[2] > draws:
        here, there, draws = witness.counts
        p, q = here / draws, there / draws
    event = witness.event
    return Observed(
        event=event.description,
        p=p,
        q=q,
        draws=draws,
        parts=tuple(event.parameters.get("parts", ())),
        presence=event.parameters.get("presence", False),
    )


def cause_of_leaks(leaks: Iterable[Leak]) -> Diagnosis | None:
    """The cause of the first leak of a known kind, if the claim itself was not refuted."""
    for leak in leaks:
        if leak.kind == "floating-point":
            lower = leak.epsilon_lower
            size = "" if lower is None else f" (ε ≥ {at_least(lower)} if all digits are released)"
            return found(
                Cause.LOW_BITS,
                f"Low-order bits of the output reveal the data{size}: {leak.event.description}.",
                "Release only rounded numbers: the claim itself was not refuted. Else use discrete "
                "noise.",
                **({} if lower is None else {"epsilon": lower}),
            )
        if leak.kind == "timing":
            return found(
                Cause.TIMING,
                f"The time of a run depends on the data: {leak.event.description}.",
                "Pad every run to a fixed time, or release only outputs whose time nobody sees.",
            )
    return None
