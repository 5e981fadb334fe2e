"""What a gambler wins: payoffs, stakes, and wealth as a function of counts.

A claim's line (a, b) says P[M(D) in E] <= a P[M(D') in E] + b. With x and y the
indicators of E on the two sides, x - a y - b has expectation at most 0, so
wealth multiplied by 1 + stake (x - a y - b) is a nonnegative supermartingale
for every stake in [0, 1/(a + b)]; Ville's inequality bounds the chance that it
ever reaches 1/alpha by alpha (arXiv 2210.01948; bets of this form: 2010.09686).

A *double* bet joins two disjoint events, `plus` in one direction and `minus` in
the other: [x+ - a y+ - b] + [y- - a x- - b]. Both brackets have expectation at
most 0 under the claim, so the sum is a fair bet as well; with coupled draws it
doubles the gain at the same variance.

Wealth depends on the draws only through the joint counts of their bins, and
each fixed stake's wealth falls as a and b grow: lower bounds are roots.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from audit.claim import Lines
from audit.events import Bets, Counts, Masks

Floats = NDArray[np.float64]

STAKES: Floats = np.array([0.98, 0.75, 0.5, 0.33, 0.2, 0.12, 0.07, 0.04, 0.02, 0.01, 0.004, 0.0015])
"""Stakes as fractions of the largest one that cannot ruin the gambler."""


def tallies(joint: Counts, bets: Bets) -> tuple[Floats, Floats]:
    """Counts that decide each bet, in both directions.

    Args:
        joint: shape (bins, bins), pairs by the bin on D and the bin on D'.

    Returns:
        Shapes (2, singles, 4) and (2, doubles, 9); axis 0 is the direction,
        D over D' first; the last axis is as in `payoffs`.
    """
    held = joint.astype(np.float64)
    single = _single_tallies(held, bets.single)
    double = _double_tallies(held, bets.plus, bets.minus)
    # The other direction reads the same counts with the two sides exchanged.
    return (
        np.stack([single.reshape(-1, 4), single.swapaxes(1, 2).reshape(-1, 4)]),
        np.stack([double.reshape(-1, 9), double.swapaxes(1, 2).reshape(-1, 9)]),
    )


def _single_tallies(joint: Floats, masks: Masks) -> Floats:
    """Pairs by whether D and whether D' is in the event, shape (events, 2, 2)."""
    events = masks.astype(np.float64)
    rows = events @ joint
    inside = _within(rows, events)
    left, right = rows.sum(axis=-1), events @ joint.sum(axis=0)
    neither = joint.sum() - left - right + inside
    return np.stack([inside, left - inside, right - inside, neither], axis=-1).reshape(-1, 2, 2)


def _double_tallies(joint: Floats, plus: Masks, minus: Masks) -> Floats:
    """Pairs by where D and where D' is: in plus, in minus or in neither, shape (events, 3, 3)."""
    parts = plus.astype(np.float64), minus.astype(np.float64)
    rows = [part @ joint for part in parts]
    left = [row.sum(axis=-1) for row in rows]
    column = joint.sum(axis=0)
    right = [part @ column for part in parts]
    cells = [[_within(row, part) for part in parts] for row in rows]
    for line, whole in zip(cells, left, strict=True):
        line.append(whole - line[0] - line[1])
    last = [right[k] - cells[0][k] - cells[1][k] for k in range(2)]
    cells.append([*last, joint.sum() - left[0] - left[1] - last[0] - last[1]])
    return np.stack([cell for line in cells for cell in line], axis=-1).reshape(-1, 3, 3)


def _within(rows: Floats, events: Floats) -> Floats:
    """Of each row, what lies in the event of the same row, shape (events,)."""
    return np.asarray(np.einsum("eb,eb->e", rows, events))


def payoffs(lines: Lines) -> tuple[Floats, Floats]:
    """What each outcome pays on each line.

    Returns:
        Shape (lines, 4) for single bets, outcomes (x, y) in the order (1, 1),
        (1, 0), (0, 1), (0, 0); shape (lines, 9) for double bets, the side D in
        plus, minus, neither by the side D' in plus, minus, neither.
    """
    return _payoffs(lines.tobytes())


@lru_cache(maxsize=256)
def _payoffs(held: bytes) -> tuple[Floats, Floats]:
    lines = np.frombuffer(held).reshape(-1, 2)
    slope, offset = lines[:, :1], lines[:, 1:]
    single = np.array([1.0, 1.0, 0.0, 0.0]) - slope * np.array([1.0, 0.0, 1.0, 0.0]) - offset
    left = np.concatenate([np.ones_like(slope), -slope, np.zeros_like(slope)], axis=1)
    right = np.concatenate([-slope, np.ones_like(slope), np.zeros_like(slope)], axis=1)
    double = (left[:, :, None] + right[:, None, :]).reshape(-1, 9) - 2 * offset
    return single, double


def stakes_for(lines: Lines) -> Floats:
    """Stakes for single bets on each line, shape (lines, stakes); halve for double bets."""
    return np.asarray(STAKES / lines.sum(axis=1, keepdims=True))


def log_growth(tally: Floats, payoff: Floats, stakes: Floats) -> Floats:
    """Log-wealth of every expert.

    Args:
        tally: shape (2, events, outcomes).
        payoff: shape (lines, outcomes).
        stakes: shape (lines, stakes).

    Returns:
        Shape (2, events, lines, stakes); -inf where the stake could ruin.
    """
    change = stakes[:, :, None] * payoff[:, None, :]
    ruinous = change.min(axis=-1) <= -1.0
    factors = np.log1p(np.where(ruinous[..., None], 0.0, change))
    wealth = tally @ factors.reshape(-1, factors.shape[-1]).T
    wealth = wealth.reshape(*tally.shape[:2], *stakes.shape)
    return np.where(ruinous, -np.inf, wealth)


def experts(tally: tuple[Floats, Floats], lines: Lines, stakes: Floats) -> tuple[Floats, Floats]:
    """Log-wealth of all single and all double experts, from the tallies of one table."""
    single, double = payoffs(lines)
    return log_growth(tally[0], single, stakes), log_growth(tally[1], double, stakes / 2)


def total(log_prior: tuple[Floats, Floats], log_wealth: tuple[Floats, Floats]) -> float:
    """Log of the prior-weighted sum of the experts' wealth, -inf when all are ruined."""
    return log_sum([p + w for p, w in zip(log_prior, log_wealth, strict=True)])


def log_sum(logs: Sequence[Floats]) -> float:
    """Log of the sum of exp over several arrays; -inf when nothing is left."""
    whole = np.concatenate([part.ravel() for part in logs])
    top = float(whole.max(initial=-np.inf))
    if top == -np.inf:
        return top
    return top + float(np.log(np.exp(whole - top).sum()))
