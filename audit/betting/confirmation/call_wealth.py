"""Wealth won call by call, which no dependence inside a call can inflate.

A box that gives many outputs for one call may share noise between them, sort them,
or mirror them at their mean: each has the law it should have, together they do not
behave like independent draws, and wealth multiplied draw by draw is worth nothing.

Let one call on D and one on D' give n outputs each, x_j and y_j telling whether an
event happened in output j, and let the claim's line be (a, b). Then

    1 + stake * mean_j (x_j - a y_j - b),   0 <= stake <= 1/(a + b),

is nonnegative and has expectation at most 1 under the claim, whatever the joint law
of the outputs of a call: the mean is linear in them, and for outputs that are
exchangeable, as where a call sorts them, the mean of x_j has the expectation P[E].
The same holds for a bet on a function, whose factor averages its bracket in place of
the event's (see `functions`): that too is linear in the outputs of either side. So the
product over calls is a supermartingale where calls are independent of each other given
the past, which is what stays assumed, and reaches 1/alpha with probability at most alpha
(Ville's inequality, arXiv 2210.01948). The same holds for blocks of calls in place of
calls, and for a mixture of stakes and events fixed before the first call.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from audit.betting.confirmation.leading_bet import LeadingBet
from audit.betting.e_process import STAKES, Floats, log_sum
from audit.betting.inequalities import Inequalities
from audit.betting.level_root import SMALLEST_LEVEL, raised, root_between
from audit.claim import Claim
from audit.claim_kind import LARGEST_EPSILON

_MOST_CELLS = 1 << 22
_ROUNDED = 1.0 + 1e-12


@dataclass(slots=True)
class CallWealth:
    """What bets fixed beforehand made of a starting wealth, call by call.

    Attributes:
        claim: what is bet against.
        alpha: the level.
        share: starting wealth, at most 1; the rest is kept for other calls.
        bets: on events or functions.
        size: outputs of one call, or of one block of calls.
        stakes: of each bet, shape (bets, stakes), in units of wealth per unit of payoff.
        log_prior: weight of every bet and stake, shape (bets, stakes), summing to 1.
        sums: what the outputs of each call add up to, shape (calls, bets, 4).
        level: largest level refuted so far, together with all below.
    """

    claim: Claim
    alpha: float
    share: float
    bets: Sequence[LeadingBet]
    size: int
    stakes: Floats
    log_prior: Floats
    sums: list[NDArray[Any]] = field(default_factory=list)
    level: float = 0.0

    @classmethod
    def against(
        cls,
        claim: Claim,
        level: float,
        alpha: float,
        share: float,
        bets: Sequence[LeadingBet],
        size: int,
    ) -> Self:
        """Wealth that is meant to refute a level, with stakes for calls of this size.

        Half of every bet's weight lies near the stake that suits its payoff's mean and
        variance, half is spread evenly; earlier bets weigh twice as much as the next.
        """
        promised = Inequalities.at(claim, level)
        stakes = np.array([STAKES * bet.largest_stake(promised) for bet in bets])
        wanted = [suiting(bet.moments(promised), size) for bet in bets]
        near = np.exp(-0.5 * np.log2(stakes / np.array(wanted)[:, None]) ** 2) + 1e-300
        near /= near.sum(axis=1, keepdims=True)
        weight = 0.5 ** np.arange(len(bets))
        prior = (weight / weight.sum())[:, None] * (0.5 * near + 0.5 / len(STAKES))
        return cls(claim, alpha, share, tuple(bets), size, stakes, np.log(prior))

    @property
    def goal(self) -> float:
        """Log-wealth that refutes."""
        return -math.log(self.alpha)

    @property
    def calls(self) -> int:
        """Calls, or blocks of them, that were bet on."""
        return sum(map(len, self.sums))

    def add(self, sums: Sequence[NDArray[Any]]) -> None:
        """Count calls: for each bet what their outputs add up to, shape (calls, 4)."""
        self.sums.append(np.stack(sums, axis=1))

    def log_wealth(self, level: float) -> float:
        """Log-wealth against a level; it falls as the level grows.

        Stakes were fixed for one level. Against a larger one those that could be ruined are
        written off: what they would have won without having been is nobody's.
        """
        promised = Inequalities.at(self.claim, level)
        largest = np.array([bet.largest_stake(promised) for bet in self.bets])
        safe = self.stakes <= largest[:, None] * _ROUNDED
        earned = np.where(safe, 0.0, -np.inf)
        for sums in self.sums:
            step = max(1, _MOST_CELLS // self.stakes.size)
            for start in range(0, len(sums), step):
                earned += self._earned(sums[start : start + step], promised)
        return math.log(self.share) + log_sum(self.log_prior + earned)

    def _earned(self, sums: NDArray[Any], promised: Inequalities) -> Floats:
        """Log-wealth of every bet and stake on these calls, shape (bets, stakes)."""
        paid = [bet.coefficients(promised) for bet in self.bets]
        each, costs = np.array([part for part, _ in paid]), np.array([cost for _, cost in paid])
        payoff = (sums / self.size * each).sum(axis=-1) - costs
        change = payoff[:, :, None] * self.stakes
        with np.errstate(divide="ignore"):
            earned: Floats = np.log1p(np.maximum(change, -1.0)).sum(axis=0)
        return earned

    def payoffs(self, level: float) -> Floats:
        """What the first bet paid against a level, call by call in their order."""
        each, cost = self.bets[0].coefficients(Inequalities.at(self.claim, level))
        sums = np.concatenate([part[:, 0] for part in self.sums]) / self.size
        return np.asarray((sums * each).sum(axis=-1) - cost)

    def look(self, level: float) -> bool:
        """Whether this level is refuted now, or was at an earlier look."""
        if self.level < level and self.log_wealth(level) >= self.goal:
            self.level = level
        return self.level >= level

    def lower_bound(self) -> float:
        """Largest level so that it and all smaller ones are refuted, now or before."""
        if self.calls == 0:
            return self.level

        def excess(level: float) -> float:
            return self.log_wealth(level) - self.goal

        low = max(self.level, SMALLEST_LEVEL)
        if excess(low) < 0:
            return self.level
        low, high = raised(low, max(low, self.claim.level) * 1.25, excess)
        if high <= LARGEST_EPSILON:
            low = root_between(low, high, excess)
        self.level = max(self.level, low)
        return self.level


def suiting(moments: tuple[float, float], size: int) -> float:
    """The stake that earns most from a payoff of this mean and variance a draw."""
    mean, variance = moments
    return max(mean, 1e-6) * size / max(variance, 1e-12)
