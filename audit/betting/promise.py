"""Which pairs of datasets are worth more runs: by what bets on them earned, or would have.

A claim that holds, or nearly does, is refuted on no pair. Then pairs are told apart by what
bets on them earn against a smaller level, one that the best of them clearly refutes: where a
lower bound is wanted the others cost runs, and an excess is likelier on the pair that loses
most. They stay one epoch behind, on little money, and come back where they catch up. All of
this looks at past draws only.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from audit.betting.e_process import log_sum
from audit.betting.inequalities import Inequalities
from audit.betting.position import Position
from audit.claim import Claim

_PROMISING = 0.02
"""Of the largest weight, what a pair must have for more bets."""
_REST = 0.02
"""Money of the other pairs at most: one that is not bet on never comes back."""
_TRUST = 0.5
"""Power of what was earned: part of it is luck."""
_TELLING = 16.0
"""Log-wealth of the best pair at the level that tells them apart."""
_SHOWN = 1.6
"""Log-wealth at that level of a pair that shows anything, by bets with the past behind them."""
_MANY = 1 << 12
"""Pairs of runs from which on such bets tell which pairs show nothing."""
_LOWEST = 1e-6
_STEPS = 24


@dataclass(frozen=True, slots=True)
class Outlook:
    """Which pairs to go on with.

    Attributes:
        weights: money of each pair that gets any, in parts.
        chosen: those that are drawn on; the others stay one epoch behind.
    """

    weights: dict[int, float]
    chosen: frozenset[int]


def promising(held: Mapping[int, Position], claim: Claim) -> Outlook:
    """The pairs on which the claim itself may be refuted.

    Args:
        held: for each pair the bets that are going to be placed, with the past they were
            learned from.
        claim: what is bet against.
    """
    if len(held) < 2:
        return _outlook(dict.fromkeys(held, 0.0))
    found = _outlook(_earned(held, claim, claim.level))
    level = _telling(held, claim)
    if max(map(_counted, held.values())) < _MANY or level == claim.level:
        return found
    shown = {pair for pair, worth in _earned(held, claim, level).items() if worth >= _SHOWN}
    kept = {pair: weight for pair, weight in found.weights.items() if pair in shown}
    return _with_others(kept, held) if kept else found


def leading(held: Mapping[int, Position], claim: Claim) -> Outlook:
    """The pairs on which the claim may be refuted, or the largest level, by fair bets.

    Args:
        held: for each pair the bets that were placed, with what they counted since then.
        claim: what is bet against.
    """
    if len(held) < 2:
        return promising(held, claim)
    found = _outlook(_earned(held, claim, claim.level))
    if (level := _telling(held, claim)) < claim.level:
        at_claim, below = (_earned(held, claim, at) for at in (claim.level, level))
        found = _outlook({pair: at_claim[pair] + below[pair] for pair in held})
    return _with_others(found.weights, held)


def _with_others(chosen: Mapping[int, float], held: Mapping[int, Position]) -> Outlook:
    """These pairs, and a little money for the others, which may come back."""
    rest = {pair: _REST / len(held) for pair in held if pair not in chosen}
    return Outlook({**chosen, **rest}, frozenset(chosen))


def _outlook(earned: Mapping[int, float]) -> Outlook:
    """Weights by what was earned; pairs that are far behind have none."""
    whole = log_sum(_TRUST * np.array(list(earned.values())))
    weights = {pair: math.exp(_TRUST * log - whole) for pair, log in earned.items()}
    least = _PROMISING * max(weights.values())
    kept = {pair: weight for pair, weight in weights.items() if weight >= least}
    return Outlook(kept, frozenset(kept))


def _counted(position: Position) -> int:
    return int(position.counts[0].sum())


def _earned(held: Mapping[int, Position], claim: Claim, level: float) -> dict[int, float]:
    """Log-wealth of each pair's bets against a level, at least 0."""
    promised = Inequalities.at(claim, level)
    return {pair: max(0.0, position.log_wealth(promised)) for pair, position in held.items()}


def _telling(held: Mapping[int, Position], claim: Claim) -> float:
    """The level against which the best pair earned enough; the claim's where that is as good."""

    def enough(level: float) -> bool:
        return max(_earned(held, claim, level).values()) >= _TELLING

    if enough(claim.level) or not enough(_LOWEST * claim.level):
        return claim.level
    low, high = _LOWEST * claim.level, claim.level
    for _ in range(_STEPS):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if enough(middle) else (low, middle)
    return low
