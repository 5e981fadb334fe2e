"""Extent of an audit in words."""

from __future__ import annotations

from typing import Any

import pytest
from numpy.random import Generator

import audit


def noisy_count(data: Any, rng: Generator, size: int) -> Any:
    return len(data) + rng.laplace(0, 1, size)


def of_any(data: Any, rng: Generator, size: int) -> Any:
    """A count that the first record alone changes."""
    return min(1, len(data)) + rng.laplace(0, 1, size)


@pytest.mark.parametrize(
    ("box", "given", "empty"),
    [
        (of_any, {"domain": "bool"}, True),
        (noisy_count, {"domain": "bool"}, False),
        (noisy_count, {"data": [1.0], "neighbors": [[]]}, False),
    ],
)
def test_bets_on_an_empty_dataset_alone_are_said(box: Any, given: Any, empty: bool) -> None:
    result = audit.run(box, 1.0, max_samples=2_000, assume=("independent-calls",), **given)
    pairs = result.tried[0].partition(":")[0]
    assert (", one of them empty" in pairs or ", each with an empty one" in pairs) is empty, pairs
