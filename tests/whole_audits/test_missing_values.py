"""Missing values: read next to numbers, searched for in a domain that has them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import audit
from audit.neighbors.data_files import read_data


def noisy(value: Any, rng: np.random.Generator) -> float:
    return float(min(10, max(0, min(10, max(0, value)) + rng.laplace(0, 10))))


def missing(value: Any) -> bool:
    return value is None or value != value


def passed_on(data: Any, rng: np.random.Generator) -> list[float | None]:
    return [None if missing(value) else noisy(value, rng) for value in data]


def put_in_the_middle(data: Any, rng: np.random.Generator) -> list[float]:
    return [noisy(5 if missing(value) else value, rng) for value in data]


@pytest.mark.parametrize(("data", "neighbor"), [("[5]", "[null]"), ("[null]", "[5]")])
@pytest.mark.parametrize(
    ("function", "verdict"), [(passed_on, "violation"), (put_in_the_middle, "not-refuted")]
)
def test_a_missing_value_next_to_a_number_is_read(
    data: str, neighbor: str, function: Any, verdict: str
) -> None:
    result = audit.run(
        function,
        epsilon=1.0,
        relation="substitute",
        data=read_data(data),
        neighbors=[read_data(neighbor)],
        max_samples=6_000,
    )
    assert result.verdict == verdict


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "verdict"), [(passed_on, "violation"), (put_in_the_middle, "not-refuted")]
)
def test_missing_values_are_searched_for(function: Any, verdict: str) -> None:
    result = audit.run(
        function,
        epsilon=1.0,
        relation="substitute",
        domain="int:0:10:missing[1]",
        max_samples=6_000,
    )
    assert result.verdict == verdict
