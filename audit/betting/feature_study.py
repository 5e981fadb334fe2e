"""Portfolios for the next epoch: how much to read, from how many draws."""

from __future__ import annotations

from collections.abc import Sequence

from audit.betting.candidate_table import Sketch, sketched
from audit.betting.capital import Capital
from audit.betting.learning import learn, relearn
from audit.betting.portfolio import Portfolio
from audit.betting.position import Position
from audit.outcomes.feature_selection import features_for, low_bit_features
from audit.outcomes.paired import PairedOutcomes

_FEATURES = ((1 << 15, 2), (1 << 12, 8), (0, 24))
"""How many features to bet on from how many past pairs on: what is left has proved itself."""
_BINS, _MORE_BINS, _MANY = 32, 64, 1 << 12
_LEAKS = 4


def studied(past: PairedOutcomes) -> list[Sketch]:
    """All that can be read off kept outputs, whatever claim is bet against."""
    bins = _BINS if past.left.size < _MANY else _MORE_BINS
    features = features_for(past.left, past.right, past.chooser)
    return [sketched(feature, past, bins) for feature in features]


def portfolio_of(sketches: Sequence[Sketch], past: PairedOutcomes, capital: Capital) -> Portfolio:
    """The bets to place next, learned from kept outputs."""
    limit = next(most for least, most in _FEATURES if past.left.size >= least)
    return learn(sketches, capital.claim, capital.goal, limit)


def renewed(position: Position, capital: Capital) -> Portfolio:
    """The best table of a position, its prior learned from everything it counted."""
    return relearn(position.portfolio, position.counts, capital.claim, capital.goal, 1)


def leak_portfolio(past: PairedOutcomes, capital: Capital) -> Portfolio | None:
    """Bets on low bits; None where no output is a float with any."""
    features = low_bit_features(past.left, past.right)
    sketches = [sketched(feature, past, _MORE_BINS) for feature in features]
    # Low bits are told as events.
    return learn(sketches, capital.claim, capital.goal, _LEAKS, past=()) if sketches else None
