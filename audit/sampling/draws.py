"""The draws of one audit: calls in this process for the search, units for everything else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.random import SeedSequence

from audit.blackbox.command import CommandBlackBox
from audit.blackbox.python import PythonBlackBox
from audit.blackbox.served import ServedBlackBox
from audit.case import Case, Settings
from audit.neighbors import Pair, first_pair
from audit.neighbors.questions import asked
from audit.outcomes.encoding import Outcomes
from audit.sampling.independence.preliminary_sample import MOST_LIVES, OUTSIDE
from audit.sampling.sampler import Sampler
from audit.sampling.source import Source, Stage
from audit.sampling.unit_sources import CallUnits, LifeUnits
from audit.sampling.units import UnitBatch, UnitKind, UnitPlan, UnitSource

if TYPE_CHECKING:
    from audit.sampling.store import Store

INDEPENDENT_CALLS, INDEPENDENT_REQUESTS = "independent-calls", "independent-requests"
_BATCH_LIVES = 1024
"""Of a batch at most: two for each of 512 units."""
_ASSUMED = {UnitKind.CALL: INDEPENDENT_CALLS, UnitKind.REQUEST: INDEPENDENT_REQUESTS}


@dataclass(slots=True)
class Draws:
    """The draws of one audit.

    Attributes:
        sampler: makes calls in this process.
        units: draws units.
        budgets: outputs to draw at most: of earlier calls with the same store, and of this one.
        assumptions: ids of what the draws rest on.
        reserved: outputs that may be needed to look for dependence between units.
    """

    sampler: Sampler
    units: UnitSource
    budgets: tuple[int, ...]
    assumptions: tuple[str, ...] = ()
    reserved: int = 0
    _sources: dict[int, Source] = field(default_factory=dict)

    @property
    def samples(self) -> int:
        """Outputs so far."""
        return self.sampler.samples

    def source(self, data: Any) -> Source:
        """The black box on a dataset, the same object for the same dataset."""
        return self._sources.setdefault(id(data), Source(self.sampler.box, data))

    def sides(self, pair: Pair) -> tuple[Source, Source]:
        """The black box on both datasets of a pair."""
        return self.source(pair.dataset), self.source(pair.neighbor)

    def add_pair(self, index: int, pair: Pair) -> None:
        """Units may be drawn on this pair from now on."""
        self.units.add_pair(index, self.sides(pair))

    def drawn(self, plan: UnitPlan) -> UnitBatch:
        """Units of a plan.

        Raises:
            BlackBoxError: the black box cannot be run at all.
        """
        return self.units.drawn(plan)

    def outputs(self, stage: Stage, pair: int, right: bool, first: int, count: int) -> Outcomes:
        """First outputs of fresh units on one dataset of a pair.

        Raises:
            BlackBoxError: the black box cannot be run at all.
        """
        plan = UnitPlan(stage, pair, first, count, 1, 0.0 if right else 1.0)
        return self.drawn(plan).sides[int(right)]


def kind_of(case: Case, settings: Settings) -> UnitKind:
    """The unit of an audit: what is independent by construction, or what has to be assumed."""
    box = case.box
    assumed = INDEPENDENT_CALLS in settings.assume or case.independent_calls
    if assumed or settings.execution.executor is not None:
        return UnitKind.CALL
    if isinstance(box, PythonBlackBox):
        return UnitKind.LIFE
    if isinstance(box, CommandBlackBox):
        return UnitKind.START
    if isinstance(box, ServedBlackBox):
        return UnitKind.LIFE
    return UnitKind.REQUEST if getattr(box, "abroad", False) else UnitKind.CALL


@contextmanager
def draws_of(case: Case, settings: Settings) -> Iterator[Draws]:
    """The draws of an audit; a store and processes are open until the context ends.

    Raises:
        InputError: the store belongs to another audit.
        StoreError: it cannot be used.
        BlackBoxError: no fresh instance can be made.
    """
    with ExitStack() as stack:
        store = _store(case, settings, stack)
        budgets = (settings.max_samples,) if store is None else store.budgets
        sampler = _sampler(case, settings, store)
        earlier = 0 if store is None else _BATCH_LIVES * store.batches
        units, assumptions, reserved = _units(case, settings, sampler, stack, earlier, budgets[0])
        if store is not None:
            from audit.sampling.stored_draws import kept_units

            units.keep = partial(kept_units, store)
            _go_on(case, settings, store)
        yield Draws(sampler, units, budgets, assumptions, reserved)


def _go_on(case: Case, settings: Settings, store: Store) -> None:
    """Begin generators of the user's anew, so that calls do not draw again what the store holds."""
    held = store.batches
    if held and kind_of(case, settings) is UnitKind.CALL and isinstance(case.box, PythonBlackBox):
        from audit.sampling.independence.reachable import Anew, Ownership, begin_anew

        anew = Anew.of(SeedSequence([settings.seed, held]))
        begin_anew(case.box.function, anew, Ownership())


def _store(case: Case, settings: Settings, stack: ExitStack) -> Store | None:
    path = settings.execution.store
    if path is None:
        return None
    # A database takes time to load, and most audits keep nothing.
    from audit.sampling.identity import identity_of
    from audit.sampling.store import Store

    shared = settings.execution.shared
    own = ", ".join(f"{name}={value!r}" for name, value in case.parameters.items())
    name = f"{case.name}({own}) at {case.claim}" if shared else case.name
    identity = identity_of(case, settings)
    opened = Store.opened(Path(path), name, identity, settings.max_samples, shared=shared)
    return stack.enter_context(opened)


def _sampler(case: Case, settings: Settings, store: Store | None) -> Sampler:
    # The same dataset with common random numbers would differ in nothing.
    sampler = Sampler.of(case.box, settings.seed, coupled=not settings.null)
    if store is not None:
        from audit.sampling.stored_draws import StoredSampler

        sampler = StoredSampler(case.box, settings.seed, sampler.coupled, store=store)
    sampler.runs.in_parts.executor = settings.execution.executor
    if settings.execution.executor is None:
        sampler.runs.in_parts.most = settings.execution.workers
        # Answers of one life come from one process, one after the other.
        if kind_of(case, settings) is not UnitKind.LIFE:
            sampler.runs.at_once.most = settings.execution.workers
    return sampler


def _first_datasets(case: Case) -> tuple[Any, ...]:
    """Datasets that a trial instance is asked about before all others.

    They are those of the first pair that is given, or that a search looks at.
    """
    pair = next(iter(case.pairs or case.known), None)
    if pair is None and case.domain is not None:
        pair = first_pair(case.domain, case.relation)
    if pair is None:
        return ()
    if not case.pairs and case.questions is not None:
        pair = asked(pair, case.questions.listed()[0])
    return pair.dataset, pair.neighbor


def _units(
    case: Case, settings: Settings, sampler: Sampler, stack: ExitStack, earlier: int, budget: int
) -> tuple[CallUnits | LifeUnits, tuple[str, ...], int]:
    """Units of an audit, assumptions that they rest on, outputs reserved to look for a doubt."""
    kind = kind_of(case, settings)
    if kind is UnitKind.LIFE and isinstance(case.box, PythonBlackBox):
        # Servers of instances take time to load, and programs need none.
        from audit.sampling.independence.instances import Instances

        workers, timeout = settings.execution.workers, settings.budget.timeout
        first = _first_datasets(case)
        made = Instances(case.box, first, workers=workers, timeout=timeout, earlier=earlier)
        instances = stack.enter_context(made)
        units = LifeUnits(sampler, instances, budget)
        return units, instances.assumptions, units.reserved
    if kind in (UnitKind.LIFE, UnitKind.START):
        # Only programs need it.
        from audit.sampling.unit_sources import ServedUnits, StartUnits

        starts = ServedUnits if kind is UnitKind.LIFE else StartUnits
        return starts(sampler, kind), (OUTSIDE,), MOST_LIVES
    assumed = (_ASSUMED[kind],) if kind in _ASSUMED else ()
    return CallUnits(sampler, kind), assumed, 0
