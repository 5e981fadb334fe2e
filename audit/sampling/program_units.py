"""Starts of programs as units: of those that answer once, and of those that stay and are asked.

A start has a folder for temporary files of its own. Starts in the same second may share noise that
the clock seeds: a preliminary sample looks for that. What else lies outside the process is assumed
to carry no noise from start to start.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from audit.blackbox.served import ServedBlackBox
from audit.errors import BlackBoxError
from audit.outcomes.encoding import Outcomes, joined
from audit.outcomes.failed_run import failure_of
from audit.sampling.independence.life import Answered, Life, Sightings
from audit.sampling.independence.preliminary_sample import PreliminarySample
from audit.sampling.source import Source, Sources
from audit.sampling.unit_sources import CallUnits
from audit.sampling.units import UnitBatch, UnitPlan

_START = 2.0**-3
"""Seconds of a start, as long as it is not seen to take more."""


class StartUnits(CallUnits):
    """Starts of a program as units."""

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
        return max(_START, self.seconds), 2.0**-12

    def _started(self, plan: UnitPlan) -> UnitBatch:
        if plan.share is None:
            # One start for each dataset, all of whose answers are on that one.
            left, right = (self._answers(plan, 1, share)[k] for k, share in enumerate((1.0, 0.0)))
            return UnitBatch.of_pairs(left, right, 1)
        left, right = self._answers(plan, plan.n, plan.share)
        return UnitBatch.of_coins(left, right, plan.sides(self.sampler.seed), plan)

    def _output(self, source: Source, life: Life) -> Any:
        self._restart()
        return super()._output(source, life)

    def _restart(self) -> None:
        box = self.sampler.box
        assert isinstance(box, ServedBlackBox)
        box.restart()

    def _answers(self, plan: UnitPlan, n: int, share: float) -> tuple[Outcomes, Outcomes]:
        """Answers on D and on D′ of units with n of them, with a restart before each unit."""
        found = []
        for number in range(plan.first, plan.first + plan.count):
            self._restart()
            own = UnitPlan(plan.stage, plan.pair, number, 1, n, share)
            found.append(super()._started(own).sides)
        left, right = zip(*found, strict=True)
        return joined(left), joined(right)
