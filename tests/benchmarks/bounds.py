"""Lower bounds of the catalogue's violators as parts of their true epsilons, at default budgets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from audit.claims import PureDP
from audit.engine.run import run
from audit.sampling.workers import in_parallel
from mechanisms import CATALOG

_LARGEST = 5.0


@dataclass(frozen=True)
class Row:
    """One wrong mechanism: what it loses, and how much of that its audit shows.

    Attributes:
        name: in the catalogue.
        pure: whether pure DP is claimed.
        truth: its epsilon.
        bound: the lower bound on it.
        samples: runs.
    """

    name: str
    pure: bool
    truth: float
    bound: float
    samples: int


def known() -> list[str]:
    """Wrong mechanisms within reach whose true epsilon is known, and at most 5."""
    return [
        name
        for name, entry in CATALOG.items()
        if not entry.truth.keeps
        and entry.truth.reachable
        and entry.truth.epsilon
        and entry.truth.epsilon <= _LARGEST
    ]


def row(name: str) -> Row:
    """One audit as it comes."""
    entry = CATALOG[name]
    result = run(entry, assume=("independent-calls",))
    pure = isinstance(entry.mechanism.claim, PureDP)
    truth = entry.truth.epsilon or math.nan
    return Row(name, pure, truth, result.epsilon_lower, result.samples)


def table(workers: int) -> list[Row]:
    """All of them."""
    return list(in_parallel(workers, (partial(row, name) for name in known())))


def markdown(rows: Sequence[Row]) -> list[str]:
    """Medians, and every row."""
    groups = {
        "pure ε": [r for r in rows if r.pure],
        "(ε, δ)": [r for r in rows if not r.pure],
        "all": list(rows),
    }
    lines = ["| claims | mechanisms | median bound ÷ true ε | at least .9 |", "|---|---|---|---|"]
    for name, held in groups.items():
        parts = [r.bound / r.truth for r in held]
        enough = sum(part >= 0.9 for part in parts)
        lines.append(f"| {name} | {len(held)} | {np.median(parts):.3f} | {enough} |")
    lines += ["", "| mechanism | true ε | bound | ÷ | runs |", "|---" * 5 + "|"]
    for r in rows:
        part = f"{r.bound / r.truth:.3f}"
        lines.append(f"| {r.name} | {r.truth:.4g} | {r.bound:.4g} | {part} | {r.samples:,} |")
    return lines


if __name__ == "__main__":
    print("\n".join(markdown(table(1))))
