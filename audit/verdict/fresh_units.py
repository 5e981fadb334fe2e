"""Fresh units for people to look at, drawn after everything that they estimate was chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from audit.betting.bet import Bet
from audit.sampling.draws import Draws
from audit.sampling.effort import Deadline
from audit.sampling.source import Stage
from audit.sampling.units import UnitKind, UnitPlan

FEWEST = 32
_ENOUGH = 100
_SHARE = 10
"""One unit in so many of those that were bet on."""
_MOST = {UnitKind.CALL: 2000, UnitKind.REQUEST: 1000, UnitKind.LIFE: 1000, UnitKind.START: 400}
_SLOW = 0.02
"""Seconds of a unit from which on the fewest are drawn."""
_BATCH = 512


@dataclass(frozen=True, slots=True)
class Allowance:
    """Outputs that may still be drawn, and until when.

    Attributes:
        runs: outputs left.
        deadline: of the part of the audit that draws.
        pace: seconds of a unit.
    """

    runs: int
    deadline: Deadline
    pace: float

    def units(self, wanted: int, outputs: int = 2) -> int:
        """As many of these units, of so many outputs each, as runs and time allow."""
        most = min(wanted, self.runs // outputs)
        return int(self.deadline.limited(most, 1, self.deadline.now() - self.pace))


def fresh_units(draws: Draws, bet: int, *, tables: bool = False) -> int:
    """Units worth drawing on a dataset for people to look at.

    Args:
        draws: of the audit.
        bet: units that were bet on.
        tables: True for tables, which need them of every dataset.
    """
    if draws.units.costs()[0] >= _SLOW:
        return max(FEWEST, min(_ENOUGH, bet // _SHARE))
    if draws.units.kind is UnitKind.CALL and draws.units.pairs:
        return _MOST[UnitKind.CALL]
    if tables and draws.units.kind is UnitKind.LIFE:
        return _ENOUGH
    return max(_ENOUGH, min(_MOST.get(draws.units.kind, _ENOUGH), bet // _SHARE))


@dataclass(slots=True)
class FreshTally:
    """Fresh units of one pair, counted in the bins of several bets.

    Attributes:
        draws: of the audit.
        bets: on one pair.
        stage: purpose of the draws.
        drawn: units so far.
        counts: outputs in each bin of each bet, on D and on D′, shape (2, bins) each.
    """

    draws: Draws
    bets: Sequence[Bet]
    stage: Stage
    drawn: int = 0
    counts: list[NDArray[np.int64]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.counts = [np.zeros((2, bet.binning.count), np.int64) for bet in self.bets]

    def draw_up_to(self, target: int) -> None:
        """Draw until there are so many units.

        Raises:
            BlackBoxError: the black box cannot be run at all.
        """
        while self.drawn < target:
            size = min(_BATCH, target - self.drawn)
            plan = UnitPlan(self.stage, self.bets[0].pair, self.drawn, size)
            batch = self.draws.drawn(plan)
            for bet, counts in zip(self.bets, self.counts, strict=True):
                for side, outputs in enumerate(batch.sides):
                    bins = bet.binning.code(bet.feature.read(outputs))
                    counts[side] += np.bincount(bins, minlength=bet.binning.count)
            self.drawn += size
