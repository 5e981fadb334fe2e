"""Functions to choose from: powers of a likelihood ratio, estimated on one half of the past.

The best function against a divergence is a power of the likelihood ratio. Counts of the past
estimate it: pooled over neighboring bins or not, shrunk towards 1 and capped in several ways. The
other half of the past judges the functions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from audit.betting.design import log_sum
from audit.betting.functions import CAPS, UNIT, Functions
from audit.claims import Divergences
from audit.outcomes.binning import Binning

if TYPE_CHECKING:
    from audit.betting.event_families import Reading

Floats = NDArray[np.float64]
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
        ways = list(_ways(divergences))
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


def _ways(divergences: Divergences) -> Iterator[Way]:
    for parts in product(range(len(divergences)), (True, False), _POOLED, _SHRINKAGE, CAPS):
        yield Way(*parts)


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
