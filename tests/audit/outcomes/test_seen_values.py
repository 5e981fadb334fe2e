"""Noise of few values: what was seen before on one side alone is an event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import audit
from audit.outcomes.encoding import OUTPUT, encode
from audit.outcomes.fitted_features import SeenBefore, seen_values
from audit.outcomes.outcomes import Outcomes

Release = Callable[..., Any]


def outcomes(values: Any) -> Outcomes:
    return encode(values, len(values))


def drawn_from(number: int, size: int, shift: float = 0.0, seed: int = 0) -> Outcomes:
    """So many draws of noise that takes so many values."""
    table = np.random.default_rng(9).laplace(size=number)
    return outcomes(shift + np.random.default_rng(seed).choice(table, size))


def codes(feature: SeenBefore, values: Any) -> list[int]:
    column = feature.read(outcomes(values))
    assert column.symbols is not None
    return [int(code) for code in column.symbols]


def test_numbers_that_came_again_are_remembered_by_their_side() -> None:
    left, right = drawn_from(500, 600), drawn_from(500, 600, 1.0, 1)
    (feature,) = seen_values(left, right, OUTPUT)
    assert set(codes(feature, left.columns[OUTPUT].values)) == {1}
    assert set(codes(feature, right.columns[OUTPUT].values)) == {2}
    assert codes(feature, [0.123, np.inf, np.nan]) == [3, 3, 3]
    assert "1,200" not in feature.words


def test_last_bits_make_no_other_number() -> None:
    left, right = drawn_from(500, 600), drawn_from(500, 600, 1.0, 1)
    (feature,) = seen_values(left, right, OUTPUT)
    values = left.columns[OUTPUT].values
    assert set(codes(feature, np.nextafter(values, np.inf))) == {1}
    assert set(codes(feature, values + 1e-3)) == {3}


def test_what_both_sides_gave_says_nothing() -> None:
    left, right = drawn_from(50, 600), drawn_from(50, 600, seed=1)
    (feature,) = seen_values(left, right, OUTPUT)
    assert (feature.left, feature.right) == ((), ())
    assert set(codes(feature, left.columns[OUTPUT].values)) == {3}


@pytest.mark.parametrize(
    "values",
    [
        np.random.default_rng(1).laplace(size=2_000),
        np.float64(-np.log(1 - np.random.default_rng(1).random(1 << 14, np.float32))),
        np.random.default_rng(1).geometric(0.001, 2_000),
        ["a", "b"] * 1_000,
        [np.nan] * 2_000,
    ],
    ids=["continuous", "single precision", "whole numbers", "texts", "no numbers"],
)
def test_others_are_not_looked_at(values: Any) -> None:
    held = outcomes(values)
    assert list(seen_values(held, held, OUTPUT)) == []


def short_seed(seeds: int) -> Release:
    """A noisy count whose noise follows from one of so many seeds."""
    table = np.random.default_rng(5).laplace(size=seeds)
    return lambda data, rng, size: len(data) + table[rng.integers(0, seeds, size)]


def short_seed_singly(seeds: int) -> Release:
    return lambda data, rng: (
        len(data) + float(np.random.default_rng(int(rng.integers(0, seeds))).laplace())
    )


def _single(rng: Any, size: int) -> Any:
    signs = rng.choice(np.array([-1.0, 1.0], np.float32), size)
    return signs * -np.log(np.float32(1.0) - rng.random(size, np.float32))


RIGHT: dict[str, Release] = {
    "continuous": lambda data, rng, size: len(data) + rng.laplace(size=size),
    "rounded": lambda data, rng, size: np.round(len(data) + rng.laplace(size=size), 3),
    "of single precision": lambda data, rng, size: len(data) + _single(rng, size),
    "rounded singly": lambda data, rng: round(len(data) + rng.laplace(), 3),
}


def audited(release: Release, runs: int) -> audit.AuditResult:
    asked: dict[str, Any] = {"data": [1, 1], "neighbors": [[1]], "max_samples": runs}
    return audit.run(release, epsilon=1.0, seed=3, **asked)


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [2_000, 65_536])
def test_noise_from_a_short_seed_is_caught(seeds: int) -> None:
    result = audited(short_seed(seeds), 200_000)
    assert result.verdict == "violation"
    assert result.epsilon_lower > 4.0
    assert result.witness is not None
    words = result.witness.event.description
    assert words.startswith("the earlier occurrence of the output is on ") and words.endswith(
        " alone"
    )


@pytest.mark.slow
def test_so_is_a_seed_of_every_run() -> None:
    assert audited(short_seed_singly(2_000), 20_000).verdict == "violation"


@pytest.mark.slow
@pytest.mark.parametrize("release", RIGHT.values(), ids=RIGHT)
def test_other_noise_is_not(release: Release) -> None:
    result = audited(release, 30_000)
    assert result.verdict == "not-refuted"
    assert 0.8 < result.epsilon_lower <= 1.0
