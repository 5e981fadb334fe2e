"""Bets: an event or a function of an output, and the payoff of one unit.

A unit gives n outputs on D and n on D′ (a pair), or n outputs each on D with probability π and
else on D′ (coins). A bet reads whole numbers off each output, its gain and its cost, and a unit
pays the bracket

    s(t) A − c(t) B − o(t),   A = mean gain, B = mean cost,

at the level t of the claim: means over n outputs for pairs; for coins the sums over the outputs on
one dataset, divided by n times the probability of that dataset.

Theorem (unit). Let n, the bet and the stake 0 ≤ λ ≤ 1/(c(t) max B + o(t)) be fixed by earlier
units. If each output of a unit has the law of the mechanism on its dataset, whatever the outputs
of the unit have to do with each other, then 1 + λ (s A − c B − o) is nonnegative and has
expectation at most 1 under the claim at level t.

Proof. By linearity the expectation of the bracket is the mean, over the outputs of the unit, of
the bracket of a single output on each dataset: for coins because the coin is independent of what
the instance remembers, so that E[1[D] x/π | past of the instance] = P[E on D | past]. Each of
these is at most 0 under the claim. For events on the line (a, b) it is P[E] − a Q[E] − b; for
functions see `functions`. With pairs this needs the law of each output of one call; with coins it
holds given what the instance remembers. QED
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from audit.betting.functions import UNIT, Functions
from audit.claims import LARGEST_EPSILON, Claim
from audit.outcomes.binning import Binning
from audit.outcomes.column import Floats, Masks
from audit.outcomes.features import Feature, LowBits
from audit.sampling.units import UnitBatch

Ints = NDArray[np.int64]

SHARES = (0.5, 0.2, 0.1, 0.05)
"""Probabilities of the dataset with the gain that coins are tried with."""
MOST_OUTPUTS = 4096
STAKES: Floats = np.array([0.98, 0.75, 0.5, 0.33, 0.2, 0.12, 0.07, 0.04, 0.02, 0.01, 0.004, 0.0015])
"""Stakes as parts of the largest one, of which the best is found with hindsight or mixed."""


_Alike = TypeVar("_Alike", float, Floats)


@dataclass(frozen=True, slots=True)
class Design:
    """Pairs of n outputs on each dataset, or coins of n outputs in all.

    Attributes:
        n: outputs of a unit (see `UnitPlan`).
        share: probability of D for coins; None for pairs.
    """

    n: int = 1
    share: float | None = None

    @property
    def runs(self) -> int:
        """Outputs of one unit."""
        return self.n * (2 if self.share is None else 1)

    def weights(self, forward: bool) -> tuple[float, float]:
        """Weights of an output on the side of the gain and on the side of the cost."""
        if self.share is None:
            return 1.0, 1.0
        own = self.share if forward else 1.0 - self.share
        return 1.0 / own, 1.0 / (1.0 - own)

    def effect(self, alike: _Alike) -> _Alike:
        """Variance of the mean of a unit's outputs ÷ that of as many independent ones (Kish).

        Two outputs of a unit have the correlation `alike`, from 0 to 1.
        """
        return 1.0 + (self.n - 1) * alike

    def spread(self, variance: Floats, alike: _Alike) -> Floats:
        """Variance of the mean of a unit's brackets, from that of one."""
        return variance * self.effect(alike) / self.n


def design_effect(made: Mapping[Design, int], alike: float) -> float:
    """The effect of units of several designs, each weighted by its outputs."""
    outputs = {design: design.n * units for design, units in made.items()}
    varied = sum(count * design.effect(alike) for design, count in outputs.items())
    return varied / max(1, sum(outputs.values()))


def kelly(
    mean: Floats, variance: Floats, top: Floats, lean: Floats | float = 0.0
) -> tuple[Floats, Floats]:
    """Stake of the largest expected log-growth, and that growth, by its expansion.

    The stake is exact for a bracket that is now and then G or -L and else 0. That of second order,
    for L = G, is up to two thirds too large there.

    Args:
        mean, variance: of a unit's bracket.
        top: largest stake allowed.
        lean: L - G, by which a loss is larger than a gain; at least 0.
    """
    second = variance + mean * mean + 1e-300
    stake = np.clip(mean / (second + np.maximum(mean, 0.0) * lean), 0.0, top)
    return stake, stake * mean - stake * stake * second * (0.5 + stake * lean / 3.0)


@dataclass(frozen=True, slots=True)
class Terms:
    """Coefficients of a bracket at one level: gain, cost and offset."""

    gain: float
    cost: float
    offset: float


_STEPS = 40
"""Halvings that find a level."""


@dataclass(frozen=True, slots=True, eq=False)
class Bet(ABC):
    """An event or a function that is bet on for one pair of datasets.

    Attributes:
        pair: index of the pair.
        feature: the feature read off an output.
        binning: its bins.
        gain: of each bin on D and on D′, shape (2, bins), whole numbers of at least 0.
        cost: the same.
    """

    pair: int
    feature: Feature
    binning: Binning
    gain: Ints
    cost: Ints

    @property
    @abstractmethod
    def key(self) -> tuple[Any, ...]:
        """Equal for bets with equal payoffs."""

    @property
    @abstractmethod
    def forward(self) -> bool:
        """True if the gain is on D, or on both datasets."""

    @abstractmethod
    def terms(self, claim: Claim, level: float) -> Terms:
        """Coefficients of the bracket at a level; the bracket falls as the level grows."""

    def break_even(self, claim: Claim, gain: float, cost: float) -> float:
        """The level up to which units with these means of gain and cost pay, of a cost above 0."""

        def pays(level: float) -> bool:
            terms = self.terms(claim, level)
            return terms.gain * gain - terms.cost * cost - terms.offset > 0.0

        low, high = claim.level * 1e-3, claim.level
        while pays(high) and high < LARGEST_EPSILON:
            low, high = high, 2.0 * high
        for _ in range(_STEPS):
            middle = (low + high) / 2.0
            low, high = (middle, high) if pays(middle) else (low, middle)
        return low

    def largest_cost(self, share: float | None) -> float:
        """Largest mean cost of a unit.

        Args:
            share: probability of D for coins; None for pairs.
        """
        if share is None:
            return float(self.cost.max(axis=1).sum())
        return float((self.cost.max(axis=1) / np.array([share, 1.0 - share])).max())

    def sums(self, codes: tuple[Ints, Ints], batch: UnitBatch) -> tuple[Floats, Floats]:
        """Gain and cost of every unit, shape (units,) each, before division by n.

        For coins each output is divided by the probability of its dataset.

        Args:
            codes: bins of the outputs on D and on D′.
            batch: of units.
        """
        weights = Design(batch.n, batch.share).weights(forward=True)
        gain, cost = np.zeros(batch.count), np.zeros(batch.count)
        for side, (held, unit, weight) in enumerate(zip(codes, batch.units, weights, strict=True)):
            for total, table in ((gain, self.gain[side]), (cost, self.cost[side])):
                if table.any():
                    total += weight * np.bincount(unit, table[held], batch.count)
        return gain, cost


@dataclass(frozen=True, slots=True, eq=False)
class EventBet(Bet):
    """An event bet on in one direction, or two disjoint ones in opposite directions.

    Attributes:
        ahead: bins of the event that is likelier on D; none if there is no such event.
        behind: bins of the event that is likelier on D′.
        line: index of the claim's line.
        counts: outputs seen in the event on its own side, on the other side, and pairs of them.
        events: 1 or 2.
    """

    ahead: Masks
    behind: Masks
    line: int
    counts: tuple[int, int, int] = (0, 0, 0)
    events: int = 1

    @classmethod
    def of(
        cls,
        pair: int,
        feature: Feature,
        binning: Binning,
        events: tuple[Masks, Masks],
        line: int,
        counts: tuple[int, int, int] = (0, 0, 0),
    ) -> EventBet:
        """A bet on these events: the first on D over D′, the second on D′ over D.

        An output without a number has no low-order bits: it is never in an event on them, and
        counts as in the event on the side that must not have it (see `sums`).
        """
        ahead, behind = events
        gain = np.stack([ahead, behind]).astype(np.int64)
        absent = np.zeros_like(ahead)
        if isinstance(feature, LowBits):
            absent = np.arange(binning.count) >= binning.numeric
        cost = np.stack([behind | (absent & behind.any()), ahead | (absent & ahead.any())])
        return cls(
            pair,
            feature,
            binning,
            gain,
            cost.astype(np.int64),
            ahead,
            behind,
            line,
            counts,
            int(ahead.any()) + int(behind.any()),
        )

    def sums(self, codes: tuple[Ints, Ints], batch: UnitBatch) -> tuple[Floats, Floats]:
        """See `Bet.sums`.

        An output without a number costs as much as the event on low-order bits does, for pairs only
        if the output beside it is in the event. Either makes the payoff smaller.
        """
        gain, cost = Bet.sums(self, codes, batch)
        if not (batch.paired and isinstance(self.feature, LowBits)):
            return gain, cost
        numbers = self.binning.numeric
        for own, other in ((0, 1), (1, 0)):
            unpaid = (codes[other] >= numbers) & (self.gain[own][codes[own]] == 0)
            held = self.cost[other][codes[other]] * unpaid
            cost = cost - np.bincount(batch.units[0], held, batch.count)
        return gain, cost

    @property
    def key(self) -> tuple[Any, ...]:
        """See `Bet.key`."""
        masks = self.ahead.tobytes(), self.behind.tobytes()
        return self.pair, id(self.feature), id(self.binning), *masks, self.line

    @property
    def outline(self) -> Binning:
        """Bins that begin and end where an event does."""
        inside = np.stack([self.ahead, self.behind])[:, : self.binning.numeric]
        ends = self.binning.edges[(inside[:, 1:] != inside[:, :-1]).any(axis=0)]
        return Binning.of(ends, (), self.binning.atoms)

    @property
    def forward(self) -> bool:
        """See `Bet.forward`."""
        return bool(self.ahead.any())

    def terms(self, claim: Claim, level: float) -> Terms:
        """See `Bet.terms`."""
        slope, offset = claim.lines(level)[self.line]
        return Terms(1.0, float(slope), self.events * float(offset))

    @property
    def plus(self) -> Masks:
        """The event of a bet in one direction; of two the first."""
        return self.ahead if self.forward else self.behind


@dataclass(frozen=True, slots=True, eq=False)
class FunctionBet(Bet):
    """A function bet on against one divergence in one direction (see `functions`).

    Attributes:
        function: one of them.
    """

    function: Functions = field(repr=False)

    @classmethod
    def of(
        cls, pair: int, feature: Feature, binning: Binning, functions: Functions, place: int
    ) -> FunctionBet:
        """The bet on one of some functions."""
        chosen = functions.take(np.array([place]))
        nothing = np.zeros_like(chosen.gain[0])
        gain, cost = [chosen.gain[0], nothing], [nothing, chosen.cost[0]]
        if not chosen.forward[0]:
            gain, cost = gain[::-1], cost[::-1]
        return cls(pair, feature, binning, np.stack(gain), np.stack(cost), chosen)

    @property
    def key(self) -> tuple[Any, ...]:
        """See `Bet.key`."""
        tables = self.gain.tobytes(), self.cost.tobytes()
        return self.pair, id(self.feature), id(self.binning), *tables, int(self.function.places[0])

    @property
    def forward(self) -> bool:
        """See `Bet.forward`."""
        return bool(self.function.forward[0])

    def terms(self, claim: Claim, level: float) -> Terms:
        """See `Bet.terms`."""
        scale, offset = self.function.terms(claim.divergences(level))
        return Terms(float(scale[0]) / UNIT, 1.0 / UNIT, float(offset[0]))

    def order(self, claim: Claim) -> float:
        """Order of the divergence that is bet against."""
        return float(claim.divergences(claim.level)[self.function.places[0], 0])
