"""What one bet on one event shows that was known beforehand."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.optimize import brentq, minimize_scalar

_LARGEST_STAKE = 1.0 - 1e-9


@dataclass(frozen=True)
class KnownEvent:
    """Chances of an event in a pair of runs, and what a bet on it is expected to show.

    Attributes:
        often: chance in the run where it is likelier.
        seldom: chance in the other.
        both: chance that it happens in both; `seldom` where the randomness is shared so that it
            never happens on the seldom side alone, `often * seldom` where runs are independent.
    """

    often: float
    seldom: float
    both: float

    @classmethod
    def shared(cls, often: float, seldom: float) -> KnownEvent:
        """With randomness such that it never happens on the side alone where it is rarer."""
        return cls(often, seldom, seldom)

    @classmethod
    def apart(cls, often: float, seldom: float) -> KnownEvent:
        """With runs that are independent of each other."""
        return cls(often, seldom, often * seldom)

    @property
    def loss(self) -> float:
        """Logarithm of its odds."""
        return math.log(self.often / self.seldom)

    def growth(self, level: float, stake: float) -> float:
        """Log-wealth that a pair of runs earns on average against epsilon = level.

        Args:
            level: of the claim that is bet against, above 0.
            stake: part of the wealth at stake, below exp(-level).
        """
        odds = math.exp(level)
        return (
            (self.often - self.both) * math.log1p(stake)
            + self.both * math.log1p(stake * (1.0 - odds))
            + (self.seldom - self.both) * math.log1p(-stake * odds)
        )

    def shown(self, pairs: int, alpha: float) -> float:
        """The largest epsilon refuted after so many pairs, at the best stake, as on average."""

        def short(level: float) -> float:
            most = _LARGEST_STAKE * math.exp(-level)
            best = minimize_scalar(
                lambda stake: -self.growth(level, stake),
                bounds=(0.0, most),
                method="bounded",
                options={"xatol": 1e-9},
            )
            return pairs * float(best.fun) - math.log(alpha)

        return float(brentq(short, 1e-6, self.loss)) if short(1e-6) < 0.0 else 0.0
