"""How long an audit of many canaries takes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from numpy.random import default_rng

import audit
from tests.canaries.families import coins, gaussian

CLAIMS: tuple[dict[str, Any], ...] = (
    {"epsilon": 2.0},
    {"epsilon": 2.0, "delta": 1e-8},
    {"mu": 1.0},
    {"rho": 0.5},
    {"renyi": (4.0, 2.0)},
)


@dataclass(frozen=True, slots=True)
class Timed:
    """One audit: its claim in words, canaries, seconds of this process, lower bound."""

    claim: str
    canaries: int
    seconds: float
    bound: float


def all_timed(canaries: int) -> Iterator[Timed]:
    """All kinds of claim, on Gaussian noise of mu = 1."""
    columns = coins(canaries, gaussian(1.0))(default_rng(1))
    for claim in CLAIMS:
        started = time.process_time()
        result = audit.canaries(
            columns["score"], columns["member"], assignment="coin", alpha=0.05, **claim
        )
        seconds = time.process_time() - started
        yield Timed(str(result.claim), canaries, seconds, result.levels[result.claim.bound])
