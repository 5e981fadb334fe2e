"""Pairs to refute every wrong mechanism, as a multiple of what an oracle needs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import numpy as np

from audit.sampling.workers import in_parallel
from mechanisms import CATALOG
from tests.benchmarks.play import play

SEEDS = 5
_ALPHA = 0.05
_BUDGET = 40
TITLE = f"Pairs to refute ÷ an oracle's (α = .05, median of {SEEDS} seeds)"


@dataclass(frozen=True)
class Row:
    """One wrong mechanism: the oracle's pairs and the median of ours, both ways of drawing."""

    name: str
    oracle: float
    coupled: float
    independent: float


def known() -> list[str]:
    """Wrong mechanisms within reach whose oracle is known."""
    return [
        name
        for name, entry in CATALOG.items()
        if not entry.truth.keeps
        and entry.truth.reachable
        and entry.truth.pairs
        and not name.startswith("noisy-average")
    ]


def row(name: str) -> Row:
    """Median pairs over seeds; infinite where an audit ends without a verdict."""
    oracle = float(CATALOG[name].truth.pairs or 1.0)
    budget = int(2 * max(2_000, _BUDGET * oracle))
    medians = []
    for coupled in (True, False):
        games = [
            play(CATALOG[name], alpha=_ALPHA, samples=budget, seed=seed, coupled=coupled)
            for seed in range(SEEDS)
        ]
        medians.append(float(np.median([g.pairs if g.refuted else math.inf for g in games])))
    return Row(name, oracle, *medians)


def table(workers: int) -> list[Row]:
    """All wrong mechanisms with a known oracle."""
    return list(in_parallel(workers, (partial(row, name) for name in known())))


def markdown(rows: list[Row]) -> list[str]:
    """Median, worst, and every row."""
    ratios = {
        "coupled": sorted((r.coupled / r.oracle, r.name) for r in rows),
        "independent": sorted((r.independent / r.oracle, r.name) for r in rows),
    }
    lines = ["| draws | mechanisms | median | worst | which |", "|---|---|---|---|---|"]
    for draws, held in ratios.items():
        worst, which = held[-1]
        middle = held[len(held) // 2][0]
        lines.append(f"| {draws} | {len(held)} | {middle:.2f} | {worst:.2f} | {which} |")
    lines += ["", "| mechanism | oracle's pairs | coupled | ÷ | independent | ÷ |"]
    lines.append("|---" * 6 + "|")
    for r in rows:
        lines.append(
            f"| {r.name} | {r.oracle:.4g} | {r.coupled:g} | {r.coupled / r.oracle:.2f} "
            f"| {r.independent:g} | {r.independent / r.oracle:.2f} |"
        )
    return lines
