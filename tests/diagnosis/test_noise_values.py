"""Edges and holes of noise: none in smooth noise, however few the runs; those that are there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

from audit.claims import ZCDP
from audit.diagnosis.noise_values import impossible
from audit.outcomes.column import Floats
from audit.verdict.findings import Cause
from tests.diagnosis.made import diagnosed
from tests.diagnosis.test_rules import gaussian, one_sided, uniform, with_hole

Noise = Callable[[Generator, int], Floats]

SMOOTH: dict[str, Noise] = {
    "Gaussian": lambda rng, n: rng.normal(0.0, 1.0, n),
    "Laplace": lambda rng, n: rng.laplace(0.0, 1.0, n),
    "Gumbel": lambda rng, n: rng.gumbel(0.0, 1.0, n),
    "largest of ten": lambda rng, n: rng.laplace(0.0, 1.0, (n, 10)).max(axis=1),
    "geometric": lambda rng, n: (rng.geometric(0.4, n) - rng.geometric(0.4, n)).astype(float),
}
BOUNDED: dict[str, tuple[int, Noise]] = {
    "uniform": (216, lambda rng, n: rng.uniform(-5.0, 5.0, n)),
    "exponential": (2_000, lambda rng, n: rng.exponential(1.0, n)),
    "hole": (100, lambda rng, n: rng.choice([-1, 1], n) * (1.0 + rng.exponential(1.0, n))),
    "clamped": (1_000, lambda rng, n: rng.laplace(0.0, 1.0, n).clip(-3.0)),
    "geometric from one": (2_000, lambda rng, n: rng.geometric(0.63, n).astype(float)),
}


@pytest.mark.parametrize("runs", [60, 216, 2_000])
@pytest.mark.parametrize("noise", SMOOTH)
def test_smooth_noise_has_no_edge_and_no_hole(noise: str, runs: int) -> None:
    rng = np.random.default_rng(runs)
    for _ in range(100):
        one, other = 1.0 + SMOOTH[noise](rng, runs), SMOOTH[noise](rng, runs)
        assert impossible(one, other, 1.0) is None
        assert impossible(other, one, 1.0) is None


@pytest.mark.parametrize("ends", [(0.0, 0.0), (-2.0, -np.inf)])
def test_numbers_that_are_clamped_after_the_noise_have_no_edge(ends: tuple[float, float]) -> None:
    """Both at one end, or those on one dataset alone."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        one, other = (
            (centre + rng.laplace(0.0, 1.0, 2_000)).clip(end)
            for centre, end in zip((2.0, 1.0), ends, strict=True)
        )
        assert impossible(one, other, 1.0) is None
        assert impossible(other, one, 1.0) is None


@pytest.mark.parametrize("noise", BOUNDED)
def test_an_edge_or_a_hole_is_found(noise: str) -> None:
    runs, drawn = BOUNDED[noise]
    for seed in range(20):
        rng = np.random.default_rng(seed)
        one, other = 1.0 + drawn(rng, runs), drawn(rng, runs)
        assert impossible(one, other, 1.0) or impossible(other, one, 1.0)


@pytest.mark.parametrize("runs", [216, 2_000])
def test_too_little_gaussian_noise_is_not_bounded(runs: int) -> None:
    found = diagnosed(gaussian(0.5), claim=ZCDP(0.5), runs=runs)
    assert found.cause == Cause.NOISE_TOO_SMALL


def clamped(data: Any, rng: Generator, n: int) -> Floats:
    """Noise that is clamped, not the sum: two values come again, not all of them."""
    return np.asarray(len(data) + BOUNDED["clamped"][1](rng, n))


@pytest.mark.parametrize("mechanism", [uniform, one_sided, with_hole, clamped])
def test_never_is_said_with_its_number_of_runs(mechanism: object) -> None:
    found = diagnosed(mechanism)  # type: ignore[arg-type]
    assert found.cause == Cause.BOUNDED_NOISE
    assert "of 2,000 runs on [" in found.sentence
    assert " and in 0 of 2,000 runs on [" in found.sentence
