"""DP-SGD: batches, gradients and noise are what the truths of the catalogue are calculated from."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.random import default_rng
from scipy.special import logsumexp
from scipy.stats import norm

from mechanisms import CATALOG
from mechanisms.parts.training import CURVE, DpSgd

RIGHT = DpSgd()
LOUD, NONE = np.array([[100.0, 1.0]]), np.empty((0, 2))


def accountant(noise: float, rate: float, steps: int) -> Any:
    """The privacy loss distribution of Poisson-subsampled Gaussian noise."""
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    return pld.from_gaussian_mechanism(noise, sampling_prob=rate).self_compose(steps)


@pytest.mark.slow
def test_the_claim_is_what_the_accountant_gives() -> None:
    found = accountant(RIGHT.noise, RIGHT.rate, RIGHT.steps)
    assert 0.052 < found.get_delta_for_epsilon(RIGHT.epsilon) <= RIGHT.delta
    assert found.get_epsilon_for_delta(RIGHT.delta) == pytest.approx(
        CATALOG["dp-sgd"].truth.epsilon, abs=1e-3
    )


@pytest.mark.slow
def test_the_curve_is_what_the_accountant_gives() -> None:
    found = accountant(RIGHT.noise, RIGHT.rate, RIGHT.steps)
    exact = [found.get_delta_for_epsilon(epsilon) for epsilon, _ in CURVE]
    stated = [delta for _, delta in CURVE]
    assert all(delta <= up <= 1.01 * delta for delta, up in zip(exact, stated, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "noise", "steps"),
    [("dp-sgd-batch-twice", 0.7 / math.sqrt(2.0), 5), ("dp-sgd-scale-of-the-average", 0.07, 10)],
)
def test_truths_of_wrong_training_are_what_the_accountant_gives(
    name: str, noise: float, steps: int
) -> None:
    truth = CATALOG[name].truth
    assert not truth.keeps
    found = accountant(noise, 0.1, steps).get_epsilon_for_delta(RIGHT.delta)
    assert found == pytest.approx(truth.epsilon, rel=1e-3)


@pytest.mark.slow
def test_shuffled_batches_break_the_claim_of_independent_ones() -> None:
    mechanism = CATALOG["dp-sgd-shuffled"].mechanism
    assert isinstance(mechanism, DpSgd)
    independent = accountant(mechanism.noise, mechanism.rate, mechanism.steps)
    assert independent.get_delta_for_epsilon(2.0) == pytest.approx(0.2044, abs=1e-4)
    limit, noise = 0.64, mechanism.noise
    others = norm.cdf((limit - 1.0) / noise), norm.cdf(limit / noise)
    # With the loud record one sum is 1 less than the others, which lie at 1; without it, at 0.
    p, q = (1.0 - other * norm.cdf((limit + 1.0) / noise) ** 9 for other in others)
    assert p - math.exp(2.0) * q > 0.2045
    data, (neighbor,) = CATALOG["dp-sgd-shuffled"].data, CATALOG["dp-sgd-shuffled"].neighbors
    for records, expected in ((data, p), (neighbor, q)):
        lowest = -mechanism.release(records, default_rng(1), 20_000).min(axis=(1, 2))
        seen = float((-lowest <= -limit).mean())
        assert seen == pytest.approx(expected, abs=6.2 * math.sqrt(0.25 / 20_000))


def test_the_truth_of_shuffled_batches_is_that_of_its_likelihood_ratio() -> None:
    """All sums but one lie at 1; that one at -1 with the loud record, at 0 without it.

    With noise s, both laws are mixtures over the place of that one. Divided by the
    density with all sums at 1 they are means of exp(-2x/s²) and exp((1 - 2x)/(2s²)).
    """
    entry = CATALOG["dp-sgd-shuffled"]
    assert isinstance(entry.mechanism, DpSgd)
    noise, truth, delta = entry.mechanism.noise, entry.truth.epsilon, 0.2045
    assert truth is not None
    around, losses = default_rng(6).normal(0.0, noise, (2, 150_000, 10)), []
    for sums, odd in zip(around + 1.0, (-1.0, 0.0), strict=True):
        sums[:, 0] += odd - 1.0
        parts = -2.0 * sums / noise**2, (0.5 - sums) / noise**2
        losses.append(np.subtract(*(logsumexp(part, axis=1) for part in parts)))
    with_it, without = losses
    excess = np.maximum(0.0, 1.0 - np.exp(truth - with_it))
    error = 6.2 * float(excess.std()) / math.sqrt(len(excess))
    assert float(excess.mean()) == pytest.approx(delta, abs=error)
    # Of the other direction less: the truth is that of the worse of the two.
    assert float(np.maximum(0.0, 1.0 - np.exp(truth + without)).mean()) < delta - error


@pytest.mark.parametrize("flaw", ["none", "batch twice"])
def test_a_loud_record_moves_a_sum_by_the_clipping_norm(flaw: Any) -> None:
    """With next to no noise, a sum is that of who is in the batch."""
    quiet = replace(RIGHT, flaw=flaw, noise=1e-6, learning_rate=1e-9)
    sums = quiet.release(LOUD, default_rng(2), 20_000)[:, :, 0]
    inside = np.abs(sums) > 0.5
    assert np.allclose(np.abs(sums[inside]), 1.0, atol=1e-4)
    assert inside.mean() == pytest.approx(0.1, abs=6.2 * math.sqrt(0.09 / 100_000))
    twice = (inside[:, 0] == inside[:, 1]).all()
    assert twice == (flaw == "batch twice")


def test_gradients_that_are_not_clipped_keep_their_norm() -> None:
    weights = np.zeros((1, 1))
    assert RIGHT.gradients(LOUD, weights).tolist() == [[[-1.0]]]
    assert replace(RIGHT, flaw="not clipped").gradients(LOUD, weights).tolist() == [[[-50.0]]]


def test_the_noise_has_its_scale() -> None:
    for flaw, scale in (("none", 0.7), ("scale of the average", 0.07)):
        sums = replace(RIGHT, flaw=flaw).release(NONE, default_rng(3), 10_000)  # type: ignore[arg-type]
        assert sums.std() == pytest.approx(scale, rel=6.2 / math.sqrt(2 * sums.size))


def test_shuffled_records_are_in_one_batch_each() -> None:
    quiet = replace(RIGHT, flaw="shuffled", noise=1e-6, learning_rate=1e-9)
    data = np.repeat(LOUD, 25, axis=0)
    sums = -quiet.release(data, default_rng(4), 200)[:, :, 0]
    assert np.allclose(sums.sum(axis=1), 25.0, atol=1e-3)
    assert sums.max() < 3.5  # thirty places in ten batches


def test_the_model_follows_from_the_sums() -> None:
    sums = RIGHT.release(LOUD, default_rng(5), 1)[0]
    weights = RIGHT.weights_after(sums)
    assert weights.shape == (11, 1)
    assert weights[-1] == pytest.approx(-1e-3 * sums.sum(axis=0))
