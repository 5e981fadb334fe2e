"""What delta adds: the theorems of `excess` against the worst posterior of a linear program."""

from __future__ import annotations

import math
from itertools import accumulate, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import linprog

from audit.canary.epsilon_test import gain


def definition(size: int, rate: float) -> float:
    """u(k) as the theorem states it."""
    counts = np.arange(1, size + 1)
    law = stats.binom(size, rate)
    seen = counts[law.pmf(counts) > 1e-250]
    return float(np.max(law.sf(seen - 1) * law.cdf(seen - 1) / (seen * law.pmf(seen))))


def crosses(right: tuple[int, ...], blocks: list[int], critical: list[int]) -> bool:
    sums = [0, *accumulate(right)]
    ends = accumulate(blocks)
    return any(sums[end] >= c for end, c in zip(ends, critical, strict=True))


def worst(blocks: list[int], critical: list[int], epsilon: float, excess: float) -> float:
    """The largest P[C] of all posteriors g on the cube of right and wrong guesses.

    Variables are g(s) and, for each right guess i of s, the x_i(s) >= 0 of
    g(s) <= e^epsilon g(s^i) + x_i(s); their sum is at most `excess`.
    """
    states = list(product([0, 1], repeat=sum(blocks)))
    place = {s: i for i, s in enumerate(states)}
    edges = [(s, i) for s in states for i in range(len(s)) if s[i]]
    size = len(states) + len(edges)
    bounds = np.zeros((len(edges) + 1, size))
    for row, (s, i) in enumerate(edges):
        flipped = (*s[:i], 0, *s[i + 1 :])
        bounds[row, place[s]], bounds[row, place[flipped]] = 1.0, -math.exp(epsilon)
        bounds[row, len(states) + row] = -1.0
    bounds[-1, len(states) :] = 1.0
    found = linprog(
        [-float(crosses(s, blocks, critical)) for s in states] + [0.0] * len(edges),
        A_ub=bounds,
        b_ub=[0.0] * len(edges) + [excess],
        A_eq=[[1.0] * len(states) + [0.0] * len(edges)],
        b_eq=[1.0],
    )
    assert found.success
    return -float(found.fun)


def independent(blocks: list[int], critical: list[int], rate: float) -> float:
    states = product([0, 1], repeat=sum(blocks))
    return sum(
        math.prod(rate if x else 1.0 - rate for x in s)
        for s in states
        if crosses(s, blocks, critical)
    )


@pytest.mark.parametrize("blocks", [[1], [4], [6], [3, 3], [1, 2, 3], [2, 4]])
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
@pytest.mark.parametrize("excess", [0.01, 0.2])
def test_no_posterior_exceeds_the_bound(blocks: list[int], epsilon: float, excess: float) -> None:
    rate = 1.0 / (1.0 + math.exp(-epsilon))
    ends = list(accumulate(blocks))
    added = gain(min(blocks), rate, rate) * excess
    for short in range(3):
        critical = [max(1, end - short) for end in ends]
        most = worst(blocks, critical, epsilon, excess)
        assert most <= independent(blocks, critical, rate) + added + 1e-9


@pytest.mark.parametrize(("size", "epsilon"), [(1, 1.0), (3, 0.5), (6, 0.5), (6, 2.0)])
def test_for_one_block_the_bound_is_attained(size: int, epsilon: float) -> None:
    rate = 1.0 / (1.0 + math.exp(-epsilon))
    added = max(
        worst([size], [c], epsilon, 0.01) - independent([size], [c], rate)
        for c in range(1, size + 1)
    )
    assert added == pytest.approx(0.01 * gain(size, rate, rate), rel=1e-5)


def test_a_smaller_factor_would_be_wrong() -> None:
    rate = 1.0 / (1.0 + math.exp(-1.0))
    most = worst([5], [4], 1.0, 0.05)
    assert most > independent([5], [4], rate) + 0.9 * gain(5, rate, rate) * 0.05


@given(st.integers(1, 300), st.floats(0.5, 0.995))
def test_it_is_what_the_theorem_defines(size: int, rate: float) -> None:
    expected = min(1.0 - rate, definition(size, rate))
    assert gain(size, rate, rate) == pytest.approx(expected, rel=1e-8)


@given(st.integers(1, 2000), st.integers(1, 5), st.floats(0.5, 0.995))
def test_shorter_blocks_decide(size: int, factor: int, rate: float) -> None:
    assert gain(size * factor, rate, rate) <= gain(size, rate, rate) * (1.0 + 1e-9)


@given(st.integers(1, 3000), st.floats(0.5, 0.98), st.floats(0.0, 0.015), st.floats(0.0, 1.0))
def test_an_interval_of_rates_is_bounded(size: int, low: float, width: float, part: float) -> None:
    inside = low + part * width
    assert gain(size, low, low + width) >= gain(size, inside, inside) * (1.0 - 1e-9)


def test_one_guess_is_opened_at_a_time() -> None:
    assert gain(1, 0.8, 0.8) == pytest.approx(0.2)


def test_large_blocks() -> None:
    expected = math.sqrt(math.pi / 8.0) * math.sqrt(0.27 / (0.73 * 1e6))
    assert gain(1_000_000, 0.73, 0.73) == pytest.approx(expected, rel=1e-2)
