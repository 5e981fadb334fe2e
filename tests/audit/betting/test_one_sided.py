"""What one dataset shows now and then and the other never is counted, and found by a search."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

import audit
from audit.betting.growth_score import one_sided
from audit.outcomes.encoding import encode
from audit.outcomes.outcomes import PairedOutcomes

NOISE = np.random.default_rng(1).normal(size=1000)


def counted(left: Any, right: Any) -> int:
    return one_sided(PairedOutcomes(encode(left, len(left)), encode(right, len(right))))


@pytest.mark.parametrize(
    "trace",
    [
        lambda value: {"a": value, "rare": 1},
        lambda value: {"a": 7},
        lambda value: {"a": "word"},
        lambda value: {"a": [value, value]},
        lambda value: None,
    ],
)
def test_a_key_a_value_a_word_and_a_length_are_seen_on_either_side(trace: Any) -> None:
    usual = [{"a": float(value)} for value in NOISE]
    other = [trace(1.0) if place % 100 == 0 else one for place, one in enumerate(usual)]
    assert counted(other, usual) == counted(usual, other) == 10


def test_what_both_have_and_what_never_repeats_does_not_count() -> None:
    assert counted(NOISE, NOISE + 1.0) <= 1
    assert counted(["x", "y"] * 500, ["y", "x"] * 500) == 0
    assert counted([{"k": 1}] * 50 + [{}] * 950, [{"k": 1}] + [{}] * 999) == 0


def histogram(threshold: float) -> Any:
    """Counts of the texts that are there, where the noisy one is above a threshold."""

    def box(data: Any, rng: Generator) -> dict[str, float]:
        names, counts = np.unique(np.array([*map(str, data)], dtype="U9"), return_counts=True)
        noisy = counts + rng.laplace(scale=2.0, size=len(counts))
        return {n: float(v) for n, v in zip(names.tolist(), noisy, strict=True) if v > threshold}

    return box


@pytest.mark.slow
@pytest.mark.parametrize(
    ("threshold", "verdict"),
    [(1.0 + 2.0 * np.log(1 / 2e-2), "violation"), (1.0 + 2.0 * np.log(1 / 2e-6), "not-refuted")],
)
def test_a_threshold_that_is_too_low_for_its_delta_is_found_by_search(
    threshold: float, verdict: str
) -> None:
    """A key that nobody else has shows with probability .01 where 1e-4 is claimed, or 1e-6."""
    result = audit.run(
        histogram(threshold),
        epsilon=1.0,
        delta=1e-4,
        domain="choice:apple,pear,quince",
        alpha=0.01,
        max_samples=100_000,
        name="histogram",
    )
    assert result.verdict == verdict
