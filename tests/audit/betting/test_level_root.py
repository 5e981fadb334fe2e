"""Roots are found as SciPy finds them, in hardly more steps than bisection takes."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from scipy.optimize import bisect

from audit.betting.level_root import around, raised, root_between

CLOSE = 1e-6

FALLING: dict[str, Callable[[float], float]] = {
    "line": lambda x: 3.0 - 2.0 * x,
    "log": lambda x: 1.0 - math.log(x + 1e-12),
    "flat before a cliff": lambda x: 1e-6 if x < 2.2 else -1e3,
    "cliff before a flat": lambda x: 1e3 if x < 0.3 else -1e-6,
    "wealth": lambda x: 40.0 * math.log1p(0.3 - 0.2 * math.exp(min(x, 0.5))) - 1.0,
    "steps": lambda x: 7.5 - math.floor(4.0 * x),
    "cube": lambda x: (1.7 - x) ** 3,
}


@pytest.fixture(params=FALLING.values(), ids=[*FALLING])
def falling(request: pytest.FixtureRequest) -> Callable[[float], float]:
    found: Callable[[float], float] = request.param
    return found


def test_levels_around_a_root_are_next_to_each_other(falling: Callable[[float], float]) -> None:
    low, high = around(0.0, 3.0, falling)
    assert falling(low) >= 0.0 > falling(high)
    assert 0.0 < high - low <= CLOSE * 3.0
    assert low - 1e-9 <= bisect(falling, 0.0, 3.0, xtol=1e-12) <= high + 1e-9


def asked_by(function: Callable[[float], float], low: float, high: float, close: float) -> int:
    """How often a function is asked for its value when its root is looked for."""
    asked: list[float] = []

    def counted(level: float) -> float:
        asked.append(level)
        return function(level)

    around(low, high, counted, close)
    return len(asked)


def most_asked(low: float, high: float, close: float) -> int:
    """Both ends, the steps of bisection, and one."""
    return 2 + math.ceil(math.log2((high - low) / max(1e-9, close * high))) + 1


def test_no_more_steps_than_bisection_takes_and_one(falling: Callable[[float], float]) -> None:
    assert asked_by(falling, 0.0, 3.0, CLOSE) <= most_asked(0.0, 3.0, CLOSE)


def test_no_more_steps_wherever_a_cliff_is() -> None:
    rng = np.random.default_rng(1)
    for _ in range(2_000):
        low = rng.uniform(0.0, 5.0)
        high, close = low + 10.0 ** rng.uniform(-2.0, 2.0), 10.0 ** rng.uniform(-9.0, -3.0)
        place, (above, below) = rng.uniform(low, high), 10.0 ** rng.uniform(-6.0, 3.0, 2)
        cliff = partial(_cliff, place, above, below)
        assert asked_by(cliff, low, high, close) <= most_asked(low, high, close)


def _cliff(place: float, above: float, below: float, level: float) -> float:
    return above if level < place else -below


@pytest.mark.parametrize(("name", "most"), [("line", 6), ("log", 8), ("wealth", 10)])
def test_a_smooth_root_takes_a_few_steps(name: str, most: int) -> None:
    assert asked_by(FALLING[name], 0.0, 3.0, CLOSE) <= most


def test_a_wealth_without_a_bottom_has_a_root() -> None:
    root = root_between(0.0, 3.0, lambda x: 1.0 if x <= 1.5 else -math.inf)
    assert 1.5 - 3.0 * CLOSE <= root <= 1.5


def test_a_root_that_is_far_is_looked_for_above() -> None:
    low, high = raised(0.0, 1.0, lambda x: 7.0 - x)
    assert low < 7.0 < high
