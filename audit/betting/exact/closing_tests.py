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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from audit.betting.confirmation.event_bet import EventBet
from audit.betting.exact.event_scores import Candidate
from audit.betting.exact.exact_test import ExactTest
from audit.claim import Claim
from audit.outcomes.counting import Counts, Reader

FEWEST = 64
"""Pairs of runs in all, below which nothing is chosen."""


@dataclass(slots=True)
class ClosingTests:
    """Events of one pair of datasets, to be tested on so many pairs of runs.

    Attributes:
        pair: its index.
        pairs: of runs, all of which have to be there.
        claim: whose levels are tested.
        alpha: the level of the capital.
        candidates: what is tested, with the money on it, the most first.
        readers: what to read off an output, each once.
        counts: joint counts of the readers.
        lost: whether the draws cannot be trusted.
    """

    pair: int
    pairs: int
    claim: Claim
    alpha: float
    candidates: tuple[tuple[Candidate, float], ...]
    readers: tuple[Reader, ...]
    counts: list[Counts]
    lost: bool = False
    _levels: tuple[float, ...] = field(default=(), repr=False)

    @classmethod
    def of(
        cls,
        runs: Mapping[int, int],
        shared: Sequence[tuple[Candidate, float]],
        claim: Claim,
        alpha: float,
        stake: float,
    ) -> list[Self]:
        """Tests on each of some pairs of datasets that there are events on.

        Args:
            runs: how many pairs of runs are kept, by index of the pair of datasets.
            shared: events and their shares of the stake, which sum to 1.
            claim: whose levels are tested.
            alpha: the level of the capital.
            stake: money for all of them together.
        """
        found = []
        for pair, kept in runs.items():
            held = tuple((c, share * stake) for c, share in shared if c.pair == pair)
            if held:
                sketches = {id(candidate.sketch): candidate for candidate, _ in held}
                readers = tuple(candidate.reader for candidate in sketches.values())
                counts = [np.zeros((cells.count, cells.count), np.int64) for _, cells in readers]
                found.append(cls(pair, kept, claim, alpha, held, readers, counts))
        return found

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
        return tuple(
            candidate.tested(self._joint(candidate), self._level(stake))
            for candidate, stake in self.candidates
        )

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

    def won(self) -> EventBet | None:
        """Of those that refute the claim, the event with the largest share; None for none."""
        held = zip(self.levels, self.candidates, strict=True)
        best = (candidate for level, (candidate, _) in held if level >= self.claim.level)
        return next((self._bet(candidate) for candidate in best), None)

    def _level(self, stake: float) -> float:
        # Rounded down so that the logarithm of what is won is not below the goal.
        return self.alpha * stake * (1.0 - 1e-9)

    def _joint(self, candidate: Candidate) -> Counts:
        place = next(
            k
            for k, reader in enumerate(self.readers)
            if reader[0] is candidate.reader[0] and reader[1] is candidate.reader[1]
        )
        return self.counts[place]

    def _bet(self, candidate: Candidate) -> EventBet:
        plus, minus = candidate.sketch.bets.masks(candidate.event)
        return EventBet(
            self.pair,
            *candidate.reader,
            candidate.side == 0,
            self._joint(candidate),
            plus,
            minus,
            candidate.place,
        )
