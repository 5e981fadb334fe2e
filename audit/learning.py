"""From past draws to the next bets: features, bins, events, and how much to put on each.

Everything here looks only at draws that are never bet on again with what was
learned from them, so it may be as clever or as careless as it likes: the level
of the audit does not depend on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from audit.binning import Binning, Codes, learned
from audit.claim import Claim, Lines
from audit.events import Bets, Counts, Masks, bets_for
from audit.features import Feature
from audit.outcomes import Outcomes
from audit.wealth import Floats, log_growth, log_sum, payoffs, stakes_for, tallies

_SPREAD = 0.1
"""Share of the prior that stays spread evenly, against surprises."""
_FLOOR = -20.0
"""Losses beyond this log-wealth tell nothing more."""
_HORIZON = 8.0
"""How many times the past the bets are meant to last."""
_TELLING = 16.0
"""Log-wealth at which the past tells good events from lucky ones."""
_COSTS = 3.0
"""Log-wealth that typically stays behind in bets on other events."""
_STAKE_SCALE = 3.0
"""Log-wealth wanted for every horizon's worth of draws, when choosing stakes."""
_LARGEST_LEVEL = 100.0

Reader = tuple[Feature, Binning]

Weights = tuple[Floats, Floats]
"""For single and double bets, shape (2, events, lines, stakes)."""


@dataclass(frozen=True, slots=True)
class Table:
    """One feature with its bins, its bets, and the prior weight of every expert.

    Attributes:
        feature: what is read off an output.
        binning: its bins.
        bets: the events.
        log_prior: for single and double bets, shape (2, events, lines, stakes).
    """

    feature: Feature
    binning: Binning
    bets: Bets
    log_prior: Weights


@dataclass(frozen=True, slots=True)
class Book:
    """All tables of one account; the stakes are common to them.

    Attributes:
        tables: their prior weights sum to 1 over all of them.
        stakes: shape (lines, stakes), in units of wealth per unit of payoff.
    """

    tables: tuple[Table, ...]
    stakes: Floats

    @property
    def readers(self) -> tuple[Reader, ...]:
        """What to read and how to bin it, table by table: all that counting needs."""
        return tuple((table.feature, table.binning) for table in self.tables)

    def count(self, left: Outcomes, right: Outcomes) -> list[Counts]:
        """Joint counts of a batch of pairs, one (bins, bins) array for each table."""
        return [joint_of(reader, left, right) for reader in self.readers]


def joint_of(reader: Reader, left: Outcomes, right: Outcomes) -> Counts:
    """Joint counts of a batch of pairs in the bins of one feature."""
    feature, binning = reader
    codes = binning.code(feature.read(left)), binning.code(feature.read(right))
    return joint_counts(*codes, binning.count)


def joint_counts(left: Codes, right: Codes, bins: int) -> Counts:
    """How many pairs fell into each pair of bins, shape (bins, bins)."""
    cells = np.bincount(left * bins + right, minlength=bins * bins)
    return cells.reshape(bins, bins).astype(np.int64)


@dataclass(frozen=True, slots=True)
class Past:
    """Past draws of one pair.

    Attributes:
        left: outputs on D.
        right: outputs on D', paired with `left`.
    """

    left: Outcomes
    right: Outcomes

    @property
    def chooser(self) -> tuple[Outcomes, Outcomes]:
        """The half of the pairs on which choices may be made that the other half judges."""
        return self.left.take(slice(0, None, 2)), self.right.take(slice(0, None, 2))


@dataclass(frozen=True, slots=True)
class _Sketch:
    """A table before its prior.

    Attributes:
        feature: what is read off an output.
        binning: its bins.
        bets: the events; ranked ones were chosen on every second past pair.
        everything: past pairs counted.
        judged: the pairs counted that did not choose the ranked events.
    """

    feature: Feature
    binning: Binning
    bets: Bets
    everything: tuple[Floats, Floats]
    judged: tuple[Floats, Floats]

    def past(self, lines: Lines, stakes: Floats) -> list[Floats]:
        """Log-wealth of every expert on the past, chosen events on the other half."""
        return [
            _either(parts, payoff, stakes * scale, mark)
            for parts, payoff, scale, mark in zip(
                zip(self.everything, self.judged, strict=True),
                payoffs(lines),
                (1.0, 0.5),
                self.chosen,
                strict=True,
            )
        ]

    @property
    def chosen(self) -> tuple[Masks, Masks]:
        """Which single and which double bets were chosen on the other half."""
        marks = self.bets.ranked | self.feature.fitted
        return marks[: len(self.bets.single)], marks[len(self.bets.single) :]


def _either(parts: tuple[Floats, Floats], payoff: Floats, stakes: Floats, chosen: Masks) -> Floats:
    """Log-wealth on all of the past, but twice that on the judging half where chosen."""
    tally = np.where(chosen[:, None], 2.0 * parts[1], parts[0])
    return log_growth(tally, payoff, stakes)


def learn(
    past: Past, features: Sequence[Feature], claim: Claim, goal: float, limit: int, bins: int
) -> Book:
    """The bets to place next on one pair of datasets.

    Args:
        past: its draws so far.
        features: what may be read, at least one.
        claim: what is bet against.
        goal: log-wealth that refutes.
        limit: how many features to keep.
        bins: about how many bins for numbers.
    """
    return _best([_sketch(feature, past, bins) for feature in features], claim, goal, limit)


def relearn(
    book: Book, counts: Sequence[Counts], claim: Claim, goal: float, limit: int
) -> Book:
    """The same bets with a prior learned from what they counted since they were chosen.

    Args:
        book: the bets so far.
        counts: what each of its tables counted, shape (bins, bins).
        claim: what is bet against.
        goal: log-wealth that refutes.
        limit: how many tables to keep.
    """
    sketches = []
    for table, joint in zip(book.tables, counts, strict=True):
        held = tallies(joint, table.bets)
        half = held[0] / 2.0, held[1] / 2.0
        sketches.append(_Sketch(table.feature, table.binning, table.bets, held, half))
    return _best(sketches, claim, goal, limit)


def _best(sketches: Sequence[_Sketch], claim: Claim, goal: float, limit: int) -> Book:
    """A book of the most telling tables."""
    lines = claim.lines(claim.level)
    weights = [[_on_claim(s, lines) for s in sketches]]
    stakes = [stakes_for(lines)]
    telling = _level_where(sketches, claim, _TELLING)
    if telling > 0:
        ahead = claim.lines(_level_where(sketches, claim, (goal + _COSTS) / _HORIZON))
        weights.append([_ahead(s, claim.lines(telling), ahead) for s in sketches])
        stakes.append(stakes_for(ahead))
    normal = [_normal(parts) for parts in weights]
    mass = np.logaddexp.reduce([[log_sum(pair) for pair in parts] for parts in normal])
    kept = np.sort(np.argsort(-mass, kind="stable")[:limit])
    return _book([sketches[k] for k in kept], _normal_parts(weights, kept), stakes)


def _book(
    sketches: Sequence[_Sketch], weights: Sequence[Sequence[Weights]], stakes: Sequence[Floats]
) -> Book:
    """Tables whose prior gives every purpose the same share."""
    share = -np.log(len(weights))
    tables = [
        Table(
            sketch.feature,
            sketch.binning,
            sketch.bets,
            (
                np.concatenate([share + parts[k][0] for parts in weights], axis=-1),
                np.concatenate([share + parts[k][1] for parts in weights], axis=-1),
            ),
        )
        for k, sketch in enumerate(sketches)
    ]
    return Book(tuple(tables), np.concatenate(stakes, axis=1))


def _normal_parts(
    weights: Sequence[Sequence[Weights]], kept: NDArray[np.intp]
) -> list[list[Weights]]:
    return [_normal([parts[k] for k in kept]) for parts in weights]


def _normal(parts: Sequence[Weights]) -> list[Weights]:
    """Log-weights that sum to 1 over all tables."""
    whole = log_sum([part for pair in parts for part in pair])
    return [(single - whole, double - whole) for single, double in parts]


def _sketch(feature: Feature, past: Past, bins: int) -> _Sketch:
    columns = feature.read(past.left), feature.read(past.right)
    binning = learned(columns, bins)
    left, right = (binning.code(column) for column in columns)
    marginals = [np.bincount(side[0::2], minlength=binning.count) for side in (left, right)]
    bets = bets_for(binning, *marginals)
    joints = [joint_counts(left[s], right[s], binning.count) for s in (slice(None), slice(1, None, 2))]
    return _Sketch(feature, binning, bets, tallies(joints[0], bets), tallies(joints[1], bets))


def _level_where(sketches: Sequence[_Sketch], claim: Claim, worth: float) -> float:
    """The level against which the best expert of the past would have earned this much."""

    def excess(level: float) -> float:
        lines = claim.lines(level)
        stakes = stakes_for(lines)
        return max(float(p.max(initial=0.0)) for s in sketches for p in s.past(lines, stakes)) - worth

    low, high = 1e-6, claim.level
    if excess(low) <= 0:
        return 0.0
    while excess(high) > 0:
        low, high = high, 2.0 * high
        if high > _LARGEST_LEVEL:
            return low
    return float(brentq(excess, low, high, rtol=2e-2))


def _on_claim(sketch: _Sketch, lines: Lines) -> Weights:
    """Log-weights to refute the claim itself: what the experts earned against it."""
    stakes = stakes_for(lines)
    single, double = (
        np.logaddexp(np.log1p(-_SPREAD) + b + np.maximum(p, _FLOOR), np.log(_SPREAD) + b)
        for b, p in zip(_base(sketch, lines, stakes), sketch.past(lines, stakes), strict=True)
    )
    return single, double


def _ahead(sketch: _Sketch, telling: Lines, ahead: Lines) -> Weights:
    """Log-weights to refute the largest level within reach.

    Against that level itself the past says little yet. Against a lower one, that
    the past refutes clearly, it tells which events are good; their stakes are
    those that the level ahead calls for.
    """
    earned = sketch.past(telling, stakes_for(telling))
    single, double = (
        b + np.logaddexp.reduce(np.maximum(p, _FLOOR), axis=-1, keepdims=True)
        for b, p in zip(_base(sketch, ahead, stakes_for(ahead)), earned, strict=True)
    )
    return single, double


def _base(sketch: _Sketch, lines: Lines, stakes: Floats) -> list[Floats]:
    """Log weight of every expert before its past is looked at, shape as the experts'."""
    cut = len(sketch.bets.single)
    weight = sketch.bets.weight / (2.0 * len(lines))
    parts = []
    for held, payoff, share, scale in zip(
        sketch.everything, payoffs(lines), (weight[:cut], weight[cut:]), (1.0, 0.5), strict=True
    ):
        preferred = _preferred_stakes(held, payoff, stakes * scale)
        parts.append(np.log(share[:, None, None] * preferred))
    return parts


def _preferred_stakes(held: Floats, payoff: Floats, stakes: Floats) -> Floats:
    """Weight of each stake: half spread evenly, half near the best one for the horizon.

    To earn the goal from a small edge within n pairs, the stake has to be about
    sqrt(2 goal / (n variance)): the variance is known long before the edge is.
    """
    pairs = max(1.0, float(held[0, :1].sum()))
    mean = held @ payoff.T / pairs
    variance = np.maximum(held @ (payoff**2).T / pairs - mean**2, 1e-9)
    best = np.sqrt(_STAKE_SCALE / (pairs * variance))[..., None]
    near = np.exp(-0.5 * (np.log(stakes / best) / np.log(2.0)) ** 2) + 1e-300
    near /= near.sum(axis=-1, keepdims=True)
    return 0.5 * near + 0.5 / stakes.shape[-1]
