"""Bets on functions of an output, against claims that bound a Rényi divergence.

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
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.claims import Divergences

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]
Masks = NDArray[np.bool_]
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
        return Functions(
            self.places[chosen],
            self.forward[chosen],
            self.gain[chosen],
            self.cost[chosen],
            self.shift[chosen],
        )

    def terms(self, divergences: Divergences) -> tuple[Floats, Floats]:
        """Scale and offset at a level, shape (functions,) each."""
        order, bound = divergences[self.places].T
        first = order == 1.0
        scale = np.where(first, 1.0, np.exp(-(order - 1.0) * bound / order))
        return scale, np.where(first, bound - 1.0 - self.shift, 1.0 / order)

    def largest_stakes(self, divergences: Divergences) -> Floats:
        """Stakes up to these cannot ruin the gambler, shape (functions,)."""
        _, offset = self.terms(divergences)
        largest: Floats = 1.0 / (self.cost.max(axis=1) / UNIT + offset)
        return largest
