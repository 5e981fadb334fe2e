"""Audits of boxes that keep a generator of their own, beside the same with one that is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import numpy as np
from numpy.random import Generator

import audit
from audit.declaration import Entry
from mechanisms import CATALOG

TITLE = "Generators of their own (one output a call, α = .05)"
_ALPHA = 0.05
_SEEDS = 20
_RUNS = (2_000, 20_000, 200_000)
_PEERS = ("sniper-sparse-vector-1", "sniper-laplace-parallel")
_PEERS_RUNS, _PEERS_SEEDS = 300_000, 3

Release = Callable[[Any, Generator, int], Any]


@dataclass(slots=True)
class Kept:
    """A mechanism that is called with data alone.

    Attributes:
        draw: draws so many outputs from a generator.
        rng: the generator that is kept from call to call.
    """

    draw: Release
    rng: Generator = field(default_factory=lambda: np.random.default_rng(5))

    def __call__(self, data: Any) -> Any:
        return self.draw(data, self.rng, 1)[0]


class Counting(Kept):
    """The same; calls are counted as well, so that its generator is left alone."""

    calls = 0

    def __call__(self, data: Any) -> Any:
        self.calls += 1
        return self.draw(data, self.rng, 1)[0]


def given(release: Release) -> Callable[..., Any]:
    """The same that draws from the generator of each call."""
    return lambda data, rng: release(data, rng, 1)[0]


def of_the_system(release: Release) -> Callable[..., Any]:
    """The same with noise that nobody can repeat."""
    return lambda data: release(data, np.random.default_rng(), 1)[0]


WAYS: dict[str, Callable[[Release], Any]] = {
    "given": given,
    "kept": Kept,
    "kept, calls are counted": Counting,
    "of the system": of_the_system,
}


def laplace(epsilon: float) -> Release:
    """A Laplace count."""
    return lambda data, rng, size: len(data) + rng.laplace(0.0, 1.0 / epsilon, size)


def audited(box: Any, seed: int, runs: int, **pair: Any) -> audit.AuditResult:
    pair = pair or {"data": [1.0], "neighbors": [[]], "epsilon": 1.0}
    return audit.run(box, alpha=_ALPHA, max_samples=runs, seed=seed, **pair)


def _rows() -> Iterator[str]:
    for way, make in WAYS.items():
        refuted = sum(
            audited(make(laplace(1.2)), seed, 2_400).verdict == "violation"
            for seed in range(_SEEDS)
        )
        bounds = [
            [audited(make(laplace(1.0)), seed, runs).epsilon_lower for seed in range(_SEEDS)]
            for runs in _RUNS
        ]
        above = sum(bound > 1.0 for found in bounds for bound in found)
        cells = [f"{median(found):.3f}" for found in bounds]
        peers = [f"{_peer(CATALOG[name], make):.4f}" for name in _PEERS]
        count = len(_RUNS) * _SEEDS
        row = way, f"{refuted} of {_SEEDS}", *cells, f"{above} of {count}", *peers
        yield f"| {' | '.join(row)} |"


def _peer(entry: Entry, make: Callable[[Release], Any]) -> float:
    pair = {
        "data": entry.data,
        "neighbors": entry.neighbors,
        "claim": entry.mechanism.claim,
        "relation": entry.relation,
    }
    release: Any = entry.mechanism.release
    found = [audited(make(release), s, _PEERS_RUNS, **pair) for s in range(_PEERS_SEEDS)]
    return median(result.epsilon_lower for result in found)


def table() -> list[str]:
    """The section of the report."""
    head = (
        "randomness",
        "ε = 1.2 sold as 1 refuted within 2,400 runs",
        *(f"bound on ε = 1 after {runs:,} runs" for runs in _RUNS),
        "above the truth",
        *(f"{CATALOG[name].name}, ε = .1, {_PEERS_RUNS:,} runs" for name in _PEERS),
    )
    told = (
        f"Laplace counts, {_SEEDS} seeds, medians; dp-sniper's mechanisms on the pair of the "
        f"catalogue, {_PEERS_SEEDS} seeds. A generator that is *kept* (`self.rng`) is set anew for "
        "every call, so that such a box is audited as if it were *given* one. Where calls change "
        "anything else, here a counter, it is left alone, and a bound is won again on blocks of "
        "calls."
    )
    return [
        told,
        "",
        f"| {' | '.join(head)} |",
        f"|---{'|--:' * (len(head) - 1)}|",
        *_rows(),
    ]
