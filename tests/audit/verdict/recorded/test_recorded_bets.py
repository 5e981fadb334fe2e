"""Bets in the order of the files: on what stands behind the outputs they were learned from."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from audit.betting.account import Account
from audit.betting.confirmation.leading import leading_bets
from audit.betting.fund import Fund
from audit.claim import PureDP, ZeroConcentratedDP
from audit.outcomes.binning import Binning
from audit.verdict.recorded.bets import RecordedBets
from audit.verdict.recorded.outputs import gathered, of_json
from audit.verdict.recorded.recording import Recording

DRAWS = 700


def recording(name: str, outputs: Any) -> Recording:
    held = outputs if isinstance(outputs, np.ndarray) else gathered(list(map(of_json, outputs)))
    return Recording(name, f"{name}.jsonl", held)


def played(here: Any, *there: Any, alpha: float = 0.05) -> Fund:
    fund = Fund(PureDP(1.0), alpha)
    others = [recording(f"D{k}", outputs) for k, outputs in enumerate(there, start=1)]
    RecordedBets(recording("D", here), others, [fund]).play()
    return fund


def laplace(seed: int, shift: float, draws: int = DRAWS) -> np.ndarray:
    return np.random.default_rng(seed).laplace(shift, 1.0, draws)


def account(fund: Fund, generation: int) -> Account:
    (found,) = fund.generations[generation].accounts
    return found


def shown(binning: Binning) -> tuple[Any, ...]:
    return binning.edges.tolist(), binning.symbols, binning.atoms


@pytest.mark.parametrize(("generation", "opened"), [(0, 8), (1, 64), (2, 512)])
@pytest.mark.parametrize("behind", ["other", [1.0, 2.0], {"key": 7.0}, 1e9])
def test_books_know_nothing_of_what_stands_behind_them(
    generation: int, opened: int, behind: Any
) -> None:
    """Bins, symbols, events and weights stay the same when later outputs are forged."""
    here, there = laplace(1, 1.0).tolist(), laplace(2, 0.0).tolist()
    forged = [*here[:opened], *([behind] * (DRAWS - opened))]
    book, again = (
        account(played(outputs, there), generation).book for outputs in (here, forged)
    )
    assert [t.feature.words for t in again.tables] == [t.feature.words for t in book.tables]
    for table, other in zip(book.tables, again.tables, strict=True):
        assert shown(table.binning) == shown(other.binning)
        np.testing.assert_array_equal(table.bets.spans, other.bets.spans)
    np.testing.assert_array_equal(book.log_prior, again.log_prior)


def test_an_account_counts_what_stands_behind_its_opening_and_nothing_else() -> None:
    here, there = laplace(1, 1.0), laplace(2, 0.0)
    fund = played(here, there)
    # The two youngest generations bet; the first one stops where the third opens.
    for generation, start, stop in ((0, 8, 512), (1, 64, DRAWS), (2, 512, DRAWS)):
        held = account(fund, generation)
        places = recording("D", here).part(start, stop), recording("D1", there).part(start, stop)
        for counted, expected in zip(held.counts, held.book.count(*places), strict=True):
            np.testing.assert_array_equal(counted, expected)


def test_output_i_stands_beside_output_i() -> None:
    """Runs that shared their randomness may be recorded in step."""
    noise = laplace(3, 0.0)
    joint = account(played(noise + 0.01, noise), 2).counts[0]
    assert np.diag(joint).sum() > 0.9 * joint.sum()


def test_a_file_that_has_ended_is_not_bet_on() -> None:
    here, there = laplace(1, 1.0), laplace(2, 0.0)
    fund = played(here, there, laplace(4, 0.0, 100))
    assert [[a.pair for a in g.accounts] for g in fund.generations] == [[0, 1], [0, 1], [0]]
    counted = [int(a.counts[0].sum()) for a in fund.generations[1].accounts]
    assert counted == [DRAWS - 64, 36]


def test_several_neighbors_share_one_wealth() -> None:
    here, right = laplace(1, 1.0), [laplace(seed, 0.0) for seed in (2, 3)]
    assert not played(here, *right).refuted
    fund = played(here, *right, laplace(4, -2.0))
    assert fund.refuted
    assert leading_bets(fund, 1.0)[0].pair == 2
    for generation in fund.generations:
        assert sum(a.weight for a in generation.accounts) == pytest.approx(1.0)
    assert fund.cash + sum(g.share for g in fund.generations) == pytest.approx(1.0)


def test_funds_see_the_same_draws() -> None:
    here, there = recording("D", laplace(1, 3.0)), recording("D1", laplace(2, 0.0))
    own, pure = Fund(ZeroConcentratedDP(0.1), 0.05), Fund(PureDP(1.0), 0.05)
    RecordedBets(here, [there], [own, pure]).play()
    alone = Fund(PureDP(1.0), 0.05)
    RecordedBets(here, [there], [alone]).play()
    assert own.refuted and own.level > 0.1
    assert (pure.level, pure.best) == (alone.level, alone.best)


def test_long_files_go_on_with_the_best_tables() -> None:
    draws = 270_000
    fund = played(laplace(1, 1.0, draws), laplace(2, 0.0, draws))
    assert len(fund.generations) == 6
    assert len(account(fund, 5).book.tables) == 1
    assert not fund.refuted
    assert 0.95 < fund.level < 1.0


@pytest.mark.parametrize("draws", [1, 7, 8, 9])
def test_short_files_are_looked_at(draws: int) -> None:
    fund = played(laplace(1, 1.0, draws), laplace(2, 0.0, draws))
    assert len(fund.generations) == (draws > 8)
    assert fund.level == 0.0


def test_wide_outputs_are_read_in_small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("audit.verdict.recorded.bets._BLOCK_NUMBERS", 50)
    rng = np.random.default_rng(5)
    here, there = rng.laplace(size=(90, 3)) + [3.0, 0.0, 0.0], rng.laplace(size=(90, 3))
    small = played(here, there)
    monkeypatch.undo()
    whole = played(here, there)
    assert (small.best, small.level) == (whole.best, whole.level)
