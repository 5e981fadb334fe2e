"""One alpha for bets and tables, and recordings whose draws are not alike."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from audit.betting.bettor import Bettor
from audit.betting.wealth import Wealth
from audit.claims import EPSILON_BOUND, Claim, GaussianDP, PureDP
from audit.verdict.recorded.doubts import LEVEL, changing, doubt_about
from audit.verdict.recorded.evidence import (
    ExactEvents,
    RecordedBets,
    RecordedEvidence,
    recorded_witness,
)
from audit.verdict.recorded.recording import RecordedUnits, Recording
from audit.verdict.recorded.tables import RecordedTables
from audit.verdict.result import Witness


def laplace(shift: float, seed: int, draws: int = 800) -> Recording:
    values = np.random.default_rng(seed).laplace(shift, 1.0, draws)
    return Recording(f"D{seed}" if seed else "D", f"file {seed}", values)


CLAIM = PureDP(1.0)


def evidence(shift: float, claim: Claim = CLAIM, alpha: float = 0.05) -> RecordedEvidence:
    return RecordedEvidence.of([laplace(shift, 0), laplace(0.0, 1)], claim, 5, alpha)


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [0.05, 0.001])
def test_bets_tests_and_tables_share_alpha(alpha: float, monkeypatch: pytest.MonkeyPatch) -> None:
    spent = []
    count = RecordedTables.of

    def tables(
        recordings: Sequence[Recording], claim: Claim, bins: int, share: float
    ) -> RecordedTables:
        spent.append(share)
        return count(recordings, claim, bins, share)

    choose = ExactEvents.of

    def events(units: RecordedUnits, claim: Claim, share: float) -> ExactEvents:
        spent.append(share * (claim.bound != EPSILON_BOUND))
        return choose(units, claim, share)

    monkeypatch.setattr(RecordedTables, "of", tables)
    monkeypatch.setattr(ExactEvents, "of", events)
    found = evidence(1.0, GaussianDP(2.0), alpha)
    assert found.bets.bettor.wealths["epsilon"].alpha == found.wealth.alpha
    assert found.wealth.alpha + sum(spent) == pytest.approx(alpha)


@pytest.mark.slow
@pytest.mark.parametrize("excess", [-1e-9, 1e-9, 30.0])
def test_log_evalue_reaches_alpha_when_the_bets_reach_their_share(excess: float) -> None:
    found = evidence(1.0)
    found.wealth.best = found.wealth.goal + excess
    assert (found.log_evalue >= math.log(20.0)) == (excess > 0)
    assert found.log_evalue == pytest.approx(math.log(20.0) + excess)


@pytest.mark.slow
def test_the_evalue_is_at_least_one() -> None:
    assert evidence(1.0).log_evalue >= 0.0


def only_tables() -> RecordedEvidence:
    """A claim that a bin breaks, and on which nothing was bet."""
    recordings = (laplace(3.0, 0), laplace(0.0, 1))
    claim, wealth = PureDP(1.0), Wealth.against(PureDP(1.0), 0.0375)
    units = RecordedUnits(recordings[0], recordings[1:])
    bets = RecordedBets(units, Bettor(units, {"claim": wealth}, []))
    tables = RecordedTables.of(recordings, claim, 5, 0.0125)
    events = ExactEvents(claim, (), 0.0)
    return RecordedEvidence(recordings, 0.05, bets, tables, {"claim": events})


def test_a_bin_refutes_whatever_the_bets_say() -> None:
    found = only_tables()
    assert (found.wealth.refuted, found.refuted) == (False, True)
    assert found.log_evalue == 0.0
    assert found.levels["epsilon_lower"] > 1.0
    witness = recorded_witness(found)
    assert witness is not None
    assert witness.event.description.startswith("the output is at least ")
    assert witness.p.low > witness.slope * witness.q.high
    assert math.log(witness.p.low / witness.q.high) == pytest.approx(found.levels["epsilon_lower"])


def shares(outputs: Any, witness: Witness) -> float:
    """Share of some outputs in the event of a witness."""
    (low, high), *more = witness.event.parameters["intervals"]
    assert more == []
    return float(np.mean((outputs >= float(low)) & (outputs < float(high))))


@pytest.mark.slow
def test_the_witness_is_counted_on_the_lines_after_the_refutation() -> None:
    found = evidence(3.0)
    line, witness = found.bets.line, recorded_witness(found)
    assert line and witness is not None and witness.counts is not None
    assert witness.counts[2] == line < 200
    assert witness.draws == 800 - line
    forward = witness.direction.startswith("D over")
    sides = found.recordings if forward else found.recordings[::-1]
    for recording, mean, count in zip(sides, (witness.p, witness.q), witness.counts, strict=False):
        outputs = np.asarray(recording.outputs)
        assert mean.estimate == pytest.approx(shares(outputs[line:], witness))
        assert count == round(shares(outputs[:line], witness) * line)
    assert witness.separated
    assert recorded_witness(evidence(1.0)) is None


@pytest.mark.slow
def test_a_witness_without_later_lines_quotes_those_that_refuted() -> None:
    found, line = evidence(3.0), -1
    # A shorter recording may be refuted earlier: its looks lie elsewhere.
    while line != found.bets.line:
        line = found.bets.line
        assert line
        recordings = [Recording(r.name, r.source, r.outputs[:line]) for r in found.recordings]
        found = RecordedEvidence.of(recordings, CLAIM, 5, 0.05)
    witness = recorded_witness(found)
    assert witness is not None and witness.counts is not None
    own, other, lines = witness.counts
    assert (lines, witness.draws) == (line, 0)
    assert witness.p.estimate == pytest.approx(own / lines)
    assert witness.q.estimate == pytest.approx(other / lines)
    assert (witness.p.low, witness.q.high) == (0.0, 1.0)
    assert not witness.separated
    assert own > math.e * other


@pytest.mark.slow
def test_levels_are_the_largest_of_all() -> None:
    found = evidence(3.0)
    tested = found.events.level
    assert found.levels["epsilon_lower"] == max(found.wealth.bound, tested) == tested > 1.0
    lower = replace(found, tests={"claim": replace(found.events, level=0.5)})
    assert lower.levels["epsilon_lower"] >= found.wealth.bound > 1.0
    other = evidence(3.0, GaussianDP(0.5))
    assert other.levels["mu_lower"] >= other.wealth.bound > 0.5
    pure = max(other.bets.bettor.wealths["epsilon"].bound, other.tests["epsilon"].level)
    assert other.levels["epsilon_lower"] >= pure > 0.5


@pytest.mark.slow
def test_recordings_that_change_are_named_and_others_are_not() -> None:
    alike = [laplace(0.0, seed) for seed in range(3)]
    assert changing(alike, 0.05) == []
    sorted_ones = Recording("D9", "sorted", np.sort(alike[0].outputs))
    assert changing([*alike, sorted_ones], 0.05) == [sorted_ones]


def test_both_doubts_have_one_level_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    levels = []

    def differ(first: Recording, second: Recording, level: float) -> bool:
        levels.append(level)
        return False

    def repeats(codes: Any, level: float) -> int:
        levels.append(level)
        return 0

    monkeypatch.setattr("audit.verdict.recorded.doubts._differ", differ)
    monkeypatch.setattr("audit.verdict.recorded.doubts.repeats_after", repeats)
    assert doubt_about([laplace(0.0, seed) for seed in range(4)]) == ""
    assert len(levels) == 8
    assert sum(levels) == pytest.approx(LEVEL)
    assert LEVEL <= 1e-4
