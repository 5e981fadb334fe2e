"""Closing tests: cash on exact tests of a budget's last runs, at every level of the claim.

A last bet asks for the claim alone, and bets pay for being valid at any time. So where the
number of runs is fixed anyway, events are chosen on the first of them as on recorded files
(see `event_choice`), with a share w of the stake s for each, and tested exactly on the others
(see `exact_test`), sides that share their randomness or not. A test at level alpha s w finds a
largest level that it refutes; against all levels up to that one its money has become 1/alpha,
against others nothing:

    E[1{refuted}/alpha | the past] <= s w   where the level holds.

So money staked on it is a nonnegative supermartingale at every level, and falls as levels grow.
Any of the tests is enough. Where the draws end early, or may hang together, all have lost.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from audit.betting.confirmation.event_bet import EventBet
from audit.betting.exact.event_scores import Candidate
from audit.betting.exact.exact_test import ExactTest
from audit.claim import Claim
from audit.outcomes.counting import Counts, Reader


@dataclass(slots=True)
class ClosingTests:
    """Events of one pair of datasets, to be tested on so many pairs of runs.

    Attributes:
        pair: its index.
        pairs: of runs, all of which have to be there.
        claim: whose levels are tested.
        alpha: the level of the capital.
        candidates: what is tested, with the money on it, the most first.
        counts: joint counts of what each of them reads, shape (bins, bins).
        lost: whether the draws cannot be trusted.
    """

    pair: int
    pairs: int
    claim: Claim
    alpha: float
    candidates: tuple[tuple[Candidate, float], ...]
    counts: list[Counts]
    lost: bool = False
    _levels: tuple[float, ...] = field(default=(), repr=False)

    @classmethod
    def of(
        cls,
        runs: int,
        shared: Sequence[tuple[Candidate, float]],
        claim: Claim,
        alpha: float,
        stake: float,
    ) -> list[Self]:
        """Tests on each pair of datasets that there are events on.

        Args:
            runs: how many pairs of runs are kept on each of them.
            shared: events and their shares of the stake, which sum to 1.
            claim: whose levels are tested.
            alpha: the level of the capital.
            stake: money for all of them together.
        """
        held: dict[int, list[tuple[Candidate, float]]] = {}
        for candidate, share in shared:
            held.setdefault(candidate.pair, []).append((candidate, share * stake))
        return [cls._on(pair, runs, claim, alpha, tuple(part)) for pair, part in held.items()]

    @classmethod
    def _on(
        cls,
        pair: int,
        runs: int,
        claim: Claim,
        alpha: float,
        candidates: tuple[tuple[Candidate, float], ...],
    ) -> Self:
        bins = [candidate.sketch.binning.count for candidate, _ in candidates]
        empty = [np.zeros((count, count), np.int64) for count in bins]
        return cls(pair, runs, claim, alpha, candidates, empty)

    @property
    def readers(self) -> tuple[Reader, ...]:
        """What to read off an output and how to bin it."""
        return tuple(candidate.reader for candidate, _ in self.candidates)

    @property
    def stake(self) -> float:
        """The money on all of them."""
        return sum(stake for _, stake in self.candidates)

    @property
    def drawn(self) -> int:
        """Pairs of runs so far."""
        return int(self.counts[0].sum())

    @property
    def open(self) -> bool:
        """Whether there are draws to come that count."""
        return not self.lost and self.drawn < self.pairs

    def add(self, counts: Sequence[NDArray[Any]]) -> None:
        """Count a batch of pairs; where there are more than planned, nothing was won."""
        for held, new in zip(self.counts, counts, strict=True):
            held += new

    @property
    def tests(self) -> tuple[ExactTest, ...]:
        """All of them, by what was counted so far."""
        held = zip(self.candidates, self.counts, strict=True)
        # Rounded down so that the logarithm of what is won is not below the goal.
        most = self.alpha * (1.0 - 1e-9)
        return tuple(candidate.tested(joint, most * stake) for (candidate, stake), joint in held)

    @property
    def levels(self) -> tuple[float, ...]:
        """The largest level that each test refutes, 0 where there is none; 0 until all is drawn."""
        if self.lost or self.drawn != self.pairs:
            return tuple(0.0 for _ in self.candidates)
        if not self._levels:
            self._levels = tuple(test.level(self.claim) for test in self.tests)
        return self._levels

    def log_wealth(self, level: float) -> float:
        """Log of what the stake became against a level."""
        won = sum(refuted >= level for refuted in self.levels if refuted > 0.0)
        return math.log(won / self.alpha) if won else -math.inf

    @property
    def winner(self) -> EventBet | None:
        """Of those that refute the claim, the event with the most money; None for none."""
        held = zip(self.levels, self.candidates, self.counts, strict=True)
        won = ((c, joint) for level, (c, _), joint in held if level >= self.claim.level)
        return next((candidate.bet(joint) for candidate, joint in won), None)
