"""Fresh units for people to look at, drawn last, and the tables of all pairs made of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.betting.bet import Bet
from audit.case import Settings
from audit.claims import Claim
from audit.errors import BlackBoxError
from audit.neighbors import Pair, shown
from audit.outcomes.features import Feature
from audit.outcomes.outcomes import Outcomes, joined
from audit.progress import Deadline
from audit.sampling.draws import Draws
from audit.sampling.source import Stage
from audit.sampling.units import UnitKind, UnitPlan
from audit.verdict.pair_table import TAIL, PairTable, equal_width, merged, pair_table, table_feature

FEWEST, _LEAST, _LEAST_CALLS = 32, 100, 800
"""Units that are slow, any others, and calls, which are cheap."""
_SHARE = 10
"""One unit in so many of those that were bet on."""
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
    calls = draws.units.kind is UnitKind.CALL and draws.units.pairs
    least = _LEAST_CALLS if calls else _LEAST
    if draws.units.costs()[0] >= _SLOW:
        least = FEWEST
    return least if tables else max(least, bet // _SHARE)


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


_FEWEST = 20
"""Outputs on a dataset for the ends of the bins."""
_ENDS = 4
"""One output for the ends of the bins for so many that are counted."""

Drawn = tuple[Outcomes, Outcomes]
"""Outputs of one dataset: for the ends of the bins, and for the counts."""


@dataclass(slots=True)
class TableDraws:
    """Draws each dataset once for the ends of the bins and once for the counts.

    Attributes:
        draws: of the audit.
        count: outputs for the counts.
        found: outputs by dataset.
        lost: datasets that could not be drawn, and why.
    """

    draws: Draws
    count: int
    found: dict[tuple[int, bool], Drawn] = field(default_factory=dict)
    lost: dict[tuple[int, bool], BlackBoxError] = field(default_factory=dict)

    def both(self, index: int, pair: Pair) -> tuple[Drawn, Drawn]:
        """Outputs on both datasets of a pair; a dataset beside itself is drawn twice.

        Raises:
            BlackBoxError: one of them could not be drawn.
        """
        again = pair.neighbor is pair.dataset
        return (
            self._of(index, pair.dataset, False, False),
            self._of(index, pair.neighbor, True, again),
        )

    def _of(self, index: int, data: Any, right: bool, again: bool) -> Drawn:
        key = id(data), again
        if key in self.lost:
            raise self.lost[key]
        if key not in self.found:
            few = max(_FEWEST, self.count // _ENDS)
            try:
                ends, counts = (
                    self.draws.outputs(Stage.TABLE, index, right, *part)
                    for part in ((0, few), (few, self.count))
                )
            except BlackBoxError as error:
                self.lost[key] = error
                raise
            self.found[key] = ends, counts
        return self.found[key]


def _drawn(
    drawer: TableDraws, indexed: Sequence[tuple[int, Pair]], given: Sequence[Pair]
) -> Iterator[tuple[Pair, tuple[Drawn, Drawn]]]:
    """Pairs with outputs on both sides; those that the search made up and fail are left out."""
    for index, pair in indexed:
        try:
            yield pair, drawer.both(index, pair)
        except BlackBoxError:
            if any(pair is own for own in given):
                raise


def tables_of(
    draws: Draws,
    indexed: Sequence[tuple[int, Pair]],
    given: Sequence[Pair],
    bet: Bet | None,
    claim: Claim,
    settings: Settings,
    count: int,
    allowance: Allowance,
) -> tuple[PairTable, ...]:
    """One table for each pair, and one for D against all given neighbors pooled.

    The ends of the bins come from outputs of their own, so that the intervals hold.

    Args:
        draws: of the audit.
        indexed: pairs that were bet on, with their indices.
        given: those that somebody gave: they must be readable.
        bet: whose feature the tables show; None for the output itself.
        claim: that the tables are compared with.
        settings: of the audit.
        count: outputs wanted on each dataset.
        allowance: outputs and time left.

    Raises:
        BlackBoxError: a given pair cannot be drawn.
    """
    count = _affordable([pair for _, pair in indexed], count, allowance)
    if count < _FEWEST:
        return ()
    drawn = list(_drawn(TableDraws(draws, count), indexed, given))
    if not drawn:
        return ()
    kept, sides = [pair for pair, _ in drawn], [both for _, both in drawn]
    outcomes = [outcomes for pair in sides for outcomes, _ in pair]
    feature = table_feature(outcomes) if bet is None else bet.feature
    rows = [(p.name, _difference(p, kept), *s) for p, s in zip(kept, sides, strict=True)]
    rows += _pooled(kept, sides)
    return tuple(
        _table(name, words, feature, (left, right), claim, settings, len(rows))
        for name, words, left, right in rows
    )


def _affordable(pairs: Sequence[Pair], count: int, allowance: Allowance) -> int:
    """Outputs for the counts on each dataset, as many of these as runs and time allow."""
    sides = {(id(p.dataset), False) for p in pairs}
    sides |= {(id(p.neighbor), p.neighbor is p.dataset) for p in pairs}
    wanted = count + max(_FEWEST, count // _ENDS)
    each = allowance.units(wanted * len(sides), 1) // max(1, len(sides))
    return min(count, each - _FEWEST, each * _ENDS // (_ENDS + 1))


def _difference(pair: Pair, pairs: Sequence[Pair]) -> str:
    """The difference in words; a pair with a D of its own says what that is."""
    if pair.dataset is pairs[0].dataset:
        return pair.difference
    return f"D is here {shown(pair.dataset)}; its neighbor: {pair.difference}"


def _pooled(
    pairs: Sequence[Pair], sides: Sequence[tuple[Drawn, Drawn]]
) -> list[tuple[str, str, Drawn, Drawn]]:
    """D against all neighbors that were made from the same D, pooled."""
    same = [k for k, pair in enumerate(pairs) if pair.dataset is pairs[0].dataset]
    if len(same) < 2:
        return []
    ends = joined([sides[k][1][0] for k in same])
    counts = joined([sides[k][1][1] for k in same])
    names = ", ".join(pairs[k].name for k in same)
    return [("pooled", f"{names} pooled", sides[0][0], (ends, counts))]


def _table(
    name: str,
    difference: str,
    feature: Feature,
    drawn: tuple[Drawn, Drawn],
    claim: Claim,
    settings: Settings,
    families: int,
) -> PairTable:
    left, right = drawn
    columns = feature.read(left[0]), feature.read(right[0])
    binning = merged(equal_width(columns, settings.bins, tail=TAIL), columns)
    sides = left[1], right[1]
    return pair_table(name, difference, feature, binning, sides, claim, settings.alpha, families)
