"""Lives of programs that stay: each is a restart, asked n times and ended by the next."""

from __future__ import annotations

import numpy as np

from audit.blackbox.served import ServedBlackBox
from audit.outcomes.encoding import Outcomes, joined
from audit.sampling.call_units import CallUnits
from audit.sampling.units import UnitBatch, UnitKind, UnitPlan

_START = 2.0**-3
"""Seconds of a start, as long as it is not seen to take more."""


class ServedUnits(CallUnits):
    """Restarts of a program as units.

    A pair is one start that is asked once on D and one that is asked once on D′; several answers of
    one start are by coins.
    """

    kind = UnitKind.LIFE

    @property
    def coins(self) -> bool:
        """See `UnitSource.coins`."""
        return True

    def costs(self) -> tuple[float, float]:
        """See `UnitSource.costs`."""
        return max(_START, self.seconds), 2.0**-12

    def _drawn(self, plan: UnitPlan) -> UnitBatch:
        if plan.share is None:
            left, right = (self._alone(plan, share) for share in (1.0, 0.0))
            return UnitBatch.of_pairs(left, right, 1)
        found = self._restarts(plan, plan.n, plan.share)
        sides = tuple(joined([b.sides[s] for b in found]) for s in (0, 1))
        units = [
            np.concatenate([np.full(b.sides[s].size, k) for k, b in enumerate(found)])
            for s in (0, 1)
        ]
        return UnitBatch((sides[0], sides[1]), (units[0], units[1]), plan.count, plan.n, plan.share)

    def _alone(self, plan: UnitPlan, share: float) -> Outcomes:
        """The outputs of starts that are asked once, all on one dataset."""
        side = 0 if share == 1.0 else 1
        return joined([batch.sides[side] for batch in self._restarts(plan, 1, share)])

    def _restarts(self, plan: UnitPlan, n: int, share: float) -> list[UnitBatch]:
        """One batch for each unit, with a restart before each."""
        box, found = self.sampler.box, []
        assert isinstance(box, ServedBlackBox)
        for number in range(plan.first, plan.first + plan.count):
            box.restart()
            found.append(super()._drawn(UnitPlan(plan.stage, plan.pair, number, 1, n, share)))
        return found
