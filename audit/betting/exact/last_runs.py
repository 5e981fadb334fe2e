"""When the last runs of a budget are kept for exact tests, and which there may be.

The plan knows the budget and nothing of what is drawn later. What tests take is that all pairs
of runs are independent of each other: those of one call for many outputs need not be, nor
those of a black box that changes with a call. There are none where a clock may end the bets, as
nobody knows how many runs there will be. A last bet (see `last_bet`) on the claim alone asks for
sides that share no randomness, too; closing tests (see `closing_tests`) on all of its levels do
not, but pairs that share it are told apart better by bets. In long games these go on to learn
better events, so there are closing tests only where sides are apart, and losses so small that
bets at odds (see `odds_plan`) are no better; and no last bet.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from audit.betting.exact.closing_tests import ClosingTests
from audit.betting.exact.last_bet import FEWEST, MOST, LastBet
from audit.betting.odds_factors import steep
from audit.betting.portfolios import Portfolios
from audit.betting.schedule import Schedule
from audit.sampling.pair_draws import PairDraws
from audit.sampling.sampler import Sampler

SHARE, _SHARE_TOGETHER = 0.8, 0.87
"""Of the runs of a budget's bets, what is kept for its exact tests: where sides are apart, and
where they share their randomness, as bets on pairs go on beside."""
_MOST_CLOSING = 1 << 13
"""Pairs of runs that there are closing tests on where bets would do better in the end."""
_SPARE = 0.9
"""Of what one of several pairs has to expect, what is planned with."""


@dataclass(slots=True)
class LastRuns:
    """The plan for the last runs of each game.

    Attributes:
        sampler: where draws come from.
        portfolios: what is bet.
        schedule: knows when games end.
        ends: ends of games whose last runs are spoken for.
    """

    sampler: Sampler
    portfolios: Portfolios
    schedule: Schedule
    ends: set[int] = field(default_factory=set)

    def likely(self, pairs: Collection[PairDraws]) -> bool:
        """Whether there will be a last bet, as far as anybody can know now."""
        few = self.short and self._kept() <= MOST
        return few and self._closing(pairs) and not self.sampler.shares_randomness

    @property
    def short(self) -> bool:
        """Whether this is a game whose last runs are so few that exact tests beat other bets."""
        return not self.sampler.box.many and self._ends_alike and self._kept() <= _MOST_CLOSING

    def through(self, pairs: Collection[PairDraws], target: int) -> Iterator[int]:
        """A number of draws of each pair, and before it where tests begin and are over.

        They are chosen where somebody asks for what comes behind its beginning.
        """
        begins = self.begins(pairs)
        if begins is not None and begins < target:
            yield begins
            self._bet(pairs)
        yield from (over for over in self._over(pairs) if over < target)
        yield target

    def begins(self, pairs: Collection[PairDraws]) -> int | None:
        """Draws of each of these pairs up to which nothing is kept; None where nothing will be."""
        if not self._closing(pairs):
            return None
        left = self.schedule.pairs_left(self.sampler.samples, to_confirm=False)
        before = max(0, left - self._kept()) // len(pairs)
        return max(draws.drawn for draws in pairs) + before

    def _bet(self, pairs: Collection[PairDraws]) -> None:
        """Stake cash on tests of what is left."""
        likely, possible = self.likely(pairs), self._closing(pairs)
        self.ends.add(self.schedule.limit)
        left = self.schedule.pairs_left(self.sampler.samples, to_confirm=False)
        each = left if len(pairs) == 1 else int(_SPARE * left / len(pairs))
        if not possible or each < FEWEST:
            return
        if likely:
            self.portfolios.bet_last([draws.index for draws in pairs], each)
        self.portfolios.close({d.index: d.past() for d in pairs if d.kept}, each)

    def _over(self, pairs: Collection[PairDraws]) -> Iterator[int]:
        """Draws of a pair at which tests on it are over: no batch may go beyond."""
        claim = self.portfolios.claim
        held: list[LastBet | ClosingTests] = [*claim.last, *claim.closing]
        drawn = {draws.index: draws.drawn for draws in pairs}
        ends = {drawn[t.pair] + t.pairs - t.drawn for t in held if t.open and t.pair in drawn}
        yield from sorted(ends)

    def check(self) -> None:
        """Give up what was bet where draws turn out not to be independent of each other."""
        claim, lasting = self.portfolios.claim, self.sampler.lasting
        for bet in claim.last:
            bet.lost |= bet.open and (lasting or self.sampler.shares_randomness)
        for tests in claim.closing:
            tests.lost |= tests.open and lasting

    def _kept(self) -> int:
        """Pairs of runs that are kept at the end of this game."""
        schedule = self.schedule
        share = _SHARE_TOGETHER if self.sampler.shares_randomness else SHARE
        return int(share * (schedule.limit - (schedule.begun or 0)) / 2)

    @property
    def _ends_alike(self) -> bool:
        """Whether this is the last game of a budget that nothing but runs can end."""
        schedule = self.schedule
        alike = schedule.limit == schedule.last and schedule.deadline.never
        return alike and not self.portfolios.claim.refuted and not self.sampler.lasting

    def _closing(self, pairs: Collection[PairDraws]) -> bool:
        """Whether there will be closing tests, as far as anybody can know now."""
        claim = self.portfolios.claim.claim
        long = not self.sampler.shares_randomness and not steep(claim.lines(claim.level))
        return (
            bool(pairs)
            and self.schedule.limit not in self.ends
            and self._ends_alike
            and self._kept() >= FEWEST
            and (long or self._kept() <= _MOST_CLOSING)
            and not any(self.sampler.many_on(draws.index) for draws in pairs)
        )
