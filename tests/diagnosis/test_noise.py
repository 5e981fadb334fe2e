"""Families, shapes and factors of noise."""

from __future__ import annotations

import math

import numpy as np
import pytest

from audit.claims import ZCDP, ApproxDP, Claim, GaussianDP, PureDP, RenyiDP
from audit.diagnosis.evidence import Counts
from audit.diagnosis.noise import Family, Moved, factor_needed, family_of, moved, same_shape
from audit.diagnosis.parts import Part

_RUNS = 2_000
_PART = Part("the output", np.zeros(1), np.zeros(1))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("family", "sampler"),
    [
        (Family.LAPLACE, "laplace"),
        (Family.GAUSSIAN, "normal"),
        (Family.OTHER, "logistic"),
        (Family.OTHER, "gumbel"),
    ],
)
def test_families_are_told_apart(family: Family, sampler: str, seed: int) -> None:
    noise = getattr(np.random.default_rng(seed), sampler)(0.0, 3.0, 2 * _RUNS)
    assert family_of(noise - np.median(noise)) is family


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("family", "scale"),
    [(Family.LAPLACE, b) for b in (0.7, 1.0, 3.0)]
    + [(Family.GAUSSIAN, sigma) for sigma in (0.9, 1.0, 2.0)],
)
def test_noise_on_whole_numbers_has_its_family_and_scale(
    family: Family, scale: float, seed: int
) -> None:
    values = np.arange(-40, 41)
    power = 1 if family is Family.LAPLACE else 2
    weights = np.exp(-((np.abs(values) / scale) ** power) / power)
    draw = np.random.default_rng(seed).choice(values, (2, _RUNS), p=weights / weights.sum())
    found = moved(Part("the output", draw[0] + 1.0, draw[1].astype(float)))
    assert found is not None and found.family is family
    assert found.scale == pytest.approx(scale, rel=0.05) and found.shift == pytest.approx(1, 0.1)


@pytest.mark.parametrize("seed", range(20))
def test_shapes_differ_only_beyond_chance(seed: int) -> None:
    rng = np.random.default_rng(seed)
    one, other = rng.laplace(0.0, 1.0, (2, _RUNS))
    assert same_shape(one, other)
    assert not same_shape(one, rng.laplace(0.0, 2.0, _RUNS))


@pytest.mark.parametrize(
    ("family", "loss", "claim", "factor"),
    [
        (Family.LAPLACE, 2.0, PureDP(1.0), 2.0),
        (Family.LAPLACE, 0.5, PureDP(1.0), 0.5),
        (Family.GAUSSIAN, 1.0, GaussianDP(0.5), 2.0),
        (Family.GAUSSIAN, 1.0, ApproxDP(1.0, 1e-5), 3.7306),
        (Family.GAUSSIAN, 1.0, PureDP(1.0), math.inf),
        # A Gaussian keeps ρ if σ² is Δ²/(2ρ), and a Rényi ε of order α if it is αΔ²/(2ε).
        (Family.GAUSSIAN, 2.0, ZCDP(0.5), 2.0),
        (Family.GAUSSIAN, 2.0, RenyiDP(4.0, 0.5), 4.0),
        (Family.LAPLACE, 2.0, ApproxDP(1.0, 0.01), 2.0 / (1.0 - 2.0 * math.log(0.99))),
    ],
)
def test_a_factor_is_the_smallest_that_keeps_the_claim(
    family: Family, loss: float, claim: Claim, factor: float
) -> None:
    found = factor_needed([Moved(_PART, family, 1.0, loss, 0.0)], claim)
    assert found == pytest.approx(factor, rel=1e-3)


def test_losses_of_parts_add_up_as_their_families_do() -> None:
    laplace = [Moved(_PART, Family.LAPLACE, 1.0, 1.0, 0.0)] * 4
    gaussian = [Moved(_PART, Family.GAUSSIAN, 1.0, 1.0, 0.0)] * 4
    assert factor_needed(laplace, PureDP(1.0)) == pytest.approx(4.0, rel=1e-3)
    assert factor_needed(gaussian, GaussianDP(1.0)) == pytest.approx(2.0, rel=1e-2)
    assert factor_needed(gaussian, ZCDP(0.5)) == pytest.approx(2.0, rel=0.05)


def test_moved_noise_has_its_scale_and_shift() -> None:
    rng = np.random.default_rng(0)
    left, right = 5.0 + rng.laplace(0.0, 2.0, _RUNS), rng.laplace(0.0, 2.0, _RUNS)
    found = moved(Part("the output", left, right))
    assert found is not None
    assert (found.family, found.moves) == (Family.LAPLACE, True)
    assert found.scale == pytest.approx(2.0, rel=0.1)
    assert found.shift == pytest.approx(5.0, rel=0.1)
    assert moved(Part("the output", left, 2.0 * right)) is None
    assert moved(Part("the output", np.ones(9), np.zeros(9))) is None


@pytest.mark.parametrize(("left", "right", "breaks"), [(900, 100, True), (500, 250, False)])
def test_counts_break_a_claim_only_beyond_their_limits(left: int, right: int, breaks: bool) -> None:
    counts = Counts(left, 1_000, right, 1_000)
    assert counts.breaks(PureDP(1.0)) is breaks
    assert Counts(right, 1_000, left, 1_000).breaks(PureDP(1.0)) is breaks
