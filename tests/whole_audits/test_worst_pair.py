"""The smallest pair is shown, and the lower bound is won on the worst."""

from __future__ import annotations

import math
import random
import secrets
from collections import Counter
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

import audit
from audit.verdict.result import AuditResult

DOMAIN = "int:0:3"


def equal_pairs(data: Any) -> float:
    return sum(count * (count - 1) / 2 for count in Counter(map(int, data)).values())


def unbounded(data: Any, rng: Generator, size: int) -> Any:
    """One record more changes as many pairs as there are records like it."""
    return equal_pairs(data) / 2 + rng.laplace(0.0, 1.0, size)


def bounded(data: Any, rng: Generator, size: int) -> Any:
    """The same of the first three records, which one record changes by 2 at most."""
    return equal_pairs(list(data)[:3]) / 2 + rng.laplace(0.0, 1.0, size)


def twice(data: Any, rng: Generator, size: int) -> Any:
    """Every pair of datasets loses 2."""
    return 2 * len(data) + rng.laplace(0.0, 1.0, size)


def audited(mechanism: Any, **more: Any) -> AuditResult:
    given: dict[str, Any] = {"domain": DOMAIN, "max_samples": 200_000} | more
    return audit.run(mechanism, epsilon=1.0, **given)


@pytest.mark.slow
def test_the_bound_is_that_of_the_worst_pair_and_the_witness_the_smallest() -> None:
    result = audited(unbounded, domain=f"{DOMAIN}[0..9]")
    assert result.verdict == "violation"
    assert result.witness is not None
    assert result.witness.pair == "S1"
    assert len(result.witness.neighbor) <= 5
    lost = abs(equal_pairs(result.witness.dataset) - equal_pairs(result.witness.neighbor)) / 2
    assert lost < result.epsilon_lower
    worst = result.worst
    assert worst is not None
    assert worst.epsilon_lower == result.epsilon_lower
    truth = abs(equal_pairs(worst.dataset) - equal_pairs(worst.neighbor)) / 2
    assert lost < result.epsilon_lower <= truth


@pytest.mark.slow
@pytest.mark.parametrize("until", ["violation", "budget"])
def test_who_does_not_ask_how_much_is_told_of_one_pair(until: str) -> None:
    result = audited(unbounded, until=until)
    assert result.verdict == "violation"
    assert result.worst is not None


@pytest.mark.slow
def test_where_no_pair_loses_more_one_is_enough() -> None:
    result = audited(twice)
    assert result.verdict == "violation"
    assert 1.8 < result.epsilon_lower <= 2.0
    assert result.worst is not None


@pytest.mark.slow
def test_what_keeps_its_claim_on_all_pairs_is_not_refuted() -> None:
    result = audited(bounded)
    assert result.verdict == "not-refuted"
    assert 0.8 < result.epsilon_lower <= 1.0


def of_the_system(data: Any) -> int:
    """Two-sided geometric noise of ε = 1.15 on a count, by seeds of the operating system."""
    rng, success = np.random.default_rng(secrets.randbits(64)), 1.0 - math.exp(-1.15)
    return int(np.sum(data)) + int(rng.geometric(success) - rng.geometric(success))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 7])
def test_what_wins_most_in_the_end_may_be_on_a_pair_that_waits(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Bets go on with the pair that led when the claim fell, and fall behind another's."""
    monkeypatch.setattr(secrets, "randbits", random.Random(seed).getrandbits)
    result = audit.run(
        of_the_system,
        epsilon=1.0,
        data=[1, 0, 1, 1, 0],
        domain="int:0:1",
        max_samples=40_000,
        seed=seed,
    )
    assert result.verdict in ("violation", "inconclusive")
    assert result.epsilon_lower <= 1.15


def visits(data: Any, rng: Generator, size: int) -> Any:
    """Up to five of one person, with noise for one."""
    return data.sum() + rng.laplace(0.0, 1.0, size)


@pytest.mark.parametrize("budget", [5_000, 20_000])
def test_a_small_budget_reaches_the_worst_pair_too(budget: int) -> None:
    result = audited(visits, domain="int:0:5", max_samples=budget)
    assert result.worst is not None
    assert abs(sum(result.worst.dataset) - sum(result.worst.neighbor)) == 5
    assert 3.0 <= result.epsilon_lower <= 5.0
