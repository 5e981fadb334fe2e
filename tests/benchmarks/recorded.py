"""Bounds on recorded outputs beside those of jax_privacy on the same draws."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from statistics import median
from typing import Any

import numpy as np

from audit.claims import claim_from
from audit.verdict.recorded.evidence import RecordedEvidence
from audit.verdict.recorded.recording import Recording
from tests.canaries.families import mu_of

ALPHA = 0.05
TITLE = "Recorded outputs (`audit samples` as it comes, α = .05)"
_GAUSSIAN_DELTA = 1e-5


@dataclass(frozen=True, slots=True)
class Cell:
    """Files of one mechanism.

    Attributes:
        law: of its noise.
        epsilon: of the mechanism; for Gaussian noise at delta 1e-5.
        draws: on each side.
        delta: at which bounds are compared.
    """

    law: str
    epsilon: float
    draws: int
    delta: float

    def drawn(self, seed: int) -> tuple[Any, Any]:
        """Outputs on a dataset that counts 1 and on one that counts 0."""
        rng = np.random.default_rng([seed, self.draws, int(self.epsilon), self.law == "Laplace"])
        if self.law == "Laplace":
            noise = rng.laplace(0.0, 1.0 / self.epsilon, (2, self.draws))
        else:
            deviation = 1.0 / mu_of(self.epsilon, _GAUSSIAN_DELTA)
            noise = rng.normal(0.0, deviation, (2, self.draws))
        return 1.0 + noise[0], noise[1]

    @property
    def truth(self) -> float:
        """The smallest epsilon that holds at the delta; infinite for Gaussian noise at 0."""
        return self.epsilon if self.law == "Laplace" or self.delta else float("inf")


CELLS = tuple(
    Cell(*cell)
    for cell in product(("Laplace", "Gaussian"), (1.0, 4.0), (1_000, 10_000, 100_000), (0.0, 1e-5))
)


def own_bound(cell: Cell, seed: int) -> float:
    """Of `audit samples` for the mechanism's own claim."""
    claim = claim_from(epsilon=cell.epsilon, delta=cell.delta)
    assert claim is not None
    names = ("D", "D1")
    recordings = [
        Recording(name, name, held) for name, held in zip(names, cell.drawn(seed), strict=True)
    ]
    return RecordedEvidence.of(recordings, claim, 20, ALPHA).levels["epsilon_lower"]


def other_bounds(peer: Any, cell: Cell, seed: int) -> tuple[float, float]:
    """Clopper-Pearson bounds at all thresholds with a correction, one-sided and two-sided."""
    auditor = peer.CanaryScoreAuditor(*cell.drawn(seed))
    one, two = (
        float(auditor.epsilon_clopper_pearson(ALPHA, cell.delta, one_sided))
        for one_sided in (True, False)
    )
    return one, two


def rows(peer: Any, seeds: int) -> Iterator[str]:
    """A line of Markdown for each cell."""
    for cell in CELLS:
        began = time.perf_counter()
        own = [own_bound(cell, seed) for seed in range(seeds)]
        seconds = (time.perf_counter() - began) / seeds
        others = [other_bounds(peer, cell, seed) for seed in range(seeds)]
        one, two = (median(side) for side in zip(*others, strict=True))
        above = sum(bound > cell.truth for bound in own)
        yield (
            f"| {cell.law} | {cell.epsilon:g} | {cell.draws:,} | {cell.delta:g} "
            f"| {median(own):.4f} | {one:.4f} | {median(own) / one:.3f} "
            f"| {two:.4f} | {median(own) / two:.3f} | {above} of {seeds} | {seconds:.2f} |"
        )


def section(peer: Any, seeds: int = 11) -> list[str]:
    """The section of the report, without its title."""
    head = "| noise | ε | draws a side | δ | median bound | jax_privacy | ÷ | its two-sided | ÷ "
    told = (
        f"Medians over {seeds} seeds of the lower bound on ε at that δ, on the same draws. "
        "Gaussian noise is exactly (ε, 1e-5). jax_privacy 2.3.0.dev0: `epsilon_clopper_pearson` as "
        "it comes (all thresholds, with its correction), and with `one_sided=False`; it is told "
        "that larger outputs speak for D, `audit samples` is not. Reproduce: `python -m "
        "tests.benchmarks.study --section Recorded --peer .../jax_privacy/auditing.py`."
    )
    return [
        told,
        "",
        f"{head}| above the truth | seconds |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
        *rows(peer, seeds),
    ]
