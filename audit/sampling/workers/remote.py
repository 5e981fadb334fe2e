"""Batches drawn and counted in other processes or on other machines."""

from __future__ import annotations

import math
import pickle
import time
import zlib
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Executor, Future
from concurrent.futures import TimeoutError as Late
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from audit.blackbox.state import carried
from audit.errors import BlackBoxError
from audit.outcomes.blas_threads import in_one_thread
from audit.sampling.batch import BatchPlan, BatchResult, Job
from audit.sampling.sampler import Sampler
from audit.sampling.workers.allocator import keep_freed_memory
from audit.sampling.workers.local import LocalPool
from audit.sampling.workers.own_source import Asked, begun, bound_by
from audit.sampling.workers.passage import Passage
from audit.sampling.workers.pickled import Parcel
from audit.sampling.workers.processes import executor_of, flush_printed, start, told_if_ended

T = TypeVar("T")
WORTH_SENDING = 0.05
"""Seconds of work below which nothing is sent."""
_TASK = 0.1
"""Seconds that a task should take, so that sending it costs little beside."""
_MOST_JOBS = 256
_STATEFUL = "{name} began to change with its calls: from then on one process draws everything"
_UNTRIED = (
    "whether {name} has randomness of its own that begins alike in every process could not be "
    "tried in time, so that one process draws everything"
)
Returned = tuple[bytes, float] | None
"""What jobs came to, squeezed, and the seconds that took; None where they changed the black box."""


@dataclass(slots=True)
class RemotePool:
    """Other processes or machines, where there is enough work to be sent.

    How long batches take decides only who draws them, never what comes of it.

    Attributes:
        executor: anything with `submit`, from `concurrent.futures` or a cluster.
        workers: how many may work at the same time.
        least: seconds that a pair must take to be worth sending at all.
        pace: seconds that one pair takes, as last measured; 0 before that.
        asked: what tells whether others may draw, asked for before that is wanted.
    """

    executor: Executor
    workers: int
    least: float = 0.0
    pace: float = 0.0
    here: LocalPool = field(default_factory=LocalPool)
    asked: Asked | None = None

    def run(
        self, sampler: Sampler, jobs: Iterator[Job], coming: Collection[BatchPlan] = ()
    ) -> Iterator[BatchResult]:
        """See `WorkerPool.run`."""
        at_once = sampler.runs.at_once
        waits = at_once.waits and at_once.can(sampler.box)
        watched = sampler.watch.settled and not sampler.stateful
        if self._quick or self.here.ahead or waits or not watched or sampler.watch.bound:
            # What was drawn ahead here is counted here. What waits is waited for at once. A
            # black box that keeps state would draw the same noise in every process, so it is
            # watched before it is sent.
            yield from self._timed(sampler, self._foreseen(sampler, jobs), coming)
            return
        listed = list(jobs)
        pairs = sum(job.plan.size for job in listed)
        worth = bool(listed) and self.pace * pairs >= WORTH_SENDING
        leaves = worth and self._may_leave(sampler, listed[0].plan)
        parts = sampler.runs.in_parts.can(sampler.box)
        if leaves and not (parts and any(job.plan.separate(sampler) for job in listed)):
            yield from self._sent(sampler, listed)
        else:
            # Here each batch is made in parts, where it is one of slow calls.
            yield from self._timed(sampler, iter(listed), ())

    def _foreseen(self, sampler: Sampler, jobs: Iterator[Job]) -> Iterator[Job]:
        """The jobs; while slow calls are watched here, others get ready to make them."""
        in_parts = sampler.runs.in_parts
        for job in jobs:
            if not in_parts.slow:
                in_parts.once_slow = partial(self._get_ready, sampler, job.plan)
            yield job

    def _get_ready(self, sampler: Sampler, plan: BatchPlan) -> None:
        """Let a few try whether others may draw at all, and those load what they need meanwhile.

        The few come first: what they do takes as long as watching does.
        """
        if not sampler.runs.in_parts.can(sampler.box):
            return
        sources = plan.left, plan.right
        few = executor_of(len(sources))
        few.submit(flush_printed).add_done_callback(lambda _done: start(self.workers))
        if sampler.watch.bound is None:
            with suppress(BlackBoxError):  # what cannot travel is told of where it has to
                self.asked = begun(sampler, sources, few)

    def _may_leave(self, sampler: Sampler, plan: BatchPlan) -> bool:
        """Whether others may draw; tried before they do so for the first time.

        Raises:
            BlackBoxError: it cannot travel, or has ended the process it ran in.
        """
        watch = sampler.watch
        if watch.bound is None:
            try:
                with told_if_ended():
                    sources = plan.left, plan.right
                    watch.bound = bound_by(sampler, sources, self.executor, self.asked)
            except Late:
                watch.bound = _UNTRIED.format(name=sampler.box.name)
        return not watch.bound

    def _timed(
        self, sampler: Sampler, jobs: Iterator[Job], coming: Collection[BatchPlan]
    ) -> Iterator[BatchResult]:
        """What is not worth sending, done here, and how long it takes."""
        start, pairs = time.perf_counter(), 0
        for done in self.here.run(sampler, jobs, coming):
            pairs += 0 if done.batch is None else done.batch.size
            yield done
        if pairs:
            self.pace = (time.perf_counter() - start) / pairs

    def meanwhile(
        self, work: Callable[[], T], sampler: Sampler, coming: Collection[BatchPlan]
    ) -> T:
        """See `WorkerPool.meanwhile`."""
        return self.here.meanwhile(work, sampler, coming if self._quick else ())

    @property
    def _quick(self) -> bool:
        """Whether pairs take too little time to be sent, as far as is known."""
        return self.pace < self.least

    def _sent(self, sampler: Sampler, jobs: Sequence[Job]) -> Iterator[BatchResult]:
        """What others make of jobs, until the black box changes; the rest is done here."""
        under_way: deque[Future[Returned]] = deque()
        bundles, sent, done = self._bundles(jobs), carried(sampler.box), 0
        try:
            while True:
                while len(under_way) <= 2 * self.workers and (bundle := next(bundles, ())):
                    parcel = Parcel.of((sampler.alike(), bundle))
                    under_way.append(self.executor.submit(_work, parcel, sent))
                if not under_way:
                    return
                received = self._received(under_way.popleft())
                if received is None:
                    break
                done += len(received)
                for one in received:
                    # The watch looks when it would have looked, had they been made here.
                    stateful = sampler.watch.changed(sampler.box)
                    yield BatchResult(one.batch, replace(one.trace, stateful=stateful))
        finally:
            for future in under_way:
                future.cancel()
        sampler.watch.bound = _STATEFUL.format(name=sampler.box.name)
        yield from self._timed(sampler, iter(jobs[done:]), ())

    def _bundles(self, jobs: Sequence[Job]) -> Iterator[Sequence[Job]]:
        """Jobs that travel together: enough to be worth a journey, few enough for everybody."""
        start = 0
        while start < len(jobs):
            alone = max(1e-9, self.pace * jobs[start].plan.size)
            fair = math.ceil((len(jobs) - start) / self.workers)
            count = max(1, min(fair, _MOST_JOBS, round(_TASK / alone)))
            yield jobs[start : start + count]
            start += count

    def _received(self, future: Future[Returned]) -> list[BatchResult] | None:
        """What came of a bundle; None where it has to be made here.

        Raises:
            BlackBoxError: the black box has ended the process it ran in.
        """
        with told_if_ended():
            returned = future.result()
        if returned is None:
            return None
        squeezed, seconds = returned
        done: list[BatchResult] = pickle.loads(zlib.decompress(squeezed))
        pairs = sum(one.batch.size for one in done if one.batch is not None)
        self.pace = seconds / pairs if pairs else self.pace
        return done


@in_one_thread
def _work(parcel: Parcel, sent: bytes | None) -> Returned:
    """Do jobs until one fails, for whoever sent a black box that carried this."""
    keep_freed_memory()
    start = time.perf_counter()
    sampler, jobs = parcel.opened()
    passage = Passage.of(sampler.box, sent)
    found: list[BatchResult] = []
    for job in jobs:
        sides, trace = job.plan.drawn(sampler)
        if sides is None:
            found.append(BatchResult(None, trace))
            break
        found.append(BatchResult(job.counted(sides).narrow(), trace))
    flush_printed()
    if passage.changed(sampler.box):
        return None
    # Tables of counts are mostly empty.
    return zlib.compress(pickle.dumps(found), 1), time.perf_counter() - start
