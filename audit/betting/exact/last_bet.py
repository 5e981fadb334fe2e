"""The last bet: what cash is left, on one exact test of the last runs.

Wealth that may be looked at whenever one likes pays for that: where a budget ends anyway, a
test of all that is left of it says more. So the last runs are kept for one. Before the first
of them is drawn everything about it is fixed: how many they are, the event or the two events,
the claim's line, and the chance `level` with which the test refutes a line that is kept, at
most (see `apart_test`). The bet pays 1/level where the test refutes, and nothing elsewhere:

    E[1{refuted}/level | the past] <= 1   under the claim.

So money staked on it is a nonnegative supermartingale like every other position, the same
draws may be bet on beside it, and the capital reaches 1/alpha with probability at most alpha
(Ville's inequality, arXiv 2210.01948). With level = alpha * stake winning it is enough. Where
the draws end early, or may hang together after all, it has lost, which makes it no larger.

A line at a smaller level of the claim promises more, so that whatever keeps it is refuted with
probability at most `level` as well: against smaller levels the bet is worth the same, against
larger ones nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.betting.confirmation.event_bet import EventBet
from audit.betting.exact.apart_test import OneEventTest, TwoEventTest
from audit.claim import Lines
from audit.outcomes.counting import Counts, Reader

FEWEST, MOST = 32, 1 << 12
"""Pairs of runs that there is a last bet on."""


@dataclass
class LastBet:
    """One event, or two in opposite directions, to be tested on so many pairs of runs.

    Attributes:
        event: what is tested, and what was counted since it was fixed.
        pairs: of runs on which it is tested, once all of them are there.
        line: slope and offset of what is promised.
        stake: the money on it.
        level: chance with which it is won where the claim holds, at most.
        lost: whether its draws cannot be trusted.
    """

    event: EventBet
    pairs: int
    line: tuple[float, float]
    stake: float
    level: float
    lost: bool = False

    @classmethod
    def of(cls, event: EventBet, pairs: int, lines: Lines, stake: float, alpha: float) -> LastBet:
        """A bet that leads to a wealth of 1/alpha where it is won.

        Args:
            event: chosen on earlier draws, which do not count.
            pairs: of runs that are kept for it.
            lines: of the claim.
            stake: money.
            alpha: the level of the capital.
        """
        slope, offset = map(float, lines[event.place])
        fresh = replace(event, joint=np.zeros_like(event.joint))
        # Rounded down so that the logarithm of what is won is not below the goal.
        bet = cls(fresh, pairs, (slope, offset), stake, alpha * stake * (1.0 - 1e-9))
        if fresh.events == 1:
            # Fixed before the first draw, and the time it takes spent there.
            assert len(bet._one.least) == pairs + 1
        return bet

    @property
    def pair(self) -> int:
        """Index of the pair of datasets."""
        return self.event.pair

    @property
    def drawn(self) -> int:
        """Pairs of runs so far."""
        return int(self.event.joint.sum())

    @property
    def open(self) -> bool:
        """Whether there are draws to come that count."""
        return not self.lost and self.drawn < self.pairs

    @property
    def readers(self) -> tuple[Reader, ...]:
        """What to read off an output and how to bin it."""
        return (self.event.reader,)

    def add(self, counts: Sequence[NDArray[Any]]) -> None:
        """Count a batch of pairs; those beyond what was planned decide nothing."""
        new: Counts = counts[0]
        if self.drawn + int(new.sum()) > self.pairs:
            self.lost = True
        self.event = replace(self.event, joint=self.event.joint + new)

    @property
    def won(self) -> bool:
        """Whether all draws are there, and the test refutes the line."""
        return self._won()

    def _won(self) -> bool:
        if self.lost or self.drawn != self.pairs:
            return False
        own, other = self.event.joint.sum(axis=1), self.event.joint.sum(axis=0)
        if not self.event.forward:
            own, other = other, own
        plus, minus = self.event.plus, self.event.minus
        here, there = int(own[plus].sum()), int(other[plus].sum())
        if self.event.events == 1:
            return self._one.refutes(here, there)
        return self._two.refutes((here, int(own[minus].sum())), (there, int(other[minus].sum())))

    @cached_property
    def _one(self) -> OneEventTest:
        return OneEventTest(self.pairs, *self.line, self.level)

    @cached_property
    def _two(self) -> TwoEventTest:
        return TwoEventTest(self.pairs, *self.line, self.level)

    def log_wealth(self, level: float, claimed: float) -> float:
        """Log of what the stake became against a level, where another one is claimed."""
        if level > claimed or not self.won:
            return -math.inf
        return math.log(self.stake / self.level)
