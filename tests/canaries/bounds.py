"""Bounds on mechanisms whose epsilon is known, beside those of jax_privacy on the same draws."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.random import default_rng

import audit
from audit.canary.design import Flags, Floats
from tests.canaries.families import gaussian, laplace, mu_of, response

CANARIES, ALPHA, DELTA = 1000, 0.05, 1e-5
OTHERS = ("all thresholds", "half of the canaries choose", "threshold ½")
GAUSSIAN_ONLY = "Gaussian reading, threshold ½"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One mechanism.

    Attributes:
        name: for the report.
        epsilon: the smallest that holds at `DELTA`.
        score: from coins to scores.
        wanted: the median bound that is asked for; None where none is.
    """

    name: str
    epsilon: float
    score: Callable[[Flags, np.random.Generator], Floats]
    wanted: float | None = None


ROWS: tuple[Row, ...] = (
    Row(name="randomized response", epsilon=1.0, score=response(1.0), wanted=None),
    Row(name="randomized response", epsilon=2.0, score=response(2.0), wanted=1.72),
    Row(name="randomized response", epsilon=4.0, score=response(4.0), wanted=3.40),
    Row(name="Laplace", epsilon=1.0, score=laplace(1.0), wanted=None),
    Row(name="Laplace", epsilon=2.0, score=laplace(2.0), wanted=1.68),
    Row(name="Laplace", epsilon=4.0, score=laplace(4.0), wanted=3.30),
    Row(name="Gaussian", epsilon=4.0, score=gaussian(mu_of(4.0, DELTA)), wanted=1.40),
    Row(name="Gaussian", epsilon=8.0, score=gaussian(mu_of(8.0, DELTA)), wanted=2.70),
)


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds of one mechanism.

    Attributes:
        row: which.
        own: ours, one for each seed.
        others: those of the peer by method, on the first of the same draws.
    """

    row: Row
    own: list[float]
    others: dict[str, list[float]] = field(default_factory=dict)


def drawn(row: Row, seed: int) -> tuple[Flags, Floats]:
    """Coins and scores."""
    rng = default_rng(seed)
    members = rng.random(CANARIES) < 0.5
    return members, row.score(members, rng)


def own_bound(row: Row, seed: int) -> float:
    """Of the mechanism's own claim."""
    members, scores = drawn(row, seed)
    claim: dict[str, Any] = {"epsilon": row.epsilon, "delta": DELTA, "assignment": "coin"}
    return audit.canaries(scores, members, alpha=ALPHA, seed=seed, **claim).epsilon_lower


def loaded(path: Path) -> Any:
    """The peer's module of auditing, which needs nothing else of its package."""
    spec = importlib.util.spec_from_file_location("peer_auditing", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def other_bounds(peer: Any, row: Row, seed: int) -> dict[str, float]:
    """The one-run bounds of arXiv 2305.08846 as the peer computes them, by choice of threshold."""
    auditor = _auditor(peer, row, seed)
    ways = (peer.Bonferroni(), peer.Split(seed=seed), peer.Explicit(0.5))
    return {
        name: float(auditor.epsilon_one_run(ALPHA, DELTA, threshold_strategy=way))
        for name, way in zip(OTHERS, ways, strict=True)
    }


def gaussian_bound(peer: Any, row: Row, seed: int) -> float:
    """The epsilon that the peer reads off the guesses as if the mechanism were Gaussian."""
    way = peer.Explicit(0.5)
    auditor = _auditor(peer, row, seed)
    return float(auditor.epsilon_one_run_fdp(ALPHA, DELTA, threshold_strategy=way))


def _auditor(peer: Any, row: Row, seed: int) -> Any:
    members, scores = drawn(row, seed)
    return peer.CanaryScoreAuditor(scores[members], scores[~members])


def bounds_of(row: Row, seeds: int, peer: Any = None, slow_seeds: int = 0) -> Bounds:
    """All bounds of a mechanism; the slow one of the peer on fewer draws."""
    found = Bounds(row, [own_bound(row, seed) for seed in range(seeds)])
    if peer is not None:
        told = [other_bounds(peer, row, seed) for seed in range(seeds)]
        found.others.update({name: [one[name] for one in told] for name in OTHERS})
        found.others[GAUSSIAN_ONLY] = [gaussian_bound(peer, row, s) for s in range(slow_seeds)]
    return found


def all_bounds(seeds: int, peer: Any = None, slow_seeds: int = 0) -> Iterator[Bounds]:
    """Of all mechanisms."""
    for row in ROWS:
        yield bounds_of(row, seeds, peer, slow_seeds)


def best_of(found: Bounds) -> tuple[str, float]:
    """The peer's method with the largest median, the Gaussian reading left out."""
    medians = {name: median(found.others[name]) for name in OTHERS}
    name = max(medians, key=lambda name: medians[name])
    return name, medians[name]


def above(bounds: list[float], truth: float) -> int:
    """How many bounds exceed the truth."""
    return sum(bound > truth for bound in bounds)
