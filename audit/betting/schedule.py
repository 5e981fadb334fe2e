"""The schedule of a game: when to learn, when to look at the wealth, and when to stop.

Nothing here touches a draw or a bet. Epochs open when a pair has been drawn `FIRST` times,
`SOON` times as often, and from there on `PACE` times as often as before; in between, the
wealth is looked at in steps that grow geometrically. Any rule of stopping is valid (see
`capital`), so what ends a game may be a budget, a clock, or what was found.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count, islice, pairwise

import numpy as np

from audit.betting.capital import Capital
from audit.betting.settling import enough
from audit.blackbox.interface import BlackBox
from audit.case import Until
from audit.sampling.deadline import Deadline
from audit.sampling.pair_draws import PairDraws

FIRST = 6
"""Pairs that the first epoch is learned from."""
SOON, PACE = 4, 8
"""How many times as many the second one is, and every later one as the one before."""
_GROWTH = ((1 << 15, 1.6), (1 << 8, 1.3), (0, 1.15))
"""From one look to the next, for epochs that are opened at so many pairs and later."""
_COARSE = 1.3
"""The same at least where the first epoch opens late, as every look costs a call that is slow."""
_KEPT = 0.65
"""Of the runs of bets, what is kept for a confirmation once the claim is refuted."""
_LONGEST_WAY = 1 << 26
"""Pairs from one look to the next at most."""


@dataclass(slots=True)
class Schedule:
    """When epochs open, when the wealth is looked at, and when a game ends.

    Attributes:
        until: when to stop, if the budget has not ended before.
        first: pairs that the first epoch is learned from.
        limit: runs that the sampler may have made when a game ends.
        last: the same for the last of the games that share a budget.
        begun: runs that it had made before the first game; None before that.
        epoch: how many epochs have been opened since the last restart.
        refuted_at: pairs of runs there were when the claim was refuted.
        deadline: when a game ends, whatever was found.
        began: the moment at which the first game did.
        extra: runs that are made beside every pair.
        kept: of the runs of each game, the part that is kept for what confirms a bound.
        kept_if_lasting: the same, should the black box keep something from call to call.
    """

    until: Until = Until.VIOLATION
    first: int = FIRST
    limit: int = 0
    last: int = 0
    begun: int | None = None
    epoch: int = 0
    refuted_at: int | None = None
    deadline: Deadline = field(default_factory=Deadline)
    began: float = 0.0
    extra: int = 0
    kept: float = 0.0
    kept_if_lasting: float = 0.0

    def begin(self, runs: int, limit: int, last: int) -> None:
        """Start a game, or go on with one.

        Args:
            runs: that the sampler has made.
            limit: that it may have made when the game ends.
            last: that it may have made when the last game of this budget ends.
        """
        self.limit, self.last = limit, max(limit, last)
        if self.begun is None:
            self.begun, self.began = runs, self.deadline.now()

    def keep(self, runs: int) -> None:
        """Keep runs for what confirms a bound, as the black box turned out to keep something.

        Args:
            runs: that were made, with those that are planned, which are made all the same.
        """
        whole = self.limit - (self.begun or 0)
        if whole > 0:
            self.kept = min(self.kept_if_lasting, max(0, self.limit - runs) / whole)

    @property
    def opening(self) -> int:
        """Pairs at which the next epoch opens."""
        return opens(self.first, self.epoch)

    @property
    def before(self) -> int:
        """Pairs at which the epoch before that one opened."""
        return opens(self.first, max(0, self.epoch - 1))

    def opened(self) -> tuple[int, ...]:
        """Go on to the next epoch; the numbers of pairs at which to look until then."""
        looks = self._looks(self.epoch)
        self.epoch += 1
        return looks

    def restart(self) -> None:
        """Open the first epoch again next."""
        self.epoch = 0

    def refuted(self, pairs: int) -> None:
        """The claim is refuted, after so many pairs of runs if it was not before.

        The confirmation of that then has more need of time than a larger bound.
        """
        if self.refuted_at is None:
            self.refuted_at = pairs
            self.deadline.bring_forward()

    def certain(self, drawn: int, sure: int) -> Iterator[int]:
        """Numbers of pairs that are going to be drawn, whatever is found until then.

        Args:
            drawn: pairs there are.
            sure: how many more looks are certain to come; all of them where nothing
                stops before the budget is spent.
        """
        if not self.deadline.never:
            return iter(())
        return islice(self._coming(drawn), None if self.until is Until.BUDGET else sure)

    def in_time(self, pairs: int, runs: int) -> bool:
        """Whether so many more pairs can be drawn in time, after so many runs."""
        return self.deadline.affords((2 + self.extra) * pairs, runs - (self.begun or 0), self.began)

    @property
    def life(self) -> int:
        """Pairs that count for what is opened next."""
        return opens(self.first, self.epoch + 2) - self.opening

    def unfinished(self, drawn: int) -> tuple[int, ...]:
        """Looks of the youngest epoch that are still to come, where a game ended before them.

        Args:
            drawn: pairs there are.
        """
        if not self.epoch:
            return ()
        return tuple(size for size in self._looks(self.epoch - 1) if size > drawn)

    def pairs_left(self, runs: int, to_confirm: bool) -> int:
        """Pairs that may still be drawn after so many runs; see `end`."""
        return (self.end(to_confirm) - runs) // (2 + self.extra)

    def end(self, to_confirm: bool) -> int:
        """Runs that the sampler may have made when this game ends, as far as it is known now.

        Args:
            to_confirm: whether the claim is refuted, and what is won has to be won again on
                calls of its own.
        """
        if to_confirm and self.until is Until.BOUND:
            return min(self.limit, self.last - self._kept_to_confirm())
        return self.limit - int(self.kept * (self.limit - (self.begun or 0)))

    def over(self, capital: Capital, pairs: Sequence[PairDraws], box: BlackBox) -> bool:
        """Whether what is known is enough.

        Args:
            capital: of the bets against the claim.
            pairs: that are bet on.
            box: what is drawn from.
        """
        if not capital.refuted or self.until is Until.BUDGET:
            return False
        return self.until is Until.VIOLATION or enough(capital, pairs, self.refuted_at or 0, box)

    def spent(self, runs: int, pairs: int, to_confirm: bool) -> bool:
        """Whether the budget or the time allows no more.

        Args:
            runs: that the sampler has made.
            pairs: how many are drawn at once at least.
            to_confirm: as for `end`.
        """
        return self.deadline.met or runs + 2 * pairs + self.extra > self.end(to_confirm)

    def _kept_to_confirm(self) -> int:
        """Runs that must be left, so that what was refuted can be confirmed.

        A confirmation takes about as many as the refutation did, at worst half as many
        again; about two thirds of the runs of bets are kept for it anyway. And a bound is
        that of its confirmation: bets have to find good events for it, and after that need
        no more runs.
        """
        taken, all_in = 2 * (self.refuted_at or 0), self.last - (self.begun or 0)
        return max(int(_KEPT * all_in), int(1.5 * taken - 0.25 * all_in))

    def _coming(self, drawn: int) -> Iterator[int]:
        """Sizes of all looks to come."""
        for epoch in count():
            if opens(self.first, epoch + 1) > drawn:
                yield from (size for size in self._looks(epoch) if size > drawn)

    def _looks(self, epoch: int) -> tuple[int, ...]:
        """Sizes at which to look from the opening of one epoch to that of the next."""
        start, stop = opens(self.first, epoch), opens(self.first, epoch + 1)
        growth = next(growth for least, growth in _GROWTH if start >= least)
        return _looks(start, stop, growth if self.first == FIRST else max(growth, _COARSE))


def opens(first: int, epoch: int) -> int:
    """Pairs at which an epoch opens, counted from 0, where the first opens at so many."""
    return first if epoch == 0 else int(first * SOON * PACE ** (epoch - 1))


@lru_cache(maxsize=64)
def _looks(start: int, stop: int, growth: float) -> tuple[int, ...]:
    """Sizes that grow geometrically from start to stop."""
    steps = math.ceil(math.log(stop / start) / math.log(growth))
    sizes = np.unique(np.geomspace(start, stop, steps + 1).round().astype(int))
    # Long ways are divided: what is planned at once has to be kept in memory.
    return tuple(
        part
        for before, size in pairwise(sizes.tolist())
        for part in (*range(before + _LONGEST_WAY, size, _LONGEST_WAY), size)
    )
