"""One alpha for bets and tables, and recordings whose draws are not alike."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from audit.betting.capital import Capital
from audit.claim import EPSILON_BOUND, Claim, GaussianDP, PureDP
from audit.verdict.recorded.bets import RecordedBets
from audit.verdict.recorded.doubts import changing
from audit.verdict.recorded.evidence import RecordedEvidence
from audit.verdict.recorded.exact_events import ExactEvents
from audit.verdict.recorded.recording import Recording
from audit.verdict.recorded.tables import RecordedTables
from audit.verdict.recorded.witness import recorded_witness


def laplace(shift: float, seed: int, draws: int = 800) -> Recording:
    values = np.random.default_rng(seed).laplace(shift, 1.0, draws)
    return Recording(f"D{seed}" if seed else "D", f"file {seed}", values)


CLAIM = PureDP(1.0)


def evidence(shift: float, claim: Claim = CLAIM, alpha: float = 0.05) -> RecordedEvidence:
    return RecordedEvidence.of([laplace(shift, 0), laplace(0.0, 1)], claim, 5, alpha)


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

    def events(bets: RecordedBets, claim: Claim, share: float) -> ExactEvents:
        spent.append(share * (claim.bound != EPSILON_BOUND))
        return choose(bets, claim, share)

    monkeypatch.setattr(RecordedTables, "of", tables)
    monkeypatch.setattr(ExactEvents, "of", events)
    found = evidence(1.0, GaussianDP(2.0), alpha)
    assert found.pure is not None
    assert found.pure.alpha == found.capital.alpha
    assert found.capital.alpha + sum(spent) == pytest.approx(alpha)


@pytest.mark.parametrize("excess", [-1e-9, 1e-9, 30.0])
def test_log_evalue_refutes_at_alpha_where_the_bets_do_at_their_share(excess: float) -> None:
    found = evidence(1.0)
    found.capital.best = found.capital.goal + excess
    assert found.capital.refuted == (excess > 0)
    assert (found.log_evalue >= math.log(20.0)) == found.capital.refuted
    assert found.log_evalue == pytest.approx(math.log(20.0) + excess)


def test_wealth_that_was_lost_is_still_what_one_began_with() -> None:
    assert evidence(1.0).log_evalue >= 0.0


def only_tables() -> RecordedEvidence:
    """A claim that a bin breaks, and on which nothing was bet."""
    recordings = (laplace(3.0, 0), laplace(0.0, 1))
    claim, capital = PureDP(1.0), Capital(PureDP(1.0), 0.0375)
    bets = RecordedBets(recordings[0], recordings[1:], [capital])
    tables = RecordedTables.of(recordings, claim, 5, 0.0125)
    events = ExactEvents(claim, (), 0.0)
    return RecordedEvidence(recordings, claim, 0.05, bets, capital, None, tables, events, None)


def test_what_a_bin_breaks_is_refuted_whatever_the_bets_say() -> None:
    found = only_tables()
    assert (found.capital.refuted, found.refuted) == (False, True)
    assert found.log_evalue == 0.0
    assert found.levels["epsilon_lower"] > 1.0
    witness = recorded_witness(found)
    assert witness is not None
    assert witness.event.description.startswith("the output is at least ")
    assert witness.p.low > witness.slope * witness.q.high
    assert math.log(witness.p.low / witness.q.high) == pytest.approx(found.levels["epsilon_lower"])


def test_the_witness_is_counted_behind_what_it_took_to_refute() -> None:
    found = evidence(3.0)
    won, witness = found.bets.won, recorded_witness(found)
    assert won is not None and witness is not None and witness.counts is not None
    assert won.bet.joint.sum() == witness.counts[2] < won.place < 200
    assert witness.draws == 800 - won.place
    (low, high), *more = witness.event.parameters["intervals"]
    assert more == []
    sides = (witness.p, witness.q) if won.bet.forward else (witness.q, witness.p)
    for recording, share in zip(found.recordings, sides, strict=True):
        behind = np.asarray(recording.outputs)[won.place :]
        held = (behind >= float(low)) & (behind < float(high))
        assert share.estimate == pytest.approx(np.mean(held))
    assert witness.separated
    assert recorded_witness(evidence(1.0)) is None


def test_a_refutation_at_the_end_quotes_the_bets() -> None:
    whole = evidence(3.0)
    assert whole.bets.won is not None
    place = whole.bets.won.place
    recordings = [Recording(r.name, r.source, r.outputs[:place]) for r in whole.recordings]
    witness = recorded_witness(RecordedEvidence.of(recordings, CLAIM, 5, 0.05))
    assert witness is not None and witness.counts is not None
    here, there, pairs = witness.counts
    assert witness.draws == 0
    assert (witness.p.estimate, witness.q.estimate) == (here / pairs, there / pairs)
    assert (witness.p.low, witness.q.high) == (0.0, 1.0)
    assert not witness.separated
    assert here > math.e * there


def test_levels_are_the_largest_of_all() -> None:
    found = evidence(3.0)
    tested = found.events.level
    assert found.levels["epsilon_lower"] == max(found.capital.level, tested) == tested > 1.0
    lower = replace(found, events=replace(found.events, level=0.5))
    assert lower.levels["epsilon_lower"] >= found.capital.level > 1.0
    other = evidence(3.0, GaussianDP(0.5))
    assert other.pure is not None
    assert other.levels["mu_lower"] >= other.capital.level > 0.5
    assert other.pure_events is not None
    assert other.levels["epsilon_lower"] >= max(other.pure.level, other.pure_events.level) > 0.5


def test_recordings_that_change_are_named_and_others_are_not() -> None:
    alike = [laplace(0.0, seed) for seed in range(3)]
    assert changing(alike, 0.05) == []
    sorted_ones = Recording("D9", "sorted", np.sort(alike[0].outputs))
    assert changing([*alike, sorted_ones], 0.05) == [sorted_ones]


def test_all_recordings_share_the_level_of_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    levels = []

    def told_apart(first: Recording, second: Recording, alpha: float) -> bool:
        levels.append(alpha)
        return False

    monkeypatch.setattr("audit.verdict.recorded.doubts._told_apart", told_apart)
    changing([laplace(0.0, seed) for seed in range(4)], 0.05)
    assert levels == [0.0125] * 4
