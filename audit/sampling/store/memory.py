"""Where an audit draws from: afresh, or first from what a store holds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from audit.case import Case, Settings
from audit.sampling.sampler import Sampler
from audit.sampling.workers.interface import WorkerPool, pool_of


@dataclass(frozen=True, slots=True)
class Memory:
    """Where an audit draws from.

    Attributes:
        sampler: draws single batches.
        pool: draws and counts many.
        budgets: runs to make at most: those of earlier calls, in their order, and
            those of this one.
    """

    sampler: Sampler
    pool: WorkerPool
    budgets: tuple[int, ...]


@contextmanager
def memory_of(case: Case, settings: Settings) -> Iterator[Memory]:
    """Where this audit draws from; a store is open until the context ends.

    Raises:
        InputError: the store belongs to another audit.
        StoreError: it cannot be used.
    """
    pool = pool_of(settings.execution.workers, settings.execution.executor)
    alone = settings.null
    sampler = Sampler.of(case.box, settings.seed, coupled=not alone, turns=not alone)
    if settings.execution.executor is None:
        sampler.runs.at_once.most = settings.execution.workers
        sampler.runs.in_parts.most = settings.execution.workers
    if settings.execution.store is None:
        yield Memory(sampler, pool, (settings.max_samples,))
        return
    # What keeps batches on disk takes its time to load, and most audits keep none.
    from audit.sampling.store.file import Store
    from audit.sampling.store.identity import identity_of
    from audit.sampling.store.remembering import RememberingPool, RememberingSampler

    with Store.opened(
        Path(settings.execution.store),
        _name(case) if settings.execution.shared else case.name,
        identity_of(case, settings),
        settings.max_samples,
        shared=settings.execution.shared,
    ) as store:
        recalling = RememberingSampler(
            sampler.box, sampler.seed, sampler.coupled, sampler.turns, store=store
        )
        recalling.runs = sampler.runs
        yield Memory(recalling, RememberingPool(pool, store), store.budgets)


def _name(case: Case) -> str:
    """What tells an audit from others of the same survey."""
    own = ", ".join(f"{name}={value!r}" for name, value in case.parameters.items())
    return f"{case.name}({own}) at {case.claim}"
