"""Oracles that know the truth: they answer a search without drawing anything."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from audit.neighbors import Pair
from audit.neighbors.search.oracle import Failed, Law, Scale

SCALE = Scale(goal=7.0, certain=0.5, fastest=20, widest=0.5)


def nothing(pair: Pair) -> float:
    """Every pair keeps its claim."""
    return 0.0


@dataclass
class Known:
    """Knows what a pair of runs earns, and what comes out of a dataset.

    Attributes:
        growth: log-wealth that a bet on a pair earns with every pair of runs.
        kind: what kind of output a dataset gives.
        middle: where its outputs lie; their spread is 1.
        rare: how many runs in a thousand show what the neighbor never does.
        left: runs that are still allowed.
        asked: pairs that were scored, in that order.
        drawn: runs on each of them, which need not be made again.
        known: see `Oracle`.
    """

    growth: Callable[[Pair], float] = nothing
    kind: Callable[[Any], str] = lambda data: "float"
    middle: Callable[[Any], float] = lambda data: 0.0
    rare: Callable[[Pair], int] = lambda pair: 0
    left: int = 0
    asked: list[Pair] = field(default_factory=list)
    drawn: dict[int, int] = field(default_factory=dict)
    scale: Scale = SCALE
    known: list[Pair] = field(default_factory=list)

    def allow(self, runs: int) -> None:
        self.left = runs

    def score(self, pair: Pair, runs: int) -> float | None:
        before = self.drawn.get(id(pair), 0)
        if runs > before + self.left:
            return None
        self.left -= max(0, runs - before)
        self.asked.append(pair)
        self.drawn[id(pair)] = max(runs, before)
        return self.growth(pair) * runs / 2

    def one_sided(self, pair: Pair, runs: int) -> int:
        if runs > self.left:
            return 0
        self.left -= runs
        return self.rare(pair) * runs // 2000

    def refutes(self, pair: Pair, runs: int) -> int | None:
        most, earned = min(runs, self.left), self.growth(pair)
        needed = 2 * math.ceil(self.scale.goal / earned) if earned > 0 else most + 1
        self.left -= min(needed, most)
        return needed if needed <= most else None

    def failure(self, data: Any) -> Failed | None:
        kind = self.kind(data)
        return Failed(kind.removeprefix("raised "), "") if kind.startswith("raised ") else None

    def extent(self, pair: Pair) -> float:
        return self.growth(pair)

    def law(self, data: Any) -> Law:
        return Law(frozenset({self.kind(data)}), {"output": self.middle(data)}, {"output": 1.0})


def told_apart(value: Callable[[Any], Any]) -> Callable[[Pair], float]:
    """The growth where a value is released as it is: certain where it differs, none elsewhere."""

    def growth(pair: Pair) -> float:
        return 0.5 if value(pair.dataset) != value(pair.neighbor) else 0.0

    return growth
