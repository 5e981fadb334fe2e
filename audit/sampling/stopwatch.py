"""Single runs on two datasets in random order, each with the time it took.

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
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
from numpy.random import Generator

from audit.blackbox.environment import seed_global_generators
from audit.errors import BlackBoxError
from audit.outcomes.encoding import check_batch, encode
from audit.outcomes.failed_run import failure_of
from audit.outcomes.moment_of_call import now, without_moment
from audit.outcomes.timed import TimedRuns
from audit.sampling.separate_calls import kept
from audit.sampling.source import Address, Source, Sources, Stage, separate_generators

Clock = Callable[[], float]
_COINS, _RUNS = 2, 3
"""In place of a side: the streams of the coins and of the runs."""


@dataclass(frozen=True, slots=True)
class Stopwatch:
    """Times runs on the two datasets of a pair.

    Attributes:
        sources: the black box on both datasets.
        pair: number of the pair.
        seed: of the audit.
        clock: seconds.
    """

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
        call = _ready(source)
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


def _ready(source: Source) -> Callable[[Generator, int], Any]:
    """What is left to do for one run: where a bound box can say so, without the copying."""
    ready = getattr(source.bound, "ready", None)
    return partial(source.bound.draw) if ready is None else ready()


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
