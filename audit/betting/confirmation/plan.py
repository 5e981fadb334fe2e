"""What is going to be confirmed, and with how many calls for how many outputs each."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from audit.betting.confirmation.leading import limit_of
from audit.betting.confirmation.leading_bet import LeadingBet
from audit.betting.confirmation.odds_event import OddsEvent
from audit.betting.inequalities import Inequalities
from audit.betting.record import CapitalRecord
from audit.betting.settling import SETTLED
from audit.blackbox.interface import starts
from audit.claim_kind import LARGEST_EPSILON
from audit.sampling.sampler import Sampler

COSTS = 3.0
"""Log-wealth that typically stays behind in other stakes and events."""
_SLACK = 1.5
"""How many times the expected pairs a level may take to be within reach."""
MOST_BETS = 3
BLOCK = 8
"""Calls that make one block where the black box keeps state between them."""
_LARGEST_CALL = 1 << 12
_FEWEST_CALLS = 50
_MOST_CALLS = 1 << 16
"""Calls on either side to be spent on a bound: some seconds where a call takes no time."""
_MOST_STANDING = 1 << 14
"""The same of a claim that stands, whose bound comes no closer with four times as many."""
_MOST_STARTS = 1 << 10
"""The same where every call starts something up: some minutes at a third of a second each."""
_HALVINGS = 30


@dataclass(frozen=True, slots=True)
class Plan:
    """What is going to be confirmed, and how.

    Attributes:
        level: what is meant to be refuted.
        bets: with which bets, all on one pair.
        outputs: of each call.
        calls: in each block.
        blocks: about how many it takes.
        further: the level up to which larger ones are worth the rest of the runs; 0 where
            none is.
    """

    level: float
    bets: tuple[LeadingBet, ...]
    outputs: int
    calls: int
    blocks: int
    further: float

    @property
    def block(self) -> int:
        """Outputs of one block on each side, but for those beside."""
        return self.outputs * self.calls

    @property
    def runs(self) -> int:
        """How many a block takes in all."""
        return self.bets[0].runs * self.block

    def for_calls(self, outputs: int, blocks: int) -> Plan:
        """The same in pairs, with calls for so many outputs."""
        bets = tuple(bet.in_pairs if isinstance(bet, OddsEvent) else bet for bet in self.bets)
        return replace(self, bets=bets, outputs=outputs, blocks=blocks)


@dataclass(frozen=True, slots=True)
class Planner:
    """Plans what is to be confirmed of one e-process.

    Attributes:
        capital: what it came to.
        sampler: where draws come from.
        goal: log-wealth that a plan has to be enough for.
        most_calls: calls to be spent on a bound.
        beyond: whether a bound may be larger than the bets have it.
    """

    capital: CapitalRecord
    sampler: Sampler
    goal: float
    most_calls: float
    beyond: bool

    @classmethod
    def of(cls, capital: CapitalRecord, sampler: Sampler, share: float, beyond: bool) -> Planner:
        """For a try that has this share of the level."""
        most = _MOST_CALLS if capital.refuted else _MOST_STANDING
        most = _MOST_STARTS if starts(sampler.box) else most
        goal = COSTS - math.log(capital.alpha * share)
        return cls(capital, sampler, goal, most, beyond and capital.refuted)

    def within(self, runs: int) -> Plan | None:
        """For the largest level that so many runs should refute, at least a refuted claim's.

        That may be more than the bets refuted: they had to find their events first, which
        these calls need not.
        """
        low = self.capital.claim.level if self.capital.refuted else 0.0
        high = max(low, self._limit if self.beyond else self.capital.level)
        if not self._reached(high, runs):
            for _ in range(_HALVINGS):
                middle = (low + high) / 2.0
                low, high = (middle, high) if self._reached(middle, runs) else (low, middle)
            high = low
        stands = not self.capital.refuted
        least = round(runs / 2 / self.most_calls) if self.beyond or stands else 0
        return self.at(high, self.capital.leading, least) if high > 0.0 else None

    def at(self, level: float, bets: tuple[LeadingBet, ...], least: int = 0) -> Plan | None:
        """For this level, with the best of these bets, and at least so many outputs a call."""
        promised = self._promised(level)
        best = sorted(bets, key=lambda bet: bet.runs * self._needed(bet, level))
        chosen = [
            b
            for b in best
            if (b.pair, b.runs) == (best[0].pair, best[0].runs) and b.growth(promised) > 0
        ]
        pairs = self._needed(best[0], level) if best else math.inf
        if not chosen or math.isinf(pairs):
            return None
        return self._sized(level, tuple(chosen[:MOST_BETS]), pairs, least)

    @property
    def _limit(self) -> float:
        """The level that the leading event would show in the end."""
        bets, claim = self.capital.leading, self.capital.claim
        return min(LARGEST_EPSILON, limit_of(bets[0], claim)) if bets else 0.0

    def _promised(self, level: float) -> Inequalities:
        return Inequalities.at(self.capital.claim, level)

    def _reached(self, level: float, runs: int) -> bool:
        promised = self._promised(level)
        return any(
            self._needed(bet, level) <= runs / (bet.runs * _SLACK)
            and _calls_needed(bet, promised, self.goal) <= self.most_calls
            for bet in self.capital.leading
        )

    def _needed(self, bet: LeadingBet, level: float) -> float:
        """Pairs that this bet takes."""
        growth = bet.growth(self._promised(level))
        return self.goal / growth if growth > 0 else math.inf

    def _sized(self, level: float, bets: tuple[LeadingBet, ...], pairs: float, least: int) -> Plan:
        """Calls as large as they may be without costing wealth; at odds for one output each.

        The best stake for means of n payoffs is n times that for one, as long as it is
        allowed: n mean/variance up to the largest stake. Half of that is left for what
        the mean is not known to.
        """
        promised = self._promised(level)
        if isinstance(bets[0], OddsEvent):
            return self._plan(level, bets, 1, 1, math.ceil(pairs))
        mean, variance = bets[0].moments(promised)
        block = 0.5 * bets[0].largest_stake(promised) * variance / max(mean, 1e-12)
        most = min(_LARGEST_CALL, pairs / _FEWEST_CALLS)
        block = max(1, int(min(block, most)), least)
        calls = BLOCK if self.sampler.lasting else 1
        many = self.sampler.many_on(bets[0].pair)
        outputs = max(1, block // calls) if many else 1
        return self._plan(level, bets, outputs, calls, math.ceil(pairs / (outputs * calls)))

    def _plan(
        self, level: float, bets: tuple[LeadingBet, ...], outputs: int, calls: int, blocks: int
    ) -> Plan:
        # A claim that stands, and calls that start something up, are worth no more than planned.
        worth = self.capital.refuted and level > self.capital.claim.level
        worth = worth and not starts(self.sampler.box)
        most = SETTLED * self._limit if self.beyond else self.capital.level
        return Plan(level, bets, outputs, calls, blocks, most if worth else 0.0)


def _calls_needed(bet: LeadingBet, promised: Inequalities, goal: float) -> float:
    """About how many calls it takes however large they are: no stake may be too large."""
    if isinstance(bet, OddsEvent):
        growth = bet.growth(promised)
        return bet.runs * goal / growth if growth > 0.0 else math.inf
    mean, _ = bet.moments(promised)
    return 2.0 * goal / (bet.largest_stake(promised) * mean) if mean > 0.0 else math.inf
