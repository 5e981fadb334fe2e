"""Fresh units for people to look at, drawn last, and the tables of all pairs made of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from audit.betting.bet import Bet, EventBet
from audit.betting.past import PairPast
from audit.case import Settings
from audit.claims import Claim
from audit.errors import BlackBoxError
from audit.neighbors import Pair, shown
from audit.outcomes.binning import Binning
from audit.outcomes.features import Feature
from audit.outcomes.outcomes import Outcomes, joined
from audit.progress import Deadline
from audit.sampling.draws import Draws
from audit.sampling.source import Stage
from audit.sampling.units import UnitKind, UnitPlan
from audit.verdict.intervals import compare
from audit.verdict.pair_table import (
    TAIL,
    PairTable,
    counted,
    equal_width,
    merged,
    table_feature,
    table_of,
)

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
        pace: seconds of a unit with outputs on both datasets.
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
        tables: True for the fewest, as tables need them of every dataset.
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
        keep: units whose outputs are kept.
        drawn: units so far.
        counts: outputs in each bin of each bet, on D and on D′, shape (2, bins) each.
        kept: outputs of the first units, on D and on D′, batch by batch.
    """

    draws: Draws
    bets: Sequence[Bet]
    stage: Stage
    keep: int = 0
    drawn: int = 0
    counts: list[NDArray[np.int64]] = field(default_factory=list)
    kept: list[Sequence[Outcomes]] = field(default_factory=list)

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
            if (room := self.keep - self.drawn) > 0:
                self.kept.append([outputs.take(slice(room)) for outputs in batch.sides])
            self.drawn += size


Side = tuple[int, bool]
"""A dataset, and whether it is the neighbor of itself."""


def sides_of(pair: Pair) -> tuple[Side, Side]:
    """Both sides of a pair; pairs share a dataset."""
    return (id(pair.dataset), False), (id(pair.neighbor), pair.neighbor is pair.dataset)


@dataclass(frozen=True, slots=True)
class Measured:
    """Fresh outputs that the witness was measured by, which its table counts as well.

    Attributes:
        feature: of the plainest bet, chosen before they were drawn.
        outline: bins that begin and end where its event does, chosen before as well.
        outputs: by dataset.
    """

    feature: Feature
    outline: Binning
    outputs: Mapping[Side, Outcomes]

    @classmethod
    def of(cls, tally: FreshTally, pair: Pair) -> Measured:
        """What a tally kept."""
        outputs = map(joined, zip(*tally.kept, strict=True))
        bet = tally.bets[0]
        outline = bet.outline if isinstance(bet, EventBet) else Binning.of([])
        return cls(bet.feature, outline, dict(zip(sides_of(pair), outputs, strict=True)))


_FEWEST = 20
"""Outputs on a dataset for the counts."""
_ENDS = 4
"""One output for the ends of the bins for so many that are counted."""
OF_A_TABLE = _FEWEST
"""Outputs that a table takes on a dataset."""

Drawn = tuple[Outcomes, Outcomes]
"""Outputs of one dataset: for the ends of the bins, and for the counts."""


def _drawn(
    draws: Draws,
    indexed: Sequence[tuple[int, Pair]],
    given: Sequence[Pair],
    held: Mapping[Side, Outcomes],
    count: int,
) -> Iterator[tuple[int, Pair, tuple[Outcomes, Outcomes]]]:
    """Pairs with outputs on both sides; those that the search made up and fail are left out.

    Each dataset is drawn once unless outputs of it are held; one beside itself is drawn twice.
    """
    found: dict[Side, Outcomes | BlackBoxError] = dict(held)

    def drawn(index: int, key: Side, right: bool) -> Outcomes:
        if key not in found:
            try:
                found[key] = draws.outputs(Stage.TABLE, index, right, 0, count)
            except BlackBoxError as error:
                found[key] = error
        outputs = found[key]
        if isinstance(outputs, BlackBoxError):
            raise outputs
        return outputs.take(slice(count))

    for index, pair in indexed:
        left, right = sides_of(pair)
        try:
            yield index, pair, (drawn(index, left, False), drawn(index, right, True))
        except BlackBoxError:
            if any(pair is own for own in given):
                raise


def tables_of(
    draws: Draws,
    indexed: Sequence[tuple[int, Pair]],
    given: Sequence[Pair],
    pasts: Mapping[int, PairPast],
    measured: Measured | None,
    claim: Claim,
    settings: Settings,
    count: int,
    allowance: Allowance,
) -> tuple[PairTable, ...]:
    """One table for each pair, and one for D against all given neighbors pooled.

    The ends of the bins come from outputs that were bet on, so that the intervals hold.

    Args:
        draws: of the audit.
        indexed: pairs that were bet on, with their indices.
        given: those that somebody gave: they must be readable.
        pasts: what was bet on, by index.
        measured: what the witness was measured by, whose feature the tables show, with bins of
            its event; None for the output itself.
        claim: that the tables are compared with.
        settings: of the audit.
        count: outputs wanted on each dataset.
        allowance: outputs and time left.

    Raises:
        BlackBoxError: a given pair cannot be drawn.
    """
    held = {} if measured is None else measured.outputs
    count = _affordable([pair for _, pair in indexed], held, count, allowance)
    if count < _FEWEST:
        return ()
    few = slice(max(_FEWEST, count // _ENDS))
    kept, sides = list[Pair](), list[tuple[Drawn, Drawn]]()
    for index, pair, (left, right) in _drawn(draws, indexed, given, held, count):
        here, there = (ends.take(few) for ends in pasts[index].outputs)
        kept.append(pair)
        sides.append(((here, left), (there, right)))
    if not kept:
        return ()
    outcomes = [outcomes for pair in sides for outcomes, _ in pair]
    feature = table_feature(outcomes) if measured is None else measured.feature
    outline = Binning.of([]) if measured is None else measured.outline
    rows = [(p.name, _difference(p, kept), *s) for p, s in zip(kept, sides, strict=True)]
    rows += _pooled(kept, sides)

    def table(name: str, words: str, left: Drawn, right: Drawn) -> PairTable:
        columns = feature.read(left[0]), feature.read(right[0])
        binning = merged(equal_width(columns, settings.bins, tail=TAIL), columns, outline)
        counts = counted(feature, binning, (left[1], right[1]))
        comparisons = compare(counts[0], counts[1], settings.alpha, len(rows))
        return table_of(name, words, feature, binning, counts, comparisons, claim)

    return tuple(table(*row) for row in rows)


def _affordable(
    pairs: Sequence[Pair], held: Mapping[Side, Outcomes], count: int, allowance: Allowance
) -> int:
    """Outputs for the counts on each dataset, as many of these as runs and time allow."""
    sides = {side for pair in pairs for side in sides_of(pair)}
    missing = len(sides - held.keys())
    count = min([count, *(outputs.size for outputs in held.values())])
    wanted = missing * count
    runs = 2 * allowance.units(-(-wanted // 2))
    return count if runs >= wanted else runs // missing


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
