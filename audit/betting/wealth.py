"""The wealth of all bets against one claim, an e-process at every level of it.

One factor per unit. An expert is a bet with a stake; its wealth is the product of the factors
1 + λ (s A − c B − o) of its units (see `bet`). A portfolio is cash and experts with weights that
add up to 1, fixed before its first unit. A reserve that starts with 1 feeds a part of itself into
every portfolio; what a portfolio has become is invested in the next one:

    act ← (act + f · reserve) · growth of the portfolio,   reserve ← (1 − f) · reserve.

Theorem (wealth). At every level t that the mechanism keeps, act + reserve is a nonnegative
supermartingale that starts at 1, whatever earlier units say about bets, stakes, weights, n and
when to stop. It ever reaches 1/α with probability at most α (Ville's inequality; e-processes as in
arXiv 2210.01948).

Level intervals. The levels are cut into intervals. Inside an interval bets, stakes and weights are
the same for all levels, and stakes are valid at its upper end, hence at all of its levels. Every
factor falls as the level grows, so the wealth does, and the levels of an interval that are refuted
are those below a root. An interval that is cut in two leaves both parts its past.

Theorem (bound). The bound is the largest level such that it and all below it were refuted at some
time, each by the wealth of its interval. With probability at least 1 − α it is at most t*, the
smallest level that the mechanism keeps: a larger bound needs t* itself to be refuted. The claim is
refuted if the bound reaches it, so that verdict and bound share one α.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, pairwise

import numpy as np

from audit.betting.portfolio import Portfolio, growths
from audit.claims import LARGEST_EPSILON, Claim

FEED, FEED_MORE = 0.2, 0.25
"""Part of the reserve that goes into a portfolio: at least, and in addition if its bets are
expected to reach the goal by themselves."""
_LATER = 4
"""Portfolios after which each new one is fed less."""
_CAP = 300.0
_FINEST = 0.002
"""Relative width below which an interval is not cut."""
_ROOT = 1e-4
"""Relative width to which the largest refuted level is found."""
_COARSE, _FINE = 0.05, 3
_TINY = 1e-9
"""Of the claim's level: the smallest level that is bet against."""
NO_END = 5.0
"""Bound by fresh instances at which a loss without an end in sight is large enough. An interval
ends there: one that went on beyond would need the units of its upper end to be refuted up to it."""


@dataclass(slots=True, eq=False)
class Interval:
    """Levels from `low` to `high`, and the portfolios that bet against all of them.

    Attributes:
        low: the lower end.
        high: the upper end.
        past: portfolios so far, the youngest last.
        reached: largest level that was refuted with all between it and the lower end; at least
            `low`.
    """

    low: float
    high: float
    past: list[Portfolio] = field(default_factory=list)
    reached: float = 0.0

    def __post_init__(self) -> None:
        self.reached = max(self.reached, self.low)

    @property
    def done(self) -> bool:
        """True if all of its levels were refuted."""
        return self.reached >= self.high

    def log_wealth(self, claim: Claim, level: float) -> float:
        """Log of the wealth at a level of this interval."""
        act, reserve = -math.inf, 0.0
        grown = growths(self.past, claim, level)
        for portfolio, growth in zip(self.past, grown, strict=True):
            act = float(np.logaddexp(act, math.log(portfolio.feed) + reserve))
            act = min(act + growth, _CAP)
            reserve += math.log1p(-portfolio.feed)
        return float(np.logaddexp(act, reserve))

    def look(self, claim: Claim, goal: float) -> None:
        """Raise `reached` to the largest level that is refuted now."""
        if self.done or not self.past:
            return
        low, high = self.reached, self.high
        if self.log_wealth(claim, max(low, _TINY * claim.level)) < goal:
            return
        if self.log_wealth(claim, high) >= goal:
            self.reached = high
            return
        while high - low > _ROOT * high:
            middle = (low + high) / 2.0
            if self.log_wealth(claim, middle) >= goal:
                low = middle
            else:
                high = middle
        self.reached = low

    def cut(self, level: float) -> tuple[Interval, Interval]:
        """Two intervals with the same past."""
        return (
            Interval(self.low, level, list(self.past), min(self.reached, level)),
            Interval(level, self.high, list(self.past), max(self.reached, level)),
        )


@dataclass(slots=True)
class Wealth:
    """The wealth of all bets against one claim.

    Attributes:
        claim: what is bet against.
        alpha: chance of ever refuting a level that the mechanism keeps.
        intervals: by growing levels, without gaps from 0.
        best: largest log wealth seen at the claim's own level.
        last: the log wealth there now.
        bound: largest level that is refuted with all below it; 0 for none.
    """

    claim: Claim
    alpha: float
    intervals: list[Interval] = field(default_factory=list)
    best: float = 0.0
    last: float = 0.0
    bound: float = 0.0

    @classmethod
    def against(cls, claim: Claim, alpha: float, *, bound: bool = True) -> Wealth:
        """A wealth of 1.

        Args:
            claim: to bet against.
            alpha: the level of the test.
            bound: False to bet against the claim's own level alone: bets are chosen there, and
                levels far below are refuted with it or not at all.
        """
        level = claim.level
        if not bound:
            return cls(claim, alpha, [Interval((1.0 - _FINEST / 2.0) * level, level)])
        largest = min(LARGEST_EPSILON, max(20.0, 4.0 * level))
        below = [level * 1.5**k for k in range(-6, 1)]
        edges = sorted({0.0, *below, *_above(level, largest), max(level, NO_END)})
        return cls(claim, alpha, [Interval(a, b) for a, b in pairwise(edges)])

    @property
    def goal(self) -> float:
        """Log wealth that refutes."""
        return -math.log(self.alpha)

    @property
    def refuted(self) -> bool:
        """True if the claim's own level was refuted, and all below it."""
        return self.bound >= self.claim.level

    def open(self) -> Iterator[Interval]:
        """Intervals that are not refuted to their end."""
        return (held for held in self.intervals if not held.done)

    def look(self) -> None:
        """Update what is refuted, after units were added."""
        for held in self.intervals:
            for portfolio in held.past[-1:]:
                portfolio.forget()
        own = next((h for h in self.intervals if h.high >= self.claim.level), None)
        if own is not None:
            self.last = own.log_wealth(self.claim, self.claim.level)
            self.best = max(self.best, self.last)
        for held in self.intervals:
            # Levels above one that is not refuted say nothing yet.
            held.look(self.claim, self.goal)
            if held.reached > held.low:
                self.bound = max(self.bound, held.reached)
            if not held.done:
                break

    def refine(self, working: Sequence[Interval]) -> None:
        """Cut the intervals that were worked on where levels are refuted and in their middle."""
        chosen = {id(held) for held in working}
        found: list[Interval] = []
        for held in self.intervals:
            if id(held) not in chosen or held.done:
                found.append(held)
                continue
            if held.reached > held.low:
                low, held = held.cut(held.reached)
                found.append(low)
            wide = held.high - held.low > _FINEST * held.high
            found += held.cut((held.low + held.high) / 2.0) if wide else [held]
        self.intervals = found


def _above(level: float, largest: float) -> Iterator[float]:
    """Ends of intervals above the claim: wide ones below .05, where bounds say little."""
    for step in count():
        level *= 1.12 if level > _COARSE or step < _FINE else 3.0
        if level > largest and step >= _FINE:
            return
        yield level


def feed(growth: float, goal: float, portfolios: int) -> float:
    """Part of the reserve for a portfolio of this log-growth, after so many others."""
    part = FEED + FEED_MORE * min(1.0, growth / goal)
    return part * min(1.0, _LATER / (portfolios + 1))
