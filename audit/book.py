"""A book: what one account reads, bins and bets on, fixed before its first draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from audit.binning import Binning, Codes
from audit.events import Bets, Counts
from audit.features import Feature
from audit.outcomes import Outcomes
from audit.wealth import Floats

Reader = tuple[Feature, Binning]
"""What to read off an output and how to bin it: all that counting needs."""

Weights = Floats
"""Of every expert, singles before doubles: shape (2, events, lines, stakes)."""


@dataclass(frozen=True, slots=True)
class Table:
    """One feature with its bins, its bets, and the prior weight of every expert.

    Attributes:
        feature: what is read off an output.
        binning: its bins.
        bets: the events.
        log_prior: shape (2, events, lines, stakes), singles before doubles.
    """

    feature: Feature
    binning: Binning
    bets: Bets
    log_prior: Weights


@dataclass(frozen=True, slots=True)
class Book:
    """All tables of one account; the stakes are common to them.

    Attributes:
        tables: their prior weights sum to 1 over all of them.
        stakes: shape (lines, stakes), in units of wealth per unit of payoff.
        log_prior: that of all tables, the singles of all of them before the doubles.
    """

    tables: tuple[Table, ...]
    stakes: Floats
    log_prior: Weights

    @classmethod
    def of(cls, tables: Sequence[Table], stakes: Floats) -> Book:
        """A book of these tables, whose prior weights sum to 1 over all of them."""
        parts = [np.split(t.log_prior, [len(t.bets.spans)], axis=1) for t in tables]
        prior = [part[kind] for kind in (0, 1) for part in parts]
        return cls(tuple(tables), stakes, np.concatenate(prior, axis=1))

    @property
    def readers(self) -> tuple[Reader, ...]:
        """What to read and how to bin it, table by table: all that counting needs."""
        return tuple((table.feature, table.binning) for table in self.tables)

    def count(self, left: Outcomes, right: Outcomes) -> list[Counts]:
        """Joint counts of a batch of pairs, one (bins, bins) array for each table."""
        return [joint_of(reader, left, right) for reader in self.readers]


def joint_of(reader: Reader, left: Outcomes, right: Outcomes) -> Counts:
    """Joint counts of a batch of pairs in the bins of one feature."""
    feature, binning = reader
    codes = binning.code(feature.read(left)), binning.code(feature.read(right))
    return joint_counts(*codes, binning.count)


def joint_counts(left: Codes, right: Codes, bins: int) -> Counts:
    """How many pairs fell into each pair of bins, shape (bins, bins)."""
    # Counting is a matter of memory: the smaller the numbers, the faster.
    kind = np.int32 if bins * bins < 1 << 31 else np.intp
    cells = np.bincount(np.multiply(left, bins, dtype=kind) + right, minlength=bins * bins)
    return cells.reshape(bins, bins).astype(np.int64)
