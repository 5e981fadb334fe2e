"""Events of one feature that are bet on, and their prior weights."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from audit.betting.events import Bets, Places
from audit.outcomes.binning import Binning
from audit.outcomes.counting import Counts

Floats = NDArray[np.float64]

_SHARES: Floats = np.array([0.3, 0.1, 0.2, 0.25, 0.15])
"""Of half-lines, single bins, likely sets, doubles of half-lines, doubles of likely sets."""
_RANKED = np.array([False, False, True, False, True])
"""Which of these families are chosen by looking at past frequencies."""


def bets_for(binning: Binning, left: Counts, right: Counts) -> Bets:
    """The events worth betting on for one feature.

    Half-lines, single bins, and sets of bins ordered by their likelihood ratio
    so far; doubles pair an upper with a lower set of about the same size.

    Args:
        binning: the feature's bins.
        left: past draws on D in each bin, shape (bins,).
        right: past draws on D' in each bin.
    """
    count, edges, cuts = binning.count, binning.numeric - 1, binning.count - 1
    likely = np.argsort(-np.log((left + 0.5) / (right + 0.5)), kind="stable")
    orders = np.stack([np.arange(count), likely])
    mass = np.zeros((2, count + 1), np.int64)
    np.cumsum((left + right)[orders], axis=1, out=mass[:, 1:])
    spans, family = _singles(edges, count)
    held = mass[spans[:, 0], spans[:, 2]] - mass[spans[:, 0], spans[:, 1]]
    above, below, _, likelier, others = np.split(
        np.arange(len(spans)), np.cumsum([edges, edges, count, cuts])
    )
    halves = _matched(above, below, held)
    # Of half-lines that hold the same draws, the shortest; of likely sets, the longest.
    halves[1] = below[np.searchsorted(held[below], held[halves[1]])]
    sets = _matched(likelier[::-1], others[::-1], held)
    upper, lower = np.concatenate([halves, sets[:, ::-1]], axis=1)
    joined = np.concatenate([spans[upper], spans[lower, 1:]], axis=1)
    every = np.concatenate([family, np.repeat([3, 4], [halves.shape[1], sets.shape[1]])])
    weight = _weights(every, np.concatenate([held, held[upper] + held[lower]]), int(mass[0, -1]))
    return Bets.of(orders, spans, joined, weight, _RANKED[every])


@lru_cache(maxsize=128)
def _singles(edges: int, count: int) -> tuple[Places, Places]:
    """All single events: order, start, stop, and the family of each.

    Half-lines above every edge and below it, every bin, and of the order of
    likelihood the first bins and the last ones.
    """
    numeric, bins = edges + 1, np.arange(count)
    ends, cuts = np.arange(1, numeric), bins[1:]
    kinds: list[tuple[Places | int, ...]] = [
        (0, ends, numeric, 0),
        (0, 0, ends, 0),
        (0, bins, bins + 1, 1),
        (1, 0, cuts, 2),
        (1, cuts, count, 2),
    ]
    whole = np.concatenate([np.stack(np.broadcast_arrays(*kind), axis=1) for kind in kinds])
    spans, family = whole[:, :3].copy(), whole[:, 3].copy()
    for part in (spans, family):
        part.setflags(write=False)
    return spans, family


def _matched(upper: Places, lower: Places, held: Counts) -> Places:
    """Each event with the largest disjoint one of the others that weighs no more.

    Args:
        upper: events; the i-th is disjoint from lower[0] to lower[i] and from no other.
        lower: events, each holding no fewer past draws than the one before.
        held: past draws in each event.

    Returns:
        Shape (2, pairs): events of both kinds.
    """
    weights = held[lower]
    fitting = np.searchsorted(weights, np.maximum(held[upper], 1), side="right") - 1
    best = np.minimum(fitting, np.arange(len(upper)))
    found = (best >= 0) & (weights[best] > 0)
    return np.stack([upper[found], lower[best[found]]])


def _weights(family: Places, held: Counts, drawn: int) -> Floats:
    """Weights that sum to 1: every family has its share, unless it is empty.

    Inside a family half is spread evenly, half by the share of draws that decide the bet.
    """
    deciding = held / max(1, drawn) + 1.0 / max(2, drawn)
    members = np.bincount(family, minlength=len(_SHARES))
    whole = np.bincount(family, deciding, minlength=len(_SHARES))
    with np.errstate(divide="ignore"):
        evenly, scale = 0.5 / members, 0.5 / whole
    weight: Floats = _SHARES[family] * (evenly[family] + scale[family] * deciding)
    weight /= weight.sum()
    return weight
