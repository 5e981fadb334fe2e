"""Positions: portfolios of bets on pairs of datasets, and the epochs they come in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.betting.e_process import Floats, experts, log_sum, tallies, total
from audit.betting.inequalities import Inequalities
from audit.betting.low_bit_tally import low_bit_tallies
from audit.betting.portfolio import Portfolio
from audit.claim import Divergences, Lines
from audit.outcomes.counting import Counts, Reader
from audit.outcomes.features import LowBits

Tallies = list[tuple[Floats, Floats]]


@dataclass(slots=True)
class Position:
    """One portfolio bet on one pair of datasets.

    Attributes:
        pair: index of the pair.
        weight: part of its epoch's money.
        portfolio: the bets, fixed before the first draw counted here.
        counts: joint counts of each table, shape (bins, bins); those of events first.
        closed: whether it bets no more.
    """

    pair: int
    weight: float
    portfolio: Portfolio
    counts: list[Counts]
    closed: bool = False
    _tallies: Tallies | None = None
    _worth: dict[bytes, float] = field(default_factory=dict)

    @classmethod
    def of(cls, pair: int, weight: float, portfolio: Portfolio) -> Position:
        """A new position."""
        bins = [binning.count for _, binning in portfolio.readers]
        empty = [np.zeros((count, count), np.int64) for count in bins]
        return cls(pair, weight, portfolio, empty)

    @property
    def readers(self) -> tuple[Reader, ...]:
        """What to read and how to bin it, table by table."""
        return self.portfolio.readers

    def add(self, counts: Sequence[NDArray[Any]]) -> None:
        """Count a batch of pairs.

        Raises:
            RuntimeError: it bets no more; its wealth may have been handed on.
        """
        if self.closed:
            raise RuntimeError("a position that bets no more cannot count draws")
        for held, new in zip(self.counts, counts, strict=True):
            held += new
        self._tallies = None
        self._worth.clear()

    @property
    def event_counts(self) -> list[Counts]:
        """Those of the tables of events."""
        return self.counts[: len(self.portfolio.tables)]

    @property
    def function_counts(self) -> list[Counts]:
        """Those of the tables of functions."""
        return self.counts[len(self.portfolio.tables) :]

    def tallies(self) -> Tallies:
        """What decides each bet, table by table; computed once for each look."""
        if self._tallies is None:
            pairs = zip(self.event_counts, self.portfolio.tables, strict=True)
            self._tallies = [
                low_bit_tallies(c, t.bets, t.binning.numeric)
                if isinstance(t.feature, LowBits)
                else tallies(c, t.bets)
                for c, t in pairs
            ]
        return self._tallies

    def log_wealth(self, promised: Inequalities) -> float:
        """Log of what a starting wealth of 1 has become against a claim at one level.

        Remembered until the next batch: positions that no longer bet cost nothing.
        """
        key = promised.key
        if key not in self._worth:
            earned = self._by_events(promised.lines)
            if self.portfolio.functions:
                functions = self._by_functions(promised.divergences)
                earned = float(np.logaddexp(earned, functions)) - math.log(2.0)
            self._worth[key] = earned
        return self._worth[key]

    def _by_events(self, lines: Lines) -> float:
        # All tables at once: most of the time would go into calls, not into numbers.
        single, double = zip(*self.tallies(), strict=True)
        whole = np.concatenate(single, axis=1), np.concatenate(double, axis=1)
        return total(self.portfolio.log_prior, experts(whole, lines, self.portfolio.stakes))

    def _by_functions(self, divergences: Divergences) -> float:
        held = zip(self.portfolio.functions, self.function_counts, strict=True)
        return log_sum(
            *(
                table.log_prior + table.functions.experts(joint, divergences, table.stakes)
                for table, joint in held
            )
        )


@dataclass(slots=True)
class Epoch:
    """Positions opened at the same moment, one for each promising pair.

    Attributes:
        share: the part of the cash it started with.
        positions: their weights sum to 1.
        lost: whether its draws turned out not to be independent; it is worth 0.
    """

    share: float
    positions: list[Position]
    lost: bool = False

    def log_growth(self, promised: Inequalities) -> float:
        """Log of what a unit of its money became, -inf where it is lost."""
        if self.lost:
            return -math.inf
        parts = [math.log(a.weight) + a.log_wealth(promised) for a in self.positions]
        return log_sum(np.array(parts))

    def close(self) -> None:
        """Bet no more: what it is worth from now on is what it is worth now."""
        for position in self.positions:
            position.closed = True
