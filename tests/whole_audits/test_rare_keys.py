"""Keys that show a record, however rarely: the search finds the pair, and the bets go there."""

from __future__ import annotations

from collections import Counter
from statistics import median
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

import audit
from audit.betting.sameness import Sameness
from audit.boxes import SqlBlackBox
from audit.outcomes.encoding import encode

CITIES = ("Rome", "Paris", "Oslo")


def above_five(data: Any, rng: Generator) -> dict[str, float]:
    """Noisy counts above 5 of the cities in the data: 0.9% of the runs show a single record."""
    noisy = {city: n + rng.laplace() for city, n in sorted(Counter(data).items())}
    return {city: n for city, n in noisy.items() if n > 5.0}


def of_all(data: Any, rng: Generator) -> dict[str, float]:
    """The same of all cities, whoever lives there."""
    held = Counter(data)
    noisy = {city: held[city] + rng.laplace() for city in CITIES}
    return {city: n for city, n in noisy.items() if n > 5.0}


QUERY = (
    "SELECT city, n FROM (SELECT city, count(*) + ln(random()) - ln(random()) AS n FROM data "
    "GROUP BY city) WHERE n > 5 ORDER BY city"
)
GIVEN: dict[str, Any] = {"epsilon": 1.0, "max_samples": 30_000, "until": "violation"}
ORACLE = 4_900
"""Runs of a bet on the event alone, known beforehand."""


def runs(mechanism: Any, domain: str, seed: int) -> int:
    """Runs of the search and the bets of an audit that refutes the claim."""
    result = audit.run(mechanism, domain=domain, assume=("independent-calls",), seed=seed, **GIVEN)
    assert result.verdict == "violation"
    return result.effort["search"] + result.effort["bets"]


@pytest.mark.slow
def test_a_rare_key_is_found_by_search_within_three_times_the_runs_of_an_oracle() -> None:
    domain = f"choice:{','.join(CITIES)}"
    assert median(runs(above_five, domain, seed) for seed in range(9)) <= 3 * ORACLE
    pairs = f"city={domain},spend=int:0:9"
    queries = [runs(SqlBlackBox(QUERY), pairs, seed) for seed in range(5)]
    assert median(queries) <= 3 * ORACLE


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_keys_of_all_cities_are_not_refuted(seed: int) -> None:
    result = audit.run(
        of_all,
        domain=f"choice:{','.join(CITIES)}",
        assume=("independent-calls",),
        seed=seed,
        **GIVEN,
    )
    assert result.verdict == "not-refuted"


def _held(left: list[Any], right: list[Any]) -> Sameness:
    held = Sameness()
    for one, other in zip(left, right, strict=True):
        held.add((encode([one], 1), encode([other], 1)))
    return held


def test_outputs_that_vary_on_one_dataset_alone_are_lopsided() -> None:
    assert _held([{}, {}, {}], [{}, {}, {"a": 5.5}]).lopsided
    assert _held([{}, {"a": 6.0}, {}], [{}, {}, {}]).lopsided
    assert not _held([{}, {"a": 6.0}], [{"a": 7.0}, {}]).lopsided
    assert not _held([{}, {}], [{"a": 1.0}, {"a": 1.0}]).lopsided
    assert not _held([{}, {}], [{}, {}]).lopsided
    assert any(_held([{}, {}], [{}, {"a": np.float64(1.0)}]).sides)
