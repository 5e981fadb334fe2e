"""Who draws and counts batches: this process, or several through an executor.

A job says everything about its batch, so it does not matter who does it or
when: results are taken in the order of the jobs, and only counts (and the few
outputs that are kept to learn from) travel.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol

from audit.book import Reader, joint_of
from audit.events import Counts
from audit.outcomes import Outcomes
from audit.sampling import Address, Misaligned, Sampler, Stage

WORTH_SENDING = 0.005
"""Seconds that a batch must take to be worth sending to another process."""


_IDLE_SECONDS = 30
WORTH_A_THREAD = 4096
"""Pairs that a batch must have to be counted in another thread."""


@dataclass(frozen=True, slots=True)
class Job:
    """One batch of pairs to draw and count.

    Attributes:
        address: its randomness and its place in the order.
        left: the dataset D.
        right: its neighbor D'.
        size: pairs.
        readers: what to count.
        kept: whether the outputs themselves are wanted as well.
    """

    address: Address
    left: Any
    right: Any
    size: int
    readers: tuple[Reader, ...]
    kept: bool

    def counted(self, left: Outcomes, right: Outcomes) -> Batch:
        """The batch once it has been drawn."""
        counts = [joint_of(reader, left, right) for reader in self.readers]
        return Batch(self.size, counts, (left, right) if self.kept else None)


@dataclass(frozen=True, slots=True)
class Batch:
    """What became of a job.

    Attributes:
        size: pairs.
        counts: one (bins, bins) array for each reader.
        outcomes: the outputs on both sides where they were wanted.
    """

    size: int
    counts: list[Counts]
    outcomes: tuple[Outcomes, Outcomes] | None


class Crew(Protocol):
    """Does jobs in order."""

    def run(self, sampler: Sampler, jobs: Iterator[Job]) -> Iterator[Batch]:
        """The batches of the jobs, in their order.

        Raises:
            Misaligned: a batch failed; those before it have been given out or
                are lost with it, those after it were not drawn.
        """


@dataclass(slots=True)
class Here:
    """This process: one large batch is counted while the next is drawn.

    Attributes:
        counter: counts; its thread starts with the first large batch.
    """

    counter: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))

    def run(self, sampler: Sampler, jobs: Iterator[Job]) -> Iterator[Batch]:
        """See `Crew.run`."""
        pending: Future[Batch] | None = None
        for job in jobs:
            drawn = sampler.pairs(job.address, job.left, job.right, job.size)
            if pending is not None:
                yield pending.result()
                pending = None
            if job.size < WORTH_A_THREAD:
                yield job.counted(*drawn)
            else:
                pending = self.counter.submit(job.counted, *drawn)
        if pending is not None:
            yield pending.result()


@dataclass(slots=True)
class Elsewhere:
    """Other processes or machines, where batches take long enough to be sent.

    Attributes:
        executor: anything with `submit`, from `concurrent.futures` or a cluster.
        ahead: how many jobs may be under way.
        seconds: how long the last batch drawn here took.
    """

    executor: Executor
    ahead: int
    seconds: float = 0.0
    here: Here = field(default_factory=Here)

    def run(self, sampler: Sampler, jobs: Iterator[Job]) -> Iterator[Batch]:
        """See `Crew.run`; how long batches take decides only who draws them."""
        if self.seconds < WORTH_SENDING:
            start = time.perf_counter()
            count = 0
            for batch in self.here.run(sampler, jobs):
                count += 1
                yield batch
            self.seconds = (time.perf_counter() - start) / max(1, count)
            return
        yield from self._sent(sampler, jobs)

    def _sent(self, sampler: Sampler, jobs: Iterator[Job]) -> Iterator[Batch]:
        under_way: deque[Future[_Done]] = deque()
        try:
            for job in jobs:
                under_way.append(self.executor.submit(_work, sampler.alike(), job))
                if len(under_way) >= self.ahead:
                    yield self._settled(sampler, under_way.popleft())
            while under_way:
                yield self._settled(sampler, under_way.popleft())
        finally:
            for future in under_way:
                future.cancel()

    def _settled(self, sampler: Sampler, future: Future[_Done]) -> Batch:
        done = future.result()
        sampler.adopt(done.samples, done.consumed, done.coupled, done.singly)
        if done.batch is None:
            raise Misaligned(done.failure or "a batch failed", done.address)
        return done.batch


@dataclass(frozen=True, slots=True)
class _Done:
    """What a job came to elsewhere.

    Attributes:
        address: the batch.
        batch: None when it failed.
        failure: why it failed.
        samples: runs it took.
        consumed: whether the shared generator was drawn from.
        coupled: whether sides may go on sharing their randomness.
        singly: where calls for many outputs have failed.
    """

    address: Address
    batch: Batch | None
    failure: str | None
    samples: int
    consumed: bool
    coupled: bool
    singly: set[tuple[Stage, int]]


def _work(sampler: Sampler, job: Job) -> _Done:
    batch, failure = None, None
    try:
        batch = job.counted(*sampler.pairs(job.address, job.left, job.right, job.size))
    except Misaligned as misaligned:
        failure = misaligned.reason
    state = sampler.samples, sampler.consumed, sampler.coupled, sampler.singly
    return _Done(job.address, batch, failure, *state)


def crew_of(workers: int, executor: Executor | None = None) -> Crew:
    """Who draws: this process, that many processes, or whatever an executor stands for.

    Args:
        workers: processes; how many jobs may be under way with an executor.
        executor: for example that of a cluster's client.
    """
    if executor is None and workers == 1:
        return Here()
    return Elsewhere(executor or _processes(workers), ahead=2 * workers + 1)


@cache
def _processes(workers: int) -> Executor:
    """Processes that later audits use again, and that end when they have been idle."""
    # Imported when asked for: most audits need no other process. Not the executor that
    # joblib shares within a process: `audit all` needs that one for itself.
    from joblib.externals.loky import ProcessPoolExecutor

    executor: Executor = ProcessPoolExecutor(max_workers=workers, timeout=_IDLE_SECONDS)
    return executor
