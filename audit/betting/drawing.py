"""Draws of the pairs of a game: as many as bets ask for, and more ahead where they surely will."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from audit.betting.exact.last_runs import LastRuns
from audit.betting.odds_plan import OddsPlan
from audit.betting.portfolios import Portfolios
from audit.betting.schedule import Schedule
from audit.sampling.pair_draws import PairDraws
from audit.sampling.sampler import Sampler
from audit.sampling.workers.interface import WorkerPool
from audit.sampling.workers.local import LocalPool

T = TypeVar("T")
_AHEAD = 1 << 21
"""Pairs that are planned ahead where they are certain to be drawn."""


@dataclass(slots=True)
class Drawing:
    """Draws pairs and counts them for the bets of a game.

    Attributes:
        sampler: where draws come from.
        portfolios: what is bet, and the capital.
        pairs: draws of those that are played on.
        schedule: when to learn, to look and to stop.
        pool: who draws and counts batches.
        last: who plans the last bet; None for none.
        odds: who plans bets at odds; None for none.
        holds_noise: whether the black box may hold noise, so that copies have to win again what
            was won.
        held_noise: what that was when the claim was refuted; None before.
    """

    sampler: Sampler
    portfolios: Portfolios
    pairs: Sequence[PairDraws]
    schedule: Schedule = field(default_factory=Schedule)
    pool: WorkerPool = field(default_factory=LocalPool)
    last: LastRuns | None = None
    odds: OddsPlan | None = None
    holds_noise: Callable[[], bool] = bool
    held_noise: bool | None = None

    @property
    def to_confirm(self) -> bool:
        """Whether something was won that has to be won again on calls of its own."""
        depends = self.sampler.lasting or self.held_noise
        again = depends or self.sampler.many_on(self.pairs[0].index)
        return self.portfolios.claim.refuted and bool(again)

    def meanwhile(self, work: Callable[[], T], sure: int) -> T:
        """Do some work, and draw in the meantime what is going to be asked for next."""
        if len(self.pairs) > 1:
            return work()
        draws = self.pairs[0]
        self._plan_ahead(draws, draws.drawn, sure)
        return self.pool.meanwhile(work, self.sampler, draws.plans)

    def draw(self, draws: PairDraws, target: int, sure: int) -> bool:
        """Draw up to so many pairs and count them for every position that bets on them.

        Returns:
            Whether there was time for it; nothing is drawn where there is none.
        """
        missing = max(0, target - draws.drawn)
        if not self.schedule.in_time(missing, self.sampler.samples):
            return False
        self._plan_ahead(draws, target, sure)
        positions = self.portfolios.betting_on(draws.index, self.schedule.epoch)
        draws.draw(self.sampler, self.pool, target, positions)
        if self.odds is not None:
            self.odds.draw(draws, self.pool)
        return True

    def _plan_ahead(self, draws: PairDraws, target: int, sure: int) -> None:
        """Plan up to so many pairs, and beyond them what is certain to be drawn.

        How often a black box is called must not depend on who is faster: nothing is
        drawn ahead that is only likely to be asked for.

        Args:
            draws: of the pair.
            target: pairs.
            sure: how many more looks are certain to come, whatever is found until then.
        """
        self._plan(draws, target)
        if len(self.pairs) > 1 or (self.odds is not None and self.odds.likely):
            # What comes next depends on what is found.
            return
        if not self.sampler.watch.settled:
            # A black box that keeps something from call to call is drawn less often.
            return
        kept = None if self.last is None else self.last.begins([draws])
        for size in self.schedule.certain(target, sure):
            if draws.planned >= _AHEAD or draws.drawn + draws.planned < target:
                return
            if kept is not None and size > kept:
                return
            target = size
            self._plan(draws, target)

    def _plan(self, draws: PairDraws, target: int) -> None:
        """Plan batches up to so many pairs, or up to what the budget still allows."""
        planned = sum(others.planned for others in self.pairs)
        allowed = self.schedule.pairs_left(self.sampler.samples, self.to_confirm) - planned
        missing = target - draws.drawn - draws.planned
        draws.plan(min(missing, allowed), self.sampler.box.many)
