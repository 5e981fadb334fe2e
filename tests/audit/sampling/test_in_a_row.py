"""Whether neighbors in time are more alike than runs made apart: an exact test, in two arms."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from audit.outcomes.column import Floats
from audit.outcomes.encoding import encode
from audit.sampling.in_a_row import more_alike_in_a_row

LAWS: dict[str, Callable[[np.random.Generator, int], Floats]] = {
    "numbers": lambda rng, size: rng.laplace(size=(size, 1)),
    "coins": lambda rng, size: rng.integers(0, 2, (size, 1)).astype(float),
    "seldom": lambda rng, size: (rng.random((size, 1)) < 0.02).astype(float),
    "heavy": lambda rng, size: rng.standard_cauchy((size, 1)),
    "parts": lambda rng, size: rng.normal(size=(size, 1)) + rng.normal(size=(size, 5)),
}


@pytest.mark.parametrize("law", LAWS)
def test_independent_runs_keep_the_level(law: str) -> None:
    rng = np.random.default_rng(11)
    found = sum(more_alike_in_a_row(LAWS[law](rng, 200), level=0.05) for _ in range(1_000))
    assert found <= 75  # 50 are allowed; more than 75 come once in three thousand times


@pytest.mark.parametrize("law", ["numbers", "coins", "heavy", "parts"])
@pytest.mark.parametrize("kept", [2, 3, 20, 700])
def test_noise_that_is_kept_is_seen(law: str, kept: int) -> None:
    drawn = LAWS[law](np.random.default_rng(5), 2_000)
    assert more_alike_in_a_row(np.repeat(drawn, kept, axis=0)[: len(drawn)])


def test_a_part_of_the_noise_that_is_kept_is_seen() -> None:
    rng = np.random.default_rng(5)
    kept = np.repeat(rng.normal(size=(400, 1)), 10, axis=0)
    assert more_alike_in_a_row(kept + rng.normal(size=kept.shape))


def test_antithetic_and_sorted_fours_are_no_reason() -> None:
    drawn = np.random.default_rng(5).normal(size=(1_000, 1))
    mirrored = np.stack([drawn, -drawn], axis=1).reshape(-1, 1)
    assert not more_alike_in_a_row(mirrored)


@pytest.mark.parametrize("runs", range(9))
def test_few_runs_show_nothing(runs: int) -> None:
    assert not more_alike_in_a_row(np.zeros((runs, 3)))
    assert not more_alike_in_a_row(np.random.default_rng(1).normal(size=(runs, 3)))


def test_texts_that_never_come_twice_are_not_alike_for_coming_at_the_same_time() -> None:
    rng = np.random.default_rng(5)
    texts = [f"report {number}" for number in rng.random(800)]
    assert not more_alike_in_a_row(encode(texts, len(texts)).table())


def test_texts_that_are_kept_are_seen() -> None:
    rng = np.random.default_rng(5)
    texts = [f"report {number}" for number in rng.random(200) for _ in range(4)]
    assert more_alike_in_a_row(encode(texts, len(texts)).table())


@pytest.mark.filterwarnings("error")
def test_the_largest_numbers_are_compared() -> None:
    rng = np.random.default_rng(5)
    assert not more_alike_in_a_row(rng.choice([-1.7e308, 1.7e308, 0.0], (400, 1)))


def test_a_little_of_the_noise_that_is_kept_is_seen() -> None:
    rng = np.random.default_rng(5)
    kept = np.repeat(rng.normal(size=(200, 1)), 20, axis=0)
    assert more_alike_in_a_row(0.5 * kept + rng.normal(size=kept.shape))


def test_numbers_of_the_calls_are_no_reason() -> None:
    rng = np.random.default_rng(5)
    numbered = np.stack([np.arange(800.0), rng.normal(size=800)], axis=1)
    assert not more_alike_in_a_row(numbered)


def test_outputs_without_parts_show_nothing() -> None:
    assert not more_alike_in_a_row(np.empty((100, 0)))
