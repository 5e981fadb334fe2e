"""The classic view of one pair of datasets: bins, frequencies and ratios both ways."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from audit.jsonable import finite
from audit.verdict.intervals import Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
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
        return {
            "low": None if self.low is None else finite(self.low),
            "high": None if self.high is None else finite(self.high),
            "label": self.label,
            "p": self.p.as_json(),
            "q": self.q.as_json(),
            "ratio": self.ratio.as_json(),
            "ratio_reverse": self.reverse.as_json(),
            "flagged": self.flagged,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTable:
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
    draws: tuple[int, int]
    bins: tuple[Bin, ...]
    max_ratio: float
    satisfied: bool
    feature: str = "output"

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "difference": self.difference,
            "feature": self.feature,
            "draws": list(self.draws),
            "bins": [b.as_json() for b in self.bins],
            "max_ratio": finite(self.max_ratio),
            "satisfied": self.satisfied,
        }


def most_telling(bins: Sequence[Bin]) -> tuple[int, Estimate] | None:
    """The ratio, of either direction, whose interval has the largest lower end, and its bin."""
    ratios = ((place, r) for place, cell in enumerate(bins) for r in (cell.ratio, cell.reverse))
    return max(ratios, key=lambda found: (found[1].low, found[1].estimate), default=None)
