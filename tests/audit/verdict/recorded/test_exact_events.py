"""Events that the first lines of files choose, tested on those behind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from audit.claims import Claim, PureDP
from audit.verdict.recorded.evidence import (
    FEWEST,
    ExactEvents,
    RecordedEvidence,
    recorded_witness,
)
from audit.verdict.recorded.files import of_json
from audit.verdict.recorded.recording import RecordedUnits, Recording, gathered


def recording(name: str, outputs: Any) -> Recording:
    held = outputs if isinstance(outputs, np.ndarray) else gathered(list(map(of_json, outputs)))
    return Recording(name, name, held)


def events_of(
    outputs: Sequence[Any], claim: Claim | None = None, alpha: float = 0.05
) -> ExactEvents:
    here, *there = (recording(f"D{k}" if k else "D", held) for k, held in enumerate(outputs))
    return ExactEvents.of(RecordedUnits(here, there), claim or PureDP(1.0), alpha)


def laplace(seed: int, lines: int = 800) -> list[Any]:
    rng = np.random.default_rng(seed)
    return [1.0 + rng.laplace(size=lines), rng.laplace(size=lines)]


def test_what_stands_behind_chooses_nothing() -> None:
    """Events and their shares stay the same when later outputs are forged."""
    here, there = (side.tolist() for side in laplace(1))
    found = events_of([here, there])
    forged = events_of([[*here[:100], *(["other", 1e9] * 350)], there])
    assert len(found.events) > 20
    for one, other in zip(found.events, forged.events, strict=True):
        assert one[0].described.description == other[0].described.description
        assert (one[0].side, one[1].alpha) == (other[0].side, other[1].alpha)


def test_the_counts_are_those_behind() -> None:
    here, there = laplace(2)
    first = [np.append(side[:100], np.full(700, 50.0)) for side in (here, there)]
    tests = [test for _, test in events_of(first).events]
    assert {test.lines for test in tests} == {700}
    for test in tests:
        shown = test.both + test.own + test.other
        # What stands behind is the same everywhere: each event is on all lines, or on none.
        assert shown == test.both in (0, 700)


def test_the_events_share_alpha() -> None:
    outputs = [*laplace(3), laplace(4)[1], laplace(5, 90)[1]]
    found = events_of(outputs, alpha=0.01)
    assert sum(test.alpha for _, test in found.events) == pytest.approx(0.01)
    assert min(test.alpha for _, test in found.events) > 1e-6
    spent = [test.alpha for _, test in found.events]
    assert spent == sorted(spent, reverse=True)
    assert events_of([side[: FEWEST - 1] for side in laplace(3)]).events == ()


@pytest.mark.parametrize("coupling", [1.0, -1.0, 0.0])
def test_files_may_depend_on_each_other_within_a_line(coupling: float) -> None:
    """Noise that is shared, mirrored, or apart: right is not refuted, half the noise is."""
    rng = np.random.default_rng(6)
    for scale, alpha, refuted in ((1.0, 1e-9, False), (0.5, 1e-3, True)):
        noise, other = rng.laplace(scale=scale, size=(2, 3000))
        there = coupling * noise if coupling else other
        assert events_of([1.0 + noise, there], alpha=alpha).refuted is refuted


@pytest.mark.slow
def test_a_test_may_refute_what_bets_do_not() -> None:
    claim = PureDP(0.6)
    for seed in range(20):
        here, there = laplace(seed, 600)
        recordings = [recording("D", here), recording("D1", there)]
        found = RecordedEvidence.of(recordings, claim, 5, 0.05)
        if found.events.refuted and not (found.wealth.refuted or found.tables.flagged):
            break
    else:
        pytest.fail("no such files")
    assert found.refuted
    assert found.levels[claim.bound] >= claim.level
    witness = recorded_witness(found)
    assert witness is not None and witness.counts is not None
    own, other, lines = witness.counts
    assert witness.draws == lines == 525
    assert (witness.p.estimate, witness.q.estimate) == (own / lines, other / lines)
    assert own > witness.slope * other + witness.offset * lines
