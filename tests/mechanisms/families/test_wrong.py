"""The violations of the catalogue: their events have the stated odds, and break the claim."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from mechanisms import CATALOG
from mechanisms.parts.calibration import (
    analytic_sigma,
    analytic_sign_slip,
    classic_sigma,
    classic_variance,
)
from mechanisms.parts.counts import NameAndShame
from tests.mechanisms.truth.exact import (
    Floats,
    loss_at_least,
    oracle_pairs,
    pattern,
    released_at_most,
    winner,
)
from tests.mechanisms.truth.rows import DRAWS, Row, assert_probability, frequencies

E, A = math.e, math.exp(-1.0)
SIGMA = analytic_sigma(1.0, 1e-5, 1.0)
VARIANCE_SLIP = classic_variance(1.0, 1e-5, 1.0)
SIGN_SLIP = analytic_sign_slip(1.0, 1e-5, 1.0)
LARGE_EPSILON = classic_sigma(10.0, 0.1, 1.0)
PATH_OF_8 = [0, 1, 3, 7]
PATH_OF_16 = [0, 1, 3, 7, 15]
normal = stats.norm.sf
laplace = stats.laplace.sf


def loss(outputs: Floats) -> Floats:
    """Log-likelihood ratio of unit Laplace noise around 1 and around 0."""
    return np.asarray((np.abs(outputs) - np.abs(outputs - 1.0)).sum(axis=1))


def low_bits(outputs: Floats) -> NDArray[np.bool_]:
    return np.asarray(outputs * 2.0**53 % 1.0 != 0.0)


def answered(*wanted: int) -> Callable[[Floats], Any]:
    return lambda outputs: (outputs[:, : len(wanted)] == wanted).all(axis=1)


def has_key(outputs: list[dict[str, float]]) -> list[bool]:
    return [bool(shown) for shown in outputs]


ROWS = (
    Row("laplace-with-hole", lambda y: (y >= 1) & (y < 2), (1 - A) / 2, 0.0),
    Row("wishart-moments", lambda y: y[:, 0, 0] < 1, 1 - math.exp(-2.0), 0.0),
    Row("geometric-from-one", lambda y: y == 0, (1 - A) / 2, 0.0),
    Row("renormalized-geometric", lambda y: y == 0, 0.6321311164933255, 0.1886769917003629),
    Row("uniform-noise", lambda y: y > 5, 0.1, 0.0),
    Row("histogram-noise-taken-back", lambda y: y.sum(axis=1) > 0.5, 1.0, 0.0),
    Row(
        "gaussian-variance-as-deviation",
        lambda y: y >= 2.73 * VARIANCE_SLIP,
        normal(2.73 - 1 / VARIANCE_SLIP),
        normal(2.73),
    ),
    Row(
        "analytic-gaussian-sign-slip",
        lambda y: y >= 0.5,
        normal(-0.5 / SIGN_SLIP),
        normal(0.5 / SIGN_SLIP),
    ),
    Row(
        "classic-gaussian-epsilon-10",
        lambda y: y >= 10.0 * LARGE_EPSILON**2 + 0.5,
        normal(10.0 * LARGE_EPSILON - 0.5 / LARGE_EPSILON),
        normal(10.0 * LARGE_EPSILON + 0.5 / LARGE_EPSILON),
    ),
    Row("gaussian-as-pure", lambda y: y >= 1.85, normal(0.85), normal(1.85)),
    Row("histogram-replace-one", lambda y: (y[:, 0] >= 1) & (y[:, 1] <= 0), 0.25, A**2 / 4),
    Row(
        "gaussian-sum-replace-one",
        lambda y: (y + 1) / SIGMA >= 2.475,
        normal(2.475 - 2 / SIGMA),
        normal(2.475),
    ),
    Row("range-for-magnitude", lambda y: y >= 100, 0.5, math.exp(-10.0) / 2),
    Row("sum-wraps-around", lambda y: y > 0, laplace(-127.0), laplace(128.0)),
    Row("quantile-range-from-data", lambda y: y > 0, 1.0, 0.0),
    Row("clip-result-dropped", lambda y: y > 5e5, 1.0, 0.0),
    Row("mean-range-over-size", lambda y: y > 2.235, laplace(1.235), laplace(2 * 1.735)),
    Row("score-sensitivity-halved", lambda y: y == 0, E / (E + 9), 1 / (1 + 9 * E)),
    Row("count-noised-as-probability", lambda y: y >= 0.5, laplace(-500.0), laplace(500.0)),
    Row("scale-over-dimensions", lambda y: y >= 0.7, laplace(-1.2), laplace(2.8)),
    Row("laplace-claimed-0.9", lambda y: y >= 1, 0.5, A / 2),
    Row("laplace-claimed-0.95", lambda y: y >= 1, 0.5, A / 2),
    Row("laplace-claimed-0.99", lambda y: y >= 1, 0.5, A / 2),
    Row(
        "two-statistics-full-budget",
        lambda y: loss(y) >= 1.35,
        loss_at_least(1.35, 2, 1.0, 1.0),
        loss_at_least(1.35, 2, 1.0, 0.0),
    ),
    Row(
        "ten-gaussians-one-budget",
        lambda y: y.sum(axis=1) >= 1.98 * math.sqrt(10.0) * SIGMA,
        normal(1.98 - math.sqrt(10.0) / SIGMA),
        normal(1.98),
    ),
    Row("record-noise-user-claim", lambda y: y >= 3.2, laplace(-1.8), laplace(3.2)),
    Row("amplification-without-sampling", lambda y: y >= 1, 0.5, A / 2),
    Row("keys-delta-not-split", has_key, 1 - 0.99**10, 0.0),
    Row(
        "tree-one-level-short",
        lambda y: loss(y[:, PATH_OF_8]) / 3 >= 1.175,
        loss_at_least(1.175, 4, 3.0, 1.0),
        loss_at_least(1.175, 4, 3.0, 0.0),
    ),
    Row(
        "tree-without-split",
        lambda y: loss(y[:, PATH_OF_16]) >= 1.62,
        loss_at_least(1.62, 5, 1.0, 1.0),
        loss_at_least(1.62, 5, 1.0, 0.0),
    ),
    Row(
        "noisy-max-value",
        lambda y: y <= 0.65,
        laplace(-0.325) ** 5,
        laplace(0.175) ** 5,
    ),
    Row("noisy-max-exponential-value", lambda y: y < 1, (1 - math.exp(-0.5)) ** 2, 0.0),
    Row("noisy-max-half-noise", lambda y: y == 0, 0.2, winner([-1, 1, 1, 1, 1], 0, 1.0)),
    Row(
        "sparse-vector-3",
        lambda y: np.isfinite(y[:, 5]) & (y[:, 5] <= 3.25),
        released_at_most([0.0] * 5 + [1.0], 3.25, 2.0, 2.0),
        released_at_most([1.0] * 5 + [0.0], 3.25, 2.0, 2.0),
    ),
    Row(
        "sparse-vector-4",
        answered(0, 0, 1, 1),
        pattern([0, 0, 0, 0], [0, 0, 1, 1], 4.0, 4 / 3),
        pattern([1, 1, -1, -1], [0, 0, 1, 1], 4.0, 4 / 3),
    ),
    Row("sparse-vector-5", answered(0, 1), (1 - math.exp(-0.5)) / 2, 0.0),
    Row(
        "sparse-vector-3-long",
        lambda y: np.isfinite(y[:, 10]) & (y[:, 10] <= 4),
        released_at_most([0.0] * 10 + [1.0], 4.0, 2.0, 2.0),
        released_at_most([1.0] * 10 + [0.0], 4.0, 2.0, 2.0),
    ),
    Row("keys-threshold-zero", has_key, 1 - A / 2, 0.0),
    Row(
        "keys-threshold-for-other-noise",
        has_key,
        normal(-math.log(2e-5) / classic_sigma(1.0, 1e-5, 1.0)),
        0.0,
    ),
    Row("keys-threshold-truncated", has_key, A**2 / (1 + A), 0.0),
    Row("synthetic-rows", lambda y: [len(rows) == 3 for rows in y], 1.0, 0.0),
    Row("randomized-response-true-lies", lambda y: y == 1, 0.875, 0.125),
    Row("unary-encoding-per-bit", answered(1, 0), (1 + A) ** -2, (1 + E) ** -2),
    Row("pate-shared-teachers", lambda y: y >= 5.7, laplace(-4.3), laplace(5.7)),
    Row(
        "clip-norm-ignored",
        lambda y: y / (0.2 * SIGMA) >= 1.75,
        normal(1.75 - 5 / SIGMA),
        normal(1.75),
    ),
    Row("sniper-truncated-geometric", lambda y: y >= 1, 9 / 17, 8 / 17),
    Row("sniper-noisy-histogram-2", lambda y: y[:, 0] < 1.495, laplace(-4.95), laplace(5.05)),
    Row("statdp-histogram-epsilon", lambda y: y < 1.2, laplace(-0.2 / 0.7), laplace(0.8 / 0.7)),
)
LEAKS = (
    Row("laplace-low-bits", low_bits, 0.2719, 0.0),
    Row("laplace-four-uniforms", low_bits, 0.2079, 0.0),
)


@pytest.mark.parametrize("row", [*ROWS, *LEAKS], ids=str)
def test_event_has_its_two_probabilities(row: Row) -> None:
    on_data, on_neighbor = frequencies(row)
    assert_probability(on_data, row.p)
    assert_probability(on_neighbor, row.q)


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_event_breaks_the_claim_and_costs_what_the_truth_says(row: Row) -> None:
    entry = CATALOG[row.name]
    assert not entry.truth.keeps
    [[slope, offset]] = entry.mechanism.claim.lines(entry.mechanism.claim.level)
    assert row.p > slope * row.q + offset
    assert entry.truth.pairs == pytest.approx(oracle_pairs(row.p, row.q, slope, offset), rel=0.03)


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_true_epsilon_is_no_smaller_than_the_event_shows(row: Row) -> None:
    entry = CATALOG[row.name]
    [[_, offset]] = entry.mechanism.claim.lines(entry.mechanism.claim.level)
    assert entry.truth.epsilon is not None
    allowed = math.exp(min(entry.truth.epsilon, 700.0)) * row.q + offset
    assert row.p <= allowed * (1 + 1e-9) or entry.truth.epsilon == math.inf


def test_underflow_happens_with_one_zero_more() -> None:
    entry = CATALOG["underflow-crash"]
    with pytest.raises(ValueError, match="NaN"):
        entry.mechanism.release(entry.data, np.random.default_rng(1), 10)
    outputs = entry.mechanism.release(entry.neighbors[0], np.random.default_rng(1), 10)
    assert ((outputs >= 0) & (outputs <= 1)).all()


def test_counts_of_a_long_sparse_vector_are_cheap_evidence() -> None:
    """No pattern of Algorithm 6 on 20 queries is likely, yet 79 pairs are enough."""
    entry = CATALOG["sparse-vector-6-long"]
    assert pattern([0] * 20, [0] * 10 + [1] * 10, 2.0, 2.0) < 1e-6
    counts: list[float] = []
    for side, data in enumerate((entry.neighbors[0], entry.data)):
        outputs = entry.mechanism.release(data, np.random.default_rng([8, side]), DRAWS)
        more_above = outputs[:, :10].sum(axis=1) - outputs[:, 10:].sum(axis=1)
        counts.append(float(np.mean(more_above >= 5)))
    assert oracle_pairs(counts[0], counts[1], math.e) < 110


def test_out_of_reach_events_are_rare_and_impossible_next_door() -> None:
    shame = NameAndShame(probability=0.01)
    outputs = shame.release(np.array([1.0]), np.random.default_rng(2), DRAWS)
    assert_probability(int((outputs[:, 1] == 1.0).sum()), 0.01)
    assert np.isnan(shame.release(np.array([]), np.random.default_rng(2), DRAWS)[:, 1]).all()
    assert oracle_pairs(1e-6, 0.0, E) == pytest.approx(
        CATALOG["name-and-shame"].truth.pairs, rel=0.01
    )
    rare = Row("keys-delta-not-split-small", has_key, 1 - (1 - 1e-5) ** 10, 0.0)
    on_data, on_neighbor = frequencies(rare)
    assert_probability(on_data, rare.p)
    assert on_neighbor == 0
    assert oracle_pairs(rare.p, 0.0, E, 1e-5) == pytest.approx(
        CATALOG[rare.name].truth.pairs, rel=0.03
    )


def test_most_doubles_cannot_come_from_the_porous_sampler() -> None:
    """An output around 0 that no 53-bit uniform could have produced around 1."""
    entry = CATALOG["laplace-porous"]
    outputs = entry.mechanism.release(entry.data, np.random.default_rng(3), 20_000)
    assert_probability(int((~_reachable_around_one(outputs)).sum()), 0.67, 20_000)
    others = entry.mechanism.release(entry.neighbors[0], np.random.default_rng(4), 20_000)
    assert _reachable_around_one(others).all()


def _reachable_around_one(outputs: Floats) -> NDArray[np.bool_]:
    nearest = np.rint(np.exp(-np.abs(outputs - 1.0)) * 2.0**53)
    reached = np.zeros(outputs.shape, dtype=bool)
    for shift in range(-40, 41):
        uniform = np.clip(nearest + shift, 1, 2.0**53) * 2.0**-53
        reached |= (1.0 - np.log(uniform) == outputs) | (1.0 + np.log(uniform) == outputs)
    return reached
