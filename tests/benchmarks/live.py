"""Bounds of short audits that draw for themselves, beside jax_privacy's; and large losses.

python -m tests.benchmarks.live --peer .../jax_privacy/auditing.py
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from statistics import median
from typing import Any

import numpy as np
from numpy.random import Generator

import audit
from audit.case import Until
from tests.benchmarks.recorded import ALPHA, Cell, options_of, other_bounds
from tests.benchmarks.study import renewed, version
from tests.canaries.bounds import loaded
from tests.canaries.families import mu_of

TITLE = "Live audits of so many runs in all (one output a call, α = .05)"
LARGE = "Large losses (α = .05)"
_DELTA = 1e-5
_CELLS = tuple(
    Cell(law, epsilon, draws, 0.0 if law == "Laplace" else _DELTA)
    for law, epsilon, draws in product(("Laplace", "Gaussian"), (1.0, 4.0), (1_000, 10_000))
)


def released(cell: Cell) -> Callable[..., float]:
    """A count of the records with the noise of a cell."""
    deviation = 1.0 / (cell.epsilon if cell.law == "Laplace" else mu_of(cell.epsilon, _DELTA))

    def release(data: list[float], rng: Generator) -> float:
        noise = rng.laplace if cell.law == "Laplace" else rng.normal
        return len(data) + float(noise(0.0, deviation))

    return release


def own_bound(cell: Cell, seed: int, apart: bool) -> float:
    """Of an audit that makes as many runs in all as there are draws on both sides.

    Args:
        cell: the mechanism.
        seed: of the audit; noise that is apart is the system's, and follows from nothing.
        apart: whether the mechanism takes its noise from the system.
    """
    release = released(cell)

    def from_system(data: list[float]) -> float:
        return release(data, np.random.default_rng())

    result = audit.run(
        from_system if apart else release,
        epsilon=cell.epsilon,
        delta=cell.delta,
        data=[1.0],
        neighbors=[[]],
        alpha=ALPHA,
        max_samples=2 * cell.draws,
        seed=seed,
        assume=("independent-calls",),
    )
    return result.epsilon_lower


def rows(peer: Any, seeds: int) -> Iterator[str]:
    """A line of Markdown for each cell, and each way to take the noise."""
    for cell in _CELLS:
        others = [other_bounds(peer, cell, seed) for seed in range(seeds)]
        one, two = (median(side) for side in zip(*others, strict=True))
        for apart in (False, True):
            own = [own_bound(cell, seed, apart) for seed in range(seeds)]
            above = sum(bound > cell.truth for bound in own)
            yield (
                f"| {cell.law} | {cell.epsilon:g} | {cell.draws:,} | {cell.delta:g} "
                f"| {'the system' if apart else 'the audit'} | {median(own):.4f} "
                f"| {one:.4f} | {median(own) / one:.3f} | {two:.4f} | {median(own) / two:.3f} "
                f"| {above} of {seeds} |"
            )


def section(peer: Any, seeds: int) -> list[str]:
    """The section of the report, without its title."""
    told = (
        f"Of version {version()}. Medians over {seeds} seeds of the lower bound on ε at that δ. "
        "An audit makes twice as many runs as stand under *draws a side*, with all that it spends "
        "on checks and tables; jax_privacy 2.0.0 has that many draws on each side (see the "
        "recorded outputs). Reproduce: `python -m tests.benchmarks.live "
        f"--seeds {seeds} --peer .../jax_privacy/auditing.py`."
    )
    head = "| noise | ε | draws a side | δ | randomness of | median bound | jax_privacy | ÷ "
    return [
        told,
        "",
        f"{head}| its two-sided | ÷ | above the truth |",
        "|---|--:|--:|--:|---|--:|--:|--:|--:|--:|--:|",
        *rows(peer, seeds),
    ]


def large(seeds: int) -> list[str]:
    """How soon half the noise of a Gaussian mechanism at (8, 1e-5) is refuted."""
    deviation = 0.5 / mu_of(8.0, _DELTA)

    def one(data: list[float], rng: Generator) -> float:
        return len(data) + float(rng.normal(0.0, deviation))

    def many(data: list[float], rng: Generator, size: int) -> Any:
        return len(data) + rng.normal(0.0, deviation, size)

    told = (
        f"Of version {version()}. Half the noise of a Gaussian mechanism at (8, 1e-5), until the "
        f"claim is refuted, {seeds} seeds, calls being assumed independent. Two runs count as a "
        "pair, whether they are drawn in pairs or by coins."
    )
    lines = [
        told,
        "",
        "| outputs of a call | violations | median pairs bet with | worst | wanted |",
        "|---|--:|--:|--:|--:|",
    ]
    for name, box in (("one", one), ("many", many)):
        found = [_half(box, seed) for seed in range(seeds)]
        bets = [run["bets"] / 2 for run in found]
        won = sum(run["won"] for run in found)
        lines.append(
            f"| {name} | {won} of {seeds} | {median(bets):,.0f} | {max(bets):,.0f} | 100,000 |"
        )
    return lines


def _half(box: Callable[..., Any], seed: int) -> dict[str, int]:
    result = audit.run(
        box,
        epsilon=8.0,
        delta=_DELTA,
        data=[1.0],
        neighbors=[[]],
        alpha=ALPHA,
        seed=seed,
        max_samples=2_000_000,
        until=Until.VIOLATION,
        assume=("independent-calls",),
    )
    return {**result.effort, "won": result.verdict == "violation"}


def main() -> None:
    """Make the sections again."""
    options = options_of(__doc__)
    text = options.page.read_text(encoding="utf-8")
    text = renewed(text, TITLE, section(loaded(options.peer), options.seeds))
    options.page.write_text(renewed(text, LARGE, large(options.seeds)), encoding="utf-8")


if __name__ == "__main__":
    main()
