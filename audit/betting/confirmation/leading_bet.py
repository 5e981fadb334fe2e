"""One bet among those that earned most, as what it pays on one pair of outputs."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from audit.betting.e_process import STAKES, Floats
from audit.betting.inequalities import Inequalities
from audit.outcomes.binning import Binning
from audit.outcomes.counting import Counts, Reader
from audit.outcomes.encoding import Outcomes
from audit.outcomes.features import Feature


@dataclass(frozen=True, slots=True)
class LeadingBet(ABC):
    """What pays on the bins of one feature, on the side it is bet on and on the other.

    Attributes:
        pair: index of the pair of datasets.
        feature: what is read off an output.
        binning: its bins.
        forward: whether it is bet D over D'.
        joint: pairs counted since the table was fixed, shape (bins, bins).
    """

    pair: int
    feature: Feature
    binning: Binning
    forward: bool
    joint: Counts

    @property
    def reader(self) -> Reader:
        """What to read off an output and how to bin it."""
        return self.feature, self.binning

    @property
    def evidence(self) -> NDArray[Any]:
        """Pairs as they seem to fall into bins, shape (bins, bins), to judge the bet by."""
        return self.joint

    @property
    def runs(self) -> int:
        """How many each bet takes, on both sides together."""
        return 2

    @abstractmethod
    def largest_stake(self, promised: Inequalities) -> float:
        """Stakes up to this cannot ruin whoever bets against what is promised."""

    @abstractmethod
    def payoffs(self, promised: Inequalities) -> Floats:
        """What each pair of bins pays, shape (bins, bins)."""

    @abstractmethod
    def sums(self, left: Outcomes, right: Outcomes, size: int) -> NDArray[Any]:
        """What the outputs of each call add up to.

        Args:
            left: outputs on D, call after call.
            right: outputs on D'.
            size: outputs of one call.

        Returns:
            Whole numbers of at least 0, shape (calls, 4).
        """

    @abstractmethod
    def coefficients(self, promised: Inequalities) -> tuple[Floats, float]:
        """What each of those sums pays, shape (4,), and what every output costs."""

    @abstractmethod
    def single(self, promised: Inequalities) -> Self:
        """The part of it that broke what is promised by more, alone."""

    @property
    @abstractmethod
    def shown(self) -> tuple[Floats, Floats]:
        """What people are shown the means of, on its own side and on the other.

        Returns:
            Values from 0 to 1 on every bin, shape (bins,) each.
        """

    @abstractmethod
    def line(self, promised: Inequalities) -> tuple[float, float]:
        """Slope and offset: the first mean is promised to be at most slope times the second
        plus offset."""

    def growth(self, promised: Inequalities) -> float:
        """Log-wealth that a pair earns at the best stake, with frequencies as good as is sure.

        Those that were seen were looked at when this bet was chosen, so that what is
        left of the payoff's mean after one standard error counts.
        """
        payoffs, evidence = self.payoffs(promised), self.evidence
        pairs = int(evidence.sum()) + 1
        stakes = STAKES * self.largest_stake(promised)
        earned = (evidence * np.log1p(stakes[:, None, None] * payoffs)).sum(axis=(1, 2))
        earned += np.log1p(stakes * float(payoffs.min()))
        _, variance = self.moments(promised)
        return float((earned / pairs - stakes * math.sqrt(variance / pairs)).max())

    def moments(self, promised: Inequalities) -> tuple[float, float]:
        """Mean of the payoff less one standard error, and variance, with the frequencies seen.

        And with one draw of the worst kind more: what never happened may happen in the next.
        """
        payoffs, evidence = self.payoffs(promised), self.evidence
        pairs = int(evidence.sum()) + 1
        chances, worst = evidence / pairs, float(payoffs.min())
        mean = float((chances * payoffs).sum()) + worst / pairs
        variance = float((chances * (payoffs - mean) ** 2).sum()) + (worst - mean) ** 2 / pairs
        return mean - math.sqrt(variance / pairs), variance

    def codes(self, left: Outcomes, right: Outcomes) -> tuple[NDArray[Any], NDArray[Any]]:
        """Bins of outputs on the side it is bet on, and of those on the other."""
        own, other = (left, right) if self.forward else (right, left)
        return self.binning.code(self.feature.read(own)), self.binning.code(
            self.feature.read(other)
        )
