"""Evidence: the outcome of all bets, as data that the verdict is made from.

Whatever the claim is, the same units are bet on against (epsilon, delta) at deltas that are fixed
before any draw: the privacy profile from below. Each bound is wrong with probability alpha over
their number at most (theorem in `audit.betting.wealth`), so that all of them hold together with
probability 1 - alpha (union bound).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from audit.betting.bettor import Bettor
from audit.betting.past import PairPast
from audit.betting.portfolio import Tally
from audit.betting.power import Detectable, detectable
from audit.betting.sameness import only_unique_texts
from audit.betting.screening import Offer
from audit.betting.wealth import Wealth
from audit.claims import ApproxDP
from audit.outcomes.encoding import Outcomes
from audit.outcomes.features import has_fractions
from audit.verdict.findings import CurvePoint, LossEstimate, Units

_FURTHER = 1.0 + 1e-4
"""Factor of a level for the slope there."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The outcome of all bets.

    Attributes:
        bettor: that has played; it knows what it read, drew, bet on and left out.
        pairs: those that were bet on, by index.
        worst: index of the pair on which the bound was earned; None without a bound.
        units: kind, outputs and number of units.
        detectable: smallest epsilon that this budget would have refuted; None if it bet on nothing.
        gained: log of the final wealth over that at the start of this build, at the claim's level.
    """

    bettor: Bettor
    pairs: Mapping[int, PairPast]
    worst: int | None
    units: Units
    detectable: Detectable | None
    gained: float

    @classmethod
    def of(cls, bettor: Bettor, gained: float) -> Evidence:
        """The evidence of a bettor that has played."""
        n = max((d.n for d in bettor.designs.values()), default=1)
        return cls(
            bettor=bettor,
            pairs={past.pair: past for past in bettor.pasts if past.units},
            worst=_worst(bettor.claim),
            units=Units(kind=str(bettor.source.kind), n=n, count=bettor.units),
            detectable=detectable(bettor),
            gained=gained,
        )

    @property
    def claim(self) -> Wealth:
        """The wealth against the claim."""
        return self.bettor.claim

    @property
    def states(self) -> bool:
        """True if there is a violation, a lower bound or a leak to state."""
        return self.refuted or self.claim.bound > 0.0 or self.leak is not None

    @property
    def usable(self) -> bool:
        """True if on one of the pairs anything but one and the same failure came out."""
        return any(_usable(_sides(past)) for past in self.pairs.values())

    @property
    def unread(self) -> bool:
        """True if all outputs are texts of which none came twice."""
        each = map(_sides, self.pairs.values())
        unread = (sides and all(map(only_unique_texts, sides)) for sides in each)
        return bool(self.pairs) and all(unread)

    @property
    def fractional(self) -> bool:
        """True if a part of an output is a float that is no whole number."""
        return any(has_fractions(s) for past in self.pairs.values() for s in _sides(past))

    @property
    def estimate(self) -> LossEstimate | None:
        """The level at which the bet that led last would neither gain nor lose.

        It is of the units that the bet was chosen before, so that nothing favors it; None if there
        was no bet, nothing on the side that must not have it, or no level to tell from the next.
        """
        wealth, tally = self.claim, self._led
        if tally is None:
            return None
        gain, cost = (float(tally.count @ each) / tally.units for each in (tally.gain, tally.cost))
        level = tally.bet.break_even(wealth.claim, gain, cost)
        here, beyond = (
            terms.gain * tally.gain - terms.cost * tally.cost - terms.offset
            for terms in (tally.bet.terms(wealth.claim, at) for at in (level, level * _FURTHER))
        )
        # A bet that loses at every level has no root, so the mean need not be 0 here.
        mean = float(tally.count @ here) / tally.units
        deviation = float(np.sqrt(tally.count @ (here - mean) ** 2 / tally.units))
        fall = float(tally.count @ (here - beyond)) / tally.units / (level * (_FURTHER - 1.0))
        if fall <= 0.0:
            # Such a bet is below all levels at which the claim says anything.
            return None
        return LossEstimate(
            level=wealth.claim.stated(level),
            standard_error=deviation / math.sqrt(tally.units) / fall,
            units=tally.units,
        )

    @property
    def _led(self) -> Tally | None:
        """What the bet that led last has seen, something on both sides; None if there is none."""
        held = next(self.claim.open(), None)
        leading = [] if held is None else [last.experts[0].tally for last in held.past[-2:]]
        # The last portfolio may have been cut short, and the one before it seen nothing there.
        seen = [one for one in leading if one.units and one.count @ one.cost > 0.0]
        return max(seen, key=lambda one: one.units, default=None)

    @property
    def leak(self) -> Offer | None:
        """The leading offer on low-order bits; None unless they break the claim."""
        wealth = self.bettor.wealths.get("leaks")
        return self.bettor.leading["leaks"][0] if wealth is not None and wealth.refuted else None

    @property
    def refuted(self) -> bool:
        """True if the claim was refuted."""
        return self.claim.refuted


def _sides(past: PairPast) -> list[Outcomes]:
    """The outputs held on D and on D′, where there are any."""
    return [outputs for outputs in past.outputs if outputs.size] if past.held else []


def _usable(sides: Sequence[Outcomes]) -> bool:
    """True if anything but one and the same failure came out."""
    kinds = {name for side in sides for name in side.kinds}
    return len(kinds) > 1 or any(side.parts for side in sides)


def _worst(wealth: Wealth) -> int | None:
    """The pair whose bets earned most in the interval that the bound lies in."""
    if wealth.bound <= 0.0:
        return None
    *_, interval = (held for held in wealth.intervals if held.low < wealth.bound)
    earned: dict[int, float] = {}
    level = min(interval.high, wealth.bound)
    for portfolio in interval.past:
        grown = portfolio.packed.log_growths(wealth.claim, level).tolist()
        for expert, log in zip(portfolio.experts, grown, strict=True):
            pair = expert.tally.bet.pair
            earned[pair] = float(np.logaddexp(earned.get(pair, -np.inf), log))
    return max(earned, key=lambda pair: earned[pair]) if earned else None


CURVE = {f"delta {delta:g}": delta for delta in (0.1, 0.03, 0.01)}
"""Deltas by the names of their wealths."""


def curve_wealths(alpha: float) -> dict[str, Wealth]:
    """Wealths of 1 against each delta, which share alpha."""
    each = alpha / len(CURVE)
    return {name: Wealth.against(ApproxDP(1.0, delta), each) for name, delta in CURVE.items()}


def curve_of(wealths: Mapping[str, Wealth]) -> tuple[CurvePoint, ...]:
    """Bounds above 0, by falling delta; none if there were no such bets.

    What holds at a delta holds at each smaller one, so the bounds never fall.
    """
    bounds = [wealths[name].bound if name in wealths else 0.0 for name in CURVE]
    return tuple(
        CurvePoint(delta=delta, epsilon_lower=bound)
        for delta, bound in zip(CURVE.values(), accumulate(bounds, max), strict=True)
        if bound > 0.0
    )
