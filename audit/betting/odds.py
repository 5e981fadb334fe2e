"""Bets at odds: more runs on one side of a pair than on the other, for large losses.

Against a claim with a large slope a (e^epsilon) an event pays little when it happens on its
own side and costs much on the other, however rare it is there. So what is rare there has to
be looked at oftener. A block is one run on the own side and m on the other, all independent
given the past, and m is fixed before it. With x and y_1 ... y_m telling whether an event
happened, P[x = 1] = p, P[y_j = 1] = q, and the claim's line p <= a q + b, the factor

    (1 + s (x - b)) (1 - u y_1) ... (1 - u y_m),   u = s a / m <= 1,   s b <= 1,

is nonnegative, and its expectation is at most

    (1 + s (p - b)) (1 - u q)^m <= (1 + s a q) (1 - s a q / m)^m <= 1,

since 1 + z <= e^z and 1 - z <= e^-z. So after every whole block the product is a
supermartingale like any other bet's (Ville's inequality, arXiv 2210.01948). It needs counts on
either side alone, so coupling shows nothing here: the y_j are runs of their own, and those that
share their randomness with x count in the bets on pairs only. For fixed s it falls as a and b
grow, so that levels refuted lie below a root; where u or s b would be above 1 it is worth 0.

About sqrt(2 a) runs on the other side for one are best: they cost half of what pairs cost
where a is large, and more than pairs where it is small.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.betting.confirmation.odds_event import OddsEvent
from audit.betting.e_process import Floats, log_sum, tallies
from audit.betting.odds_factors import log_factors
from audit.betting.portfolio import Portfolio, Table
from audit.claim import Lines
from audit.outcomes.counting import Counts, Reader
from audit.outcomes.paired import PairedOutcomes


@dataclass(slots=True)
class Tally:
    """Joint counts of the tables that are bet on at odds.

    Attributes:
        tables: what to read, and its events.
        counts: shape (bins, bins) for each.
    """

    tables: Sequence[Table]
    counts: list[Counts]

    @classmethod
    def of(cls, tables: Sequence[Table]) -> Tally:
        """Nothing counted yet."""
        bins = [table.binning.count for table in tables]
        return cls(tables, [np.zeros((count, count), np.int64) for count in bins])

    @classmethod
    def counted(cls, portfolio: Portfolio, past: PairedOutcomes) -> Tally:
        """What a past has of the tables with single events; functions are not bet on at odds."""
        counts = portfolio.count(past.left, past.right)[: len(portfolio.tables)]
        kept = [len(table.bets.spans) > 0 for table in portfolio.tables]
        return cls(tables_of(portfolio), list(compress(counts, kept)))

    @property
    def readers(self) -> tuple[Reader, ...]:
        """See `Counter`."""
        return tuple((table.feature, table.binning) for table in self.tables)

    def add(self, counts: Sequence[NDArray[Any]]) -> None:
        """See `Counter`."""
        for held, new in zip(self.counts, counts, strict=True):
            held += new

    @property
    def pairs(self) -> int:
        """How many were counted."""
        return int(self.counts[0].sum())

    def happened(self, side: int | None) -> Floats:
        """How often each single event did, all tables in a row, shape (events,).

        Args:
            side: 0 for D, 1 for D'; None for both of them together.
        """
        both, own, other = np.concatenate(
            [
                tallies(joint, table.bets)[0][0, :, :3]
                for table, joint in zip(self.tables, self.counts, strict=True)
            ]
        ).T
        if side is None:
            return np.asarray(2.0 * both + own + other)
        return np.asarray(both + (other if side else own))


@dataclass(slots=True)
class OddsPosition:
    """Bets on the single events of some tables, in one direction, at m to 1.

    Attributes:
        pair: index of the pair of datasets.
        forward: whether they are bet D over D'.
        times: m, an even number.
        money: what it was opened with.
        stakes: s, shape (lines, stakes).
        log_prior: of every expert, shape (events, lines, stakes).
        own: pairs since then, of which the runs on the own side count.
        beside: further runs on the other side, two and two.
        lost: whether its draws turned out not to be independent.
        open: whether the next draws count.
    """

    pair: int
    forward: bool
    times: int
    money: float
    stakes: Floats
    log_prior: Floats
    own: Tally
    beside: Tally
    lost: bool = False
    open: bool = True

    @property
    def whole(self) -> bool:
        """Whether all runs of every block are there."""
        return 2 * self.beside.pairs == self.times * self.own.pairs

    def log_wealth(self, lines: Lines) -> float:
        """Log of what its money has become; nothing is said of blocks that are not whole."""
        if self.lost or not self.whole:
            return -math.inf
        return math.log(self.money) + log_sum(self.log_prior + self._earned(lines))

    def _earned(self, lines: Lines) -> Floats:
        """Log-wealth of every expert, shape (events, lines, stakes)."""
        here = self.own.happened(0 if self.forward else 1)
        counts = np.stack([here, self.own.pairs - here, self.beside.happened(None)], axis=-1)
        factors, ruined = log_factors(lines, self.stakes, self.times)
        earned: Floats = np.einsum("ek,kls->els", counts, factors)
        earned[:, ruined] = -np.inf
        return earned

    def leading(self, lines: Lines) -> Iterator[tuple[float, OddsEvent]]:
        """The event of each table that earned most, and what it is worth now, as a logarithm."""
        if self.lost or not self.whole or not self.own.pairs:
            return
        worth = np.logaddexp.reduce(self.log_prior + self._earned(lines), axis=-1)
        first = 0
        for table, joint, beside in zip(
            self.own.tables, self.own.counts, self.beside.counts, strict=True
        ):
            part = worth[first : first + len(table.bets.spans)]
            first += len(part)
            event, place = np.unravel_index(int(part.argmax()), part.shape)
            plus, minus = table.bets.masks(int(event))
            yield (
                math.log(self.money) + float(part.max()),
                OddsEvent(
                    self.pair,
                    table.feature,
                    table.binning,
                    self.forward,
                    joint,
                    plus,
                    minus,
                    int(place),
                    beside,
                    self.times,
                ),
            )


def tables_of(portfolio: Portfolio) -> tuple[Table, ...]:
    """Those with single events."""
    return tuple(table for table in portfolio.tables if len(table.bets.spans))
