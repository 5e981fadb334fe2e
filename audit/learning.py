"""From past draws to the next bets: features, bins, events, and how much to put on each.

Everything here looks only at draws that are never bet on again with what was
learned from them, so it may be as clever or as careless as it likes: the level
of the audit does not depend on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp

from audit.binning import Binning, Codes, learned
from audit.claim import Lines
from audit.discovery import features_for
from audit.events import Bets, Counts, bets_for
from audit.features import Feature
from audit.outcomes import Outcomes
from audit.wealth import Floats, experts, stakes_for

_TRUST = 0.5
"""Power of the past wealth in the prior: half, because it was learned on the same draws."""
_SPREAD = 0.1
"""Share of the prior that stays spread evenly, against surprises."""


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
    log_prior: tuple[Floats, Floats]


@dataclass(frozen=True, slots=True)
class Book:
    """All tables of one account; the stakes are common to them.

    Attributes:
        tables: their prior weights sum to 1 over all of them.
        stakes: shape (lines, stakes), in units of wealth per unit of payoff.
    """

    tables: tuple[Table, ...]
    stakes: Floats

    def count(self, left: Outcomes, right: Outcomes) -> list[Counts]:
        """Joint counts of a batch of pairs, one (bins, bins) array for each table."""
        return [_joint(t.feature, t.binning, left, right) for t in self.tables]


def _joint(feature: Feature, binning: Binning, left: Outcomes, right: Outcomes) -> Counts:
    return joint_counts(binning.code(feature.read(left)), binning.code(feature.read(right)), binning.count)


def joint_counts(left: Codes, right: Codes, bins: int) -> Counts:
    """How many pairs fell into each pair of bins, shape (bins, bins)."""
    cells = np.bincount(left * bins + right, minlength=bins * bins)
    return cells.reshape(bins, bins).astype(np.int64)


@dataclass(frozen=True, slots=True)
class _Sketch:
    """A table before its prior: the past draws counted in it."""

    feature: Feature
    binning: Binning
    bets: Bets
    joint: Counts


def learn(left: Outcomes, right: Outcomes, targets: Sequence[Lines], limit: int, bins: int) -> Book:
    """The bets to place next on one pair of datasets.

    Args:
        left: past outputs on D.
        right: past outputs on D', paired with `left`.
        targets: the lines to refute, first those of the claim itself.
        limit: how many features to keep.
        bins: about how many bins for numbers.
    """
    sketches = [_sketch(f, left, right, bins) for f in features_for(left, right)]
    stakes = np.concatenate([stakes_for(lines) for lines in targets], axis=1)
    weights = _weights(sketches, targets)
    mass = np.array([_mass(pair) for pair in weights])
    kept = np.sort(np.argsort(-mass, kind="stable")[:limit])
    whole = logsumexp(mass[kept])
    tables = tuple(
        Table(
            sketches[k].feature,
            sketches[k].binning,
            sketches[k].bets,
            (weights[k][0] - whole, weights[k][1] - whole),
        )
        for k in kept
    )
    return Book(tables, stakes)


def _sketch(feature: Feature, left: Outcomes, right: Outcomes, bins: int) -> _Sketch:
    columns = feature.read(left), feature.read(right)
    binning = learned(columns, bins)
    codes = [binning.code(column) for column in columns]
    marginals = [np.bincount(c, minlength=binning.count) for c in codes]
    return _Sketch(feature, binning, bets_for(binning, *marginals), joint_counts(*codes, binning.count))


def _weights(sketches: Sequence[_Sketch], targets: Sequence[Lines]) -> list[tuple[Floats, Floats]]:
    """Log prior of every expert: for each target, a softmax of part of the past log-wealth."""
    shares = np.log([1.0]) if len(targets) == 1 else np.log([0.7] + [0.3 / (len(targets) - 1)] * (len(targets) - 1))
    per_target = [_target_weights(sketches, lines) for lines in targets]
    return [
        (
            np.concatenate([s + w[k][0] for s, w in zip(shares, per_target, strict=True)], axis=-1),
            np.concatenate([s + w[k][1] for s, w in zip(shares, per_target, strict=True)], axis=-1),
        )
        for k in range(len(sketches))
    ]


def _target_weights(sketches: Sequence[_Sketch], lines: Lines) -> list[tuple[Floats, Floats]]:
    stakes = stakes_for(lines)
    past = [experts(s.joint, s.bets, lines, stakes) for s in sketches]
    even = [_even(pair) - np.log(len(past)) for pair in past]
    trusted = [[e + _TRUST * np.maximum(part, -20.0) for part in pair] for e, pair in zip(even, past, strict=True)]
    whole = logsumexp(np.concatenate([part.ravel() for pair in trusted for part in pair]))
    return [
        (_mixed(pair[0] - whole, e), _mixed(pair[1] - whole, e))
        for e, pair in zip(even, trusted, strict=True)
    ]


def _even(pair: tuple[Floats, Floats]) -> float:
    return -float(np.log(pair[0].size + pair[1].size))


def _mixed(log_weight: Floats, even: float) -> Floats:
    return np.logaddexp(np.log1p(-_SPREAD) + log_weight, np.log(_SPREAD) + even)


def _mass(pair: tuple[Floats, Floats]) -> float:
    return float(logsumexp(np.concatenate([part.ravel() for part in pair])))
