"""Sources of units: calls in this process, lives of fresh instances, and starts of programs."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from audit.blackbox.served import ServedBlackBox
from audit.errors import BlackBoxError
from audit.outcomes.encoding import Outcomes, joined
from audit.outcomes.failed_run import failure_of
from audit.sampling.independence.life import Answered, Life, Question, Sightings
from audit.sampling.independence.preliminary_sample import MOST_LIVES, PreliminarySample
from audit.sampling.sampler import Sampler
from audit.sampling.source import Source, Sources, Stage
from audit.sampling.units import UnitBatch, UnitKind, UnitPlan

if TYPE_CHECKING:
    from audit.sampling.independence.instances import Instances

_UNIT = {UnitKind.CALL: 2.0**-14, UnitKind.START: 2.0**-3, UnitKind.REQUEST: 2.0**-10}
"""Seconds of a call by kind, as long as it is not seen to take more."""
_ANSWER = 2.0**-20
_CUT_SHORT = (
    "the audit was interrupted before the preliminary sample was complete, which checks for a few "
    "seconds if units are independent"
)
_STEP = 2.0**-9, 64.0
"""The shortest time that matters, and the factor to the next one."""


@dataclass(slots=True)
class Units(ABC):
    """Units of one black box, drawn or recalled from a store.

    Attributes:
        sampler: makes calls, and counts outputs and failures.
        keep: gives units of a plan that a store holds, or draws and keeps them; None to draw.
        known: costs that were known with the first units in the store.
    """

    sampler: Sampler
    keep: Callable[[Units, UnitPlan], UnitBatch] | None = field(default=None, init=False)
    known: tuple[float, float] | None = field(default=None, init=False)
    _sample: PreliminarySample | None = field(default=None, init=False)
    _doubt: str = field(default="", init=False)

    @property
    def coins(self) -> bool:
        """See `UnitSource.coins`."""
        return not self.sampler.box.many

    @property
    def pairs(self) -> bool:
        """See `UnitSource.pairs`: several calls for one output each are asked by coins alone."""
        return self.sampler.box.many

    def costs(self) -> tuple[float, float]:
        """See `UnitSource.costs`."""
        return self.known or self.measured()

    def doubt(self, *, waits: bool = True) -> str:
        """See `UnitSource.doubt`, which is of the preliminary sample, if there is one."""
        if self._sample is not None:
            if not waits and not self._sample.complete:
                return _CUT_SHORT
            found, self._sample = self._sample.result(), None
            self.sampler.samples += found.runs
            self._doubt = found.doubt
        return self._doubt

    def drawn(self, plan: UnitPlan) -> UnitBatch:
        """See `UnitSource.drawn`."""
        return self.draw(plan) if self.keep is None else self.keep(self, plan)

    @abstractmethod
    def measured(self) -> tuple[float, float]:
        """Costs by what is known now (see `UnitSource.costs`)."""

    @abstractmethod
    def draw(self, plan: UnitPlan) -> UnitBatch:
        """Draw the units of a plan."""


@dataclass(slots=True)
class CallUnits(Units):
    """Calls of one black box as units; they are assumed to be independent of each other.

    Attributes:
        kind: call, start or request.
        sources: the black box on both datasets, by pair.
        seconds: of a call, once measured.
    """

    kind: UnitKind
    sources: dict[int, Sources] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def coupled(self) -> bool:
        """See `UnitSource.coupled`."""
        return self.sampler.shares_randomness

    def add_pair(self, index: int, sources: Sources) -> None:
        """See `UnitSource.add_pair`."""
        self.sources[index] = sources

    def measured(self) -> tuple[float, float]:
        """See `Units.measured`: a box of one output a call is called again for another one."""
        call = max(self.seconds, _UNIT.get(self.kind, _UNIT[UnitKind.CALL]))
        return call, _ANSWER if self.sampler.box.many else call

    def draw(self, plan: UnitPlan) -> UnitBatch:
        """See `Units.draw`."""
        begun = perf_counter()
        batch = self.sampler.units(self.sources[plan.pair], plan)
        if not self.seconds:
            calls = plan.count * (2 if plan.share is None else plan.n)
            # The quickest call does not depend on processes that have to start first.
            quickest = self.sampler.runs.in_parts.quickest
            mean = (perf_counter() - begun) / calls
            self.seconds = coarse(quickest if math.isfinite(quickest) else mean)
        return batch


def coarse(seconds: float) -> float:
    """A time as one of few, a factor of 64 apart: 2 ms, 1/8 s, 8 s, …; 0 if it hardly matters.

    So coarse that what follows from it (how many outputs a unit gives) is the same on a loaded
    machine, unless the time lies at a border of two: .24 ms, 16 ms, 1 s.
    """
    power = round(math.log(max(seconds, 2.0**-30) / _STEP[0], _STEP[1]))
    return float(_STEP[0] * _STEP[1] ** power) if power >= 0 else 0.0


_LIFE, _CALL, _OUTPUT = 2.0**-9, 2.0**-15, 2.0**-20
"""Seconds of a life, of a call in it, and of one more output of a call for many."""
_SLOW_LIFE = 2.0**-4
"""Seconds below which a life counts as `_LIFE`: 2 to 20 ms by the libraries that it holds."""
_SAMPLE_OUTPUTS, _SAMPLE_SHARE = 16, 4
"""Outputs of each life of the preliminary sample at most; one output in so many is for it."""
_ANSWERS = 4
"""Calls for one output each that a life of the preliminary sample answers at most."""


@dataclass(slots=True)
class LifeUnits(Units):
    """Fresh instances of a Python black box as units.

    Attributes:
        instances: makes them.
        budget: outputs of the audit at most.
        places: indices of both datasets of each pair.
        life: seconds of a life, once measured; 0 before.
        call: seconds of a call in it, likewise.
    """

    instances: Instances
    budget: int
    places: dict[int, tuple[int, int]] = field(default_factory=dict)
    life: float = 0.0
    call: float = 0.0

    @property
    def kind(self) -> UnitKind:
        """See `UnitSource.kind`."""
        return UnitKind.LIFE

    @property
    def coupled(self) -> bool:
        """See `UnitSource.coupled`."""
        return self.sampler.coupled

    def measured(self) -> tuple[float, float]:
        """See `Units.measured`."""
        output = _OUTPUT if self.sampler.box.many else max(_CALL, self.call)
        return max(_LIFE, self.life), output

    def add_pair(self, index: int, sources: Sources) -> None:
        """See `UnitSource.add_pair`."""
        left, right = (self.instances.add_dataset(source.data) for source in sources)
        first = not self.places
        self.places[index] = left, right
        if first:
            size = self._sample_outputs
            questions = ((left, size),) if self.sampler.box.many else ((left, 1),) * size
            self._sample = self.instances.preliminary(questions, (self.sampler.seed, 7))

    @property
    def _sample_outputs(self) -> int:
        """Outputs of each life of the preliminary sample."""
        most = _SAMPLE_OUTPUTS if self.sampler.box.many else _ANSWERS
        return min(most, max(1, self.budget // (_SAMPLE_SHARE * MOST_LIVES)))

    @property
    def reserved(self) -> int:
        """Outputs of the preliminary sample at most."""
        return MOST_LIVES * self._sample_outputs

    def draw(self, plan: UnitPlan) -> UnitBatch:
        """See `Units.draw`."""
        lives, sides = self._lives(plan)
        found = self.instances.answered(lives, 2 if plan.share is None else 1)
        self._measure(plan, found)
        size, moments = plan.n if plan.share is None else 1, self.instances.moments
        answers: dict[bool, list[Any]] = {False: [], True: []}
        for output, side in zip(chain.from_iterable(o.outputs for o in found), sides, strict=True):
            answers[side].append(output)
        left, right = (self.sampler.runs.of_calls(a, size, moments) for a in answers.values())
        self.sampler.samples += plan.runs
        failed = [self.sampler.runs.failures_in(side) for side in (left, right)]
        # A server describes its first failure alone, which may be one of the preliminary sample.
        first = self.instances.first_failure if any(failed) else None
        self.sampler.runs.add(failed, first)
        if plan.share is None:
            return UnitBatch.of_pairs(left, right, plan.n)
        return UnitBatch.of_coins(left, right, np.array(sides), plan)

    def _lives(self, plan: UnitPlan) -> tuple[list[Life], list[bool]]:
        """Lives of a plan, and the dataset of each of their questions: True for D′."""
        places, seed = self.places[plan.pair], self.sampler.seed
        lives: list[Life] = []
        sides: list[bool] = []
        asked = plan.order(seed) if plan.share is None else plan.sides(seed).tolist()
        apart = self.sampler.box.seeded and not self.sampler.coupled
        for number, own in enumerate(asked, plan.first):
            entropy = plan.entropy(seed, number)
            if plan.share is None:
                for side in own:
                    question: Question = places[int(side)], plan.n
                    own_entropy = (*entropy, int(side)) if apart else entropy
                    lives.append(Life(len(lives), own_entropy, (question,)))
            else:
                lives.append(Life(len(lives), entropy, tuple((places[int(s)], 1) for s in own)))
            sides += own
        return lives, sides

    def _measure(self, plan: UnitPlan, found: Sequence[Answered]) -> None:
        """Measure costs once, by the quickest life and its calls, which load slows down least."""
        if self.life or plan.stage is not Stage.BET:
            return
        quickest = min(one.seconds for one in found)
        self.life = _LIFE if quickest < _SLOW_LIFE else coarse(quickest)
        self.call = coarse(min(one.call_seconds for one in found) / len(found[0].outputs))


class StartUnits(CallUnits):
    """Starts of a program as units.

    A start has a folder for temporary files of its own. Starts in the same second may share noise
    that the clock seeds: a preliminary sample looks for that. What else lies outside the process
    is assumed to carry no noise from start to start.
    """

    def add_pair(self, index: int, sources: Sources) -> None:
        """See `UnitSource.add_pair`."""
        first = not self.sources
        super().add_pair(index, sources)
        if first:
            lives, entropy = partial(self._answered, sources[0]), (self.sampler.seed, 7)
            self._sample = PreliminarySample(lives, None, Sightings, ((0, 1),), entropy)

    def draw(self, plan: UnitPlan) -> UnitBatch:
        """See `Units.draw`."""
        batch = self._started(plan)
        if self._sample is not None:
            self._sample.advance()
        return batch

    def _started(self, plan: UnitPlan) -> UnitBatch:
        """The outputs of the starts of a plan."""
        return super().draw(plan)

    def _answered(self, source: Source, lives: Sequence[Life]) -> list[Answered]:
        """One output of a start each."""
        return [
            Answered(life.number, [self._output(source, life)], None, 0.0, 0.0) for life in lives
        ]

    def _output(self, source: Source, life: Life) -> Any:
        """The output of one start."""
        rng = np.random.default_rng(np.random.SeedSequence(life.entropy))
        try:
            return source.bound.draw(rng, 1)
        except BlackBoxError:
            raise
        except Exception as error:
            return failure_of(error)


class ServedUnits(StartUnits):
    """Restarts of a program as units.

    A pair is one start that is asked once on D and one that is asked once on D′; several answers of
    one start are by coins.
    """

    @property
    def coins(self) -> bool:
        """See `UnitSource.coins`."""
        return True

    def measured(self) -> tuple[float, float]:
        """See `Units.measured`."""
        return max(_UNIT[UnitKind.START], self.seconds), 2.0**-12

    def _started(self, plan: UnitPlan) -> UnitBatch:
        if plan.share is None:
            left, right = self._pairs(plan)
            return UnitBatch.of_pairs(left, right, 1)
        numbers = range(plan.first, plan.first + plan.count)
        sides = [self._answers(plan, number, plan.n, plan.share) for number in numbers]
        left, right = map(joined, zip(*sides, strict=True))
        return UnitBatch.of_coins(left, right, plan.sides(self.sampler.seed), plan)

    def _output(self, source: Source, life: Life) -> Any:
        self._restart()
        return super()._output(source, life)

    def _restart(self) -> None:
        box = self.sampler.box
        assert isinstance(box, ServedBlackBox)
        box.restart()

    def _pairs(self, plan: UnitPlan) -> tuple[Outcomes, Outcomes]:
        """Answers on D and on D′ of one start each, in the order that coins toss."""
        found: dict[bool, list[Outcomes]] = {False: [], True: []}
        for number, order in enumerate(plan.order(self.sampler.seed), plan.first):
            for side in order:
                # A start all of whose answers are on one dataset.
                answers = self._answers(plan, number, 1, float(not side))
                found[side].append(answers[int(side)])
        return joined(found[False]), joined(found[True])

    def _answers(
        self, plan: UnitPlan, number: int, n: int, share: float
    ) -> tuple[Outcomes, Outcomes]:
        """Answers on D and on D′ of one unit with n of them, after a restart."""
        self._restart()
        own = UnitPlan(plan.stage, plan.pair, number, 1, n, share)
        return super()._started(own).sides
