"""Every sampler follows its distribution; sampled assertions spend 1e-9 each on fixed seeds."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, get_args

import numpy as np
import pytest
from numpy.random import default_rng
from numpy.typing import NDArray
from scipy import stats

from mechanisms.parts.noise import SAMPLERS, NoiseName, child

BUDGET = 1e-9
DRAWS = 60_000
SCALE = 1.7
Distribution = Callable[[NDArray[Any]], NDArray[Any]]


def sign_symmetric(positive: Distribution) -> Distribution:
    """Distribution function of a fair sign times a positive number."""
    return lambda x: 0.5 + 0.5 * np.sign(x) * positive(np.abs(x))


def staircase(x: NDArray[Any]) -> NDArray[Any]:
    """Distribution function of |staircase noise|, by its steps (arXiv 1212.1186, equation 14)."""
    decay = math.exp(-1 / SCALE)
    share = 1 / (1 + math.exp(0.5 / SCALE))
    step, inside = np.floor(x), x - np.floor(x)
    height = (1 - decay) / (share + decay * (1 - share))
    area = np.minimum(inside, share) + decay * np.maximum(inside - share, 0)
    return np.asarray(1 - decay**step + decay**step * height * area)


CONTINUOUS: dict[NoiseName, Distribution] = {
    "laplace": stats.laplace(scale=SCALE).cdf,
    "gaussian": stats.norm(scale=SCALE).cdf,
    "exponential": stats.expon(scale=SCALE).cdf,
    "gumbel": stats.gumbel_r(scale=SCALE).cdf,
    "uniform": stats.uniform(-SCALE, 2 * SCALE).cdf,
    "staircase": sign_symmetric(staircase),
    "laplace-with-hole": sign_symmetric(stats.expon(SCALE, SCALE).cdf),
    "laplace-four-uniforms": stats.laplace(scale=SCALE).cdf,
    "laplace-porous": stats.laplace(scale=SCALE).cdf,
}
SUPPORT = np.arange(-40, 41)
DISCRETE: dict[NoiseName, NDArray[Any]] = {
    "geometric": np.exp(-np.abs(SUPPORT) / SCALE),
    "geometric-from-one": np.where(SUPPORT == 0, 0.0, np.exp(-np.abs(SUPPORT) / SCALE)),
    "discrete-gaussian": np.exp(-0.5 * (SUPPORT / SCALE) ** 2),
}


def p_value(noise: NoiseName, factor: float) -> float:
    drawn = SAMPLERS[noise](default_rng(5), factor * SCALE, DRAWS)
    if noise in CONTINUOUS:
        return float(stats.kstest(drawn, CONTINUOUS[noise]).pvalue)
    expected = DISCRETE[noise] / DISCRETE[noise].sum() * DRAWS
    common = expected > 20
    observed = np.array([(drawn == value).sum() for value in SUPPORT[common]])
    rest = [DRAWS - observed.sum(), DRAWS - expected[common].sum()]
    return float(
        stats.chisquare([*observed, rest[0]], [*expected[common], max(rest[1], 1e-9)]).pvalue
    )


def test_every_sampler_is_tested() -> None:
    assert set(CONTINUOUS) | set(DISCRETE) == set(SAMPLERS) == set(get_args(NoiseName))


@pytest.mark.parametrize("noise", SAMPLERS)
def test_sampler_follows_its_distribution(noise: NoiseName) -> None:
    assert p_value(noise, 1.0) > BUDGET


@pytest.mark.parametrize("factor", [0.7, 1.3])
@pytest.mark.parametrize("noise", SAMPLERS)
def test_another_scale_would_be_seen(noise: NoiseName, factor: float) -> None:
    assert p_value(noise, factor) < BUDGET


@pytest.mark.parametrize("noise", SAMPLERS)
@pytest.mark.parametrize("shape", [3, (2, 3)])
def test_shape_and_generator_are_the_callers(
    noise: NoiseName, shape: int | tuple[int, ...]
) -> None:
    drawn = SAMPLERS[noise](default_rng(1), SCALE, shape)
    again = SAMPLERS[noise](default_rng(1), SCALE, shape)
    assert drawn.shape == (shape if isinstance(shape, tuple) else (shape,))
    assert (drawn == again).all()


def test_child_is_fixed_by_its_parent_which_it_leaves_alone() -> None:
    parent, other = default_rng(3), default_rng(3)
    assert (child(parent).random(4) == child(other).random(4)).all()
    child(parent).random(1000)
    child(other)
    assert parent.random() == other.random()
