"""Timed runs: single ones on two datasets in random order, and the bins of output and time.

Before every run a fresh coin decides which dataset it is on, whatever was before: what
makes runs slower for a while hits both sides alike. Before each timed run comes one that
is not timed, on a dataset that a second coin chose and that nobody is told: what a black
box keeps of its last call then favours neither side.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from audit.blackbox.environment import seed_global_generators
from audit.errors import BlackBoxError
from audit.outcomes.column import Floats
from audit.outcomes.encoding import KIND, Outcomes, check_batch, encode
from audit.outcomes.failed_run import failure_of
from audit.outcomes.moment_of_call import now, without_moment
from audit.sampling.separate_calls import kept
from audit.sampling.source import Address, Source, Sources, Stage, separate_generators

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


Clock = Callable[[], float]
_COINS, _RUNS = 2, 3
"""In place of a side: the streams of the coins and of the runs."""


@dataclass(frozen=True, slots=True)
class Stopwatch:
    """Times runs on the two datasets of a pair."""

    sources: Sources
    pair: int
    seed: int
    clock: Clock = perf_counter

    def draw(self, batch: int, runs: int) -> TimedRuns:
        """Make so many timed runs, and as many that are not timed.

        Args:
            batch: number of this batch, which is never used again.
            runs: how many are timed.

        Raises:
            BlackBoxError: the black box cannot be run at all.
        """
        address = Address(Stage.TIME, self.pair, batch)
        coins = np.random.default_rng(address.stream(self.seed, _COINS)).integers(0, 2, (runs, 2))
        stream = address.stream(self.seed, _RUNS)
        seed_global_generators(stream)
        generators = separate_generators(stream, range(2 * runs))
        seconds = np.empty(runs)
        outputs: list[Any] = []
        begun = now()
        with _undisturbed():
            for place, (side, before) in enumerate(coins.tolist()):
                self._run(self.sources[before], next(generators))
                output, seconds[place] = self._run(self.sources[side], next(generators))
                outputs.append(output)
        read = without_moment(encode(outputs, runs), begun, now())
        return TimedRuns(coins[:, 0] == 1, seconds, read)

    def _run(self, source: Source, rng: Generator) -> tuple[Any, float]:
        """One output and its seconds; making a fresh copy of the dataset is not timed."""
        ready = getattr(source.bound, "ready", None)
        call = source.bound.draw if ready is None else ready()
        begun = self.clock()
        try:
            output = call(rng, 1)
        except BlackBoxError:
            raise
        except Exception as error:
            return failure_of(error), self.clock() - begun
        seconds = self.clock() - begun
        if source.box.many:
            check_batch(output, 1)
            output = output[0]
        return kept(output), seconds


@contextmanager
def _undisturbed() -> Iterator[None]:
    """No garbage is collected meanwhile, which would hit runs by chance."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
