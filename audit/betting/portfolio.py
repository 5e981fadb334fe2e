"""Portfolios: bets with stakes and weights, and what their units made of an investment.

An expert's wealth is the product of the factors of its units, a portfolio's the weighted sum of its
experts' and of its cash.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, fields

import numpy as np
from numpy.typing import NDArray

from audit.betting.bet import Bet, EventBet
from audit.claims import Claim
from audit.outcomes.column import Floats

CASH = 0.2
"""Part of a portfolio that is not staked."""
_LOWEST = 1e-15
"""Smallest factor of a unit that its logarithm is taken of."""


@dataclass(slots=True)
class Tally:
    """Gains and costs of the units of one bet in one epoch, equal ones counted together.

    Attributes:
        bet: what they are of.
        share: probability of D for coins; None for pairs.
        gain: mean gain of a unit, one entry for each different unit.
        cost: mean cost.
        count: how many units there were of each.
    """

    bet: Bet
    share: float | None
    gain: Floats = field(default_factory=lambda: np.zeros(0))
    cost: Floats = field(default_factory=lambda: np.zeros(0))
    count: Floats = field(default_factory=lambda: np.zeros(0))

    def add(self, gain: Floats, cost: Floats) -> None:
        """Add one entry for each unit."""
        both = np.concatenate([self.gain, gain]) + 1j * np.concatenate([self.cost, cost])
        weights = np.concatenate([self.count, np.ones(len(gain))])
        held, place = np.unique(both, return_inverse=True)
        self.gain, self.cost = held.real.copy(), held.imag.copy()
        self.count = np.bincount(place.ravel(), weights, len(held)).astype(np.float64)

    @property
    def units(self) -> int:
        """Units so far."""
        return int(self.count.sum())


@dataclass(frozen=True, slots=True)
class Expert:
    """A bet with a stake and a weight.

    Attributes:
        tally: its units; shared by all experts on the same bet.
        stake: in units of wealth per unit of payoff.
        weight: part of its portfolio.
    """

    tally: Tally
    stake: float
    weight: float


@dataclass(slots=True, eq=False)
class Portfolio:
    """Experts and cash of one epoch.

    Attributes:
        experts: their weights and the cash add up to 1.
        feed: part of the reserve that is invested.
    """

    experts: Sequence[Expert]
    feed: float
    _known: dict[float, float] = field(default_factory=dict)
    _packed: _Packed | None = None

    def forget(self) -> None:
        """Units were added to the tallies."""
        self._known.clear()
        self._packed = None

    @property
    def packed(self) -> _Packed:
        """Experts and units as arrays."""
        if self._packed is None:
            self._packed = _Packed.of(self.experts)
        return self._packed


def growths(portfolios: Sequence[Portfolio], claim: Claim, level: float) -> list[float]:
    """Log of the factor that an investment in each portfolio has grown by."""
    new = [one for one in portfolios if level not in one._known]
    if new:
        found = _Packed.joined([one.packed for one in new]).log_growth(claim, level)
        for one, growth in zip(new, found.tolist(), strict=True):
            one._known[level] = growth
    return [one._known[level] for one in portfolios]


@dataclass(frozen=True, slots=True)
class _Packed:
    """Portfolios as arrays, one behind the other.

    Attributes:
        bets: of all experts.
        lines: the line of each event, -1 for functions.
        events: how many events each bet is on.
        stakes: of all experts.
        log_weights: of all experts.
        sizes: different units of each expert.
        gain: of each unit times the stake.
        cost: the same.
        count: units of each.
        experts: of each portfolio.
        log_cash: of each portfolio.
    """

    bets: NDArray[np.object_]
    lines: NDArray[np.intp]
    events: Floats
    stakes: Floats
    log_weights: Floats
    sizes: NDArray[np.intp]
    gain: Floats
    cost: Floats
    count: Floats
    experts: NDArray[np.intp]
    log_cash: Floats

    @classmethod
    def of(cls, experts: Sequence[Expert]) -> _Packed:
        tallies = [e.tally for e in experts]
        stakes, weights = np.array([(e.stake, e.weight) for e in experts]).T
        lines, events = np.array([_events(tally.bet) for tally in tallies]).T
        gain, cost, count = np.concatenate([(t.gain, t.cost, t.count) for t in tallies], axis=1)
        sizes = np.array([len(tally.count) for tally in tallies])
        own = np.repeat(stakes, sizes)
        return cls(
            np.array([tally.bet for tally in tallies], object),
            lines,
            events.astype(np.float64),
            stakes,
            np.log(weights),
            sizes,
            own * gain,
            own * cost,
            count,
            np.array([len(experts)]),
            np.array([math.log(max(1.0 - math.fsum(weights), 1e-12))]),
        )

    @classmethod
    def joined(cls, parts: Sequence[_Packed]) -> _Packed:
        if len(parts) == 1:
            return parts[0]
        names = (one.name for one in fields(cls))
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))

    def log_growths(self, claim: Claim, level: float) -> Floats:
        """Log of weight times product of all factors of each expert."""
        gain, cost, offset = self._terms(claim, level)
        change = np.repeat(gain, self.sizes) * self.gain
        change -= np.repeat(cost, self.sizes) * self.cost
        change -= np.repeat(offset * self.stakes, self.sizes)
        logs = self.count * np.log(np.maximum(1.0 + change, _LOWEST))
        ends = np.cumsum(self.sizes)
        sums = np.diff(np.concatenate([[0.0], np.cumsum(logs)])[np.concatenate([[0], ends])])
        return np.asarray(sums + self.log_weights)

    def log_growth(self, claim: Claim, level: float) -> Floats:
        """Log of the factor of each portfolio."""
        first = np.cumsum(self.experts) - self.experts
        of_experts = np.logaddexp.reduceat(self.log_growths(claim, level), first)
        return np.asarray(np.logaddexp(of_experts, self.log_cash))

    def _terms(self, claim: Claim, level: float) -> tuple[Floats, Floats, Floats]:
        """Coefficients of all brackets at a level: gains, costs and offsets."""
        cost, offset = np.concatenate([claim.lines(level), [[0.0, 0.0]]])[self.lines].T
        gain, offset = np.ones(len(self.lines)), self.events * offset
        for place in np.flatnonzero(self.lines < 0):
            terms = self.bets[place].terms(claim, level)
            gain[place], cost[place], offset[place] = terms.gain, terms.cost, terms.offset
        return gain, cost, offset


def _events(bet: Bet) -> tuple[int, int]:
    """The line of the events, and how many there are: -1 and 0 for a function."""
    return (bet.line, bet.events) if isinstance(bet, EventBet) else (-1, 0)
