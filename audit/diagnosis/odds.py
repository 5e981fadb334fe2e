"""Counts of an event on both datasets, compared with what a claim allows."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from audit.claims import Claim
from audit.lazy_modules import special

_ALPHA = 1e-5
"""Level of each limit; a diagnosis looks at many events and claims no level of its own."""


@dataclass(frozen=True, slots=True)
class Counts:
    """An event's frequency on two datasets.

    Attributes:
        left: runs on D in which it happened.
        left_runs: runs on D.
        right: runs on D′ in which it happened.
        right_runs: runs on D′.
    """

    left: int
    left_runs: int
    right: int
    right_runs: int

    @property
    def p(self) -> float:
        """Frequency on D."""
        return self.left / self.left_runs

    @property
    def q(self) -> float:
        """Frequency on D′."""
        return self.right / self.right_runs

    @property
    def swapped(self) -> Counts:
        """The same with D and D′ exchanged."""
        return Counts(self.right, self.right_runs, self.left, self.left_runs)

    @property
    def separates(self) -> bool:
        """True if it happens in nearly all runs on one dataset and in none on the other."""
        low, high = sorted((self.p, self.q))
        return low == 0.0 and high >= 0.99

    def breaks(self, claim: Claim) -> bool:
        """True if the limits of both frequencies exclude the claim, in either direction."""
        return _exceeds(self, claim) or _exceeds(self.swapped, claim)

    @property
    def log_odds(self) -> float:
        """Natural log of the larger ratio of both frequencies, half a run added to each."""
        left, right = (self.left + 0.5) / self.left_runs, (self.right + 0.5) / self.right_runs
        return abs(math.log(left / right))


def _exceeds(counts: Counts, claim: Claim) -> bool:
    low = lower_limit(counts.left, counts.left_runs)
    high = upper_limit(counts.right, counts.right_runs)
    slopes, offsets = claim.lines(claim.level).T
    return bool(np.any(low > slopes * high + offsets))


def lower_limit(count: int, runs: int, alpha: float = _ALPHA) -> float:
    """Clopper-Pearson lower limit of a probability at a one-sided level."""
    return 0.0 if count == 0 else float(special.betaincinv(count, runs - count + 1, alpha))


def upper_limit(count: int, runs: int, alpha: float = _ALPHA) -> float:
    """Clopper-Pearson upper limit of a probability at a one-sided level."""
    return 1.0 if count == runs else float(special.betainccinv(count + 1, runs - count, alpha))
