"""A portfolio: what one position reads, bins and bets on, fixed before its first draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from audit.betting.e_process import Floats
from audit.betting.events import Bets
from audit.betting.functions import Functions
from audit.outcomes.binning import Binning
from audit.outcomes.counting import Counts, Reader, joint_of
from audit.outcomes.encoding import Outcomes
from audit.outcomes.features import Feature

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
class FunctionTable:
    """Functions of one feature, their stakes, and the prior weight of every expert.

    Attributes:
        feature: what is read off an output.
        binning: its bins.
        functions: of the bins.
        stakes: shape (functions, stakes).
        log_prior: shape (functions, stakes).
    """

    feature: Feature
    binning: Binning
    functions: Functions
    stakes: Floats
    log_prior: Floats


@dataclass(frozen=True, slots=True)
class Portfolio:
    """All tables of one position; the stakes are common to them.

    Attributes:
        tables: their prior weights sum to 1 over all of them.
        stakes: shape (lines, stakes), in units of wealth per unit of payoff.
        log_prior: that of all tables, the singles of all of them before the doubles.
        functions: bets on functions, whose prior weights sum to 1 over all of them; where
            there are any, they have half of the money.
    """

    tables: tuple[Table, ...]
    stakes: Floats
    log_prior: Weights
    functions: tuple[FunctionTable, ...] = ()

    @classmethod
    def of(
        cls, tables: Sequence[Table], stakes: Floats, functions: Sequence[FunctionTable] = ()
    ) -> Portfolio:
        """A portfolio of these tables, whose prior weights sum to 1 over all of them."""
        parts = [np.split(t.log_prior, [len(t.bets.spans)], axis=1) for t in tables]
        prior = [part[kind] for kind in (0, 1) for part in parts]
        return cls(tuple(tables), stakes, np.concatenate(prior, axis=1), tuple(functions))

    @property
    def readers(self) -> tuple[Reader, ...]:
        """What to read and how to bin it: of the tables of events, then of those of functions."""
        events = tuple((table.feature, table.binning) for table in self.tables)
        return events + tuple((table.feature, table.binning) for table in self.functions)

    def count(self, left: Outcomes, right: Outcomes) -> list[Counts]:
        """Joint counts of a batch of pairs, one (bins, bins) array for each table."""
        return [joint_of(reader, left, right) for reader in self.readers]
