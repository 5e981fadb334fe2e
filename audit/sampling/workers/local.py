"""Batches drawn in this process, in its main thread, and counted in another one beside it."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import TypeVar

from audit.sampling.batch import BatchPlan, BatchResult, Job, Sides
from audit.sampling.sampler import Sampler
from audit.sampling.trace import Trace

T = TypeVar("T")
WORTH_A_THREAD = 4096
"""Pairs that a batch must have to be worth another thread."""
_WORTH_HANDING_OVER = 0.002
"""Seconds of drawing that are worth doing something else in another thread."""
_TELLING = 64
"""Pairs that a batch must have to tell how long pairs take."""
_WAITING = 4
"""Batches that may wait to be counted."""
_MOST_AHEAD = 1 << 22
"""Numbers that may be drawn ahead of time: 32 MiB."""


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A batch that was drawn before it was asked for.

    Attributes:
        plan: of the batch; held, so that its identity stays its own.
        sides: the outputs, None where drawing them failed.
        trace: what drawing them showed.
    """

    plan: BatchPlan
    sides: Sides | None
    trace: Trace

    @property
    def numbers(self) -> int:
        """About how many numbers it holds."""
        return sum(side.size * side.width for side in self.sides or ())


@dataclass(slots=True)
class LocalPool:
    """This process: large batches are counted while the next are drawn.

    Black boxes run in this thread only, one call after the other, and always
    the same calls in the same order.

    Attributes:
        counter: counts, looks and learns in a thread that starts when it is first wanted.
        ahead: batches drawn before they were asked for, by the identity of their plans.
        room: numbers that more of them may hold.
        pace: seconds that drawing one pair takes, as last measured; decides only who waits.
    """

    counter: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))
    ahead: dict[int, _Drawn] = field(default_factory=dict)
    room: int = _MOST_AHEAD
    pace: float = 0.0

    def run(
        self, sampler: Sampler, jobs: Iterator[Job], coming: Collection[BatchPlan] = ()
    ) -> Iterator[BatchResult]:
        """See `WorkerPool.run`."""
        waiting: deque[_Counting] = deque()
        for job in jobs:
            sides, trace = self._drawn(sampler, job.plan)
            alone = sides is None or job.plan.size < WORTH_A_THREAD
            while waiting and (alone or len(waiting) >= _WAITING):
                yield self._first(sampler, waiting, coming)
            if sides is None:
                # What was drawn ahead was drawn in the way that has just failed.
                self.ahead.clear()
                self.room = _MOST_AHEAD
                yield BatchResult(None, trace)
                return
            if alone:
                yield BatchResult(job.counted(sides), trace)
            else:
                waiting.append(_Counting(job, sides, trace, self.counter))
        while waiting:
            yield self._first(sampler, waiting, coming)

    def _first(
        self, sampler: Sampler, waiting: deque[_Counting], coming: Collection[BatchPlan]
    ) -> BatchResult:
        """The first batch that waits; until it is counted, what is coming is drawn."""
        first = waiting.popleft()
        self._draw_ahead(sampler, coming, first.done)
        # Nothing is left to draw.
        for counting in (first, *waiting):
            if not first.done():
                counting.help()
        return first.result()

    def _drawn(self, sampler: Sampler, plan: BatchPlan) -> tuple[Sides | None, Trace]:
        found = self.ahead.pop(id(plan), None)
        if found is None:
            return self._draw(sampler, plan)
        self.room += found.numbers
        return found.sides, found.trace

    def _draw(self, sampler: Sampler, plan: BatchPlan) -> tuple[Sides | None, Trace]:
        start = time.perf_counter()
        drawn = plan.drawn(sampler)
        if plan.size >= _TELLING:
            self.pace = (time.perf_counter() - start) / plan.size
        return drawn

    def meanwhile(
        self, work: Callable[[], T], sampler: Sampler, coming: Collection[BatchPlan]
    ) -> T:
        """See `WorkerPool.meanwhile`."""
        if self.pace * sum(plan.size for plan in coming) < _WORTH_HANDING_OVER:
            return work()
        future = self.counter.submit(work)
        try:
            self._draw_ahead(sampler, coming, future.done)
        finally:
            wait([future])
        return future.result()

    def _draw_ahead(
        self, sampler: Sampler, coming: Collection[BatchPlan], done: Callable[[], bool]
    ) -> None:
        """Draw what is coming, in its order, until the others are done or it is enough."""
        for plan in list(coming):
            drawn = self.ahead.get(id(plan))
            if drawn is None:
                if done() or self.room <= 0:
                    return
                drawn = self.ahead[id(plan)] = _Drawn(plan, *self._draw(sampler, plan))
                self.room -= drawn.numbers
            if drawn.sides is None:
                return


class _Counting:
    """A batch that another thread is counting; this one may help.

    Attributes:
        counts: what is or will be counted by each of the job's readers.
    """

    __slots__ = ("_job", "_sides", "_trace", "counts")

    def __init__(self, job: Job, sides: Sides, trace: Trace, counter: Executor) -> None:
        self._job, self._sides, self._trace = job, sides, trace
        self.counts = [counter.submit(job.count, reader, sides) for reader in job.readers]

    def done(self) -> bool:
        """Whether everything has been counted."""
        return all(future.done() for future in self.counts)

    def help(self) -> None:
        """Count what nobody has begun to count."""
        for place in reversed(range(len(self.counts))):
            if self.counts[place].cancel():
                self.counts[place] = Future()
                counted = self._job.count(self._job.readers[place], self._sides)
                self.counts[place].set_result(counted)

    def result(self) -> BatchResult:
        """The batch, once everything has been counted."""
        counts = [future.result() for future in self.counts]
        return BatchResult(self._job.batch(counts, self._sides), self._trace)
