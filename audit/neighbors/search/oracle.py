"""Oracle of a search for worse neighbors: its questions, without any draws."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from audit.errors import BlackBoxError
from audit.neighbors import Pair

_LEAST = 1e-6
"""Spread below which numbers are taken for equal."""


class Unreadable(Exception):
    """Outputs on a dataset that cannot be bet on, or a black box that could not be run on it.

    Attributes:
        error: why.
        late: whether all that is wrong is that no run ended in time.
    """

    def __init__(self, error: BlackBoxError, late: bool = False) -> None:
        super().__init__(str(error))
        self.error, self.late = error, late


@dataclass(frozen=True, slots=True)
class Scale:
    """Meaning of the scores of an oracle.

    Attributes:
        goal: the score that refutes.
        certain: the score for each pair of runs of an event that is certain on one
            side and impossible on the other.
        fastest: pairs of runs that the fastest refutation takes.
        widest: the extent of an event that is certain on one side and impossible on the other.
    """

    goal: float
    certain: float
    fastest: int
    widest: float


@dataclass(frozen=True, slots=True)
class Law:
    """Law of a few outputs on one dataset.

    Attributes:
        kinds: of output.
        middles: where the numbers of each part lie.
        spreads: how far they lie apart.
    """

    kinds: frozenset[str] = frozenset()
    middles: Mapping[str, float] = field(default_factory=dict)
    spreads: Mapping[str, float] = field(default_factory=dict)

    def distance(self, other: Law) -> float:
        """Distance to another law, in spreads and in doublings of spreads.

        Infinite where no kind of output is common to both; parts that only one has do not
        count.
        """
        if self.kinds.isdisjoint(other.kinds):
            return math.inf
        both = [name for name in self.middles if name in other.middles]
        farthest = 0.0
        for name in both:
            one, two = (max(law.spreads[name], _LEAST) for law in (self, other))
            moved = abs(self.middles[name] - other.middles[name])
            farthest = max(farthest, moved / max(one, two) + abs(math.log2(one / two)))
        return farthest


@dataclass(frozen=True, slots=True)
class Failed:
    """Failure of runs that gave no output.

    Attributes:
        kind: the type of the exception, or how a program ended.
        message: what it said; may be empty.
    """

    kind: str
    message: str


class Oracle(Protocol):
    """Knows how promising pairs of datasets are, within a budget of runs.

    Every question but that of the extent may raise `Unreadable`: the outputs cannot be bet on.

    Attributes:
        known: pairs that are looked at as well before runs that all fail alike end the search.
    """

    known: list[Pair]

    @property
    def scale(self) -> Scale:
        """Meaning of its scores."""

    def allow(self, runs: int) -> None:
        """Let so many more runs be made from now on; none are before."""

    def score(self, pair: Pair, runs: int) -> float | None:
        """Wealth of a bet on this pair, chosen with hindsight, after so many runs in all.

        Runs count on both datasets together, those of earlier looks at the same object included.

        Returns:
            At least 0; None where the budget does not allow so many runs.
        """

    def extent(self, pair: Pair) -> float:
        """Size of the loss on a pair, by the draws of its scores.

        Returns:
            At least 0, and 0 where no score of this object was asked for; where no event is
            certain it grows with the loss, also with one that the claim allows. Nothing is
            drawn for it.
        """

    def one_sided(self, pair: Pair, runs: int) -> int:
        """Number of runs on one dataset that share something no run on the other showed.

        All runs, on both together, are new; 0 where the budget does not allow so many.
        """

    def refutes(self, pair: Pair, runs: int) -> int | None:
        """Bet on this pair alone, with draws of their own, at most so many on both together.

        Returns:
            How many runs it took to refute the claim, None when it did not.
        """

    def law(self, data: Any) -> Law:
        """Law of a few outputs on one dataset; no kinds when the budget is spent."""

    def failure(self, data: Any) -> Failed | None:
        """Failure of all of a few runs on one dataset.

        None where one of them gave an output, or the budget is spent.
        """
