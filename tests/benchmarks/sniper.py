"""Lower bounds on dp-sniper's twenty mechanisms beside its published ones.

Published: Bichsel, Steffen, Bogunovic, Vechev, «DP-Sniper», S&P 2021, at
epsilon .1 and level .1, the better of its two classifiers, after 614 million
runs (1,256 million for PrefixSum).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from audit.case import Until
from audit.sampling.workers.processes import in_parallel
from mechanisms import CATALOG
from tests.benchmarks.play import Played, play

PUBLISHED: dict[str, float] = {
    "sniper-laplace": 0.0976,
    "sniper-truncated-geometric": 0.1156,
    "sniper-noisy-histogram-1": 0.0978,
    "sniper-noisy-histogram-2": 4.602,
    "sniper-noisy-max-1": 0.0925,
    "sniper-noisy-max-2": 0.0979,
    "sniper-noisy-max-3": 0.2488,
    "sniper-noisy-max-4": 0.3534,
    "sniper-sparse-vector-1": 0.0858,
    "sniper-sparse-vector-2": 0.0859,
    "sniper-sparse-vector-3": 0.1822,
    "sniper-sparse-vector-4": 0.1696,
    "sniper-sparse-vector-5": 1.7612,
    "sniper-sparse-vector-6": 0.2720,
    "sniper-rappor": 0.3008,
    "sniper-one-time-rappor": 0.5999,
    "sniper-laplace-parallel": 0.0350,
    "sniper-numerical-sparse-vector": 0.0345,
    "sniper-sparse-vector-3-and-4": 0.2616,
    "sniper-prefix-sum": 0.5774,
}
MORE = ("sniper-laplace-parallel", "sniper-prefix-sum")
"""Rows on which the design asks for twice the runs."""


@dataclass(frozen=True)
class Row:
    """One mechanism: its published bound and ours."""

    name: str
    published: float
    samples: int
    bound: float
    seconds: float


def row(name: str, samples: int) -> Row:
    """Audit one mechanism at level .1 for its lower bound."""
    spent = 2 * samples if name in MORE else samples
    game: Played = play(CATALOG[name], alpha=0.1, samples=spent, until=Until.BUDGET)
    return Row(name, PUBLISHED[name], 2 * game.pairs, game.bound, game.seconds)


def table(samples: int, workers: int) -> list[Row]:
    """All twenty rows."""
    return list(in_parallel(workers, (partial(row, name, samples) for name in PUBLISHED)))


def markdown(rows: list[Row]) -> list[str]:
    """The table as Markdown lines."""
    lines = ["| mechanism | dp-sniper | here | here ÷ dp-sniper | runs | seconds |"]
    lines.append("|---" * 6 + "|")
    for r in rows:
        lines.append(
            f"| {r.name.removeprefix('sniper-')} | {r.published:g} | {r.bound:.4g} "
            f"| {r.bound / r.published:.2f} | {r.samples:,} | {r.seconds:.1f} |"
        )
    return lines
