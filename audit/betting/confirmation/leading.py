"""The bets that earned most, as what they pay on one pair of outputs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.betting.capital import Capital
from audit.betting.e_process import STAKES, Floats, experts
from audit.betting.portfolio import Table
from audit.betting.position import Position
from audit.claim import Lines
from audit.outcomes.counting import Counts, Masks, Reader
from audit.outcomes.encoding import Outcomes

_FAR_BEHIND = 4.0
"""Log-wealth by which a bet must trail to be left out."""


@dataclass(frozen=True, slots=True)
class LeadingBet:
    """An event bet in one direction, and a disjoint one in the other where there are two.

    On the line (a, b) of a claim it pays `x - a y - b`, x and y telling whether the
    event happened on its side and on the other; with a second event its payoff is
    added, the sides exchanged (see `wealth`).

    Attributes:
        pair: index of the pair of datasets.
        table: what is read, and the bins.
        plus: bins of the event.
        minus: bins of the second event; none where there is one.
        forward: whether the event is bet D over D'.
        line: index of the claim's line.
        joint: pairs counted since the table was fixed, shape (bins, bins).
    """

    pair: int
    table: Table
    plus: Masks
    minus: Masks
    forward: bool
    line: int
    joint: Counts

    @property
    def reader(self) -> Reader:
        """What to read off an output and how to bin it."""
        return self.table.feature, self.table.binning

    @property
    def events(self) -> int:
        """1 or 2."""
        return 1 + bool(self.minus.any())

    def largest_stake(self, lines: Lines) -> float:
        """Stakes up to this cannot ruin whoever bets on these lines."""
        slope, offset = lines[self.line]
        return 1.0 / (self.events * (float(slope) + float(offset)))

    def payoffs(self, lines: Lines) -> Floats:
        """What each pair of bins pays, shape (bins, bins)."""
        slope, offset = lines[self.line]
        own = self.plus - slope * self.minus
        other = self.minus - slope * self.plus
        left, right = (own, other) if self.forward else (other, own)
        payoff: Floats = left[:, None] + right[None, :] - self.events * offset
        return payoff

    def growth(self, lines: Lines) -> float:
        """Log-wealth that a pair earns at the best stake, with frequencies as good as is sure.

        Those that were seen were looked at when this bet was chosen, so that what is
        left of the payoff's mean after one standard error counts.
        """
        pairs = max(1, int(self.joint.sum()))
        chances, payoffs = self.joint / pairs, self.payoffs(lines)
        stakes = STAKES * self.largest_stake(lines)
        earned = (chances * np.log1p(stakes[:, None, None] * payoffs)).sum(axis=(1, 2))
        _, variance = self.moments(lines)
        return float((earned - stakes * math.sqrt(variance / pairs)).max())

    def moments(self, lines: Lines) -> tuple[float, float]:
        """Mean of the payoff less one standard error, and variance, with the frequencies seen."""
        pairs = int(self.joint.sum())
        chances, payoffs = self.joint / max(1, pairs), self.payoffs(lines)
        mean = float((chances * payoffs).sum())
        variance = float((chances * (payoffs - mean) ** 2).sum())
        return mean - math.sqrt(variance / max(1, pairs)), variance

    def single(self, lines: Lines) -> LeadingBet:
        """The event of a double bet that broke the line by more, alone."""
        if self.events == 1:
            return self
        first = replace(self, minus=np.zeros_like(self.minus))
        second = replace(
            self, plus=self.minus, minus=np.zeros_like(self.minus), forward=not self.forward
        )
        return max((first, second), key=lambda bet: bet.moments(lines)[0])

    @property
    def counts(self) -> tuple[int, int, int]:
        """How often the event happened on its own side and on the other, of so many pairs."""
        own, other = self.joint.sum(axis=1), self.joint.sum(axis=0)
        if not self.forward:
            own, other = other, own
        return int(own[self.plus].sum()), int(other[self.plus].sum()), int(self.joint.sum())

    def happened(self, left: Outcomes, right: Outcomes, size: int) -> NDArray[Any]:
        """How often the events happened in each call.

        Args:
            left: outputs on D, call after call.
            right: outputs on D'.
            size: outputs of one call.

        Returns:
            Shape (calls, 4): the event on its own side and on the other, the second
            event on its own side (the other's) and on the first one's.
        """
        own, other = (left, right) if self.forward else (right, left)
        feature, binning = self.reader
        here, there = (binning.code(feature.read(side)) for side in (own, other))
        held = (self.plus[here], self.plus[there], self.minus[there], self.minus[here])
        return np.stack([part.reshape(-1, size).sum(axis=1) for part in held], axis=1)


def leading_bets(capital: Capital, level: float) -> list[LeadingBet]:
    """Of every table the best single and the best double bet against this level, best first."""
    lines = capital.claim.lines(level)
    found = [
        (math.log(epoch.share * position.weight) + worth, bet)
        for epoch in capital.epochs
        if not epoch.lost
        for position in epoch.positions
        for worth, bet in _of_position(position, lines)
    ]
    found.sort(key=lambda item: -item[0])
    return [bet for worth, bet in found if worth > found[0][0] - _FAR_BEHIND]


def _of_position(position: Position, lines: Lines) -> Iterator[tuple[float, LeadingBet]]:
    stakes = position.portfolio.stakes
    for table, joint, tally in zip(
        position.portfolio.tables, position.counts, position.tallies(), strict=True
    ):
        worth = np.logaddexp.reduce(table.log_prior + experts(tally, lines, stakes), axis=-1)
        singles = len(table.bets.spans)
        for start, stop in ((0, singles), (singles, worth.shape[1])):
            part = worth[:, start:stop]
            if part.size and joint.any():
                side, event, line = map(int, np.unravel_index(int(part.argmax()), part.shape))
                plus, minus = _masks(table, start + event)
                yield (
                    float(part.max()),
                    LeadingBet(position.pair, table, plus, minus, side == 0, line, joint),
                )


def _masks(table: Table, event: int) -> tuple[Masks, Masks]:
    """Bins of an event and of the second one; of a single one the second is empty."""
    bets = table.bets
    if event < len(bets.spans):
        plus = bets.mask(*bets.spans[event])
        return plus, np.zeros_like(plus)
    order, *ends = bets.joined[event - len(bets.spans)].tolist()
    return bets.mask(order, *ends[:2]), bets.mask(order, *ends[2:])
