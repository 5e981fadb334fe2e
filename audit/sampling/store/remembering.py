"""Drawing that looks into the store first, and keeps there what it draws."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from concurrent.futures import BrokenExecutor
from concurrent.futures import TimeoutError as Late
from dataclasses import dataclass, field
from itertools import chain
from typing import TypeVar

from audit.errors import BlackBoxError, StateError, reason_of
from audit.outcomes.counting import Reader
from audit.outcomes.encoding import Outcomes
from audit.sampling.batch import BatchPlan, BatchResult, Job
from audit.sampling.sampler import Sampler
from audit.sampling.source import Source, Sources
from audit.sampling.store.digest import digest_of
from audit.sampling.store.file import Store
from audit.sampling.store.record import Record, packed, unpacked
from audit.sampling.stream import Address, Check, Stage
from audit.sampling.trace import Trace
from audit.sampling.workers.interface import WorkerPool
from audit.sampling.workers.own_source import bound_by
from audit.sampling.workers.processes import executor_of, forget_executors

T = TypeVar("T")


@dataclass(slots=True)
class RememberingSampler(Sampler):
    """A sampler whose single batches are drawn once and for all.

    Jobs of a pool are remembered by that pool: a sampler made by `alike` draws
    without a store.
    """

    store: Store = field(kw_only=True)

    def pairs(
        self, address: Address, left: Source, right: Source, size: int
    ) -> tuple[Outcomes, Outcomes]:
        """See `Sampler.pairs`."""
        first, second = self._remembered(
            address,
            f"pairs {size}",
            lambda plain: plain.pairs(address, left, right, size),
            (left, right),
        )
        return first, second

    def side(self, address: Address, source: Source, size: int, side: int) -> Outcomes:
        """See `Sampler.side`."""
        (drawn,) = self._remembered(
            address,
            f"side {side} {size}",
            lambda plain: (plain.side(address, source, size, side),),
            (source, source),
        )
        return drawn

    def found(self, what: str, find: Callable[[], str]) -> str:
        """See `Sampler.found`; what was said once after so many runs is said again."""
        address = Address(Stage.CHECK, Check.FOUND, self.samples)
        held = self.store.recalled(address, what)
        if held is not None:
            trace = _record(self.store, address, held).trace
            self.samples += trace.samples
            return trace.failure or ""
        before, note = self.samples, find()
        runs = self.samples - before
        trace = Trace(address, runs, False, self.coupled, frozenset(), note or None)
        self.store.keep(address, what, packed(Record(trace)))
        return note

    def _remembered(
        self,
        address: Address,
        what: str,
        draw: Callable[[Sampler], tuple[Outcomes, ...]],
        sources: Sources,
    ) -> tuple[Outcomes, ...]:
        # The same batch is asked for again after it failed, to be drawn in another way.
        what = f"{what} {_way(self, address)}"
        held = self.store.recalled(address, what)
        if held is not None:
            record = _record(self.store, address, held)
        else:
            _check_unbound(self, sources)
            drawn, trace = self.apart(address, draw)
            _check_stateless(self, trace)
            record = Record(trace, (), drawn or ())
            if trace.error is None:
                self.store.keep(address, what, packed(record))
        self.adopt(record.trace)
        return record.outcomes


@dataclass(slots=True)
class RememberingPool:
    """A pool that leaves to another one only what the store does not hold.

    Attributes:
        pool: draws and counts.
        store: keeps.
    """

    pool: WorkerPool
    store: Store
    _named: tuple[tuple[Reader, ...] | None, str] = (None, "")

    def run(
        self, sampler: Sampler, jobs: Iterator[Job], coming: Collection[BatchPlan] = ()
    ) -> Iterator[BatchResult]:
        """See `WorkerPool.run`; nothing is drawn ahead of what the store may hold."""
        for job in jobs:
            address = job.plan.address
            held = self.store.recalled(address, self._counted(sampler, job))
            if held is None:
                _check_unbound(sampler, (job.plan.left, job.plan.right))
                yield from self._drawn(sampler, chain([job], jobs))
                return
            record = _record(self.store, address, held)
            yield record.done(job.plan.size)

    def _drawn(self, sampler: Sampler, jobs: Iterator[Job]) -> Iterator[BatchResult]:
        under_way: dict[Address, str] = {}

        def noted() -> Iterator[Job]:
            for job in jobs:
                under_way[job.plan.address] = self._counted(sampler, job)
                yield job

        for done in self.pool.run(sampler, noted()):
            address = done.trace.address
            _check_stateless(sampler, done.trace)
            if done.trace.error is None:
                self.store.keep(address, under_way.pop(address), packed(Record.of(done)))
            yield done

    def meanwhile(
        self, work: Callable[[], T], sampler: Sampler, coming: Collection[BatchPlan]
    ) -> T:
        """See `WorkerPool.meanwhile`; nothing is drawn ahead of what the store may hold."""
        return self.pool.meanwhile(work, sampler, ())

    def _counted(self, sampler: Sampler, job: Job) -> str:
        """What a job is called in the store: how it is drawn and what is counted."""
        if self._named[0] is not job.readers:
            self._named = job.readers, digest_of(job.readers)
        way, kept = _way(sampler, job.plan.address), "kept " * job.kept
        return f"counted {job.plan.size} {way} {kept}{self._named[1]}"


def _check_stateless(sampler: Sampler, trace: Trace) -> None:
    """Refuse to keep the draws of a black box that changes with a call.

    Raises:
        StateError: it does.
    """
    if trace.stateful:
        raise _not_to_be_kept(sampler)


def _check_unbound(sampler: Sampler, sources: Sources) -> None:
    """Refuse a black box that would draw the same noise in the process that goes on.

    What cannot travel, or takes minutes, cannot be tried; what it carries is watched all the same.

    Raises:
        StateError: it would.
    """
    watch = sampler.watch
    if watch.bound is None:
        try:
            watch.bound = bound_by(sampler, sources, executor_of(1))
        except (BlackBoxError, BrokenExecutor, Late, OSError):
            forget_executors()
            watch.bound = ""
    if watch.bound:
        raise _not_to_be_kept(sampler)


def _not_to_be_kept(sampler: Sampler) -> StateError:
    return StateError(
        f"{sampler.box.name} keeps state between its calls (a generator, a cache or a counter "
        "of its own, or of a library), so that an audit which goes on later would draw the same "
        "noise again; leave --store out, or let it draw from the rng it is given",
        sampler.box,
    )


def _way(sampler: Sampler, address: Address) -> str:
    together = "coupled" if sampler.coupled else "apart"
    return f"{together} {'many' if sampler.many_at(address) else 'singly'}"


def _record(store: Store, address: Address, held: bytes) -> Record:
    try:
        return unpacked(held, address)
    except ValueError as error:
        raise store.damaged(address, reason_of(error)) from error
