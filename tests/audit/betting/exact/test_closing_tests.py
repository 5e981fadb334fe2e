"""Closing tests: fair at every level, of draws that chose nothing, whatever sides share."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import audit
from audit.betting.capital import Capital
from audit.betting.exact.closing_tests import ClosingTests
from audit.betting.exact.event_choice import Candidates
from audit.betting.exact.event_scores import Ahead, Candidate
from audit.betting.exact.last_runs import LastRuns
from audit.betting.gambler import Gambler
from audit.betting.portfolios import Portfolios, Role
from audit.betting.power import detectable_epsilon
from audit.betting.schedule import Schedule
from audit.blackbox.python import PythonBlackBox
from audit.claim import ApproxDP, Claim, PureDP
from audit.outcomes.encoding import encode
from audit.outcomes.paired import PairedOutcomes
from audit.sampling.sampler import Sampler
from tests.audit.betting.exact.test_last_bet import Unseen
from tests.games import gambler_of
from tests.sources import pair_draws

ALPHA = 0.05


def past_of(size: int, epsilon: float, seed: int = 0) -> PairedOutcomes:
    """Laplace noise on either side."""
    rng = np.random.default_rng(seed)
    left, right = epsilon + rng.laplace(size=size), rng.laplace(size=size)
    return PairedOutcomes(encode(left, size), encode(right, size))


def chosen(claim: Claim, epsilon: float) -> list[tuple[Candidate, float]]:
    past = past_of(120, epsilon)
    ahead = Ahead(claim.lines(claim.level), ALPHA)
    return Candidates.of([(3, past, 800)], ahead).shared()


def closing(claim: Claim, epsilon: float, stake: float = 1.0, pairs: int = 800) -> ClosingTests:
    shared = chosen(claim, epsilon)
    (tests,) = ClosingTests.of(pairs, shared, claim, ALPHA, stake)
    return tests


def fed(tests: ClosingTests, size: int, epsilon: float, seed: int) -> ClosingTests:
    later = past_of(size, epsilon, seed)
    joint = []
    for feature, cells in tests.readers:
        codes = cells.code(feature.read(later.left)), cells.code(feature.read(later.right))
        table = np.zeros((cells.count, cells.count), np.int64)
        np.add.at(table, codes, 1)
        joint.append(table)
    tests.add(joint)
    return tests


def test_nothing_is_won_before_the_last_of_the_runs_nor_with_one_too_many() -> None:
    claim = PureDP(1.0)
    tests = fed(closing(claim, 3.0), 799, 3.0, 1)
    assert tests.open
    assert tests.log_wealth(0.1) == -math.inf
    assert tests.winner is None
    fed(tests, 1, 3.0, 2)
    assert not tests.open
    assert tests.log_wealth(1.0) >= -math.log(ALPHA)
    assert tests.winner is not None
    fed(tests, 1, 3.0, 3)
    assert tests.log_wealth(0.1) == -math.inf


def test_what_is_won_falls_with_the_level_to_the_largest_that_is_refuted() -> None:
    for claim in (PureDP(2.0), ApproxDP(2.0, 1e-3)):
        tests = fed(closing(claim, 2.0), 800, 2.0, 1)
        best = max(tests.levels)
        assert 1.0 < best < 2.0
        worth = [tests.log_wealth(level) for level in np.linspace(0.01, 2.5, 60)]
        assert worth == sorted(worth, reverse=True)
        assert tests.log_wealth(best) >= -math.log(ALPHA)
        assert tests.log_wealth(best * 1.001) == -math.inf
        assert tests.winner is None


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("claim", [PureDP(1.0), ApproxDP(0.8, 0.02)], ids=str)
def test_no_test_is_passed_more_often_than_its_money_says(claim: Claim, shared: bool) -> None:
    """An event with the largest chance that is allowed, on runs that share their randomness or not.

    A test of all the money is passed by at most .05 of 2,000 such games: more than 133 of them
    have probability 1e-4. With three times the chance it is passed mostly.
    """
    past = PairedOutcomes(
        encode(np.repeat([1, 0], 60), 120), encode(np.repeat([1, 0], [20, 100]), 120)
    )
    ahead = Ahead(claim.lines(claim.level), ALPHA)
    candidates = [c for c, _ in Candidates.of([(3, past, 300)], ahead).shared()]
    candidate = next(c for c in candidates if c.side == 0)
    (tests,) = ClosingTests.of(300, [(candidate, 1.0)], claim, ALPHA, 1.0)
    slope, offset = map(float, claim.lines(claim.level)[candidate.place])
    own = candidate.sketch.bets.masks(candidate.event)[0]
    inside, outside = int(np.flatnonzero(own)[0]), int(np.flatnonzero(~own)[0])
    for times, least, most in ((1.0, 0, 133), (3.0, 1800, 2000)):
        q = 0.15 / times
        p = times * (slope * q + offset)
        passed = sum(
            candidate.tested(joint, ALPHA).refutes(claim, claim.level)
            for joint in games(p, q, shared, inside, outside, len(own))
        )
        assert least <= passed <= most
    assert tests.stake == pytest.approx(1.0)


def games(p: float, q: float, shared: bool, inside: int, outside: int, bins: int) -> Any:
    """Joint counts of 300 pairs of runs each, in the bins of the event and of none."""
    rng = np.random.default_rng(5)
    for _ in range(2000):
        first = rng.random(300)
        second = first if shared else rng.random(300)
        left, right = first < p, second < q
        joint = np.zeros((bins, bins), np.int64)
        np.add.at(joint, (np.where(left, inside, outside), np.where(right, inside, outside)), 1)
        yield joint


def test_stakes_are_taken_from_the_cash_and_forfeited_with_it() -> None:
    claim = PureDP(1.0)
    for forfeit in (Capital.forfeit, lambda capital: capital.leave(3)):
        capital = Capital(claim, ALPHA)
        capital.close([fed(closing(claim, 3.0, capital.closing_stake), 800, 3.0, 1)])
        assert capital.cash == pytest.approx(1.0 - capital.closing[0].stake)
        assert 0.0 < capital.cash < 1.0
        assert capital.look()
        assert capital.lower_bound() > 1.0
        forfeit(capital)
        assert capital.log_wealth(1.0) == pytest.approx(math.log(capital.cash))


def test_a_test_with_less_money_is_stricter() -> None:
    claim = PureDP(2.0)
    bounds = [
        max(fed(closing(claim, 2.0, stake), 800, 2.0, 1).levels) for stake in (1.0, 0.1, 1e-3)
    ]
    assert bounds == sorted(bounds, reverse=True)
    assert len(set(bounds)) == 3


def test_coins_are_stirred_by_what_chose_the_event_and_by_nothing_that_is_tested() -> None:
    claim, held = PureDP(1.0), []
    for seed in (0, 0, 1):
        ahead = Ahead(claim.lines(1.0), ALPHA)
        found = Candidates.of([(3, past_of(120, 1.0, seed), 800)], ahead).shared()
        candidate = found[0][0]
        bins = candidate.reader[1].count
        inside = int(np.flatnonzero(candidate.sketch.bets.masks(candidate.event)[0])[0])
        joint = np.zeros((bins, bins), np.int64)
        joint[inside, inside] = 50
        held.append(candidate.tested(joint, ALPHA).coins.tolist())
    assert len(held[0]) == 50
    assert held[0] == held[1] != held[2]


def test_each_pair_of_datasets_has_its_own_tests() -> None:
    claim = PureDP(1.0)
    ahead = Ahead(claim.lines(1.0), ALPHA)
    pasts = [(0, past_of(120, 1.0, 1), 400), (1, past_of(120, 1.0, 2), 400)]
    shared = Candidates.of(pasts, ahead).shared()
    found = ClosingTests.of(400, shared, claim, ALPHA, 0.3)
    assert [tests.pair for tests in found] == [0, 1]
    assert sum(tests.stake for tests in found) == pytest.approx(0.3)
    assert all(c.pair == tests.pair for tests in found for c, _ in tests.candidates)


def plan_for(claim: Claim, runs: int, **changed: Any) -> LastRuns:
    many = changed.pop("many", False)
    box = SimpleNamespace(many=many)
    schedule = Schedule()
    schedule.begin(0, runs, runs)
    free = {"samples": 0, "lasting": False, "shares_randomness": True, "box": box}
    sampler: Any = SimpleNamespace(**{**free, **changed}, many_on=lambda pair: many)
    return LastRuns(sampler, Portfolios({Role.CLAIM: Capital(claim, ALPHA)}), schedule)


@pytest.mark.parametrize(
    ("claim", "runs", "changed", "expected"),
    [
        (PureDP(1.0), 2_000, {}, True),
        (PureDP(4.0), 2_000, {}, True),
        (PureDP(1.0), 2_000, {"lasting": True}, False),
        (PureDP(1.0), 2_000, {"many": True}, False),
        (PureDP(1.0), 60, {}, False),
        (PureDP(1.0), 200_000, {}, False),
        (PureDP(1.0), 200_000, {"shares_randomness": False}, True),
        (PureDP(4.0), 200_000, {"shares_randomness": False}, False),
    ],
)
def test_they_are_where_all_runs_are_apart_and_bets_are_no_better(
    claim: Claim, runs: int, changed: dict[str, Any], expected: bool
) -> None:
    plan = plan_for(claim, runs, **changed)
    begins = plan.begins([pair_draws(plan.sampler.box, 0, 1)])
    assert (begins is not None) is expected


def release(data: Any, rng: np.random.Generator) -> float:
    return float(4.0 * len(data) + rng.laplace())


def test_short_audits_of_large_losses_state_a_bound_near_the_truth() -> None:
    """Bets alone say 2.3 here, in the median."""
    bounds = [
        audit.run(
            release, epsilon=4.0, data=[1.0], neighbors=[[]], alpha=ALPHA, max_samples=2_000, seed=s
        ).epsilon_lower
        for s in range(5)
    ]
    assert 3.0 < np.median(bounds) <= max(bounds) < 4.0


def noise(kind: str, epsilon: float) -> Callable[..., float]:
    """Mechanisms that lose exactly epsilon on 1 and 0."""
    keeps = math.exp(epsilon) / (1.0 + math.exp(epsilon))
    stops = 1.0 - math.exp(-epsilon)
    made: dict[str, Callable[..., float]] = {
        "response": lambda data, rng: int((rng.random() < keeps) == bool(data)),
        "laplace": lambda data, rng: data + rng.laplace(0.0, 1.0 / epsilon),
        "geometric": lambda data, rng: int(data + rng.geometric(stops) - rng.geometric(stops)),
    }
    return made[kind]


def played(kind: str, epsilon: float, claimed: float, apart: bool, seed: int) -> Gambler:
    """Bets on 750 pairs with closing tests at the end; sides that are apart have own generators."""
    release, rng = noise(kind, epsilon), np.random.default_rng([seed, 7])
    box = PythonBlackBox((lambda data: release(data, rng)) if apart else release, timeout=None)
    sampler = Sampler.of(box, seed)
    if apart:
        sampler.watch = Unseen()
    gambler = gambler_of(sampler, Capital(PureDP(claimed), ALPHA), [pair_draws(box, 1.0, 0.0)])
    gambler.last = LastRuns(sampler, gambler.portfolios, gambler.schedule)
    gambler.play(1_500)
    return gambler


@pytest.mark.slow
@pytest.mark.parametrize("apart", [False, True])
def test_levels_are_above_the_truth_with_probability_alpha_at_most(apart: bool) -> None:
    """More than 26 of 240 have probability 1e-4; with half the noise nearly all are refuted."""
    kinds = [(kind, eps) for kind in ("response", "laplace", "geometric") for eps in (0.5, 3.0)]
    above = refuted = closed = 0
    for kind, epsilon in kinds:
        for seed in range(40):
            claim = played(kind, epsilon, epsilon, apart, seed).portfolios.claim
            above += claim.lower_bound() > epsilon * (1.0 + 1e-6)
            closed += any(max(tests.levels) > 0.2 * epsilon for tests in claim.closing)
            if seed < 5:
                wrong = played(kind, 2.0 * epsilon, epsilon, apart, seed)
                refuted += wrong.portfolios.claim.refuted
    assert above <= 26
    assert closed >= 200
    assert refuted >= 28


def test_what_tests_would_have_seen_they_mostly_see() -> None:
    gambler = played("laplace", 3.0, 3.0, apart=False, seed=1)
    capital, pairs = gambler.portfolios.claim, gambler.pairs[0].drawn
    seen = detectable_epsilon(capital, pairs)
    assert seen is not None
    assert 3.0 < seen < 4.5
    tests, capital.closing = capital.closing, []
    by_bets = detectable_epsilon(capital, pairs)
    assert by_bets is not None
    assert seen < by_bets
    capital.closing = tests
    games = [played("laplace", seen, 3.0, False, seed) for seed in range(12)]
    assert sum(game.portfolios.claim.refuted for game in games) >= 9
