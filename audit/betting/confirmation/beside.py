"""Runs beside pairs of calls that are bet on at odds, on the side where events are rare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from numpy.typing import NDArray

from audit.betting.confirmation.odds_wealth import OddsWealth
from audit.outcomes.counting import Reader
from audit.sampling.pair_draws import PairDraws, Unreadable
from audit.sampling.sampler import Sampler
from audit.sampling.source import Source
from audit.sampling.stream import Stage
from audit.sampling.workers.interface import WorkerPool


@dataclass(frozen=True, slots=True)
class Beside:
    """Draws these runs, every one by a call of its own, and counts them for their wealth.

    Attributes:
        wealth: what they count for.
        draws: of the runs, two and two.
    """

    wealth: OddsWealth
    draws: PairDraws

    @classmethod
    def of(cls, sampler: Sampler, wealth: OddsWealth, source: Source, place: int) -> Self:
        """None drawn yet.

        Args:
            sampler: where draws come from.
            wealth: what they count for.
            source: the black box on the dataset of that side.
            place: number of the pairs' address.
        """
        sampler.singly.add((Stage.CONFIRM_ODDS, place))
        return cls(wealth, PairDraws.beside(place, source, Stage.CONFIRM_ODDS))

    def draw(self, sampler: Sampler, pool: WorkerPool) -> None:
        """Draw what belongs to the pairs so far."""
        draws = self.draws
        missing = self.wealth.times * self.wealth.calls // 2 - draws.drawn
        draws.plan(missing, vectorized=False)
        draws.room = 0
        try:
            draws.draw(sampler, pool, draws.drawn + missing, [self])
        except Unreadable as lost:
            raise lost.error from lost

    @property
    def readers(self) -> tuple[Reader, ...]:
        """See `Counter`."""
        return tuple(bet.reader for bet in self.wealth.bets)

    def add(self, counts: Sequence[NDArray[Any]]) -> None:
        """See `Counter`."""
        self.wealth.add_beside(counts)
