"""A bet on an event, or on two disjoint ones in opposite directions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, SupportsInt

import numpy as np
from numpy.typing import NDArray

from audit.betting.candidate_table import Sketch
from audit.betting.confirmation.leading_bet import LeadingBet
from audit.betting.e_process import Floats
from audit.betting.inequalities import Inequalities
from audit.betting.portfolio import Table
from audit.outcomes.counting import Counts, Masks
from audit.outcomes.encoding import Outcomes


@dataclass(frozen=True, slots=True)
class EventBet(LeadingBet):
    """An event bet in one direction, and a disjoint one in the other where there are two.

    On the line (a, b) of a claim it pays `x - a y - b`, x and y telling whether the
    event happened on its side and on the other; with a second event its payoff is
    added, the sides exchanged (see `e_process`).

    Attributes:
        plus: bins of the event.
        minus: bins of the second event; none where there is one.
        place: index of the claim's line.
    """

    plus: Masks
    minus: Masks
    place: int

    @classmethod
    def of(
        cls,
        pair: int,
        table: Table | Sketch,
        joint: Counts,
        cell: Iterable[SupportsInt],
        first: int = 0,
    ) -> EventBet:
        """That on one event of a table, or on one of its pairs of events.

        Args:
            pair: index of the pair of datasets.
            table: holds the event.
            joint: what the table counted.
            cell: side, event and line, as of an array of shape (2, events, lines).
            first: the event that such an array begins with.
        """
        side, event, place = map(int, cell)
        plus, minus = table.bets.masks(first + event)
        return cls(
            pair,
            table.feature,
            table.binning,
            side == 0,
            joint,
            plus=plus,
            minus=minus,
            place=place,
        )

    @property
    def events(self) -> int:
        """1 or 2."""
        return 1 + bool(self.minus.any())

    def largest_stake(self, promised: Inequalities) -> float:
        """See `LeadingBet.largest_stake`."""
        slope, offset = self.line(promised)
        return 1.0 / (self.events * (slope + offset))

    def payoffs(self, promised: Inequalities) -> Floats:
        """See `LeadingBet.payoffs`."""
        slope, offset = self.line(promised)
        own = self.plus - slope * self.minus
        other = self.minus - slope * self.plus
        left, right = (own, other) if self.forward else (other, own)
        payoff: Floats = left[:, None] + right[None, :] - self.events * offset
        return payoff

    def sums(self, left: Outcomes, right: Outcomes, size: int) -> NDArray[Any]:
        """How often the events happened in each call.

        Returns:
            Shape (calls, 4): the event on its own side and on the other, the second
            event on its own side (the other's) and on the first one's.
        """
        here, there = self.codes(left, right)
        held = (self.plus[here], self.plus[there], self.minus[there], self.minus[here])
        return np.stack([part.reshape(-1, size).sum(axis=1) for part in held], axis=1)

    def coefficients(self, promised: Inequalities) -> tuple[Floats, float]:
        """See `LeadingBet.coefficients`."""
        slope, offset = self.line(promised)
        return np.array([1.0, -slope, 1.0, -slope]), self.events * offset

    def single(self, promised: Inequalities) -> EventBet:
        """The event of a double bet that broke the line by more, alone."""
        if self.events == 1:
            return self
        first = replace(self, minus=np.zeros_like(self.minus))
        second = replace(
            self, plus=self.minus, minus=np.zeros_like(self.minus), forward=not self.forward
        )
        return max((first, second), key=lambda bet: bet.moments(promised)[0])

    @property
    def shown(self) -> tuple[Floats, Floats]:
        """The event on both sides: its means are probabilities."""
        event = self.plus.astype(np.float64)
        return event, event

    def line(self, promised: Inequalities) -> tuple[float, float]:
        """See `LeadingBet.line`."""
        slope, offset = map(float, promised.lines[self.place])
        return slope, offset

    @property
    def counts(self) -> tuple[int, int, int]:
        """How often the event happened on its own side and on the other, of so many pairs."""
        own, other = self.joint.sum(axis=1), self.joint.sum(axis=0)
        if not self.forward:
            own, other = other, own
        return int(own[self.plus].sum()), int(other[self.plus].sum()), int(self.joint.sum())
