"""The mechanisms that keep their claim: their events have the stated odds, within the claim."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from audit.claims import GaussianDP
from mechanisms import CATALOG
from mechanisms.parts.calibration import analytic_sigma, classic_sigma
from mechanisms.parts.local import Rappor
from mechanisms.parts.sums import NoisySum
from tests.mechanisms.truth.exact import laplace_below, pattern, winner
from tests.mechanisms.truth.rows import Row, assert_probability, frequencies

E, A = math.e, math.exp(-1.0)
HALF = 1 / (1 + math.exp(-0.5))
SIGMA, SMALL_SIGMA = analytic_sigma(1.0, 0.01, 1.0), analytic_sigma(1.0, 1e-5, 1.0)
BEHIND, FURTHER_BEHIND = [-4, 0, 0, 0, 0], [-5, 1, 1, 1, 1]
LAST = [0, 0, 0, 0, 0, 1]
PATH = [0, 1, 3, 7]
DIFFERING = np.flatnonzero(
    np.diff([Rappor(hashes=1, bits=8).filter_of(value) for value in (0, 1)], axis=0)[0]
)
STEP = 1 - HALF
WITHIN = 0.5 + STEP * (1 - A) / (2 * (STEP + A * (1 - STEP)))
normal = stats.norm.sf


def both(first: float, second: float) -> tuple[float, float]:
    """An event of two independent bits, and the event with the bits exchanged."""
    return first * (1 - second), second * (1 - first)


ROWS = (
    Row("laplace", lambda y: y >= 1, 0.5, A / 2),
    Row("geometric", lambda y: y >= 1, 1 / (1 + A), A / (1 + A)),
    Row("staircase", lambda y: y >= 1 - STEP, WITHIN, WITHIN * A),
    Row(
        "gaussian",
        lambda y: y >= SIGMA**2 + 0.5,
        normal(SIGMA - 0.5 / SIGMA),
        normal(SIGMA + 0.5 / SIGMA),
    ),
    Row(
        "gaussian-small-delta",
        lambda y: y >= SMALL_SIGMA**2 + 0.5,
        normal(SMALL_SIGMA - 0.5 / SMALL_SIGMA),
        normal(SMALL_SIGMA + 0.5 / SMALL_SIGMA),
    ),
    Row("gaussian-mu", lambda y: y >= 1, 0.5, normal(1.0)),
    Row("gaussian-zcdp", lambda y: y >= 1, 0.5, normal(1.0)),
    Row("gaussian-renyi", lambda y: y >= 1, 0.5, normal(1.0)),
    Row("sum-by-magnitude", lambda y: y >= 100, 0.5, A / 2),
    Row("histogram", lambda y: y[:, 0] >= 1, 0.5, A / 2),
    Row("histogram-substitute", lambda y: (y[:, 0] >= 1) & (y[:, 1] <= 0), 0.25, A / 4),
    Row("tree-counts", lambda y: (y[:, PATH] >= 1).all(axis=1), 1 / 16, A / 16),
    Row("prefix-sums", lambda y: y[:, 2] - y[:, 1] >= 1, 0.5, A / 2),
    Row("poisson-subsampled-laplace", lambda y: y >= 1, 0.1 * 0.5 + 0.9 * A / 2, A / 2),
    Row("laplace-ten-times", lambda y: y[:, 9] >= 1, 0.5, math.exp(-0.1) / 2),
    Row(
        "gaussian-ten-times",
        lambda y: y.sum(axis=1) >= 10,
        0.5,
        normal(math.sqrt(10.0) / 3),
    ),
    Row("count-and-sum", lambda y: (y >= 1).all(axis=1), 0.25, A / 4),
    Row("user-row-count", lambda y: y >= 5, 0.5, A / 2),
    Row("exponential-mechanism", lambda y: y == 0, 0.1548280989602546, 0.0631373261791866),
    Row("noisy-max-gumbel", lambda y: y == 0, 0.1548280989602546, 0.0631373261791866),
    Row(
        "noisy-max-index", lambda y: y == 0, winner(BEHIND, 0, 2.0), winner(FURTHER_BEHIND, 0, 2.0)
    ),
    Row(
        "noisy-max-gap",
        lambda y: y[:, 0] == 0,
        winner(BEHIND, 0, 2.0),
        winner(FURTHER_BEHIND, 0, 2.0),
    ),
    Row("permute-and-flip", lambda y: y == 1, 0.5, A / 2),
    Row(
        "sparse-vector-1",
        lambda y: (y == LAST).all(axis=1),
        pattern([0] * 6, LAST, 2.0, 4.0),
        pattern([1] * 5 + [-1], LAST, 2.0, 4.0),
    ),
    Row("key-selection", lambda y: ["apple" in shown for shown in y], A**3 / (1 + A), 0.0),
    Row("randomized-response", lambda y: y == 1, 1 / (1 + A), A / (1 + A)),
    Row("randomized-response-four", lambda y: y == 1, E / (E + 3), 1 / (E + 3)),
    Row(
        "optimized-unary-encoding",
        lambda y: (y[:, 0] == 1) & (y[:, 1] == 0),
        *both(0.5, 1 / (1 + E)),
    ),
    Row(
        "symmetric-unary-encoding",
        lambda y: (y[:, 0] == 1) & (y[:, 1] == 0),
        *both(HALF, 1 - HALF),
    ),
    Row(
        "rappor-permanent",
        lambda y: (y[:, DIFFERING] == Rappor(hashes=1, bits=8).filter_of(1)[DIFFERING]).all(axis=1),
        0.75**2,
        0.25**2,
    ),
    Row("one-bit-mean", lambda y: y > 0, 1 / (1 + A), A / (1 + A)),
    Row("piecewise-mean", lambda y: y >= 1, HALF, HALF * A),
    Row("scale-is-epsilon", lambda y: y >= 1, 0.5, math.exp(-0.5) / 2),
    Row("exponential-without-half-of-two", lambda y: y == 0, 1 / (1 + A), A / (1 + A)),
    Row("exponential-without-half-monotone", lambda y: y == 0, E / (E + 9), 0.1),
    Row("laplace-rounded", lambda y: y >= 2, A**0.5 / 2, A**1.5 / 2),
    Row("laplace-not-negative", lambda y: y >= 1, 0.5, A / 2),
    Row("laplace-clamped", lambda y: y == 1, 0.5, A / 2),
    Row("momentum-after-noise", lambda y: y[:, 0] >= 1, 0.5, math.exp(-0.25) / 2),
    Row("renormalized-geometric-of-one", lambda y: y == 0, 1 / (1 + A), A / (1 + A)),
)


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_event_has_its_two_probabilities(row: Row) -> None:
    on_data, on_neighbor = frequencies(row)
    assert_probability(on_data, row.p)
    assert_probability(on_neighbor, row.q)


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_event_stays_within_the_claim(row: Row) -> None:
    entry = CATALOG[row.name]
    assert entry.truth.keeps
    claim = entry.mechanism.claim
    for slope, offset in claim.lines(claim.level):
        for left, right in ((row.p, row.q), (row.q, row.p), (1 - row.p, 1 - row.q)):
            assert left <= slope * right + offset + 1e-9


@pytest.mark.parametrize(
    "name",
    [
        "laplace",
        "geometric",
        "staircase",
        "randomized-response",
        "randomized-response-four",
        "permute-and-flip",
        "count-and-sum",
        "tree-counts",
        "one-bit-mean",
        "piecewise-mean",
        "poisson-subsampled-laplace",
        "exponential-without-half-of-two",
        "renormalized-geometric-of-one",
        "optimized-unary-encoding",
        "rappor-permanent",
    ],
)
def test_event_attains_the_true_epsilon(name: str) -> None:
    row = next(row for row in ROWS if row.name == name)
    assert CATALOG[name].truth.epsilon == pytest.approx(math.log(row.p / row.q), abs=1e-9)


@pytest.mark.parametrize(
    ("name", "epsilon", "delta"),
    [
        ("gaussian", 1.0, 0.01),
        ("gaussian-small-delta", 1.0, 1e-5),
        ("classic-gaussian", None, 1e-5),
        ("classic-gaussian-epsilon-5", None, 1e-5),
    ],
)
def test_gaussian_truth_lies_on_the_exact_profile(
    name: str, epsilon: float | None, delta: float
) -> None:
    entry = CATALOG[name]
    assert isinstance(entry.mechanism, NoisySum)
    truth = entry.truth.epsilon
    assert truth is not None
    assert epsilon in (None, truth)
    assert GaussianDP(1 / entry.mechanism.scale).delta(truth) == pytest.approx(delta, rel=1e-4)


@pytest.mark.parametrize(
    ("name", "mu"),
    [
        ("gaussian-variance-as-deviation", 1 / 2.2010918),
        ("analytic-gaussian-sign-slip", 1 / 0.1340256),
        ("classic-gaussian-epsilon-10", 1 / 0.2247545),
        ("gaussian-sum-replace-one", 2 / SMALL_SIGMA),
        ("ten-gaussians-one-budget", math.sqrt(10) / SMALL_SIGMA),
        ("clip-norm-ignored", 5 / SMALL_SIGMA),
    ],
)
def test_broken_gaussian_truth_lies_on_the_exact_profile(name: str, mu: float) -> None:
    entry = CATALOG[name]
    assert entry.truth.epsilon is not None
    [[_, delta]] = entry.mechanism.claim.lines(entry.mechanism.claim.level)
    assert GaussianDP(mu).delta(entry.truth.epsilon) == pytest.approx(delta, rel=1e-3)


@pytest.mark.parametrize(
    ("delta", "last"), [(1e-5, 8.42), (1e-3, 7.46), (0.01, 6.77), (0.05, 6.11), (0.1, 5.74)]
)
def test_textbook_gaussian_is_conservative_well_beyond_its_proof(delta: float, last: float) -> None:
    def exceeds(epsilon: float) -> bool:
        return GaussianDP(1 / classic_sigma(epsilon, delta, 1.0)).delta(epsilon) > delta

    assert not exceeds(last - 0.01)
    assert exceeds(last + 0.01)


@pytest.mark.parametrize(("queries", "log_ratio"), [(1, 0.424), (5, 0.911), (20, 0.99999)])
def test_sparse_vector_needs_a_long_stream_to_spend_its_epsilon(
    queries: int, log_ratio: float
) -> None:
    answers = [0] * queries + [1]
    on_data = pattern([0] * (queries + 1), answers, 2.0, 4.0)
    on_neighbor = pattern([1] * queries + [-1], answers, 2.0, 4.0)
    assert math.log(on_data / on_neighbor) == pytest.approx(log_ratio, abs=1e-3)


def test_quadrature_knows_a_pattern_in_closed_form() -> None:
    """Without query noise, below-above needs the threshold's noise between the two answers."""
    assert pattern([0, 1], [0, 1], 2.0, 0.0) == pytest.approx((1 - math.exp(-0.5)) / 2)
    assert laplace_below(np.array([0.0]), 1.0) == 0.5
    assert winner([0.0, 0.0], 1, 2.0, exponential=True) == pytest.approx(0.5)
    assert winner([1.0, -1.0], 1, 2.0, exponential=True) == pytest.approx(A / 2)
