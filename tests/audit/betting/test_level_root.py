"""Roots are found as SciPy finds them, in hardly more steps than bisection takes."""

from __future__ import annotations

import math
from collections.abc import Callable

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


def test_no_more_steps_than_bisection_takes_and_one(falling: Callable[[float], float]) -> None:
    asked: list[float] = []

    def counted(level: float) -> float:
        asked.append(level)
        return falling(level)

    around(0.0, 3.0, counted)
    assert len(asked) <= 2 + 1 + math.ceil(math.log2(1.0 / CLOSE))


def test_a_smooth_root_takes_a_few_steps() -> None:
    asked: list[float] = []

    def counted(level: float) -> float:
        asked.append(level)
        return FALLING["wealth"](level)

    around(0.0, 3.0, counted)
    assert len(asked) <= 12


def test_a_wealth_without_a_bottom_has_a_root() -> None:
    root = root_between(0.0, 3.0, lambda x: 1.0 if x <= 1.5 else -math.inf)
    assert 1.5 - 3.0 * CLOSE <= root <= 1.5


def test_a_root_that_is_far_is_looked_for_above() -> None:
    low, high = raised(0.0, 1.0, lambda x: 7.0 - x)
    assert low < 7.0 < high
