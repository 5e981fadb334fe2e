"""From the output and the time of a run to a bin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audit.outcomes.column import Floats
from audit.outcomes.encoding import KIND, Outcomes

_TIMES, _RESIDUALS, _OUTPUTS = 12, 12, 4
_SMOOTHING = 0.5
"""Runs that each bin is thought to have had on either side."""


@dataclass(frozen=True, slots=True)
class TimedRuns:
    """Runs in the order in which they were made.

    Attributes:
        right: shape (runs,), whether each was on D′.
        seconds: shape (runs,), how long each took.
        outcomes: what each gave.
    """

    right: NDArray[np.bool_]
    seconds: Floats
    outcomes: Outcomes


@dataclass(frozen=True, slots=True)
class TimeReading:
    """Two tables beside each other: log-time by output, and by how it exceeds what is usual.

    What is usual for an output is a straight line in its distance from the middle: a
    sampler that loops until it has its noise takes longer for larger noise, so that
    output and time together give away what the noise was added to.

    Attributes:
        column: the part of the output that is read; empty where none is a number.
        middle: of that part.
        line: log-time of the usual run as a constant and a factor of the distance.
        outputs: ends between bins of the output.
        times: ends between bins of the log-time.
        residuals: ends between bins of the excess.
    """

    column: str
    middle: float
    line: tuple[float, float]
    outputs: Floats
    times: Floats
    residuals: Floats

    @classmethod
    def of(cls, past: TimedRuns) -> TimeReading:
        """Learn the ends of bins from runs, all of one law or of two, no matter which is whose."""
        column = _number(past.outcomes)
        values = _values(past.outcomes, column)
        known = np.isfinite(values)
        middle = float(np.median(values[known])) if known.any() else 0.0
        times = _log(past.seconds)
        line = _line(np.abs(values - middle)[known], past.seconds[known])
        excess = _excess(values, past.seconds, middle, line)
        return cls(
            column,
            middle,
            line,
            _ends(values[known], _OUTPUTS),
            _ends(times, _TIMES),
            _ends(excess, _RESIDUALS),
        )

    @property
    def shape(self) -> tuple[int, int, int]:
        """Bins of the output, those that hold no number among them, of times, of excesses."""
        return len(self.outputs) + 2, len(self.times) + 1, len(self.residuals) + 1

    def counts(self, runs: TimedRuns) -> Floats:
        """Runs on D and on D′ in every bin of (output, time, excess), shape (2, bins)."""
        values = _values(runs.outcomes, self.column)
        known = np.isfinite(values)
        cell = np.where(known, 1 + np.searchsorted(self.outputs, values, side="right"), 0)
        time = np.searchsorted(self.times, _log(runs.seconds), side="right")
        excess = _excess(values, runs.seconds, self.middle, self.line)
        beyond = np.searchsorted(self.residuals, excess, side="right")
        bins = int(np.prod(self.shape))
        code = np.ravel_multi_index((cell, time, beyond), self.shape)
        sides = [np.bincount(code[runs.right == right], minlength=bins) for right in (False, True)]
        return np.array(sides, dtype=float)

    def events(self, counts: Floats) -> NDArray[np.bool_]:
        """Sets of bins to bet on: times above and below every end, and likely sets.

        Args:
            counts: of the runs that are learned from, shape (2, bins).

        Returns:
            Shape (events, bins).
        """
        cell, time, beyond = np.unravel_index(np.arange(counts.shape[1]), self.shape)
        found = [time > k for k in range(len(self.times))]
        found += [time <= k for k in range(len(self.times))]
        for codes in (cell * self.shape[1] + time, cell * self.shape[2] + beyond):
            likely = _likely(counts, codes)
            found += [*likely, *(~event for event in likely)]
        return np.array(found)

    def words(self, event: NDArray[np.bool_]) -> str:
        """An event in words: a time where it is one, else how much was learned."""
        time = np.unravel_index(np.arange(len(event)), self.shape)[1]
        for k, end in enumerate(self.times.tolist()):
            if np.array_equal(event, time > k):
                return f"a run takes at least {_seconds(2.0**end)}"
            if np.array_equal(event, time <= k):
                return f"a run takes less than {_seconds(2.0**end)}"
        part = "its output" if self.column == "output" else self.column
        return f"the time of a run, beside {part}, is one of those that were learned"


def _seconds(value: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value * 1e9:.3g} ns"


def _likely(counts: Floats, codes: NDArray[np.int_]) -> list[NDArray[np.bool_]]:
    """Groups of bins, those with the largest share on D first, then one more, and so on."""
    shares = np.array([np.bincount(codes, weights=side) for side in counts]) + _SMOOTHING
    ratio = np.log(shares[0] / shares[1])
    order = np.argsort(-ratio, kind="stable")
    rank = np.empty(len(order), dtype=int)
    rank[order] = np.arange(len(order))
    return [rank[codes] <= last for last in range(len(order) - 1)]


def _number(outcomes: Outcomes) -> str:
    """The first part that is mostly numbers."""
    for name, column in outcomes.columns.items():
        if name != KIND and np.isfinite(column.values).mean() > 0.5:
            return name
    return ""


def _values(outcomes: Outcomes, column: str) -> Floats:
    if not column:
        return np.full(outcomes.size, np.nan)
    values = outcomes.column(column).values
    return np.where(np.isfinite(values), values, np.nan)


def _log(seconds: Floats) -> Floats:
    return np.log2(np.maximum(seconds, 1e-9))


def _line(distance: Floats, seconds: Floats) -> tuple[float, float]:
    """A straight line through most points: runs that something else delayed do not count."""
    if len(distance) < 8 or float(np.ptp(distance)) == 0.0:
        return 0.0, 0.0
    usual = seconds <= np.quantile(seconds, 0.9)
    if not usual.any() or float(np.ptp(distance[usual])) == 0.0:
        return 0.0, 0.0
    factor, constant = np.polyfit(distance[usual], seconds[usual], 1)
    return float(constant), float(factor)


def _excess(values: Floats, seconds: Floats, middle: float, line: tuple[float, float]) -> Floats:
    expected = line[0] + line[1] * np.abs(np.nan_to_num(values, nan=middle) - middle)
    return np.asarray(seconds - expected)


def _ends(values: Floats, bins: int) -> Floats:
    """Ends between bins that hold equally many of the values."""
    if len(values) == 0:
        return np.zeros(0)
    return np.unique(np.quantile(values, np.arange(1, bins) / bins))
