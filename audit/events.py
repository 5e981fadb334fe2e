"""Events: sets of bins of one feature, chosen before they are bet on, said in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.binning import Binning
from audit.event import Event
from audit.features import Feature

Masks = NDArray[np.bool_]
Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Bets:
    """The events on which one table of counts is bet.

    Attributes:
        single: shape (events, bins), one event a row.
        plus: shape (doubles, bins), the events bet D over D'.
        minus: shape (doubles, bins), disjoint ones bet D' over D.
        weight: base weight of each single event, then of each double; sums to 1.
        ranked: which of them were chosen by looking at past frequencies.
    """

    single: Masks
    plus: Masks
    minus: Masks
    weight: NDArray[np.float64]
    ranked: Masks

    @property
    def size(self) -> int:
        """Events of both kinds."""
        return len(self.single) + len(self.plus)


def bets_for(binning: Binning, left: Counts, right: Counts) -> Bets:
    """The events worth betting on for one feature.

    Half-lines, single bins, and sets of bins ordered by their likelihood ratio
    so far; doubles pair an upper with a lower set of about the same size.

    Args:
        binning: the feature's bins.
        left: past draws on D in each bin, shape (bins,).
        right: past draws on D' in each bin.
    """
    universe = _numeric(binning)
    above = _half_lines(binning)
    first = _chain(np.argsort(-np.log((left + 0.5) / (right + 0.5)), kind="stable"))
    single = (
        (np.concatenate([above, ~above & universe]), 0.3, False),
        (np.eye(binning.count, dtype=bool), 0.1, False),
        (np.concatenate([first, ~first]), 0.2, True),
    )
    double = (
        (_matched(above, left + right, universe), 0.25, False),
        (_matched(first, left + right, np.ones_like(universe)), 0.15, True),
    )
    sizes = [len(masks) for masks, _, _ in single] + [len(pair[0]) for pair, _, _ in double]
    shares = [share for _, share, _ in (*single, *double)]
    ranks = [rank for _, _, rank in (*single, *double)]
    members = [masks for masks, _, _ in single] + [pair[0] | pair[1] for pair, _, _ in double]
    weight = np.concatenate(
        [share * _within(masks, left + right) for masks, share in zip(members, shares, strict=True)]
    )
    return Bets(
        np.concatenate([masks for masks, _, _ in single]),
        np.concatenate([pair[0] for pair, _, _ in double]),
        np.concatenate([pair[1] for pair, _, _ in double]),
        weight / weight.sum(),
        np.repeat(ranks, sizes),
    )


def _within(masks: Masks, pooled: Counts) -> NDArray[np.float64]:
    """Weights inside one family: half evenly, half by the share of draws that decide the bet."""
    if len(masks) == 0:
        return np.empty(0)
    mass = masks @ pooled / max(1, pooled.sum())
    deciding = mass + 1.0 / max(2, pooled.sum())
    return np.asarray(0.5 / len(masks) + 0.5 * deciding / deciding.sum())


def _numeric(binning: Binning) -> Masks:
    return np.arange(binning.count) < binning.numeric


def _half_lines(binning: Binning) -> Masks:
    """Numbers at or above each edge, shape (edges, bins)."""
    bins = np.arange(binning.count)
    return (bins >= np.arange(1, binning.numeric)[:, None]) & _numeric(binning)


def _chain(order: NDArray[np.intp]) -> Masks:
    """The first 1, 2, ... bins of an order, all but the whole, shape (bins - 1, bins)."""
    rank = np.empty(len(order), np.intp)
    rank[order] = np.arange(len(order))
    return rank < np.arange(1, len(order))[:, None]


def _matched(upper: Masks, pooled: Counts, universe: Masks) -> tuple[Masks, Masks]:
    """Each set of a chain with the largest disjoint complement that weighs no more."""
    lower = ~upper & universe
    weight_upper, weight_lower = upper @ pooled, lower @ pooled
    # Products of floats, which linear algebra is made for.
    overlap = upper.astype(np.float64) @ lower.T.astype(np.float64) > 0.5
    fits = ~overlap & (weight_lower <= np.maximum(weight_upper, 1)[:, None]) & (weight_lower > 0)
    scores = np.where(fits, weight_lower, -1)
    if scores.size == 0:
        return upper[:0], lower[:0]
    best = scores.argmax(axis=1)
    found = scores[np.arange(len(upper)), best] >= 0
    return upper[found], lower[best[found]]


def describe(feature: Feature, binning: Binning, mask: Masks) -> Event:
    """One event in words and in plain values."""
    intervals = _intervals(binning, mask)
    symbols = [s for i, s in enumerate(binning.symbols) if mask[binning.numeric + i]]
    texts = [binning.interval(low, high) for low, high in intervals]
    texts += [f"is {symbol}" for symbol in symbols]
    rest = bool(mask[-1])
    if rest:
        texts.append("is any other value")
    parameters: dict[str, Any] = {
        "feature": feature.words,
        "intervals": [[_end(low), _end(high)] for low, high in intervals],
        "symbols": symbols,
        "other_symbols": rest,
    }
    return Event(f"{feature.words} {' or '.join(texts)}", parameters)


def _end(value: float) -> float | str:
    return value if np.isfinite(value) else ("inf" if value > 0 else "-inf")


def _intervals(binning: Binning, mask: Masks) -> list[tuple[float, float]]:
    """The event's numbers as half-open intervals, neighbors merged."""
    ends = np.concatenate([[-np.inf], binning.edges, [np.inf]])
    held = np.concatenate([[False], mask[: binning.numeric], [False]]).astype(int)
    starts, stops = np.flatnonzero(np.diff(held) == 1), np.flatnonzero(np.diff(held) == -1)
    return [(float(ends[a]), float(ends[b])) for a, b in zip(starts, stops, strict=True)]
