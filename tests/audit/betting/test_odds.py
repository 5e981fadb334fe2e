"""Bets at odds: fair on average after whole blocks, of later draws, of money no other bet has."""

from __future__ import annotations

import json
import math
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import audit
from audit.betting.capital import Capital
from audit.betting.confirmation.odds_event import OddsEvent
from audit.betting.confirmation.odds_wealth import OddsWealth
from audit.betting.odds import OddsPosition, Tally, tables_of
from audit.betting.odds_factors import log_factors, stakes_at
from audit.blackbox.python import PythonBlackBox
from audit.claim import ApproxDP, Claim, PureDP
from audit.outcomes.encoding import OUTPUT
from audit.sampling.batch import BatchPlan, IndependentPlan
from audit.sampling.sampler import Sampler
from audit.sampling.stream import Address, Stage
from tests.audit.betting.test_capital import joint_of, portfolio_on
from tests.sources import on

CLAIMS = [PureDP(1.0), PureDP(4.0), ApproxDP(0.7, 0.1), ApproxDP(3.0, 0.02)]


def position_of(claim: Claim, times: int, *, forward: bool = True) -> OddsPosition:
    """All money on the event that the output is 1, spread over the stakes."""
    tables = tables_of(portfolio_on((False, True, False), claim, forward=forward))
    stakes = stakes_at(claim.lines(claim.level), times)
    prior = np.full((1, *stakes.shape), -math.log(stakes.size))
    held = Tally.of(tables), Tally.of(tables)
    return OddsPosition(0, forward, times, 1.0, stakes, prior, *held)


def event_of(claim: Claim, times: int) -> OddsEvent:
    """The same as it is confirmed, after a hundred pairs that it was learned from."""
    position = position_of(claim, times)
    position.own.add([joint_of((2,) * 50 + (0,) * 50)])
    position.beside.add([joint_of((0,) * (50 * times))])
    return next(position.leading(claim.lines(claim.level)))[1]


def beside(happened: int, runs: int) -> Any:
    """Joint counts of runs two and two, of which the event happened in so many."""
    both, one = divmod(happened, 2)
    return joint_of((3,) * both + (1,) * one + (0,) * (runs // 2 - both - one))


def games(p: float, q: float, blocks: int, times: int) -> Any:
    """How often the event happens on either side in so many blocks, and the chance of that."""
    runs = blocks * times
    for x, y in product(range(blocks + 1), range(runs + 1)):
        chance = math.comb(blocks, x) * p**x * (1 - p) ** (blocks - x)
        yield x, y, chance * math.comb(runs, y) * q**y * (1 - q) ** (runs - y)


def mean_of(claim: Claim, p: float, q: float, times: int, *, forward: bool = True) -> float:
    """Average wealth after three blocks, by bets and by calls of their own in the same place."""
    mean, blocks = 0.0, 3
    for x, y, chance in games(p, q, blocks, times):
        position = position_of(claim, times, forward=forward)
        draw = 2 if forward else 1
        position.own.add([joint_of((draw,) * x + (0,) * (blocks - x))])
        position.beside.add([beside(y, blocks * times)])
        mean += chance * math.exp(position.log_wealth(claim.lines(claim.level)))
    return mean


def confirmed(claim: Claim, p: float, q: float, times: int) -> float:
    """The same of calls that confirm, whose pairs have no run of the event on the other side."""
    mean, blocks = 0.0, 3
    for x, y, chance in games(p, q, blocks, times):
        wealth = OddsWealth.against(claim, claim.level, 0.05, 1.0, (event_of(claim, times),), 1)
        sums = np.zeros((blocks, 4), np.int64)
        sums[:x, 0] = 1
        wealth.add([sums])
        wealth.add_beside([beside(y, blocks * times)])
        mean += chance * math.exp(wealth._at_odds(claim.level))
    return mean


@pytest.mark.parametrize("times", [2, 6])
@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_a_claim_that_is_kept_makes_no_money(claim: Claim, times: int) -> None:
    slope, offset = map(float, claim.lines(claim.level)[0])
    for q in (0.0, 0.01, 0.1, (1.0 - offset) / slope):
        p = min(1.0, slope * q + offset)
        for forward in (True, False):
            assert mean_of(claim, p, q, times, forward=forward) <= 1.0 + 1e-9
        assert confirmed(claim, p, q, times) <= 1.0 + 1e-9


@pytest.mark.parametrize("times", [2, 6])
@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_what_confirms_begins_with_its_share(claim: Claim, times: int) -> None:
    wealth = OddsWealth.against(claim, claim.level, 0.05, 0.4, (event_of(claim, times),), 1)
    assert math.exp(wealth.log_wealth(claim.level)) == pytest.approx(0.4)


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_a_claim_that_is_broken_does(claim: Claim) -> None:
    for forward in (True, False):
        assert mean_of(claim, 0.9, 0.0, 6, forward=forward) > 1.05
    assert confirmed(claim, 0.9, 0.0, 6) > 1.05


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_wealth_falls_as_the_level_grows(claim: Claim) -> None:
    position = position_of(claim, 6)
    position.own.add([joint_of((2,) * 30 + (0,) * 10)])
    position.beside.add([beside(5, 240)])
    levels = [*np.linspace(0.05, 3.0 * claim.level, 60), claim.level + 20.0]
    worth = [position.log_wealth(claim.lines(float(level))) for level in levels]
    assert all(a >= b for a, b in pairwise(worth))
    assert worth[-1] == -math.inf, "stakes that a run could ruin are worth nothing"


def test_nothing_is_said_of_blocks_that_are_not_whole() -> None:
    claim = PureDP(4.0)
    position = position_of(claim, 4)
    position.own.add([joint_of((2,) * 10)])
    assert position.log_wealth(claim.lines(4.0)) == -math.inf
    position.beside.add([beside(0, 40)])
    assert position.log_wealth(claim.lines(4.0)) > 0.0


def test_every_one_of_two_runs_counts() -> None:
    tally = Tally.of(tables_of(portfolio_on((False, True, False), PureDP(4.0))))
    tally.add([beside(7, 20)])
    assert tally.happened(None).tolist() == [7.0]
    assert tally.happened(0).tolist() == [3.0]
    assert tally.happened(1).tolist() == [4.0]


def test_a_run_beside_costs_what_its_stake_says() -> None:
    lines = np.array([[50.0, 0.01]])
    stakes = stakes_at(lines, 10)
    (won, cost, lost), ruined = log_factors(lines, stakes, 10)
    assert not ruined.any()
    np.testing.assert_allclose(np.exp(won), 1.0 + stakes * 0.99)
    np.testing.assert_allclose(np.exp(cost), 1.0 - stakes * 0.01)
    np.testing.assert_allclose(np.exp(lost), 1.0 - stakes * 50.0 / 10)


def test_bets_at_odds_take_their_money_from_the_cash_and_are_forfeited_with_it() -> None:
    for forfeit in (Capital.forfeit, lambda capital: capital.leave(0)):
        capital, position = Capital(PureDP(4.0), 0.05), position_of(PureDP(4.0), 4)
        position.money = 0.25
        capital.bet_at_odds(position)
        assert capital.log_wealth(4.0) == pytest.approx(0.0)
        position.own.add([joint_of((2,) * 300)])
        position.beside.add([joint_of((0,) * 600)])
        assert capital.log_wealth(4.0) > 1.0
        forfeit(capital)
        assert capital.log_wealth(4.0) == pytest.approx(math.log(0.75))


def test_runs_beside_share_no_randomness() -> None:
    box = PythonBlackBox(lambda data, rng: float(rng.random()), timeout=None)
    left, right = on(box, 1.0, 1.0)
    alike, _ = BatchPlan(Address(Stage.BET, 0, 0), left, right, 8).drawn(Sampler.of(box, 0))
    apart, _ = IndependentPlan(Address(Stage.ODDS, 0, 0), left, right, 8).drawn(Sampler.of(box, 0))
    assert alike is not None
    assert apart is not None
    first, second = (part.column(OUTPUT).values for part in alike)
    assert set(first) == set(second)
    first, second = (part.column(OUTPUT).values for part in apart)
    assert len({*first, *second}) == 16


def rare(data: Any, rng: np.random.Generator) -> int:
    """1 with a chance that is e^6 times as large where there is a record."""
    return int(rng.random() < (0.5 if len(data) else 0.5 * math.exp(-6.0)))


def audited(epsilon: float, seed: int, **more: Any) -> audit.AuditResult:
    return audit.run(
        rare,
        epsilon=epsilon,
        data=[1.0],
        neighbors=[[]],
        alpha=0.05,
        seed=seed,
        until="violation",
        **{"max_samples": 40_000, **more},
    )


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[OddsPosition]:
    """Every position at odds that was opened."""
    held: list[OddsPosition] = []

    def spy(self: Capital, position: OddsPosition) -> None:
        assert position.own.pairs == position.beside.pairs == 0, "learned from what it counts"
        cash = self.cash
        invest(self, position)
        assert self.cash == pytest.approx(cash - position.money)
        assert self.cash > 0.0
        held.append(position)

    invest = Capital.bet_at_odds
    monkeypatch.setattr(Capital, "bet_at_odds", spy)
    return held


@pytest.mark.parametrize("seed", range(3))
def test_a_large_loss_is_found_and_one_that_is_allowed_is_not(
    opened: list[OddsPosition], seed: int
) -> None:
    assert audited(5.0, seed).verdict == "violation"
    assert opened
    opened.clear()
    kept = audited(6.0, seed, max_samples=150_000)
    assert kept.verdict == "not-refuted"
    assert 5.0 < kept.epsilon_lower <= 6.0
    assert opened
    assert all(position.whole for position in opened)


@pytest.mark.parametrize("claim", [{"rho": 4.0}, {"renyi": (2.0, 5.0)}], ids=str)
def test_claims_on_divergences_are_bet_on_at_odds_and_by_functions(
    opened: list[OddsPosition], claim: dict[str, Any]
) -> None:
    """Runs beside are counted for tables of events alone, though functions are bet on as well."""

    def mostly(data: Any, rng: np.random.Generator) -> float:
        return float(len(data) + rng.laplace(0.0, 1.0 / 9.0))

    given: dict[str, Any] = {"data": [1.0], "neighbors": [[]], "alpha": 0.001, **claim}
    audit.run(mostly, max_samples=200_000, **given)
    assert opened


def test_small_losses_are_bet_on_in_pairs(opened: list[OddsPosition]) -> None:
    audited(2.0, 0)
    assert not opened


def test_any_number_of_workers_and_a_store_give_the_same(
    opened: list[OddsPosition], tmp_path: Path
) -> None:
    results = []
    for more in ({}, {"workers": 3}, {"store": tmp_path / "s"}, {"store": tmp_path / "s"}):
        found = audited(5.0, 1, **more).to_json()
        document = json.loads(found) if isinstance(found, str) else found
        results.append({k: v for k, v in document.items() if k not in ("seconds", "finished")})
    assert opened
    assert results[0] == results[1] == results[2] == results[3]
