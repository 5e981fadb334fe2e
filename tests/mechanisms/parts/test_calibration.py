"""How much noise a claim asks for."""

from __future__ import annotations

import math
from typing import Any

import pytest

from audit.claims import GaussianDP
from mechanisms.parts.calibration import scale_of


@pytest.mark.parametrize(
    ("calibration", "scale"),
    [
        ("pure", 4.0),
        ("inverted", 1.0),
        ("classic", 4 * math.sqrt(2 * math.log(125))),
        ("classic-variance", math.sqrt(4 * math.sqrt(2 * math.log(125)))),
    ],
)
def test_scales_by_their_formulas(calibration: Any, scale: float) -> None:
    assert scale_of(calibration, 0.5, 0.01, 2.0) == pytest.approx(scale)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 10.0, 100.0])
@pytest.mark.parametrize("delta", [1e-12, 1e-5, 0.1, 0.6])
def test_analytic_gaussian_meets_its_delta_exactly(epsilon: float, delta: float) -> None:
    sigma = scale_of("analytic", epsilon, delta, 3.0)
    assert GaussianDP(3.0 / sigma).delta(epsilon) == pytest.approx(delta, rel=1e-6)
