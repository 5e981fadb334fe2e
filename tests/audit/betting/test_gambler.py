"""The gambler: plays by the rules of its level, whatever is drawn and whatever goes wrong."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import audit.betting.capital as money
import audit.betting.schedule as rules
from audit.betting.capital import Capital
from audit.betting.confirmation.leading import leading_bets
from audit.betting.gambler import Gambler
from audit.betting.inequalities import Inequalities
from audit.betting.portfolios import Role
from audit.betting.schedule import Schedule
from audit.blackbox.python import PythonBlackBox
from audit.case import Until
from audit.claim import GaussianDP, PureDP
from audit.outcomes.encoding import Outcomes, encode
from audit.sampling.sampler import Sampler
from audit.sampling.stream import Address
from audit.sampling.trace import Misaligned, Trace
from tests.games import gambler_of
from tests.sources import pair_draws


@dataclass
class Scripted:
    """Hands out pairs of outputs in a given order, in batches of any size.

    Attributes:
        left: outputs on D.
        right: outputs on D'.
        failures: numbers of the batches that turn out to be misaligned.
        asked: every batch asked for.
    """

    left: Sequence[Any]
    right: Sequence[Any]
    failures: tuple[int, ...] = ()
    samples: int = 0
    drawn: int = 0
    lasting: bool = False
    box: Any = field(default_factory=lambda: SimpleNamespace(many=True))
    watch: Any = field(default_factory=lambda: SimpleNamespace(settled=True))
    asked: list[tuple[Address, int]] = field(default_factory=list)

    def many_on(self, pair: int) -> bool:
        return bool(self.box.many)

    def pairs(
        self, address: Address, left: Any, right: Any, size: int
    ) -> tuple[Outcomes, Outcomes]:
        self.asked.append((address, size))
        if len(self.asked) - 1 in self.failures:
            raise Misaligned("the script says so", address)
        part = slice(self.drawn, self.drawn + size)
        self.drawn += size
        return encode(list(self.left[part]), size), encode(list(self.right[part]), size)

    def apart(self, address: Address, draw: Callable[[Any], Any]) -> tuple[Any, Trace]:
        drawn, failure = None, None
        try:
            drawn = draw(self)
        except Misaligned as misaligned:
            failure = misaligned.reason
        size = 2 * self.asked[-1][1]
        return drawn, Trace(address, size, True, True, frozenset(), failure)

    def note(self, left: Any, right: Any, size: int, failed: tuple[int, int]) -> None:
        """Nothing fails here."""

    def adopt(self, trace: Trace) -> None:
        self.samples += trace.samples
        if trace.failure is not None:
            raise Misaligned(trace.failure, trace.address)


def played(left: Sequence[Any], right: Sequence[Any], epsilon: float = 1.0, **more: Any) -> Gambler:
    """A gambler that has played with all of these pairs."""
    sampler: Any = Scripted(left, right, more.pop("failures", ()))
    capital = Capital(PureDP(epsilon), more.pop("alpha", 1e-300))
    schedule = Schedule(more.pop("until", Until.VIOLATION), rules.FIRST)
    assert not more
    gambler = gambler_of(sampler, capital, [pair_draws(sampler.box, 0, 1)], schedule)
    gambler.play(2 * len(left))
    return gambler


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Epochs that start at 2, 4, 8 pairs, with much of the money in the first."""
    tiny_rules(monkeypatch)


def tiny_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "FIRST", 2)
    monkeypatch.setattr(rules, "PACE", 2)
    monkeypatch.setattr(rules, "SOON", 2)
    monkeypatch.setattr(money, "SHARES", (0.6, 0.3))
    # No game so short could refute a level so small; much is bet all the same.
    monkeypatch.setattr(money, "_IDLE", 0.6)


def response(epsilon: float) -> Iterator[tuple[tuple[int, int], float]]:
    """Randomized response on both sides from the same random number: outcomes and chances."""
    truth = 1.0 / (1.0 + math.exp(-epsilon))
    yield (1, 1), 1.0 - truth
    yield (1, 0), 2.0 * truth - 1.0
    yield (0, 0), 1.0 - truth


def all_games(pairs: int, epsilon: float, **more: Any) -> list[tuple[float, float, float]]:
    """Chance, largest wealth at any look, and final wealth of every possible game."""
    games = []
    for steps in product(list(response(epsilon)), repeat=pairs):
        chance = math.prod(p for _, p in steps)
        draws = [draw for draw, _ in steps]
        left, right = [x for x, _ in draws], [y for _, y in draws]
        gambler = played(left, right, epsilon, until=Until.BUDGET, **more)
        capital = gambler.portfolios.claim
        final = math.exp(capital.log_wealth(capital.claim.level))
        games.append((chance, math.exp(capital.best), final))
    return games


def assert_fair(games: list[tuple[float, float, float]]) -> None:
    """Ville's inequality for every level at once, and no gain on average."""
    chances, largest, final = np.array(games).T
    assert chances.sum() == pytest.approx(1.0)
    assert chances @ final <= 1.0 + 1e-9
    for wealth in np.unique(largest):
        assert chances[largest >= wealth - 1e-12].sum() <= 1.0 / wealth + 1e-9


@pytest.mark.parametrize("pairs", [4, pytest.param(7, marks=pytest.mark.slow)])
def test_every_game_of_a_tight_mechanism_is_fair(tiny: None, pairs: int) -> None:
    games = all_games(pairs, 0.2)
    assert_fair(games)
    assert max(largest for _, largest, _ in games) > 1.2, "nothing was bet, so nothing was shown"


@pytest.mark.parametrize("pairs", [6, pytest.param(8, marks=pytest.mark.slow)])
def test_every_game_is_fair_where_wealth_is_handed_on(
    tiny: None, monkeypatch: pytest.MonkeyPatch, pairs: int
) -> None:
    """The second epoch, opened at 4 pairs, gets half of what the first has become."""
    before = all_games(pairs, 0.2)
    monkeypatch.setattr(money, "_SETTLED", 1)
    games = all_games(pairs, 0.2)
    assert_fair(games)
    assert games != before, "nothing was handed on"


def test_every_game_is_fair_when_a_batch_fails_at_the_worst_moment(tiny: None) -> None:
    """Games that lose write their bets off; those that go well have no failure."""
    assert_fair(all_games(4, 1.0, failures=(2,)))


def test_games_against_too_small_a_level_gain(tiny: None) -> None:
    """The other arm: the same game with a wrong claim is not fair."""
    games = []
    for steps in product(list(response(2.0)), repeat=4):
        draws = [draw for draw, _ in steps]
        gambler = played([x for x, _ in draws], [y for _, y in draws], 0.2, until=Until.BUDGET)
        final = gambler.portfolios.claim.log_wealth(0.2)
        games.append((math.prod(p for _, p in steps), math.exp(final)))
    assert sum(chance * final for chance, final in games) > 1.05


def test_draws_made_before_the_bets_were_fixed_are_not_counted() -> None:
    gambler = played([1] * 100, [0] * 100)
    first, second = gambler.portfolios.claim.epochs
    assert {int(counts.sum()) for a in first.positions for counts in a.counts} == {94}
    assert {int(counts.sum()) for a in second.positions for counts in a.counts} == {76}


def test_a_pilot_alone_wins_nothing() -> None:
    gambler = played([1] * rules.FIRST, [0] * rules.FIRST)
    assert gambler.portfolios.claim.best == pytest.approx(0.0, abs=1e-12)


def test_it_stops_as_soon_as_the_claim_is_refuted() -> None:
    gambler = played([1] * 1000, [0] * 1000, alpha=0.05)
    assert gambler.portfolios.claim.refuted
    assert gambler.sampler.samples < 200
    more = played([1] * 1000, [0] * 1000, alpha=0.05, until=Until.BUDGET)
    assert more.sampler.samples == 2000
    assert more.portfolios.claim.best > gambler.portfolios.claim.best


def test_the_budget_is_kept() -> None:
    for pairs in (1, 7, 8, 9, 100):
        assert played([1] * pairs, [1] * pairs).sampler.samples <= 2 * pairs


def test_a_failed_batch_writes_off_all_bets_and_starts_again() -> None:
    left, right = [1] * 100, [0] * 100
    smooth, failed = played(left, right), played(left, right, failures=(6,))
    lost = [epoch.lost for epoch in failed.portfolios.claim.epochs]
    assert lost[0]
    assert not lost[-1]
    capital = failed.portfolios.claim
    assert capital.cash == pytest.approx(1 - sum(g.share for g in capital.epochs))
    assert failed.portfolios.claim.best < smooth.portfolios.claim.best
    assert "written off" in failed.notes[0]
    assert smooth.notes == []


def test_no_address_is_asked_for_twice_not_even_after_a_failure() -> None:
    gambler = played([1] * 200, [0] * 200, failures=(0, 3, 9))
    sampler: Any = gambler.sampler
    addresses = [address for address, _ in sampler.asked]
    assert len(addresses) == len(set(addresses))
    assert len(gambler.notes) == 3


def test_bets_lost_to_a_failure_do_not_come_back() -> None:
    capital = played([1] * 60, [0] * 60, failures=(5,)).portfolios.claim
    dead = [g for g in capital.epochs if g.lost]
    assert dead
    promised = Inequalities.at(capital.claim, 1.0)
    assert all(g.log_growth(promised) == -math.inf for g in dead)
    youngest = [g for g in capital.epochs[-2:] if not g.lost]
    assert capital.betting_on(0) == [position for g in youngest for position in g.positions]


def test_promising_pairs_get_the_bets() -> None:
    def answer(data: Any, rng: np.random.Generator, size: int) -> Any:
        return rng.random(size) < (0.9 if data == 2 else 0.5)

    sampler = Sampler.of(PythonBlackBox(answer), 0)
    capital = Capital(PureDP(0.1), 1e-30)
    pairs = [pair_draws(sampler.box, 0, place + 1, place) for place in (0, 1)]
    gambler = gambler_of(sampler, capital, pairs)
    gambler.play(6000)
    assert {position.pair for position in gambler.portfolios.claim.epochs[-1].positions} == {1}
    assert leading_bets(gambler.portfolios.claim, 0.1)[0].pair == 1


def test_the_pair_that_loses_most_gets_most_runs_though_the_claim_holds() -> None:
    def answer(data: Any, rng: np.random.Generator, size: int) -> Any:
        return rng.random(size) < (0.5 + 0.03 * data)

    sampler = Sampler.of(PythonBlackBox(answer), 0)
    pairs = [pair_draws(sampler.box, 0, loss, place) for place, loss in enumerate((0, 1, 2, 1))]
    gambler = gambler_of(sampler, Capital(PureDP(1.0), 0.1), pairs, Schedule(Until.BUDGET))
    gambler.play(2_000_000)
    runs = [draws.drawn for draws in pairs]
    assert runs[2] > 0.5 * sum(runs)
    assert max(runs[:2] + runs[3:]) < 0.25 * runs[2]
    assert (
        0.9 * math.log(0.56 / 0.5) < gambler.portfolios.claim.lower_bound() < math.log(0.5 / 0.44)
    )


def test_another_kind_of_claim_has_a_fund_for_epsilon_beside_it() -> None:
    def noisy(data: Any, rng: np.random.Generator, size: int) -> Any:
        return data + rng.normal(size=size)

    capital, pure = Capital(GaussianDP(0.5), 0.05), Capital(PureDP(1.0), 0.05)
    sampler = Sampler.of(PythonBlackBox(noisy), 1)
    beside = {Role.EPSILON: pure}
    gambler = gambler_of(sampler, capital, [pair_draws(sampler.box, 1.0, 0.0)], beside=beside)
    gambler.play(20_000)
    assert capital.refuted
    assert 0.5 < capital.lower_bound() < 1.0
    assert pure.lower_bound() > 0.0


def test_low_bits_are_bet_on_with_money_of_their_own() -> None:
    def noisy(data: Any, rng: np.random.Generator, size: int) -> Any:
        return data + rng.laplace(size=size)

    capital, leaks = Capital(PureDP(1.0), 0.001), Capital(PureDP(1.0), 0.001)
    sampler = Sampler.of(PythonBlackBox(noisy), 2)
    pairs = [pair_draws(sampler.box, 1.0, 0.0)]
    gambler = gambler_of(sampler, capital, pairs, beside={Role.LEAKS: leaks})
    gambler.play(4000)
    assert leaks.refuted
    assert not capital.refuted


def test_looks_grow_geometrically_and_end_where_the_next_generation_starts() -> None:
    sizes = list(rules._looks(8, 64, 1.15))
    assert sizes[-1] == 64
    assert sizes[0] > 8
    assert all(8 < a < b for a, b in pairwise(sizes))


def test_the_funds_beside_are_looked_at_when_the_game_ends() -> None:
    """Low bits that show only after the last bets were opened are evidence too."""

    def release(data: float, rng: np.random.Generator, size: int) -> Any:
        return np.round(rng.laplace(0.0, 1.0, size) * 1024.0) / 1024.0 + data

    claim = PureDP(1.0)
    leaks = Capital(claim, 0.05)
    sampler = Sampler.of(PythonBlackBox(release), 1)
    pairs = [pair_draws(sampler.box, 0.0, 2.0**-50)]
    gambler = gambler_of(sampler, Capital(claim, 0.05), pairs, beside={Role.LEAKS: leaks})
    gambler.play(2 * 400)
    assert leaks.epochs
    assert leaks.best >= leaks.log_wealth(claim.level) > 0.0
