"""Which pairs are worth more runs, where the claim is refuted on none and where it is on one."""

from __future__ import annotations

import pytest

from audit.betting.position import Position
from audit.betting.promise import leading, promising
from audit.claim import PureDP
from tests.audit.betting.test_capital import joint_of, portfolio_on

CLAIM = PureDP(1.0)


def counted(both: int, here: int, neither: int) -> Position:
    """Bets on an event, with the pairs on which it happened on both sides, on D, on none."""
    position = Position.of(0, 1.0, portfolio_on((False, True, False), CLAIM))
    position.add([joint_of((3,) * both + (2,) * here + (0,) * neither)])
    return position


def test_a_pair_alone_goes_on() -> None:
    for found in (promising, leading):
        outlook = found({7: counted(100, 0, 100)}, CLAIM)
        assert outlook.chosen == {7}
        assert outlook.weights == {7: 1.0}


def test_below_the_claim_the_pair_that_loses_most_leads() -> None:
    held = {0: counted(1000, 800, 2000), 1: counted(1000, 50, 2750), 2: counted(1000, 780, 2020)}
    assert promising({pair: counted(300, 200, 500) for pair in held}, CLAIM).chosen == {0, 1, 2}
    found = leading(held, CLAIM)
    assert found.chosen == {0, 2}, "one that is as good as the best goes on with it"
    assert 0.0 < found.weights[1] < 0.02
    assert sum(found.weights.values()) == pytest.approx(1.0, abs=0.02)


def test_pairs_that_show_nothing_stay_behind_where_another_shows_a_loss() -> None:
    """Bets with the past behind them tell no more than that; few draws do not tell even that."""
    held = {0: counted(2000, 1600, 4000), 1: counted(2000, 0, 5600), 2: counted(2000, 1550, 4050)}
    assert promising(held, CLAIM).chosen == {0, 2}
    few = {0: counted(200, 160, 400), 1: counted(200, 0, 560)}
    assert promising(few, CLAIM).chosen == {0, 1}


def test_a_pair_on_which_the_claim_is_broken_is_kept() -> None:
    """The other arm: more of the best below the claim does not hide an excess elsewhere."""
    held = {0: counted(3000, 3600, 2000), 1: counted(100, 400, 8100)}
    assert 1 in leading(held, CLAIM).chosen


def test_pairs_on_which_nothing_is_seen_all_go_on() -> None:
    held = {pair: counted(100, 0, 100) for pair in range(3)}
    assert leading(held, CLAIM).chosen == {0, 1, 2}


def test_a_pair_that_fell_behind_comes_back_where_it_shows_more() -> None:
    """With an eighth of the runs of the pair that leads."""
    held = {0: counted(8000, 2000, 20000), 1: counted(1000, 1500, 1500)}
    assert 1 in leading(held, CLAIM).chosen
