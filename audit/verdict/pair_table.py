"""The classic view of a pair: bins of equal width, frequencies and ratios both ways."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from audit.claims import Claim
from audit.jsonable import Record
from audit.outcomes.binning import Binning, learned, whole_numbers
from audit.outcomes.column import Column, Counts, Floats, unit_for
from audit.outcomes.encoding import OUTPUT
from audit.outcomes.features import Feature, Part, Summary
from audit.outcomes.outcomes import KIND, Outcomes, joined
from audit.outcomes.symbols import is_structure
from audit.verdict.intervals import Comparison, Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin(Record):
    """One row of the classic table.

    Attributes:
        low: left end; -inf for the first bin, None for outputs that are not numbers.
        high: right end, not included; the float after the largest number where that is.
        label: the bin in words.
        p: probability on D with its interval.
        q: probability on the neighbor.
        ratio: p/q with its simultaneous interval.
        reverse: q/p with its simultaneous interval.
        flagged: whether an interval lies wholly above what the claim allows.
    """

    low: float | None
    high: float | None
    label: str
    p: Estimate
    q: Estimate
    ratio: Estimate
    reverse: Estimate
    flagged: bool

    def as_json(self) -> dict[str, Any]:
        found = Record.as_json(self)
        return {"ratio_reverse" if key == "reverse" else key: found[key] for key in found}


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTable(Record):
    """The classic view of one pair: bins, frequencies and ratios both ways.

    Attributes:
        name: D1, D2, ... or "pooled".
        difference: how the neighbor differs from D, in words.
        draws: runs on D and on the neighbor behind the table.
        bins: the rows.
        max_ratio: the ratio, either way, whose interval says most: that with the
            largest lower end.
        satisfied: False when a bin is flagged.
        feature: what the bins read off an output, in the words of its events.
    """

    name: str
    difference: str
    feature: str = "output"
    draws: tuple[int, int]
    bins: tuple[Bin, ...]
    max_ratio: float
    satisfied: bool


def most_telling(bins: Sequence[Bin]) -> tuple[int, Estimate] | None:
    """The ratio, of either direction, whose interval has the largest lower end, and its bin."""
    ratios = ((place, r) for place, cell in enumerate(bins) for r in (cell.ratio, cell.reverse))
    return max(ratios, key=lambda found: (found[1].low, found[1].estimate), default=None)


_MOST_ROWS = 200
TAIL = 0.005
"""Of the draws that ends are taken from, so much on either side is left to the open outer bins."""
_LEAST, _LEAST_SHARE = 5, 0.02
"""Draws in a bin, and their share, below which it joins the next one."""


def table_feature(outcomes: Sequence[Outcomes]) -> Feature:
    """Feature for a table of these outputs: the value, else the sum, else the kind."""
    pooled = joined(outcomes)
    names = plain_parts(pooled)
    if OUTPUT in names or not names:
        return Part(OUTPUT if names else KIND)
    if len(names) == 1:
        return Part(names[0])
    return Summary("sum", () if pooled.matrix is not None else names, unit_for(1.0))


def plain_parts(outcomes: Outcomes) -> tuple[str, ...]:
    """Names of the parts that are values, without what an output is built of."""
    return tuple(name for name in outcomes.parts if not is_structure(name))


def equal_width(columns: Sequence[Column], bins: int, *, tail: float = 0.0) -> Binning:
    """Bins of equal width over the common range of some columns, and their symbols.

    The outer bins are open: what is counted in them may lie beyond that range.

    Args:
        columns: what the range is taken from.
        bins: how many.
        tail: share of the numbers at either end that the range may leave out.
    """
    values = np.concatenate([column.numbers for column in columns])
    symbols = learned(columns, 1).symbols
    if len(values) == 0:
        return Binning.of([], symbols)
    if whole_numbers(values):
        # Equally many whole numbers a bin, one where that suffices.
        width = math.ceil((values.max() - values.min() + 1) / bins)
        ends = np.arange(values.min(), values.max() + width + 1, width)
        return Binning.of(ends, symbols, whole=True)
    if values.min() == values.max():
        return Binning.of([values[0], math.nextafter(values[0], math.inf)], symbols)
    low, high = np.quantile(values, [tail, 1.0 - tail], method="inverted_cdf")
    if not low < high:
        low, high = values.min(), values.max()
    # Halved, as the range itself may be larger than any float.
    ends = 2.0 * np.linspace(low / 2.0, high / 2.0, bins + 1)
    return Binning.of(ends[1:-1], symbols)


def merged(binning: Binning, columns: Sequence[Column], outline: Binning) -> Binning:
    """The bins, neighbors merged until each holds enough of some columns to show a frequency.

    The columns must not be those that are counted afterwards. Where nothing lies
    for a while, that gap stays a bin of its own.

    Args:
        binning: equal bins.
        columns: outputs by which they are merged.
        outline: bins chosen without these outputs, beyond whose ends nothing is merged.
    """
    fixed, edges = outline.edges, binning.edges
    if binning.whole:
        fixed = np.ceil(fixed)
    elif len(edges):
        # The nearest edge gives way, so that no sliver of a bin is left.
        distances = np.abs(edges[:, None] / 2.0 - fixed / 2.0)
        edges = np.delete(edges, distances.argmin(axis=0))
    binning = Binning.of([*edges, *fixed], binning.symbols, outline.atoms, binning.whole)
    held = np.bincount(
        binning.code(Column(np.concatenate([column.numbers for column in columns]))),
        minlength=binning.count,
    )
    counts = held[: binning.numeric]
    least = max(_LEAST, _LEAST_SHARE * counts.sum())
    parts = np.split(np.arange(binning.numeric), 1 + np.flatnonzero(np.isin(binning.edges, fixed)))
    kept = [*fixed]
    for part in parts:
        kept += _kept(counts[part], binning.edges[part[:-1]], least)
    return Binning.of(kept, binning.symbols, binning.atoms, binning.whole)


def _kept(counts: Counts, edges: Floats, least: float) -> Iterator[float]:
    """Edges between bins of these counts that are still there when small ones were merged."""
    left, below = counts[::-1].cumsum()[::-1], 0
    for code, edge in enumerate(edges.tolist()):
        below += counts[code]
        full = below >= least and left[code + 1] >= least
        beyond = left[code + 1] == 0
        if full or beyond or (below == 0 and counts[code + 1] > 0):
            yield edge
            below = 0


def counted(feature: Feature, binning: Binning, sides: Sequence[Outcomes]) -> list[Counts]:
    """Count the outputs of each side in each bin."""
    return [np.bincount(binning.code(feature.read(s)), minlength=binning.count) for s in sides]


def table_of(
    name: str,
    difference: str,
    feature: Feature,
    binning: Binning,
    counts: Sequence[Counts],
    comparisons: Sequence[Comparison],
    claim: Claim,
) -> PairTable:
    """A table of counts on D and on the other side, and of what is known of their chances."""
    shown = [code for code in range(binning.count) if _worth_a_row(binning, code, counts)]
    lines = claim.lines(claim.level)
    bins = tuple(
        _row(binning, code, comparisons[code], comparisons[code].breaks(lines))
        for code in shown[:_MOST_ROWS]
    )
    telling = most_telling(bins)
    return PairTable(
        name=name,
        difference=difference,
        draws=(int(counts[0].sum()), int(counts[1].sum())),
        bins=bins,
        max_ratio=1.0 if telling is None else telling[1].estimate,
        satisfied=not any(b.flagged for b in bins),
        feature=feature.words,
    )


def _worth_a_row(binning: Binning, code: int, counts: Sequence[Counts]) -> bool:
    """Empty bins are shown between others, so that gaps are seen; not outside of them."""
    if any(side[code] for side in counts):
        return True
    inner = 0 < code < binning.numeric - 1 and not binning.whole
    return inner and bool(binning.edges[code] > math.nextafter(binning.edges[code - 1], math.inf))


def _row(binning: Binning, code: int, held: Comparison, flagged: bool) -> Bin:
    low, high = binning.ends(code) if code < binning.numeric else (None, None)
    return Bin(
        low=low,
        high=high,
        label=binning.label(code),
        p=held.p,
        q=held.q,
        ratio=held.ratio,
        reverse=held.reverse,
        flagged=flagged,
    )
