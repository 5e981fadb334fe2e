"""Bets on recorded lines: fixed by earlier lines of all files, in lockstep, to their ends."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from audit.betting.bet import Design, EventBet
from audit.betting.bettor import Bettor
from audit.betting.past import PairPast
from audit.betting.portfolio import Tally
from audit.betting.wealth import Wealth
from audit.case import Until
from audit.claims import ZCDP, PureDP
from audit.sampling.source import Stage
from audit.sampling.units import UnitPlan
from audit.verdict.recorded.evidence import RecordedBets
from audit.verdict.recorded.files import of_json
from audit.verdict.recorded.recording import RecordedUnits, Recording, gathered

LINES = 700
PILOT = 12


def recording(name: str, outputs: Any) -> Recording:
    held = outputs if isinstance(outputs, np.ndarray) else gathered(list(map(of_json, outputs)))
    return Recording(name, f"{name}.jsonl", held)


def units_of(here: Any, *there: Any) -> RecordedUnits:
    others = tuple(recording(f"D{k}", outputs) for k, outputs in enumerate(there, start=1))
    return RecordedUnits(recording("D", here), others)


def played(here: Any, *there: Any, alpha: float = 0.05, **more: Wealth) -> RecordedBets:
    wealths = {"claim": Wealth.against(PureDP(1.0), alpha), **more}
    return RecordedBets.of(units_of(here, *there), wealths)


def laplace(seed: int, shift: float, lines: int = LINES) -> np.ndarray:
    return np.random.default_rng(seed).laplace(shift, 1.0, lines)


def tallies(bets: RecordedBets) -> list[Tally]:
    """All bets in the order in which they were chosen, each once."""
    held = bets.bettor.claim.intervals
    experts = (e for i in held for portfolio in i.past for e in portfolio.experts)
    return list({id(e.tally): e.tally for e in experts}.values())


def choices(bets: RecordedBets) -> set[tuple[Any, ...]]:
    """Bets with their stakes and weights."""
    return {
        (e.tally.bet.gain.tobytes(), e.tally.bet.binning.edges.tobytes(), e.stake, e.weight, p.feed)
        for held in bets.bettor.claim.intervals
        for p in held.past
        for e in p.experts
    }


def opened(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """Lines of the pairs whenever bets are chosen."""
    found: list[tuple[int, ...]] = []
    epoch = Bettor._epoch

    def noted(self: Bettor, active: Any, limit: int) -> bool:
        found.append(tuple(past.units for past in active))
        return epoch(self, active, limit)

    monkeypatch.setattr(Bettor, "_epoch", noted)
    return found


@pytest.mark.slow
def test_bets_are_chosen_when_all_pairs_are_at_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also with unequal lengths, of which those of ended files alone stay behind."""
    found = opened(monkeypatch)
    played(laplace(1, 1.0), laplace(2, 0.0), laplace(3, 0.5), laplace(4, 0.0, 100))
    assert all(len(set(lines)) == 1 for lines in found)
    assert [len(lines) for lines in found] == sorted((len(x) for x in found), reverse=True)
    assert {len(lines) for lines in found} == {3, 2}
    assert found[0] == (PILOT,) * 3


@pytest.mark.slow
@pytest.mark.parametrize("other", [0, 1])
def test_epochs_begin_at_lines_that_do_not_depend_on_outputs_or_on_lengths(
    monkeypatch: pytest.MonkeyPatch, other: int
) -> None:
    found = opened(monkeypatch)
    played(laplace(1, 1.0), laplace(2, 0.0))
    first = [lines[0] for lines in found]
    found.clear()
    if other:
        played(laplace(1, 9.0), laplace(2, 0.0))
    else:
        played(laplace(1, 1.0, 300), laplace(2, 0.0, 300))
    again = [lines[0] for lines in found]
    assert again == first[: len(again)]
    assert len(again) >= 8


@pytest.mark.slow
@pytest.mark.parametrize("lines", [40, 300])
@pytest.mark.parametrize("forged", ["other", [1.0, 2.0], {"key": 7.0}, 1e9])
def test_bets_are_functions_of_earlier_lines(
    monkeypatch: pytest.MonkeyPatch, lines: int, forged: Any
) -> None:
    """Bets, bins, stakes and weights stay the same when later outputs are forged."""
    here, there = laplace(1, 1.0).tolist(), laplace(2, 0.0).tolist()
    at: list[set[tuple[Any, ...]]] = []
    epoch = Bettor._open

    def noted(self: Bettor, *arguments: Any) -> Any:
        held = epoch(self, *arguments)
        if all(past.units <= lines for past in self.pasts):
            at.append(choices(RecordedBets(self.source, self)))  # type: ignore[arg-type]
        return held

    monkeypatch.setattr(Bettor, "_open", noted)
    played(here, there)
    first, at = at, []
    assert len(first) >= 3
    played([*here[:lines], *([forged] * (LINES - lines))], there)
    assert at == first


@pytest.mark.slow
def test_a_bet_counts_the_lines_after_its_choice_and_no_others() -> None:
    here, there = laplace(1, 1.0), laplace(2, 0.0)
    bets = played(here, there)
    ends = [PILOT]
    while ends[-1] < LINES:
        ends.append(min(LINES, ends[-1] + max(6, ends[-1] // 2)))
    epochs = list(itertools.pairwise(ends))
    for tally in tallies(bets):
        found = []
        for start, stop in epochs:
            batch = bets.units.drawn(UnitPlan(Stage.BET, 0, start, stop - start))
            codes = [
                tally.bet.binning.code(tally.bet.feature.read(side)).astype(np.int64)
                for side in batch.sides
            ]
            gain, cost = tally.bet.sums((codes[0], codes[1]), batch)
            found.append((gain.sum(), cost.sum(), stop - start))
        counted = tally.count @ tally.gain, tally.count @ tally.cost, tally.units
        assert counted in [pytest.approx(expected) for expected in found]
    assert {tally.units for tally in tallies(bets)} <= {stop - start for start, stop in epochs}


@pytest.mark.slow
def test_output_i_is_paired_with_output_i() -> None:
    """Runs may be recorded in step with common random numbers."""
    noise = laplace(3, 0.0)
    (past,) = played(noise + 0.001, noise).bettor.pasts
    joint = past.screen.readings[0].joint.sum(axis=0)
    assert np.diag(joint).sum() > 0.9 * joint.sum()


@pytest.mark.slow
def test_files_are_read_to_their_ends_and_no_further() -> None:
    bets = played(laplace(1, 1.0), laplace(2, 0.0), laplace(4, 0.0, 100))
    assert [past.units for past in bets.bettor.pasts] == [LINES, 100]
    assert bets.bettor.units == LINES + 100


@pytest.mark.slow
def test_several_neighbors_share_one_wealth() -> None:
    here, right = laplace(1, 1.0), [laplace(seed, 0.0) for seed in (2, 3)]
    assert not played(here, *right).bettor.claim.refuted
    bets = played(here, *right, laplace(4, -2.0))
    assert bets.bettor.claim.refuted
    assert {bet.pair for bet in bets.winners} == {2}
    for held in bets.bettor.claim.intervals:
        for portfolio in held.past:
            assert sum(e.weight for e in portfolio.experts) <= 0.8 + 1e-9


@pytest.mark.slow
def test_a_second_wealth_changes_nothing() -> None:
    here, there = laplace(1, 3.0), laplace(2, 0.0)
    units = units_of(here, there)
    own, pure = Wealth.against(ZCDP(0.1), 0.05), Wealth.against(PureDP(1.0), 0.05)
    RecordedBets.of(units, {"claim": own, "epsilon": pure})
    assert own.refuted and own.bound > 0.1
    assert pure.bound > 1.0
    alone = Wealth.against(ZCDP(0.1), 0.05)
    RecordedBets.of(units, {"claim": alone})
    assert (own.bound, own.best) == (alone.bound, alone.best)


@pytest.mark.slow
def test_long_files_give_close_bounds() -> None:
    lines = 60_000
    claim = played(laplace(1, 1.0, lines), laplace(2, 0.0, lines)).bettor.claim
    assert not claim.refuted
    assert 0.9 < claim.bound < 1.0


@pytest.mark.parametrize("lines", [1, 5, 12, 13])
def test_short_files_are_looked_at(lines: int) -> None:
    bets = played(laplace(1, 1.0, lines), laplace(2, 0.0, lines))
    assert bets.bettor.pasts[0].units == lines
    assert bets.bettor.claim.bound == 0.0


def test_joint_counts_do_not_depend_on_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    units = units_of(laplace(1, 1.0), laplace(2, 0.0))
    past = PairPast(0)
    past.add(units.drawn(UnitPlan(Stage.BET, 0, 0, 50)))
    past.study(PureDP(1.0), Design(), False)
    reading = past.screen.readings[0]
    reader = reading.feature, reading.binning
    whole = units.joint(0, reader, 10, 600)
    assert whole.sum() == 590
    monkeypatch.setattr("audit.verdict.recorded.recording._FIRST_BLOCK", 7)
    monkeypatch.setattr("audit.verdict.recorded.recording._BLOCK_NUMBERS", 50)
    np.testing.assert_array_equal(units.joint(0, reader, 10, 600), whole)


def shared_response(rng: np.random.Generator, lines: int, epsilon: float) -> list[np.ndarray]:
    """Randomized response on D and on two neighbors, with one seed for each line.

    The answers on the neighbors are functions of the same uniform number as that on D, so that a
    bet on one pair that knew the line of D would know the other pair's line, too.
    """
    kept = np.exp(epsilon) / (1.0 + np.exp(epsilon))
    uniform = rng.random(lines)
    return [(uniform < kept) * 1.0, (uniform < 1.0 - kept) * 1.0, (uniform >= kept) * 1.0]


def refuted_of(audits: int, epsilon: float, lines: int = 150, alpha: float = 0.05) -> int:
    found = 0
    for seed in range(audits):
        files = shared_response(np.random.default_rng([seed, 9]), lines, epsilon)
        wealth = Wealth.against(PureDP(1.0), alpha)
        RecordedBets.of(units_of(*files), {"claim": wealth}, Until.VIOLATION)
        found += wealth.refuted
    return found


@pytest.mark.slow
def test_the_level_holds_when_files_depend_on_each_other_within_a_line() -> None:
    """Exactly at the claim, at most alpha; above it, most are refuted."""
    assert refuted_of(20, 1.0) <= binom.ppf(1.0 - 1e-6, 20, 0.05)
    assert refuted_of(5, 2.5) >= 4


@pytest.mark.slow
def test_the_level_holds_in_three_hundred_audits() -> None:
    assert refuted_of(300, 1.0) <= binom.ppf(1.0 - 1e-6, 300, 0.05)


def test_the_witness_candidates_are_events_in_one_direction() -> None:
    bets = played(laplace(1, 4.0), laplace(2, 0.0))
    assert 0 < bets.line < 200
    assert all(b.events == 1 for b in bets.winners if isinstance(b, EventBet))
    assert len({bet.key for bet in bets.winners}) == len(bets.winners) > 0
