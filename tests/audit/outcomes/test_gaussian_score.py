"""Gaussian scores find what several parts show together, and only that."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from audit.outcomes.column import Floats
from audit.outcomes.encoding import encode
from audit.outcomes.fitted_features import WeightedScore, gaussian_scores

PARTS = 6


def fitted(left: Floats, right: Floats) -> list[WeightedScore]:
    sides = encode(left, len(left)), encode(right, len(right))
    names = tuple(f"output[{place}]" for place in range(PARTS))
    return list(gaussian_scores(*sides, names))


def read(score: WeightedScore, rows: Floats) -> Floats:
    return score.read(encode(rows, len(rows))).values


def told_apart(score: WeightedScore, left: Floats, right: Floats) -> float:
    """Chance that fresh draws of both sides are put in their order."""
    found = stats.mannwhitneyu(read(score, left), read(score, right))
    return float(found.statistic) / (len(left) * len(right))


def drawn(rng: np.random.Generator, covariance: Floats, shift: float, runs: int) -> Floats:
    mean = np.zeros(PARTS)
    mean[2] = shift
    return rng.multivariate_normal(mean, covariance, runs) * 30.0 + 500.0


def correlated(by: float) -> Floats:
    covariance = np.eye(PARTS)
    covariance[1, 4] = covariance[4, 1] = by
    return covariance


@pytest.mark.parametrize("by", [0.7, -0.9])
def test_a_correlation_is_told_from_its_opposite(by: float) -> None:
    rng = np.random.default_rng(0)
    sides = [drawn(rng, correlated(sign * by), 0.0, 400) for sign in (1, -1)]
    linear, square = fitted(sides[0][:100], sides[1][:100])
    assert told_apart(square, sides[0][100:], sides[1][100:]) > 0.75
    assert abs(told_apart(linear, sides[0][100:], sides[1][100:]) - 0.5) < 0.1


def test_a_shift_is_seen_where_the_noise_of_two_parts_is_nearly_the_same() -> None:
    rng = np.random.default_rng(1)
    covariance = np.eye(PARTS)
    covariance[0, 2] = covariance[2, 0] = 0.9999
    sides = [drawn(rng, covariance, shift, 400) for shift in (0.0, 0.05)]
    linear, _ = fitted(sides[0][:100], sides[1][:100])
    assert told_apart(linear, sides[0][100:], sides[1][100:]) > 0.95


def test_the_like_is_not_told_apart() -> None:
    rng = np.random.default_rng(2)
    sides = [drawn(rng, correlated(0.8), 0.0, 1_000) for _ in range(2)]
    for score in fitted(sides[0][:100], sides[1][:100]):
        assert abs(told_apart(score, sides[0][100:], sides[1][100:]) - 0.5) < 0.05


def test_an_output_is_scored_by_itself() -> None:
    rng = np.random.default_rng(3)
    sides = [drawn(rng, correlated(by), 0.0, 200) for by in (0.8, -0.8)]
    for score in fitted(*sides):
        whole = read(score, sides[0])
        parts = np.concatenate([read(score, sides[0][k : k + 1]) for k in range(len(sides[0]))])
        assert whole.tolist() == parts.tolist()


def test_last_bits_make_no_score() -> None:
    """A sum that is the same but for its rounding tells nothing, however often it is rounded up."""
    rng = np.random.default_rng(4)

    def side(rounded: float) -> Floats:
        rows = rng.normal(size=(300, PARTS))
        rows[:, 5] = -rows[:, :5].sum(axis=1) * (1.0 + rounded * 2.0**-52)
        return rows

    left, right = side(0.0), side(4.0)
    for score in fitted(left[:100], right[:100]):
        assert abs(told_apart(score, left[100:], right[100:]) - 0.5) < 0.1


@pytest.mark.parametrize("runs", [2, 17])
def test_few_draws_are_no_reason_for_a_score(runs: int) -> None:
    rows = np.random.default_rng(5).normal(size=(runs, PARTS))
    assert fitted(rows, rows) == []


def test_what_is_no_number_counts_as_the_centre() -> None:
    rng = np.random.default_rng(6)
    sides = [drawn(rng, correlated(0.8), shift, 100) for shift in (0.0, 1.0)]
    for side in sides:
        side[rng.random(side.shape) < 0.05] = np.nan
        side[0, 0], side[1, 1] = np.inf, 1e308
    for score in fitted(*sides):
        assert np.isfinite(read(score, sides[0])).all()


def test_numbers_farther_than_any_that_was_fitted_have_a_score() -> None:
    rng = np.random.default_rng(7)
    sides = [drawn(rng, correlated(0.8), shift, 100) for shift in (0.0, 1.0)]
    far = np.where(rng.random((50, PARTS)) < 0.5, 1e308, -1e300)
    for score in fitted(*sides):
        assert np.isfinite(read(score, far)).all()
        assert not score.read(encode(far, len(far))).names[1:]
