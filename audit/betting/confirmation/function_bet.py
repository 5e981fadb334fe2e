"""A bet on a function of an output, against a divergence that the claim bounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.betting.confirmation.leading_bet import LeadingBet
from audit.betting.e_process import Floats
from audit.betting.functions import UNIT, Functions
from audit.betting.inequalities import Inequalities
from audit.outcomes.encoding import Outcomes


@dataclass(frozen=True, slots=True)
class FunctionBet(LeadingBet):
    """A function bet in one direction (see `functions`).

    Attributes:
        function: one of them.
    """

    function: Functions

    def largest_stake(self, promised: Inequalities) -> float:
        """See `LeadingBet.largest_stake`."""
        return float(self.function.largest_stakes(promised.divergences)[0])

    def payoffs(self, promised: Inequalities) -> Floats:
        """See `LeadingBet.payoffs`."""
        bins = self.binning.count
        left, right = np.indices((bins, bins)).reshape(2, -1)
        payoff = self.function.payoffs((left, right), promised.divergences)
        return payoff.reshape(bins, bins)

    def sums(self, left: Outcomes, right: Outcomes, size: int) -> NDArray[Any]:
        """What each call gained on its own side, and what it cost on the other, in units.

        Returns:
            Shape (calls, 4), of which the last two are 0.
        """
        here, there = self.codes(left, right)
        gain = self.function.gain[0, here].reshape(-1, size).sum(axis=1)
        cost = self.function.cost[0, there].reshape(-1, size).sum(axis=1)
        nothing = np.zeros_like(gain)
        return np.stack([gain, cost, nothing, nothing], axis=1)

    def coefficients(self, promised: Inequalities) -> tuple[Floats, float]:
        """See `LeadingBet.coefficients`."""
        scale, offset = self.function.terms(promised.divergences)
        return np.array([float(scale[0]), -1.0, 0.0, 0.0]) / UNIT, float(offset[0])

    @property
    def range(self) -> float:
        """The largest gain."""
        return float(self.function.gain.max()) / UNIT

    def order(self, promised: Inequalities) -> float:
        """Of the divergence that is bet against."""
        return float(promised.divergences[self.function.places[0], 0])

    @property
    def shown(self) -> tuple[Floats, Floats]:
        """Gain and cost over the largest there are: a function h, and of order 1 its
        exponential, else its dual power."""
        gain, cost = self.function.gain[0], self.function.cost[0]
        return gain / max(1, gain.max()), cost / max(1, cost.max())

    def line(self, promised: Inequalities) -> tuple[float, float]:
        """See `LeadingBet.line`."""
        scale, offset = self.function.terms(promised.divergences)
        most = float(scale[0]) * max(self.range, 1.0 / UNIT)
        return float(self.function.cost.max()) / UNIT / most, float(offset[0]) / most

    def single(self, promised: Inequalities) -> FunctionBet:
        """There is only one."""
        return self
