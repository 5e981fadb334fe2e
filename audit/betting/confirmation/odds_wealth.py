"""Wealth won at odds, by calls for one output each (see `audit.betting.odds`)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from audit.betting.confirmation.call_wealth import CallWealth
from audit.betting.confirmation.leading_bet import LeadingBet
from audit.betting.confirmation.odds_event import OddsEvent
from audit.betting.e_process import Floats, log_sum
from audit.betting.inequalities import Inequalities
from audit.betting.odds_factors import STAKES, log_factors, stakes_at
from audit.claim import Claim
from audit.outcomes.counting import Counts

_SPREAD = 0.2
"""Share of the prior that is spread evenly over stakes."""


@dataclass(slots=True)
class OddsWealth(CallWealth):
    """The same, with half of it bet at odds: one run on the own side, `times` on the other.

    As every call gives one output, and calls are independent of each other given the past, all
    that `odds` takes holds for blocks of calls; what is bet on pairs is fair as well, and so is
    the sum.

    Attributes:
        times: even.
        at_odds: stakes of each bet, shape (bets, stakes).
        odds_prior: log-weights, shape (bets, stakes), summing to 1.
        beside: how often each event happened on its other side, beside the pairs.
    """

    times: int = 2
    at_odds: Floats | None = None
    odds_prior: Floats | None = None
    beside: Floats | None = None

    @classmethod
    def against(
        cls,
        claim: Claim,
        level: float,
        alpha: float,
        share: float,
        bets: Sequence[LeadingBet],
        size: int,
    ) -> Self:
        """See `CallWealth.against`; all bets are events at the same odds, and calls give one."""
        wealth = super(OddsWealth, cls).against(claim, level, alpha, share, bets, size)
        events = [bet for bet in bets if isinstance(bet, OddsEvent)]
        promised = Inequalities.at(claim, level)
        wealth.times = events[0].times
        lines = promised.lines[[bet.place for bet in events]]
        wealth.at_odds = stakes_at(lines, wealth.times)
        growths = np.array([bet.growths(promised) for bet in events])
        best = np.maximum(growths.max(axis=1, keepdims=True), 1e-300)
        near = np.exp(-math.log(alpha) * np.maximum(growths / best - 1.0, -3.0))
        near /= near.sum(axis=1, keepdims=True)
        weight = 0.5 ** np.arange(len(events))
        even = _SPREAD / len(STAKES)
        wealth.odds_prior = np.log(
            (weight / weight.sum())[:, None] * ((1.0 - _SPREAD) * near + even)
        )
        wealth.beside = np.zeros(len(events))
        return wealth

    def add_beside(self, counts: Sequence[Counts]) -> None:
        """Count runs beside the pairs, of which every block has all: for each bet a table."""
        assert self.beside is not None
        for place, (bet, joint) in enumerate(zip(self.bets, counts, strict=True)):
            there = joint.sum(axis=0) + joint.sum(axis=1)
            assert isinstance(bet, OddsEvent)
            self.beside[place] += there[bet.plus].sum()

    def log_wealth(self, level: float) -> float:
        """See `CallWealth.log_wealth`."""
        in_pairs = super(OddsWealth, self).log_wealth(level)
        at_odds = math.log(self.share) + self._at_odds(level)
        return float(np.logaddexp(in_pairs, at_odds)) - math.log(2.0)

    def _at_odds(self, level: float) -> float:
        lines = Inequalities.at(self.claim, level).lines
        assert self.at_odds is not None and self.odds_prior is not None and self.beside is not None
        places = [bet.place for bet in self.bets if isinstance(bet, OddsEvent)]
        factors, ruined = log_factors(lines[places], self.at_odds, self.times)
        here: NDArray[Any] = sum(part[..., 0].sum(axis=0) for part in self.sums) + np.zeros(
            len(places)
        )
        counts = np.stack([here, self.calls - here, self.beside])
        earned = (counts[:, :, None] * factors).sum(axis=0)
        return log_sum(self.odds_prior + np.where(ruined, -np.inf, earned))
