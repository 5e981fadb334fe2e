"""The classic view: bins of equal width, frequencies and ratios both ways."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from audit.binning import Binning, learned
from audit.claim import Claim
from audit.features import Feature, Part, Summary
from audit.intervals import Comparison, compare
from audit.leaves import LENGTH
from audit.outcomes import KIND, OUTPUT, Column, Outcomes, joined
from audit.pair_table import Bin, PairTable
from audit.rounding import unit_for

_MOST_ROWS = 200


def table_feature(outcomes: Sequence[Outcomes]) -> Feature:
    """What a table of these outputs should show: the value, else the sum, else the kind."""
    pooled = joined(outcomes)
    names = tuple(n for n in pooled.columns if n != KIND and not n.startswith(LENGTH))
    if OUTPUT in names or not names:
        return Part(OUTPUT if names else KIND)
    if len(names) == 1:
        return Part(names[0])
    return Summary("sum", () if pooled.matrix is not None else names, unit_for(1.0))


def equal_width(columns: Sequence[Column], bins: int, *, closed: bool) -> Binning:
    """Bins of equal width over the common range of some columns, and their symbols.

    Args:
        columns: what the range is taken from.
        bins: how many.
        closed: whether the range is final; otherwise the outer bins are open.
    """
    values = np.concatenate(
        [c.values if c.symbols is None else c.values[c.symbols == 0] for c in columns]
    )
    symbols = learned(columns, 1).symbols
    if len(values) == 0:
        return Binning.of([], symbols)
    if values.min() == values.max():
        return Binning.of([values[0], math.nextafter(values[0], math.inf)], symbols)
    # Halved, as the range itself may be larger than any float.
    ends = 2.0 * np.linspace(values.min() / 2.0, values.max() / 2.0, bins + 1)
    if not closed:
        return Binning.of(ends[1:-1], symbols)
    ends[-1] = math.nextafter(ends[-1], math.inf)
    return Binning.of(ends, symbols)


def pair_table(
    name: str,
    difference: str,
    feature: Feature,
    binning: Binning,
    sides: tuple[Outcomes, Outcomes],
    claim: Claim,
    alpha: float,
    families: int,
) -> PairTable:
    """One pair's table; its bounds share alpha with `families - 1` other tables."""
    counts = [
        np.bincount(binning.code(feature.read(side)), minlength=binning.count) for side in sides
    ]
    shown = [code for code in range(binning.count) if _worth_a_row(binning, code, counts)]
    comparisons = compare(counts[0], counts[1], alpha, families)
    lines = claim.lines(claim.level)
    bins = tuple(
        _row(binning, code, comparisons[code], comparisons[code].breaks(lines))
        for code in shown[:_MOST_ROWS]
    )
    ratios = [r.estimate for b in bins for r in (b.ratio, b.reverse)]
    return PairTable(
        name=name,
        difference=difference,
        draws=(sides[0].size, sides[1].size),
        bins=bins,
        max_ratio=max(ratios, default=1.0),
        satisfied=not any(b.flagged for b in bins),
        feature=feature.words,
    )


def _worth_a_row(binning: Binning, code: int, counts: Sequence[NDArray[np.int64]]) -> bool:
    """Empty bins are shown between others, so that gaps are seen; not outside of them."""
    if any(side[code] for side in counts):
        return True
    inner = 0 < code < binning.numeric - 1
    return bool(inner and binning.edges[code] > math.nextafter(binning.edges[code - 1], math.inf))


def _row(binning: Binning, code: int, held: Comparison, flagged: bool) -> Bin:
    low: float | None = None
    high: float | None = None
    if code < binning.numeric:
        low = -np.inf if code == 0 else float(binning.edges[code - 1])
        high = np.inf if code == len(binning.edges) else float(binning.edges[code])
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
