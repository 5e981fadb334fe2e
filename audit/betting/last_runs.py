"""When the last runs of a budget are kept for a last bet, and which there may be one on.

The plan knows the budget and nothing of what is drawn later. What it takes (see `last_bet`) is
that all runs are independent of each other: those of one call for many outputs need not be,
nor those of a black box that changes with a call, and sides that share their randomness are
told apart better by bets on pairs. There is none where a clock may end the bets, as nobody
knows how many runs there will be; and none on long games, which go on to learn better events.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from audit.betting.last_bet import FEWEST, MOST
from audit.betting.portfolios import Portfolios
from audit.betting.schedule import Schedule
from audit.sampling.pair_draws import PairDraws
from audit.sampling.sampler import Sampler

SHARE = 0.8
"""Of the runs of a budget's bets, what is kept for its last bet."""
_SPARE = 0.9
"""Of what one of several pairs has to expect, what is planned with."""


@dataclass(slots=True)
class LastRuns:
    """The plan for the last runs of each game.

    Attributes:
        sampler: where draws come from.
        portfolios: what is bet.
        schedule: knows when games end.
        ends: ends of games that had a last bet or were found to have no use for one.
    """

    sampler: Sampler
    portfolios: Portfolios
    schedule: Schedule
    ends: set[int] = field(default_factory=set)

    def likely(self, pairs: Collection[PairDraws]) -> bool:
        """Whether there will be a last bet, as far as anybody can know now."""
        return self.schedule.limit not in self.ends and self._possible(pairs)

    def through(self, pairs: Collection[PairDraws], target: int) -> Iterator[int]:
        """A number of draws of each pair, and before it where a last bet begins and is over.

        The bet is made where somebody asks for what comes behind its beginning.
        """
        begins = self.begins(pairs)
        if begins is not None and begins < target:
            yield begins
            self._bet(pairs)
        yield from (over for over in self._over(pairs) if over < target)
        yield target

    def begins(self, pairs: Collection[PairDraws]) -> int | None:
        """Draws of each of these pairs up to which nothing is kept; None where nothing will be."""
        if not self.likely(pairs):
            return None
        left = self.schedule.pairs_left(self.sampler.samples, to_confirm=False)
        before = max(0, left - self._kept()) // len(pairs)
        return max(draws.drawn for draws in pairs) + before

    def _bet(self, pairs: Collection[PairDraws]) -> None:
        """Bet on what is left."""
        self.ends.add(self.schedule.limit)
        left = self.schedule.pairs_left(self.sampler.samples, to_confirm=False)
        each = left if len(pairs) == 1 else int(_SPARE * left / len(pairs))
        if each >= FEWEST and self._possible(pairs):
            self.portfolios.bet_last([draws.index for draws in pairs], each)

    def _over(self, pairs: Collection[PairDraws]) -> Iterator[int]:
        """Draws of a pair at which a last bet on it is over: no batch may go beyond."""
        for bet in self.portfolios.claim.last:
            left = (draws.drawn for draws in pairs if draws.index == bet.pair and bet.open)
            yield from (drawn + bet.pairs - bet.drawn for drawn in left)

    def check(self) -> None:
        """Give up what was bet where draws turn out not to be independent of each other."""
        if self.sampler.shares_randomness or self.sampler.lasting:
            for bet in self.portfolios.claim.last:
                bet.lost |= bet.open

    def _kept(self) -> int:
        """Pairs of runs that are kept at the end of this game."""
        schedule = self.schedule
        return int(SHARE * (schedule.limit - (schedule.begun or 0)) / 2)

    def _possible(self, pairs: Collection[PairDraws]) -> bool:
        schedule, sampler = self.schedule, self.sampler
        return (
            bool(pairs)
            and schedule.limit == schedule.last
            and schedule.deadline.never
            and FEWEST <= self._kept() <= MOST
            and not self.portfolios.claim.refuted
            and not sampler.shares_randomness
            and not sampler.lasting
            and not any(sampler.many_on(draws.index) for draws in pairs)
        )
