"""Books for the next generation: how much to read, from how many draws."""

from __future__ import annotations

from collections.abc import Sequence

from audit.betting.account import Account
from audit.betting.candidate_table import Sketch, sketched
from audit.betting.fund import Fund
from audit.betting.learning import learn, relearn
from audit.betting.portfolio import Book
from audit.outcomes.feature_selection import features_for, low_bit_features
from audit.outcomes.paired import Past

_FEATURES = ((1 << 15, 2), (1 << 12, 8), (0, 24))
"""How many features to bet on from how many past pairs on: what is left has proved itself."""
_BINS, _MORE_BINS, _MANY = 32, 64, 1 << 12
_LEAKS = 4


def studied(past: Past) -> list[Sketch]:
    """All that can be read off kept outputs, whatever claim is bet against."""
    bins = _BINS if past.left.size < _MANY else _MORE_BINS
    features = features_for(past.left, past.right, past.chooser)
    return [sketched(feature, past, bins) for feature in features]


def book_of(sketches: Sequence[Sketch], past: Past, fund: Fund) -> Book:
    """The bets to place next, learned from kept outputs."""
    limit = next(most for least, most in _FEATURES if past.left.size >= least)
    return learn(sketches, fund.claim, fund.goal, limit)


def renewed(account: Account, fund: Fund) -> Book:
    """The best table of an account, its prior learned from everything it counted."""
    return relearn(account.book, account.counts, fund.claim, fund.goal, 1)


def leak_book(past: Past, fund: Fund) -> Book | None:
    """Bets on low bits; None where no output is a float with any."""
    features = low_bit_features(past.left, past.right)
    sketches = [sketched(feature, past, _MORE_BINS) for feature in features]
    return learn(sketches, fund.claim, fund.goal, _LEAKS) if sketches else None
