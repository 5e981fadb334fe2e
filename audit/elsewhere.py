"""Batches drawn and counted in other processes or on other machines."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from typing import TypeVar

from audit.batch import Batch, Draft, Job
from audit.here import Here
from audit.sampling import Sampler, Trace
from audit.threads import in_one_thread

T = TypeVar("T")
WORTH_SENDING = 0.005
"""Seconds that a batch must take to be worth sending to another process."""


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

    def meanwhile(self, work: Callable[[], T], sampler: Sampler, drafts: Iterable[Draft]) -> T:
        """See `Crew.meanwhile`."""
        return self.here.meanwhile(work, sampler, drafts if self.seconds < WORTH_SENDING else ())

    def _sent(self, sampler: Sampler, jobs: Iterator[Job]) -> Iterator[Batch]:
        under_way: deque[Future[_Done]] = deque()
        try:
            for job in jobs:
                under_way.append(self.executor.submit(_work, sampler.alike(), job))
                if len(under_way) >= self.ahead:
                    yield _settled(sampler, under_way.popleft())
            while under_way:
                yield _settled(sampler, under_way.popleft())
        finally:
            for future in under_way:
                future.cancel()


_Done = tuple[Batch | None, Trace]
"""What a job came to elsewhere; no batch where it failed."""


def _settled(sampler: Sampler, future: Future[_Done]) -> Batch:
    batch, trace = future.result()
    sampler.adopt(trace)
    assert batch is not None
    return batch


@in_one_thread
def _work(sampler: Sampler, job: Job) -> _Done:
    draft = job.draft
    sides, trace = sampler.tried(draft.address, draft.left, draft.right, draft.size)
    return None if sides is None else job.counted(sides), trace
