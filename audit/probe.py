"""A small look at one pair: how fast would bets on it have grown?"""

from __future__ import annotations

import math
from dataclasses import dataclass

from audit.account import Account
from audit.claim import Claim
from audit.discovery import features_for
from audit.learning import Past, learn
from audit.neighbors import Pair
from audit.sampling import Address, Misaligned, Sampler, Stage

_LEARNED = 16
_JUDGED = 16
_FEATURES = 12
_BINS = 24


@dataclass(slots=True)
class Probe:
    """Draws a few coupled pairs, learns bets from half of them and tries those on the rest.

    Attributes:
        claim: what is bet against.
        alpha: the level of the audit.
        sampler: where draws come from; every probe has its own addresses.
    """

    claim: Claim
    alpha: float
    sampler: Sampler

    @property
    def cost(self) -> int:
        """Runs that one probe takes."""
        return 2 * (_LEARNED + _JUDGED)

    def growth(self, pair: Pair, place: int) -> float:
        """Log-wealth that bets learned from 16 pairs of runs made on 16 more.

        Args:
            pair: two neighboring datasets.
            place: number of the probe, its address; the same number gives the
                same randomness.
        """
        left, right = self._drawn(pair, place, 0, _LEARNED), self._drawn(pair, place, 1, _JUDGED)
        features = features_for(left.left, left.right, left.chooser)
        goal = -math.log(self.alpha)
        book = learn(left, features, self.claim, goal, _FEATURES, _BINS)
        account = Account.of(0, 1.0, book)
        account.add(book.count(right.left, right.right))
        return account.log_wealth(self.claim.lines(self.claim.level))

    def _drawn(self, pair: Pair, place: int, batch: int, size: int) -> Past:
        address = Address(Stage.SEARCH, place, batch)
        while True:
            try:
                return Past(*self.sampler.pairs(address, pair.dataset, pair.neighbor, size))
            except Misaligned:
                continue
