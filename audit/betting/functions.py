"""Bets on functions of an output, and candidates: powers of an estimated likelihood ratio.

Let P and Q be the laws of M(D) and M(D'), r = dP/dQ, a > 1 and a' = a/(a - 1). If
D_a(P || Q) <= e, that is E_Q[r^a] <= K = exp((a - 1) e), then for every h >= 0

    E_P[h] = E_Q[h r] <= E_Q[h^a']/a' + E_Q[r^a]/a <= E_Q[h^a']/a' + K/a

by Young's inequality. With h = K^(1/a') g and both sides divided by K,

    E_P[c g] - E_Q[g^a'/a'] - 1/a <= 0,   c = exp(-(a - 1) e / a),

with equality at g = r^(a - 1)/K^(1/a') where the divergence is e. Of order 1, the
Kullback-Leibler divergence, the limit is the inequality of Donsker and Varadhan with
log z <= z - 1: for every bounded g

    E_P[g] - E_Q[exp(g)] + 1 - e <= 0,

with equality at g = log r. rho-zCDP bounds the divergence of every order a by a rho
(arXiv 1605.02065, Definition 1.1), and that of order 1 by rho as its limit from above.

So with x drawn from P and y from Q, coupled in any way, the factor

    1 + stake (scale gain(x) - cost(y) - offset),   0 <= stake <= 1/(max cost + offset),

is nonnegative and has expectation at most 1 under the claim, where for a > 1 gain = g,
cost = g^a'/a', scale = c and offset = 1/a, and for order 1, with m the smallest value
of g, gain = g - m, cost = exp(g), scale = 1 and offset = e - 1 - m. Gains are rounded
down and costs up to whole numbers of `1/UNIT`, which makes the factor smaller. As the
level grows scale falls or offset grows, so that wealth falls: lower bounds are roots.
g is constant on the bins of a feature, hence wealth depends on the joint counts alone.

The best function against a divergence is a power of the likelihood ratio. Counts of the past
estimate it: pooled over neighboring bins or not, shrunk towards 1 and capped in several ways. The
other half of the past judges the functions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from audit.claims import Divergences
from audit.outcomes.binning import Binning
from audit.outcomes.column import Counts, Floats, Masks

if TYPE_CHECKING:
    from audit.betting.event_families import Reading

UNIT = 1 << 12
"""Gains and costs are whole numbers of one part of so many."""
CAPS = (4.0, 12.0, 40.0)
"""The largest values of the functions that are bet on."""
_STAKE = 0.98


def fastest_growth(divergences: Divergences) -> float:
    """The most that log-wealth grows with a pair, where the two sides have nothing in common.

    Args:
        divergences: of the claim at the level that is bet against.
    """
    high = np.geomspace(1e-3, CAPS[-1], 200)
    low = np.geomspace(1.0 / CAPS[-1], 1.0, 50)[:, None]
    return max((_fastest(high, low, *row) for row in divergences.tolist()), default=0.0)


def _fastest(high: Floats, low: Floats, order: float, bound: float) -> float:
    """With one value where the gain is, and the other, if the order is 1, where the cost is."""
    if order == 1.0:
        offset = bound - 1.0 - np.log(low)
        payoff, largest = np.log(high / low) - low - offset, high + offset
    else:
        offset, dual = np.array(1.0 / order), order / (order - 1.0)
        payoff = np.exp(-(order - 1.0) * bound / order) * high - offset
        # What costs more than floats hold cannot be staked on: its growth is 0.
        with np.errstate(over="ignore"):
            largest = high**dual / dual + offset
    return float(np.log1p(_STAKE * np.maximum(payoff, 0.0) / largest).max())


@dataclass(frozen=True, slots=True)
class Functions:
    """Functions of the bins of one feature, each against one divergence in one direction.

    Attributes:
        places: which of the claim's divergences, shape (functions,).
        forward: whether it is that of D from D', shape (functions,).
        gain: on the side whose law is the first, shape (functions, bins), in units.
        cost: on the other side, shape (functions, bins), in units.
        shift: m for order 1, else 0, shape (functions,).
    """

    places: NDArray[np.intp]
    forward: Masks
    gain: Counts
    cost: Counts
    shift: Floats

    @classmethod
    def of(
        cls, places: NDArray[np.intp], forward: Masks, values: Floats, divergences: Divergences
    ) -> Functions:
        """The bets on these functions.

        Args:
            places: which of the divergences, shape (functions,).
            forward: shape (functions,).
            values: g, shape (functions, bins); not negative where the order is above 1.
            divergences: of the claim at any level.
        """
        order = divergences[places, :1]
        first = order == 1.0
        shift = np.where(first, values.min(axis=1, keepdims=True), 0.0)
        dual = np.where(first, 1.0, order / np.where(first, 1.0, order - 1.0))
        power = np.maximum(values, 0.0) ** dual / dual
        cost = np.where(first, np.exp(np.where(first, values, 0.0)), power)
        gain = np.floor((values - shift) * UNIT).astype(np.int64)
        dear = np.ceil(cost * UNIT).astype(np.int64)
        return cls(places, forward, gain, dear, shift[:, 0])

    def take(self, chosen: NDArray[Any]) -> Functions:
        """Some of them."""
        return Functions(*(getattr(self, each.name)[chosen] for each in fields(self)))

    def terms(self, divergences: Divergences) -> tuple[Floats, Floats]:
        """Scale and offset at a level, shape (functions,) each."""
        order, bound = divergences[self.places].T
        first = order == 1.0
        scale = np.where(first, 1.0, np.exp(-(order - 1.0) * bound / order))
        return scale, np.where(first, bound - 1.0 - self.shift, 1.0 / order)


_POOLED = (1, 4)
"""Neighboring bins that are taken together."""
_SHRINKAGE = (0.7, 0.85, 1.0)


class Way(NamedTuple):
    """Recipe that makes a function from counts."""

    place: int
    forward: bool
    pooled: int
    shrinkage: float
    cap: float


@dataclass(frozen=True, slots=True)
class Candidates:
    """Functions of one reading, and moments of their gains and costs on the judging half.

    Attributes:
        functions: the functions.
        gain: mean gain, shape (functions,).
        cost: mean cost.
        gain_square: mean square of the gain.
        cost_square: mean square of the cost.
        product: mean of gain times cost over pairs.
        pairs: outputs on a side that judge.
    """

    functions: Functions
    gain: Floats
    cost: Floats
    gain_square: Floats
    cost_square: Floats
    product: Floats
    pairs: float

    @classmethod
    def of(cls, reading: Reading, divergences: Divergences) -> Candidates:
        """All functions of a reading against these divergences; the level does not matter."""
        chooser, chosen = reading.law((0,))
        places = range(len(divergences))
        ways = [Way(*w) for w in product(places, (True, False), _POOLED, _SHRINKAGE, CAPS)]
        functions = made(ways, chooser * max(1.0, chosen), reading.binning, divergences)
        law, pairs = reading.law((1,))
        gain, cost, ahead = functions.gain / UNIT, functions.cost / UNIT, functions.forward
        left, right = law.sum(axis=1), law.sum(axis=0)
        own = np.where(ahead[:, None], left, right)
        other = np.where(ahead[:, None], right, left)
        both = np.where(ahead[:, None], cost @ law.T, cost @ law)
        return cls(
            functions,
            (own * gain).sum(axis=1),
            (other * cost).sum(axis=1),
            (own * gain**2).sum(axis=1),
            (other * cost**2).sum(axis=1),
            (gain * both).sum(axis=1),
            pairs,
        )


def made(
    ways: Sequence[Way], joint: Floats, binning: Binning, divergences: Divergences
) -> Functions:
    """Functions made from these counts."""
    ratios = {
        (forward, pooled): _log_ratio(joint, binning, forward, pooled)
        for forward, pooled in {(way.forward, way.pooled) for way in ways}
    }
    chances = {ahead: _sides(joint, ahead)[1] / joint.sum() for ahead in (True, False)}
    values = [
        _function(
            way.shrinkage * ratios[way.forward, way.pooled],
            chances[way.forward],
            float(divergences[way.place, 0]),
            way.cap,
        )
        for way in ways
    ]
    places, forward = [way.place for way in ways], [way.forward for way in ways]
    return Functions.of(np.array(places), np.array(forward), np.array(values), divergences)


def _function(ratio: Floats, chances: Floats, order: float, cap: float) -> Floats:
    """The best function where this is the log ratio, but for the cap.

    Args:
        ratio: on every bin.
        chances: of every bin on the other side.
        order: of the divergence.
        cap: on the function; on its exponential, both ways, where the order is 1.
    """
    if order == 1.0:
        scaled = ratio - np.log(chances @ np.exp(ratio))
        return np.asarray(np.clip(scaled, -np.log(cap), np.log(cap)))
    # exp((order - 1) ratio) over the norm that makes the mean of its dual power 1.
    norm = (order - 1.0) / order * log_sum(np.log(np.maximum(chances, 1e-300)) + order * ratio)
    return np.asarray(np.exp(np.minimum((order - 1.0) * ratio - norm, np.log(cap))))


def _sides(joint: Floats, forward: bool) -> tuple[Floats, Floats]:
    """Counts on the side whose law comes first, and on the other."""
    left, right = joint.sum(axis=1), joint.sum(axis=0)
    return (left, right) if forward else (right, left)


def _log_ratio(joint: Floats, binning: Binning, forward: bool, pooled: int) -> Floats:
    """Log of the ratio of the two laws on every bin, from counts pooled over neighbors."""
    places = np.arange(binning.count)
    groups = np.where(
        places < binning.numeric, places // pooled, places - binning.numeric + binning.count
    )
    own, other = (np.bincount(groups, side)[groups] for side in _sides(joint, forward))
    ratio: Floats = np.log((own + 0.5) / (other + 0.5))
    return ratio


def log_sum(logs: NDArray[np.float64]) -> float:
    """Log of the sum of exp; -inf if nothing is left."""
    top = float(logs.max(initial=-np.inf))
    if top == -np.inf:
        return top
    return top + math.log(float(np.exp(logs - top).sum()))
