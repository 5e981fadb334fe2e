"""Portfolios: their prior is a probability, and they are fixed before what they bet on is drawn."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.betting.candidate_table import sketched
from audit.betting.e_process import log_sum, tallies
from audit.betting.inequalities import Inequalities
from audit.betting.learning import learn, relearn
from audit.betting.portfolio import Portfolio
from audit.betting.position import Position
from audit.claim import ApproxDP, Claim, GaussianDP, PureDP, RenyiDP, ZeroConcentratedDP
from audit.outcomes.counting import joint_counts
from audit.outcomes.encoding import OUTPUT, encode
from audit.outcomes.feature_selection import features_for
from audit.outcomes.features import Part
from audit.outcomes.paired import PairedOutcomes
from tests import masks

exactly = settings(derandomize=True, database=None, deadline=None, max_examples=40)
GOAL = math.log(1000.0)
CLAIMS: tuple[Claim, ...] = (
    PureDP(0.1),
    PureDP(5.0),
    PureDP(300.0),
    ApproxDP(1.0, 0.01),
    ZeroConcentratedDP(0.1),
    RenyiDP(2.0, 0.5),
    GaussianDP(1.0),
)
ENTRY = st.one_of(st.sampled_from([0.0, 1.0, 2.0]), st.floats(), st.sampled_from([None, "a"]))


def past_of(left: list[Any], right: list[Any]) -> PairedOutcomes:
    return PairedOutcomes(encode(left, len(left)), encode(right, len(right)))


def portfolio_from(past: PairedOutcomes, claim: Claim, limit: int = 24) -> Portfolio:
    features = features_for(past.left, past.right, past.chooser)
    return learn([sketched(f, past, 16) for f in features], claim, GOAL, limit)


def laplace(seed: int, size: int, shift: float = 1.0) -> PairedOutcomes:
    noise = np.random.default_rng(seed).laplace(size=size)
    return past_of(list(noise + shift), list(noise))


def mass(portfolio: Portfolio) -> float:
    """Log of all prior weights together."""
    return log_sum(*(table.log_prior for table in portfolio.tables))


@exactly
@given(st.data(), st.sampled_from(CLAIMS), st.integers(1, 3))
def test_prior_weights_sum_to_one(data: st.DataObject, claim: Claim, limit: int) -> None:
    sides = st.lists(ENTRY, min_size=10, max_size=10)
    portfolio = portfolio_from(past_of(data.draw(sides), data.draw(sides)), claim, limit)
    assert mass(portfolio) == pytest.approx(0.0, abs=1e-9)
    assert 1 <= len(portfolio.tables) <= limit
    for table in portfolio.tables:
        assert table.log_prior.shape == (2, table.bets.size, *portfolio.stakes.shape)
        assert not np.isnan(table.log_prior).any()


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
@pytest.mark.parametrize("size", [1, 2, 8, 300])
def test_portfolios_from_few_and_many_draws(claim: Claim, size: int) -> None:
    portfolio = portfolio_from(laplace(1, size), claim)
    assert mass(portfolio) == pytest.approx(0.0, abs=1e-9)
    assert portfolio.stakes.shape[0] == len(claim.lines(claim.level))
    assert (portfolio.stakes > 0).all()


def test_relearned_priors_sum_to_one_too() -> None:
    past = laplace(2, 400)
    portfolio = portfolio_from(past, PureDP(0.5), 3)
    renewed = relearn(portfolio, portfolio.count(past.left, past.right), PureDP(0.5), GOAL, 1)
    assert len(renewed.tables) == 1
    assert mass(renewed) == pytest.approx(0.0, abs=1e-9)
    assert renewed.tables[0].binning in [table.binning for table in portfolio.tables]


def test_a_new_position_is_worth_what_was_put_in() -> None:
    for claim in CLAIMS:
        position = Position.of(0, 1.0, portfolio_from(laplace(3, 64), claim))
        assert position.log_wealth(Inequalities.at(claim, claim.level)) <= 1e-9
        if claim.level < 100:
            lowest = Inequalities.at(claim, 1e-6 * claim.level)
            assert position.log_wealth(lowest) == pytest.approx(0.0, abs=1e-9)


def test_bins_and_events_come_from_the_past_alone() -> None:
    past = laplace(4, 100)
    portfolio = portfolio_from(past, PureDP(1.0))
    before = [(t.binning.edges.copy(), masks.single(t.bets).copy()) for t in portfolio.tables]
    position = Position.of(0, 1.0, portfolio)
    later = laplace(5, 5000, shift=40.0)
    position.add(portfolio.count(later.left, later.right))
    position.log_wealth(Inequalities.at(PureDP(1.0), 1.0))
    for table, (edges, single) in zip(position.portfolio.tables, before, strict=True):
        np.testing.assert_array_equal(table.binning.edges, edges)
        np.testing.assert_array_equal(masks.single(table.bets), single)
    assert all(counts.sum() == 5000 for counts in position.counts)


def test_learning_is_deterministic() -> None:
    first, second = (portfolio_from(laplace(6, 200), PureDP(0.5)) for _ in range(2))
    for one, other in zip(first.tables, second.tables, strict=True):
        np.testing.assert_array_equal(one.log_prior, other.log_prior)


def test_what_won_in_the_past_gets_more_of_the_money() -> None:
    past, later = laplace(7, 500), laplace(8, 500)
    other = past_of([0.0] * 4, [1.0] * 4)
    wealth = []
    for portfolio in (portfolio_from(past, PureDP(0.3)), portfolio_from(other, PureDP(0.3))):
        position = Position.of(0, 1.0, portfolio)
        position.add(portfolio.count(later.left, later.right))
        wealth.append(position.log_wealth(Inequalities.at(PureDP(0.3), 0.3)))
    assert wealth[0] > wealth[1] + 5.0
    assert wealth[0] > GOAL


@pytest.mark.parametrize("shift", [3.0, -3.0])
def test_a_past_that_tells_nothing_leaves_money_on_both_directions(shift: float) -> None:
    portfolio = portfolio_from(laplace(9, 64, shift=0.0), PureDP(0.5))
    later = laplace(10, 200, shift=shift)
    position = Position.of(0, 1.0, portfolio)
    position.add(portfolio.count(later.left, later.right))
    assert position.log_wealth(Inequalities.at(PureDP(0.5), 0.5)) > GOAL


def test_the_chooser_is_every_second_pair() -> None:
    past = past_of([0.0, 1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0, 9.0])
    left, right = past.chooser
    assert left.column(OUTPUT).values.tolist() == [0.0, 2.0, 4.0]
    assert right.column(OUTPUT).values.tolist() == [5.0, 7.0, 9.0]


@exactly
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=30))
def test_joint_counts(pairs: list[tuple[int, int]]) -> None:
    left, right = (np.array([pair[side] for pair in pairs], np.intp) for side in (0, 1))
    counts = joint_counts(left, right, 4)
    assert counts.shape == (4, 4)
    assert counts.sum() == len(pairs)
    for i, j in pairs:
        assert counts[i, j] == pairs.count((i, j))


def test_joint_counts_of_many_bins_do_not_wrap_around() -> None:
    bins = 300
    codes = np.array([0, 110, 299], np.int16)
    counts = joint_counts(codes, codes[::-1], bins)
    assert [int(counts[i, j]) for i, j in zip(codes, codes[::-1], strict=True)] == [1, 1, 1]
    assert counts.sum() == 3


def test_events_chosen_by_their_frequencies_are_judged_by_the_other_pairs() -> None:
    past = laplace(6, 400)
    sketch = sketched(Part(OUTPUT), past, 16)
    left, right = (sketch.binning.code(Part(OUTPUT).read(s)) for s in (past.left, past.right))
    other_pairs = joint_counts(left[1::2], right[1::2], sketch.binning.count)
    others = tallies(other_pairs, sketch.bets)
    singles = len(sketch.bets.spans)
    for marks, judged, all_pairs, half in zip(
        (sketch.bets.ranked[:singles], sketch.bets.ranked[singles:]),
        sketch.judged,
        sketch.everything,
        others,
        strict=True,
    ):
        assert 0 < marks.sum() < len(marks)
        np.testing.assert_array_equal(judged[:, marks], 2.0 * half[:, marks])
        np.testing.assert_array_equal(judged[:, ~marks], all_pairs[:, ~marks])


def test_books_count_pairs_by_the_bins_of_both_sides() -> None:
    past = past_of([0.0, 1.0], [1.0, 0.0])
    portfolio = learn([sketched(Part(OUTPUT), past, 4)], PureDP(1.0), GOAL, 1)
    later = past_of([0.0, 0.0, 1.0, 5.0], [1.0, 1.0, 1.0, 0.0])
    (counts,) = portfolio.count(later.left, later.right)
    low, high, beyond = portfolio.tables[0].binning.code(encode([0.0, 1.0, 5.0], 3).column(OUTPUT))
    assert counts[low, high] == 2
    assert counts[high, high] >= 1
    assert counts[beyond, low] == 1
    assert counts.sum() == 4


def test_a_pair_counts_in_the_same_cell_whatever_batch_it_comes_in() -> None:
    """Bins that follow the draws they are bet on would win on noise."""
    portfolio = portfolio_from(laplace(11, 64), PureDP(1.0))
    later = laplace(12, 40, shift=2.0)
    together = portfolio.count(later.left, later.right)
    alone = [
        portfolio.count(later.left.take(slice(i, i + 1)), later.right.take(slice(i, i + 1)))
        for i in range(40)
    ]
    for whole, parts in zip(together, zip(*alone, strict=True), strict=True):
        np.testing.assert_array_equal(whole, sum(parts))
