"""Functions worth betting on, learned from past draws.

Those to choose from are made of one half of the past and judged by what they would
have earned on the other (see `function_candidates`). Those that earned most are made
again of all of it. None of this can touch the level (see `functions`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from audit.betting.e_process import Floats, log_sum
from audit.betting.events import Places
from audit.betting.function_candidates import Candidates, Counted, made
from audit.betting.portfolio import FunctionTable
from audit.claim import Claim, Divergences

_FEWEST = 32
"""Past pairs from which on functions are bet on."""
_MOST = 8
"""Functions of all tables bet on for each purpose."""
_SPREAD = 0.1
"""Share of the prior that stays spread evenly, against surprises."""
_FLOOR = -20.0
_HORIZON, _TELLING, _COSTS = 8.0, 16.0, 3.0
"""As in `learning`: how long bets last, log-wealth that tells, and what stays behind."""
_STAKE_SCALE = 3.0
_LARGEST_LEVEL, _CLOSE = 100.0, 0.02


def learned_functions(
    past: Sequence[Counted], claim: Claim, goal: float, limit: int
) -> tuple[FunctionTable, ...]:
    """The functions to bet on next, of the most telling tables; none where little was drawn.

    Args:
        past: draws, read in at least one way.
        claim: what is bet against.
        goal: log-wealth that refutes.
        limit: how many tables to keep.
    """
    if not past or past[0].joint.sum() < _FEWEST:
        return ()
    at_claim = claim.divergences(claim.level)
    screened = sorted(past, key=lambda counted: -counted.told)[:limit]
    candidates = [Candidates.of(counted, at_claim) for counted in screened]
    chosen = [_chosen(candidates, at_claim, at_claim)]
    telling = _level_where(candidates, claim, _TELLING)
    if telling > 0.0:
        ahead = _level_where(candidates, claim, (goal + _COSTS) / _HORIZON)
        levels = claim.divergences(telling), claim.divergences(ahead)
        chosen.append(_chosen(candidates, *levels))
    share = -np.log(len(chosen))
    return tuple(
        FunctionTable(
            table.feature, table.binning, table.functions, table.stakes, table.log_prior + share
        )
        for purpose in chosen
        for table in purpose
    )


def _chosen(
    candidates: Sequence[Candidates], telling: Divergences, level: Divergences
) -> list[FunctionTable]:
    """The functions that earned most at one level, learned from all, with stakes for another."""
    earned = [
        np.maximum(table.past(telling, table.functions.stakes(telling)), _FLOOR)
        for table in candidates
    ]
    best = np.concatenate([part.max(axis=1) for part in earned])
    least = np.sort(best)[-min(_MOST, len(best))]
    tables = []
    for table, part in zip(candidates, earned, strict=True):
        kept = np.flatnonzero(part.max(axis=1) >= least)[:_MOST]
        if len(kept):
            tables.append(_table(table, kept, part[kept], level, telling is level))
    whole = log_sum(*(table.log_prior for table in tables))
    return [
        FunctionTable(t.feature, t.binning, t.functions, t.stakes, t.log_prior - whole)
        for t in tables
    ]


def _table(
    table: Candidates, kept: Places, earned: Floats, level: Divergences, same: bool
) -> FunctionTable:
    """Some functions of a table, learned from all of the past, with unnormalized weights.

    Args:
        table: the functions to choose from.
        kept: which of them.
        earned: what each would have earned, shape (functions, stakes).
        level: the divergences at the level to bet at.
        same: whether that is where it would have earned it, so that stakes are judged too.
    """
    counted = table.counted
    functions = made([table.ways[k] for k in kept], counted.joint, counted.binning, level)
    stakes = functions.stakes(level)
    _, variance, pairs = table.moments(level)
    wanted = np.sqrt(_STAKE_SCALE / (pairs * variance[kept]))
    near = np.exp(-0.5 * np.log2(stakes / wanted[:, None]) ** 2) + 1e-300
    preferred = 0.5 * near / near.sum(axis=1, keepdims=True) + 0.5 / stakes.shape[1]
    judged = earned if same else earned.max(axis=1, keepdims=True)
    weight = np.logaddexp(np.log1p(-_SPREAD) + judged, np.log(_SPREAD)) + np.log(preferred)
    return FunctionTable(counted.feature, counted.binning, functions, stakes, weight)


def _level_where(candidates: Sequence[Candidates], claim: Claim, worth: float) -> float:
    """The level against which the best function would have earned about so much; 0 for none."""

    def beyond(level: float) -> bool:
        divergences = claim.divergences(level)
        return any(table.promise(divergences) > worth for table in candidates)

    low, high = 1e-6, claim.level
    if not beyond(low):
        return 0.0
    while beyond(high):
        low, high = high, 2.0 * high
        if high > _LARGEST_LEVEL:
            return low
    while high - low > _CLOSE * high:
        middle = (low + high) / 2.0
        low, high = (middle, high) if beyond(middle) else (low, middle)
    return low
