"""Functions to choose from: powers of a likelihood ratio that past draws say something of.

The best function against a divergence is a power of the likelihood ratio. What is
known of that is the counts of the past: pooled over neighboring bins or not, shrunk
towards 1 and capped in several ways.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple, Self

import numpy as np

from audit.betting.candidate_table import Sketch
from audit.betting.e_process import Floats, log_sum
from audit.betting.functions import CAPS, Functions, cells_of
from audit.betting.portfolio import FunctionTable
from audit.claim import Divergences
from audit.outcomes.binning import Binning
from audit.outcomes.counting import Counts
from audit.outcomes.features import Feature

_POOLED = (1, 4)
"""Neighboring bins that are taken together."""
_SHRINKAGE = (0.7, 0.85, 1.0)
_SCREENED = 0.85


@dataclass(frozen=True, slots=True)
class Counted:
    """What was counted of one feature.

    Attributes:
        feature: what is read off an output.
        binning: its bins.
        joint: all pairs, shape (bins, bins).
        choosing: those that choose functions.
        judging: those that judge them.
    """

    feature: Feature
    binning: Binning
    joint: Counts
    choosing: Counts
    judging: Counts

    @classmethod
    def of(cls, sketch: Sketch) -> Self:
        """Of kept draws: one half chooses, the other judges."""
        choosing, judging = sketch.halves
        return cls(sketch.feature, sketch.binning, choosing + judging, choosing, judging)

    @classmethod
    def again(cls, table: FunctionTable, joint: Counts) -> Self:
        """Of draws that came after the functions were chosen; so many that all may judge."""
        return cls(table.feature, table.binning, joint, joint, joint)

    @property
    def weight(self) -> float:
        """All pairs over those that judge."""
        return float(self.joint.sum()) / max(1.0, float(self.judging.sum()))

    @property
    def told(self) -> float:
        """How far apart the sides are: divergences that one half says of the other."""
        found = []
        for forward in (True, False):
            ratio = _SCREENED * _log_ratio(self.choosing, self.binning, forward, _POOLED[-1])
            own, other = _sides(self.judging, forward)
            pairs = max(1, int(own.sum()))
            found.append(float(own @ ratio - pairs * np.log(other @ np.exp(ratio) / pairs)))
        return max(found)


class Way(NamedTuple):
    """How a function is made from counts."""

    place: int
    forward: bool
    pooled: int
    shrinkage: float
    cap: float


@dataclass(frozen=True, slots=True)
class Candidates:
    """Functions of one table, learned on one half of the past.

    Attributes:
        counted: what was counted of it.
        ways: how each was made.
        functions: what it is.
    """

    counted: Counted
    ways: Sequence[Way]
    functions: Functions

    @classmethod
    def of(cls, counted: Counted, divergences: Divergences) -> Self:
        """All that are learned of one table on the half that chooses."""
        ways = list(_ways(divergences))
        return cls(counted, ways, made(ways, counted.choosing, counted.binning, divergences))

    def past(self, divergences: Divergences, stakes: Floats) -> Floats:
        """Log-wealth on the past, as those that judge say, shape (functions, stakes)."""
        earned = self.functions.experts(self.counted.judging, divergences, stakes)
        return self.counted.weight * earned

    def moments(self, divergences: Divergences) -> tuple[Floats, Floats, float]:
        """Mean and variance of each payoff on that half, and the pairs of the past."""
        joint = self.counted.judging
        cells = cells_of(joint)
        pairs = float(joint.sum())
        payoffs = self.functions.payoffs(cells, divergences)
        mean = payoffs @ joint[cells] / pairs
        variance = payoffs**2 @ joint[cells] / pairs - mean**2
        return mean, np.maximum(variance, 1e-9), self.counted.weight * pairs

    def promise(self, divergences: Divergences) -> float:
        """About what the best of them would have earned."""
        mean, variance, pairs = self.moments(divergences)
        largest = self.functions.largest_stakes(divergences)
        stake = np.clip(mean / variance, 0.0, largest)
        return float((pairs * (stake * mean - 0.5 * stake**2 * variance)).max())


def _ways(divergences: Divergences) -> Iterator[Way]:
    for parts in product(range(len(divergences)), (True, False), _POOLED, _SHRINKAGE, CAPS):
        yield Way(*parts)


def made(
    ways: Sequence[Way], joint: Counts, binning: Binning, divergences: Divergences
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


def _sides(joint: Counts, forward: bool) -> tuple[Counts, Counts]:
    """Counts on the side whose law comes first, and on the other."""
    left, right = joint.sum(axis=1), joint.sum(axis=0)
    return (left, right) if forward else (right, left)


def _log_ratio(joint: Counts, binning: Binning, forward: bool, pooled: int) -> Floats:
    """Log of the ratio of the two laws on every bin, from counts pooled over neighbors."""
    places = np.arange(binning.count)
    groups = np.where(
        places < binning.numeric, places // pooled, places - binning.numeric + binning.count
    )
    own, other = (np.bincount(groups, side)[groups] for side in _sides(joint, forward))
    ratio: Floats = np.log((own + 0.5) / (other + 0.5))
    return ratio
