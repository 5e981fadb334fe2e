"""The test of epsilon keeps its level exactly; an interval is as hard to refute as its points."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from audit.canary.design import Assignment, Design
from audit.canary.epsilon_test import EpsilonTest
from audit.canary.guesses import (
    Guesses,
    blocks_of,
    largest_refuted,
    prefixes_of,
    spaced,
    strategies_for,
)
from audit.relation import Relation

COIN = Design()


def made(ins: list[bool], outs: list[bool], **others: Any) -> EpsilonTest:
    guesses = Guesses(ins=np.array(ins, dtype=bool), outs=np.array(outs, dtype=bool))
    design = others.get("design", COIN)
    return EpsilonTest(
        guesses=guesses,
        design=design,
        canaries=others.get("canaries", len(guesses)),
        delta=others.get("delta", 0.0),
        alpha=others.get("alpha", 0.05),
        strategies=strategies_for(guesses, design.probability, given=others.get("given", False)),
    )


def outcomes(rate: float, epsilon: float, alpha: float, each: int) -> list[tuple[float, float]]:
    """Probability and chance of all that so many guesses of either side may turn out to be.

    Guesses are right independently, with the same probability; only the numbers
    of right ones in each block matter.
    """
    test = made([True] * each, [True] * each, alpha=alpha)
    ends = sorted({0, *(p.ins for s in test.strategies for p in s.prefixes)})
    sizes = list(np.diff(ends))
    found = []
    for counts in product(*(range(size + 1) for size in sizes), repeat=2):
        ins, outs = counts[: len(sizes)], counts[len(sizes) :]
        likely = math.prod(
            float(stats.binom.pmf(n, k, rate)) for n, k in zip(counts, sizes * 2, strict=True)
        )
        guesses = Guesses(ins=pattern(ins, sizes), outs=pattern(outs, sizes))
        found.append((likely, replace(test, guesses=guesses).chance(epsilon, epsilon)))
    return found


def refuted_mass(rate: float, epsilon: float, alpha: float) -> float:
    """P[refuted] by nine guesses of either side."""
    return sum(likely for likely, chance in outcomes(rate, epsilon, alpha, 9) if chance <= alpha)


def pattern(counts: tuple[int, ...], sizes: list[Any]) -> Any:
    return np.concatenate([np.arange(k) < n for n, k in zip(counts, sizes, strict=True)])


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [0.05, 0.3])
@pytest.mark.parametrize("epsilon", [0.3, 1.0])
def test_the_level_is_kept_exactly(epsilon: float, alpha: float) -> None:
    rate = 1.0 / (1.0 + math.exp(-epsilon))
    level = refuted_mass(rate, epsilon, alpha)
    assert 0.2 * alpha < level <= alpha
    assert refuted_mass(1.0 / (1.0 + math.exp(-epsilon - 0.7)), epsilon, alpha) > alpha


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [0.3, 1.0])
def test_the_chance_is_a_p_value(epsilon: float) -> None:
    """Three prefixes of both sides and three of the guesses "in" share each level there is."""
    rate, louder = (1.0 / (1.0 + math.exp(-x)) for x in (epsilon, epsilon + 1.0))
    found, more = (np.array(outcomes(r, epsilon, 0.05, 7)) for r in (rate, louder))
    levels = [level for level in np.unique(found[:, 1]) if level < 1.0]
    kept = [float(found[found[:, 1] <= level, 0].sum()) for level in levels]
    assert len(levels) > 10
    assert all(mass <= level * (1.0 + 1e-9) for mass, level in zip(kept, levels, strict=True))
    broken = [float(more[more[:, 1] <= level, 0].sum()) for level in levels]
    assert any(mass > level for mass, level in zip(broken, levels, strict=True))


rights = st.lists(st.booleans(), min_size=10, max_size=40)
skilled = st.integers(1, 12).map(lambda n: [True] * 6 * n + [False] * n)


@settings(max_examples=15)
@given(
    st.one_of(rights, skilled),
    st.one_of(rights, skilled),
    st.floats(0.0, 3.0),
    st.floats(0.0, 0.5),
)
def test_an_interval_is_as_hard_to_refute_as_its_hardest_point(
    ins: list[bool], outs: list[bool], low: float, width: float
) -> None:
    """Far below alpha a chance may be a sum over the prefixes, which is above the exact one."""
    for delta in (0.0, 1e-4):
        test = made(ins, outs, delta=delta)
        whole = max(test.chance(low, low + width), test.alpha / 100.0)
        for part in (0.0, 0.3, 0.7, 1.0):
            inside = low + part * width
            assert test.chance(inside, inside) <= whole * (1.0 + 1e-6) + 1e-30


def test_more_right_guesses_refute_more() -> None:
    chance = np.random.default_rng(5).random((2, 200))
    few, many = (made(list(chance[0] < p), list(chance[1] < p)) for p in (0.7, 0.9))
    assert few.refutes(0.3, 0.4)
    assert not few.refutes(1.2, 1.2)
    assert many.refutes(1.2, 1.2)


def test_one_sided_leaks_are_seen() -> None:
    """Members only, among the highest scores: half of the guesses of both sides are chance."""
    rng = np.random.default_rng(3)
    ins = np.concatenate([np.ones(40, dtype=bool), rng.random(460) < 0.5])
    outs = rng.random(500) < 0.5
    test = made(list(ins), list(outs))
    both = replace(test, strategies=(replace(test.strategies[0], share=1.0),))
    assert test.refutes(1.0, 1.0)
    assert not both.refutes(1.0, 1.0)


def test_delta_costs_its_part_of_the_level() -> None:
    ins = outs = [True] * 60 + [False] * 40
    pure, rare, common = (made(ins, outs, delta=d) for d in (0.0, 1e-5, 1e-4))
    chances = [test.chance(0.3, 0.3) for test in (pure, rare, common)]
    assert chances[0] < chances[1] < chances[2]
    assert made([True] * 100, [True] * 100, delta=0.2).chance(1.0, 1.0) > 0.05


def test_canaries_nobody_guessed_cost_delta_too() -> None:
    ins = outs = [True] * 60 + [False] * 40
    few, many = (made(ins, outs, delta=1e-4, canaries=m) for m in (200, 5_000))
    assert few.chance(0.2, 0.2) < many.chance(0.2, 0.2)


@given(st.floats(0.0, 6.0), st.floats(0.0, 2.0), st.sampled_from([1e-6, 1e-5, 1e-4]))
def test_prefixes_that_count_grow_with_epsilon(low: float, more: float, delta: float) -> None:
    test = made([True] * 400, [True] * 400, delta=delta, alpha=0.001)
    for strategy in test.strategies:
        few = test.prefixes_used(strategy, low)
        many = test.prefixes_used(strategy, low + more)
        assert set(few) <= set(many)


@pytest.mark.parametrize("guesses", range(1, 130, 3))
def test_sizes_that_are_rounded_make_no_shorter_block(guesses: int) -> None:
    for ins in {0, guesses // 3, guesses // 2, guesses}:
        grid = prefixes_of(ins, guesses - ins)
        for least in range(1, guesses + 1):
            assert all(block.size >= least for block in blocks_of(spaced(grid, least)))


@given(st.integers(1, 60_000), st.floats(0.0, 1.0), st.integers(1, 60_000), st.integers(0, 5_000))
def test_no_block_is_shorter_and_smaller_ones_keep_all(
    guesses: int, part: float, least: int, less: int
) -> None:
    ins = int(guesses * part)
    grid = prefixes_of(ins, guesses - ins)
    kept, more = spaced(grid, least), spaced(grid, max(1, least - less))
    assert all(block.size >= least for block in blocks_of(kept))
    assert set(kept) <= set(more) <= set(grid)
    assert spaced(grid, 1) == grid
    assert bool(kept) == (guesses >= least)


def test_more_canaries_at_a_delta_show_more() -> None:
    """Two thirds of the members are found without an error, and nobody else, whatever m is."""
    bounds = [
        largest_refuted(_two_thirds_found(canaries).refutes, 0.0, 3.0, 20.0)
        for canaries in (5_000, 20_000, 50_000)
    ]
    assert 5.0 < bounds[0] < bounds[1] < bounds[2]


def _two_thirds_found(canaries: int) -> EpsilonTest:
    found, rest = canaries // 3, canaries // 6
    ins = [True] * found + [True, False, False, False] * (rest // 4)
    return made(ins, [True, True, True, False] * (canaries // 8), delta=1e-5, alpha=0.04)


def test_the_start_does_not_depend_on_the_guesses() -> None:
    good = made([True] * 500, [True] * 500, delta=1e-3, alpha=0.01)
    bad = made([False] * 500, [False] * 500, delta=1e-3, alpha=0.01)
    assert good.start() == bad.start() > 0.0
    assert made([True] * 500, [True] * 500).start() == 0.0


def test_two_steps_are_twice_the_epsilon() -> None:
    ins = [True] * 90 + [False] * 10
    guesses = Guesses(ins=np.array(ins), outs=np.empty(0, dtype=bool), sided=False)
    tests = [
        EpsilonTest(
            guesses=guesses,
            design=Design(assignment=Assignment.PAIRS, relation=relation),
            canaries=100,
            delta=0.0,
            alpha=0.05,
            strategies=strategies_for(guesses, 0.5, given=False),
        )
        for relation in (Relation.SUBSTITUTE, Relation.ADD_REMOVE)
    ]
    assert tests[0].chance(1.0, 1.0) == pytest.approx(tests[1].chance(0.5, 0.5))


def test_two_steps_cost_the_delta_of_a_group() -> None:
    """P <= e^x (e^x P" + delta) + delta, which some pairs attain."""
    pairs = Design(assignment=Assignment.PAIRS)
    one, two = Design(assignment=Assignment.PAIRS, relation=Relation.SUBSTITUTE), pairs
    assert one.delta(0.7, 1e-3) == 1e-3
    middle = math.exp(0.7) * 0.1 + 1e-3
    assert two.delta(0.7, 1e-3) == pytest.approx(
        math.exp(0.7) * middle + 1e-3 - math.exp(1.4) * 0.1
    )


def test_unfair_coins() -> None:
    """With nine of ten put in, "in" is no news and "out" is."""
    design = Design(probability=0.9)
    ins, outs = ([True] * 9 + [False]) * 9, [True] * 10
    assert design.rates(0.0) == pytest.approx((0.9, 0.1))
    assert made(ins, outs, design=design).refutes(0.5, 0.5)
    assert not made(ins, [False] * 9 + [True], design=design).refutes(0.0, 0.0)


def test_nothing_guessed_refutes_nothing() -> None:
    assert made([], []).chance(0.0, 0.0) == 1.0


def test_an_epsilon_beyond_all_canaries_is_not_refuted() -> None:
    assert made([True] * 50, [True] * 50).chance(100.0, 100.0) == 1.0
