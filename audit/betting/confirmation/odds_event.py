"""An event that was bet on at odds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.betting.confirmation.event_bet import EventBet
from audit.betting.e_process import Floats
from audit.betting.inequalities import Inequalities
from audit.betting.odds_factors import log_factors, stakes_at
from audit.outcomes.counting import Counts


@dataclass(frozen=True, slots=True)
class OddsEvent(EventBet):
    """An event that was bet on at odds: one run on its side, `times` on the other.

    Attributes:
        beside: runs on the other side beside the pairs, two and two, shape (bins, bins).
        times: even.
    """

    beside: Counts
    times: int

    @property
    def runs(self) -> int:
        """See `LeadingBet.runs`; of each pair the run on the own side counts."""
        return 2 + self.times

    @property
    def evidence(self) -> NDArray[Any]:
        """Pairs as they would fall if both sides were independent, as many as runs beside."""
        own, other = self.joint.sum(axis=1), self.joint.sum(axis=0)
        if not self.forward:
            own, other = other, own
        there = self.beside.sum(axis=0) + self.beside.sum(axis=1)
        pairs = np.outer(own / max(1, own.sum()), there)
        return pairs if self.forward else pairs.T

    @property
    def in_pairs(self) -> EventBet:
        """The same event, bet on in pairs."""
        return EventBet(
            self.pair,
            self.feature,
            self.binning,
            self.forward,
            self.joint,
            self.plus,
            self.minus,
            self.place,
        )

    @property
    def further(self) -> tuple[int, int]:
        """How often the event happened beside the pairs, and of how many runs."""
        there = self.beside.sum(axis=0) + self.beside.sum(axis=1)
        return int(there[self.plus].sum()), int(there.sum())

    def growths(self, promised: Inequalities) -> Floats:
        """Log-wealth that a block earns at each stake, as `LeadingBet.growth`, shape (stakes,).

        With one run more on the other side on which the event happened, and less one
        standard error.
        """
        line = promised.lines[self.place : self.place + 1]
        factors, _ = log_factors(line, stakes_at(line, self.times), self.times)
        (won, cost, lost), pairs = factors[:, 0], int(self.joint.sum()) + 1
        seen, runs = self.further
        own, other = self.counts[0] / pairs, (seen + 1.0) / (runs + 1.0)
        sure = np.sqrt(own * won**2 / pairs + self.times**2 * other * lost**2 / (runs + 1.0))
        growths: Floats = own * won + (1.0 - own) * cost + self.times * other * lost - sure
        return growths

    def growth(self, promised: Inequalities) -> float:
        """See `LeadingBet.growth`; of a block."""
        return float(self.growths(promised).max())
