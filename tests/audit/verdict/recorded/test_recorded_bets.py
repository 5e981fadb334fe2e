"""Bets in the order of the files: on what stands behind the outputs they were learned from."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from audit.betting.capital import Capital
from audit.betting.confirmation.leading import leading_bets
from audit.betting.position import Position
from audit.claim import PureDP, ZeroConcentratedDP
from audit.outcomes.binning import Binning
from audit.verdict.recorded.bets import RecordedBets
from audit.verdict.recorded.outputs import gathered, of_json
from audit.verdict.recorded.recording import Recording

DRAWS = 700


def recording(name: str, outputs: Any) -> Recording:
    held = outputs if isinstance(outputs, np.ndarray) else gathered(list(map(of_json, outputs)))
    return Recording(name, f"{name}.jsonl", held)


def played(here: Any, *there: Any, alpha: float = 0.05) -> Capital:
    capital = Capital(PureDP(1.0), alpha)
    others = [recording(f"D{k}", outputs) for k, outputs in enumerate(there, start=1)]
    RecordedBets(recording("D", here), others, [capital]).play()
    return capital


def laplace(seed: int, shift: float, draws: int = DRAWS) -> np.ndarray:
    return np.random.default_rng(seed).laplace(shift, 1.0, draws)


def position(capital: Capital, epoch: int) -> Position:
    (found,) = capital.epochs[epoch].positions
    return found


def shown(binning: Binning) -> tuple[Any, ...]:
    return binning.edges.tolist(), binning.symbols, binning.atoms


@pytest.mark.parametrize(("epoch", "opened"), [(0, 8), (1, 64), (2, 512)])
@pytest.mark.parametrize("behind", ["other", [1.0, 2.0], {"key": 7.0}, 1e9])
def test_books_know_nothing_of_what_stands_behind_them(
    epoch: int, opened: int, behind: Any
) -> None:
    """Bins, symbols, events and weights stay the same when later outputs are forged."""
    here, there = laplace(1, 1.0).tolist(), laplace(2, 0.0).tolist()
    forged = [*here[:opened], *([behind] * (DRAWS - opened))]
    portfolio, again = (
        position(played(outputs, there), epoch).portfolio for outputs in (here, forged)
    )
    assert [t.feature.words for t in again.tables] == [t.feature.words for t in portfolio.tables]
    for table, other in zip(portfolio.tables, again.tables, strict=True):
        assert shown(table.binning) == shown(other.binning)
        np.testing.assert_array_equal(table.bets.spans, other.bets.spans)
    np.testing.assert_array_equal(portfolio.log_prior, again.log_prior)


def test_an_account_counts_what_stands_behind_its_opening_and_nothing_else() -> None:
    here, there = laplace(1, 1.0), laplace(2, 0.0)
    capital = played(here, there)
    # The two youngest epochs bet; the first one stops where the third opens.
    for epoch, start, stop in ((0, 6, 192), (1, 24, DRAWS), (2, 192, DRAWS)):
        held = position(capital, epoch)
        places = recording("D", here).part(start, stop), recording("D1", there).part(start, stop)
        for counted, expected in zip(held.counts, held.portfolio.count(*places), strict=True):
            np.testing.assert_array_equal(counted, expected)


def test_output_i_stands_beside_output_i() -> None:
    """Runs that shared their randomness may be recorded in step."""
    noise = laplace(3, 0.0)
    joint = position(played(noise + 0.01, noise), 2).counts[0]
    assert np.diag(joint).sum() > 0.9 * joint.sum()


def test_a_file_that_has_ended_is_not_bet_on() -> None:
    here, there = laplace(1, 1.0), laplace(2, 0.0)
    capital = played(here, there, laplace(4, 0.0, 100))
    assert [[a.pair for a in g.positions] for g in capital.epochs] == [[0, 1], [0, 1], [0]]
    counted = [int(a.counts[0].sum()) for a in capital.epochs[1].positions]
    assert counted == [DRAWS - 24, 76]


def test_several_neighbors_share_one_wealth() -> None:
    here, right = laplace(1, 1.0), [laplace(seed, 0.0) for seed in (2, 3)]
    assert not played(here, *right).refuted
    capital = played(here, *right, laplace(4, -2.0))
    assert capital.refuted
    assert leading_bets(capital, 1.0)[0].pair == 2
    for epoch in capital.epochs:
        assert sum(a.weight for a in epoch.positions) == pytest.approx(1.0)
    assert capital.cash + sum(g.share for g in capital.epochs) == pytest.approx(1.0)


def test_all_capital_sees_the_same_draws() -> None:
    here, there = recording("D", laplace(1, 3.0)), recording("D1", laplace(2, 0.0))
    own, pure = Capital(ZeroConcentratedDP(0.1), 0.05), Capital(PureDP(1.0), 0.05)
    RecordedBets(here, [there], [own, pure]).play()
    alone = Capital(PureDP(1.0), 0.05)
    RecordedBets(here, [there], [alone]).play()
    assert own.refuted and own.level > 0.1
    assert (pure.level, pure.best) == (alone.level, alone.best)


def test_long_files_go_on_with_the_best_tables() -> None:
    draws = 270_000
    capital = played(laplace(1, 1.0, draws), laplace(2, 0.0, draws))
    assert len(capital.epochs) == 6
    assert len(position(capital, 5).portfolio.tables) == 1
    assert not capital.refuted
    assert 0.95 < capital.level < 1.0


@pytest.mark.parametrize("draws", [1, 5, 6, 7])
def test_short_files_are_looked_at(draws: int) -> None:
    capital = played(laplace(1, 1.0, draws), laplace(2, 0.0, draws))
    assert len(capital.epochs) == (draws > 6)
    assert capital.level == 0.0


def test_wide_outputs_are_read_in_small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("audit.verdict.recorded.bets._BLOCK_NUMBERS", 50)
    rng = np.random.default_rng(5)
    here, there = rng.laplace(size=(90, 3)) + [3.0, 0.0, 0.0], rng.laplace(size=(90, 3))
    small = played(here, there)
    monkeypatch.undo()
    whole = played(here, there)
    assert (small.best, small.level) == (whole.best, whole.level)
