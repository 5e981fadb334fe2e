"""Who draws and counts batches: this process, or several through an executor.

A job says everything about its batch, so it does not matter who does it or
when: results are taken in the order of the jobs, and only counts (and the few
outputs that are kept to learn from) travel.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Executor
from typing import Protocol, TypeVar

from audit.sampling.batch import BatchPlan, BatchResult, Job
from audit.sampling.sampler import Sampler
from audit.sampling.workers.local import LocalPool
from audit.sampling.workers.processes import executor_of
from audit.sampling.workers.remote import RemotePool

T = TypeVar("T")
_QUICK = 1e-6
"""Seconds: what takes less for a pair is drawn here while another thread counts."""


class WorkerPool(Protocol):
    """Does jobs in order."""

    def run(
        self, sampler: Sampler, jobs: Iterator[Job], coming: Collection[BatchPlan] = ()
    ) -> Iterator[BatchResult]:
        """What the jobs come to, in their order.

        Batches that are sure to be wanted after these may be drawn while others are counted.

        The sampler stays as it is; whoever takes a job over has it adopt its trace.
        Where a job failed, nothing may be taken over that comes after it.
        """

    def meanwhile(
        self, work: Callable[[], T], sampler: Sampler, coming: Collection[BatchPlan]
    ) -> T:
        """What `work` returns; batches sure to be wanted next may be drawn while it goes on."""


def pool_of(workers: int, executor: Executor | None = None) -> WorkerPool:
    """Who draws: this process, that many processes, or whatever an executor stands for.

    Args:
        workers: how many may work at the same time.
        executor: for example that of a cluster's client.
    """
    if executor is not None:
        return RemotePool(executor, workers)
    if workers == 1:
        return LocalPool()
    return RemotePool(executor_of(workers), workers, _QUICK / workers)
