"""From past draws to the next bets: features, bins, events, and how much to put on each.

Everything here looks only at draws that are never bet on again with what was
learned from them, so it may be as clever or as careless as it likes: the level
of the audit does not depend on it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from audit.betting.candidate_table import Sketch, recounted
from audit.betting.e_process import Floats, experts, log_sum, stakes_for
from audit.betting.function_candidates import Counted
from audit.betting.function_learning import learned_functions
from audit.betting.portfolio import FunctionTable, Portfolio, Table, Weights
from audit.betting.prior import ahead_of, on_claim
from audit.claim import Claim
from audit.outcomes.counting import Counts

_HORIZON = 8.0
"""How many times the past the bets are meant to last."""
_TELLING = 16.0
"""Log-wealth at which the past tells good events from lucky ones."""
_COSTS = 3.0
"""Log-wealth that typically stays behind in bets on other events."""
_FUNCTION_TABLES = 3
"""Tables whose functions are bet on at most."""
_LARGEST_LEVEL = 100.0
_CLOSE = 0.02
"""How exactly levels are found, relative to them."""

_Events = tuple[Floats, Floats]
"""What decides each single and each double bet, shapes (1, events, outcomes)."""


def learn(
    sketches: Sequence[Sketch],
    claim: Claim,
    goal: float,
    limit: int,
    past: Sequence[Counted] | None = None,
) -> Portfolio:
    """The bets to place next on one pair of datasets, on its most telling tables.

    Args:
        sketches: its draws so far, read in at least one way.
        claim: what is bet against.
        goal: log-wealth that refutes.
        limit: how many tables to keep.
        past: what functions are learned from; the same draws where it is None.
    """
    lines = claim.lines(claim.level)
    weights = [[on_claim(s, lines) for s in sketches]]
    stakes = [stakes_for(lines)]
    telling = _level_where(sketches, claim, _TELLING)
    if telling > 0:
        ahead = claim.lines(_level_where(sketches, claim, (goal + _COSTS) / _HORIZON))
        weights.append([ahead_of(s, claim.lines(telling), ahead) for s in sketches])
        stakes.append(stakes_for(ahead))
    normal = [_normal(parts) for parts in weights]
    mass = np.logaddexp.reduce([[log_sum(part) for part in parts] for parts in normal])
    kept = np.sort(np.argsort(-mass, kind="stable")[:limit])
    functions: tuple[FunctionTable, ...] = ()
    if len(claim.divergences(claim.level)):
        past = [Counted.of(sketch) for sketch in sketches] if past is None else past
        functions = learned_functions(past, claim, goal, min(limit, _FUNCTION_TABLES))
    tables = _tables([sketches[k] for k in kept], _normal_parts(weights, kept))
    return Portfolio.of(tables, np.concatenate(stakes, axis=1), functions)


def relearn(
    portfolio: Portfolio, counts: Sequence[Counts], claim: Claim, goal: float, limit: int
) -> Portfolio:
    """The same bets with a prior learned from what they counted since they were chosen.

    Args:
        portfolio: the bets so far.
        counts: what each of its tables counted, shape (bins, bins).
        claim: what is bet against.
        goal: log-wealth that refutes.
        limit: how many tables to keep.
    """
    events, functions = counts[: len(portfolio.tables)], counts[len(portfolio.tables) :]
    held = zip(portfolio.tables, events, strict=True)
    sketches = [recounted(table, joint) for table, joint in held]
    past = [Counted.again(*pair) for pair in zip(portfolio.functions, functions, strict=True)]
    return learn(sketches, claim, goal, limit, past)


def _tables(sketches: Sequence[Sketch], weights: Sequence[Sequence[Weights]]) -> list[Table]:
    """Tables whose prior gives every purpose the same share."""
    share = -np.log(len(weights))
    return [
        Table(
            sketch.feature,
            sketch.binning,
            sketch.bets,
            np.concatenate([share + parts[k] for parts in weights], axis=-1),
        )
        for k, sketch in enumerate(sketches)
    ]


def _normal_parts(
    weights: Sequence[Sequence[Weights]], kept: NDArray[np.intp]
) -> list[list[Weights]]:
    return [_normal([parts[k] for k in kept]) for parts in weights]


def _normal(parts: Sequence[Weights]) -> list[Weights]:
    """Log-weights that sum to 1 over all tables."""
    whole = log_sum(*parts)
    return [part - whole for part in parts]


def _level_where(sketches: Sequence[Sketch], claim: Claim, worth: float) -> float:
    """The level against which the best expert of the past would have earned this much."""

    def beyond(events: _Events, level: float) -> _Events:
        """The events with an expert that earned more."""
        lines = claim.lines(level)
        earned = experts(events, lines, stakes_for(lines))[0]
        more = earned.reshape(len(earned), -1).max(axis=1, initial=-np.inf) > worth
        singles = events[0].shape[1]
        return events[0][:, more[:singles]], events[1][:, more[singles:]]

    # Wealth falls as the level grows: who has not earned it here hardly does later on.
    low = 1e-6
    high = max(claim.level, 2.0 * low)
    left = beyond(_all_events(sketches), low)
    if not _any(left):
        return 0.0
    while _any(more := beyond(left, high)):
        low, left, high = high, more, 2.0 * high
        if high > _LARGEST_LEVEL:
            return low
    while high - low > _CLOSE * high:
        middle = (low + high) / 2.0
        if _any(more := beyond(left, middle)):
            low, left = middle, more
        else:
            high = middle
    return low


def _all_events(sketches: Sequence[Sketch]) -> _Events:
    """What decides each bet, all tables and both directions side by side."""
    single, double = (
        np.concatenate([part.reshape(1, -1, part.shape[-1]) for part in parts], axis=1)
        for parts in zip(*(sketch.judged for sketch in sketches), strict=True)
    )
    return single, double


def _any(events: _Events) -> bool:
    return any(part.size > 0 for part in events)
