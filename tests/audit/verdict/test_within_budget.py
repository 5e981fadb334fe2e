"""No audit makes more runs than it may, whatever is claimed, kept and asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

import audit
from audit.claims import DP, ZCDP, Claim, GaussianDP, RenyiDP, profile_claim

CLAIMS: dict[str, Claim] = {
    "pure": DP(1.0),
    "approximate": DP(1.0, 0.05),
    "zcdp": ZCDP(0.5),
    "renyi": RenyiDP(2, 1.0),
    "gaussian": GaussianDP(1.0),
    "profile": profile_claim([(0.0, 0.4), (1.0, 0.13)]),
}


class Own:
    """Gaussian noise from a generator of its own."""

    def __init__(self, scale: float) -> None:
        self.scale, self.rng = scale, np.random.default_rng(1)

    def __call__(self, data: Any, size: int) -> Any:
        return len(data) + self.rng.normal(0.0, self.scale, size)


def seeded(scale: float) -> Any:
    def release(data: Any, rng: Generator, size: int) -> Any:
        return len(data) + rng.normal(0.0, scale, size)

    return release


@pytest.mark.parametrize("make", [seeded, pytest.param(Own, marks=pytest.mark.slow)])
@pytest.mark.parametrize("scale", [pytest.param(0.5, marks=pytest.mark.slow), 1.0])
@pytest.mark.parametrize("claim", CLAIMS)
@pytest.mark.parametrize("domain", [None, pytest.param("int:0:9", marks=pytest.mark.slow)])
def test_no_more_runs_are_made_than_allowed(
    make: Any, scale: float, claim: str, domain: str | None
) -> None:
    where: dict[str, Any] = {"domain": domain} if domain else {"data": [1, 2, 3]}
    most = 30_000 if domain else 4_000
    result = audit.run(make(scale), CLAIMS[claim], **where, max_samples=most)
    assert result.samples <= most
    assert sum(result.effort.values()) == result.samples


@pytest.mark.slow
def test_nor_where_a_bound_on_epsilon_is_confirmed_beside_that_of_the_claim() -> None:
    result = audit.run(seeded(1.0), claim=GaussianDP(1.0), data=[1, 2, 3], max_samples=400_000)
    assert result.verdict == "not-refuted"
    assert result.effort["tables"] > 0
    assert result.samples <= 400_000


@pytest.mark.parametrize("runs", [1, 2, 5, 10, 64, 100, 126])
def test_nor_where_next_to_none_are(runs: int) -> None:
    asked: dict[str, Any] = {"epsilon": 1.0, "domain": "int:0:9", "max_samples": runs}
    alone = audit.run(lambda data, rng: len(data) + rng.normal(), **asked)
    assert alone.samples <= runs
    assert audit.run(seeded(1.0), **asked).samples <= runs
