"""Report noisy max against exact probabilities; sampled tests spend 1e-9 each on fixed seeds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise, permutations
from typing import get_args

import numpy as np
import pytest
from numpy.random import default_rng
from numpy.typing import NDArray
from scipy import stats

from audit.errors import InputError
from mechanisms.systems.report_noisy_max.largest_score import (
    Noise,
    Output,
    ReportNoisyMax,
    true_epsilon,
)

BUDGET = 1e-9
NOISES: tuple[Noise, ...] = get_args(Noise)
OUTPUTS: tuple[Output, ...] = get_args(Output)
GRID = np.linspace(-90.0, 130.0, 44_001)
FAMILY = {
    "laplace": stats.laplace,
    "exponential": stats.expon,
    "gumbel": stats.gumbel_r,
}


def order_probability(
    scores: Sequence[float], first: Sequence[int], noise: Noise, scale: float
) -> float:
    """Probability that the best positions are `first`, in this order, by quadrature."""
    parts = [FAMILY[noise](score, scale) for score in scores]
    inner = np.ones_like(GRID)
    for other in set(range(len(scores))) - set(first):
        inner = inner * parts[other].cdf(GRID)
    for position in reversed(first[1:]):
        inner = _integrals(parts[position].pdf(GRID) * inner)
    return float(_integrals(parts[first[0]].pdf(GRID) * inner)[-1])


def _integrals(values: NDArray[np.float64]) -> NDArray[np.float64]:
    step = GRID[1] - GRID[0]
    areas = (values[1:] + values[:-1]) * (step / 2)
    return np.concatenate([[0.0], np.cumsum(areas)])


def chi_square(observed: NDArray[np.int64], probabilities: Sequence[float]) -> float:
    expected = np.array(probabilities) * observed.sum()
    return float(stats.chisquare(observed, expected * observed.sum() / expected.sum()).pvalue)


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("factor", [1.0, 0.7, 1.3])
def test_index_has_exact_probabilities(noise: Noise, factor: float) -> None:
    scores = [0.0, 1.5, 3.0]
    exact = [order_probability(scores, [i], noise, 2.0) for i in range(3)]
    assert sum(exact) == pytest.approx(1.0, abs=1e-3)
    drawn = ReportNoisyMax(1 / factor, noise).release(scores, default_rng(1), 60_000)
    right = chi_square(np.bincount(drawn, minlength=3), exact) > BUDGET
    assert right == (factor == 1.0)


def test_gumbel_noise_is_the_exponential_mechanism() -> None:
    scores = np.array([0.0, 1.5, 3.0])
    weights = np.exp(scores / 2)
    exact = [order_probability(scores.tolist(), [i], "gumbel", 2.0) for i in range(3)]
    assert exact == pytest.approx(weights / weights.sum(), abs=1e-5)


@pytest.mark.parametrize("noise", NOISES)
def test_top_two_have_exact_probabilities(noise: Noise) -> None:
    scores = [0.0, 2.0, 4.0]
    mechanism = ReportNoisyMax(1.0, noise, "top-two")
    assert mechanism.scale(3) == 4.0
    orders = list(permutations(range(3), 2))
    exact = [order_probability(scores, order, noise, 4.0) for order in orders]
    drawn = mechanism.release(scores, default_rng(2), 30_000)
    counts = np.array([np.all(drawn == order, axis=1).sum() for order in orders])
    assert counts.sum() == 30_000
    assert chi_square(counts, exact) > BUDGET


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
def test_kth_smallest_has_exact_probabilities(noise: Noise, k: int) -> None:
    scores = np.array([0.0, 1.0, 3.0, 4.0, 6.0])
    depth = min(k, 6 - k)
    signed = -scores if k == depth else scores
    orders = list(permutations(range(5), depth))
    exact = np.zeros(5)
    for order in orders:
        exact[order[-1]] += order_probability(signed.tolist(), order, noise, 2.0 * depth)
    drawn = ReportNoisyMax(1.0, noise, "kth-smallest", k).release(scores, default_rng(3), 20_000)
    assert chi_square(np.bincount(drawn, minlength=5), exact.tolist()) > BUDGET


@pytest.mark.parametrize("noise", NOISES)
def test_gap_and_value_belong_to_the_same_noisy_scores(noise: Noise) -> None:
    scores = np.array([1.0, 0.0, 2.0, 2.0])
    gaps = ReportNoisyMax(1.0, noise, "gap").release(scores, default_rng(4), 500)
    best = ReportNoisyMax(1.0, noise, "top-two", split=False).release(scores, default_rng(4), 500)
    values = ReportNoisyMax(1.0, noise, "value").release(scores, default_rng(4), 500)
    noisy = scores + getattr(default_rng(4), noise)(scale=2.0, size=(500, 4))
    ordered = np.sort(noisy, axis=1)
    assert np.array_equal(gaps[:, 0], noisy.argmax(axis=1))
    assert np.array_equal(gaps[:, 1], ordered[:, -1] - ordered[:, -2])
    assert np.array_equal(values, ordered[:, -1])
    assert np.array_equal(best, np.argsort(noisy, axis=1)[:, [-1, -2]])


def gap_density(scores: NDArray[np.float64], gap: float) -> float:
    """Density of (first wins by `gap`) under exponential noise of scale 1."""
    ratio = np.exp(scores[1:] - scores[0] + gap)
    product = np.polynomial.Polynomial.fromroots(1 / ratio) * np.prod(-ratio)
    inside = product.integ()(min(1.0, 1 / ratio.max()))
    return float(inside - np.clip(1 - ratio, 0, None).prod())


def test_the_gap_formula_is_the_density_of_the_gap() -> None:
    scores = np.array([0.5, 0.0, 1.0])
    drawn = ReportNoisyMax(2.0, "exponential", "gap").release(scores, default_rng(5), 200_000)
    edges = np.array([0.0, 0.3, 0.8, 1.6, 3.0])
    observed = np.histogram(drawn[drawn[:, 0] == 0, 1], edges)[0]
    exact = []
    for low, high in pairwise(edges):
        middles = low + (high - low) * (np.arange(40) + 0.5) / 40
        exact.append((high - low) * np.mean([gap_density(scores, m) for m in middles]))
    assert (
        stats.chisquare(
            [*observed, 200_000 - observed.sum()],
            200_000 * np.array([*exact, 1 - sum(exact)]),
        ).pvalue
        > BUDGET
    )


def test_the_exponential_gap_keeps_its_claim_on_random_scores() -> None:
    """Density ratios never exceed e^(2 shift/scale), the bound the module derives."""
    rng = default_rng(6)
    for _ in range(300):
        scores = rng.uniform(-3, 3, rng.integers(2, 6))
        moved = scores + rng.uniform(-0.5, 0.5, scores.size)
        gap = rng.exponential(2.0)
        ratio = gap_density(scores, gap) / gap_density(moved, gap)
        assert abs(math.log(ratio)) <= 1.0 + 1e-9


@pytest.mark.parametrize("noise", NOISES)
def test_selection_stays_within_epsilon_on_declared_pairs(noise: Noise) -> None:
    """Exact odds on opposite and on monotone moves, at the two scales meant for them."""
    opposite = ([0, 0, 0, 0, 0], [-1, 1, 1, 1, 1])
    monotone = ([0, 1, 1, 1, 1], [0, 2, 2, 2, 2])
    for (left, right), scale in ((opposite, 2.0), (monotone, 1.0)):
        odds = order_probability(left, [0], noise, scale) / order_probability(
            right, [0], noise, scale
        )
        assert 0.5 < math.log(odds) <= 1.0 + 1e-3


def test_epsilons_that_the_catalogue_states() -> None:
    """The narrow scale and the unsplit top two, exactly."""
    left, right = [0, 0, 0, 0, 0], [-1, 1, 1, 1, 1]
    narrow = [order_probability(d, [0], "laplace", 1.0) for d in (left, right)]
    assert narrow == pytest.approx([0.2, 0.02763], abs=1e-5)
    far = [order_probability([0, 4, 4, 4, 4], [0], "laplace", 1.0)]
    far += [order_probability([-1, 5, 5, 5, 5], [0], "laplace", 1.0)]
    assert math.log(far[0] / far[1]) == pytest.approx(2.0, abs=1e-3)
    unsplit = [order_probability(d, [0, 1], "exponential", 2.0) for d in ([0] * 3, [-1, -1, 1])]
    assert unsplit == pytest.approx([1 / 6, math.exp(-2) / 6], abs=1e-4)


def test_true_epsilon_is_attained_by_a_count_far_behind() -> None:
    """Noise for sensitivity 1 on scores that move by 0.1 spends a tenth."""
    near, moved = [0, 9, 9], [0, 9.1, 9.1]
    odds = order_probability(near, [0], "laplace", 1.0) / order_probability(
        moved, [0], "laplace", 1.0
    )
    assert true_epsilon(1.0, 1.0, 0.1) == pytest.approx(math.log(odds), rel=1e-3)
    opposite = order_probability([0.1, 9, 9], [0], "laplace", 1.0)
    opposite /= order_probability([0, 9.1, 9.1], [0], "laplace", 1.0)
    assert true_epsilon(1.0, 1.0, 0.1, monotone=False) == pytest.approx(
        math.log(opposite), rel=1e-3
    )


@pytest.mark.parametrize("output", OUTPUTS)
def test_too_few_scores_are_an_error(output: Output) -> None:
    with pytest.raises(ValueError, match="too few"):
        ReportNoisyMax(output=output).release([], default_rng(0), 1)
    with pytest.raises(ValueError, match="too few"):
        ReportNoisyMax(output="kth-smallest", k=3).release([1, 2], default_rng(0), 1)


def test_bad_parameters_are_refused() -> None:
    for parameters in (
        {"epsilon": 0.0},
        {"sensitivity": -1.0},
        {"k": 0},
        {"epsilon": math.nan},
    ):
        with pytest.raises(InputError, match=next(iter(parameters))):
            ReportNoisyMax(**parameters)
