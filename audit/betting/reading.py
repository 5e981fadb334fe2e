"""One feature with its bins, and what was counted of it: the past that bets are chosen from.

Counts of the past rest no claim. They come in two halves: events and functions that are ordered or
fitted by frequencies are chosen on one half and judged on the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from audit.betting.event_families import bets_for
from audit.betting.events import Bets
from audit.betting.function_candidates import Candidates
from audit.claims import Divergences
from audit.outcomes.binning import Binning, learned
from audit.outcomes.encoding import Outcomes
from audit.outcomes.features import Feature, LowBits

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


@dataclass(slots=True, eq=False)
class Reading:
    """A feature with its bins and counts.

    Attributes:
        feature: the feature.
        binning: its bins.
        joint: outputs on D by outputs on D′ of pairs, in two halves, shape (2, bins, bins).
        single: outputs of coins, shape (2 halves, 2 sides, bins).
        events: candidates, from the last call of `study`.
        functions: the same; None if the claim bounds no divergence.
    """

    feature: Feature
    binning: Binning
    joint: Floats
    single: Floats
    events: Events | None = field(default=None, repr=False)
    functions: Candidates | None = field(default=None, repr=False)

    @classmethod
    def of(cls, feature: Feature, left: Outcomes, right: Outcomes, bins: int) -> Reading:
        """A reading without counts, its bins learned from these outputs."""
        binning = learned((feature.read(left), feature.read(right)), bins)
        k = binning.count
        return cls(feature, binning, np.zeros((2, k, k)), np.zeros((2, 2, k)))

    def codes(self, sides: Sequence[Outcomes]) -> tuple[Codes, Codes]:
        """Bins of outputs on both datasets."""
        left, right = (
            self.binning.code(self.feature.read(side)).astype(np.int64) for side in sides
        )
        return left, right

    def count(self, codes: tuple[Codes, Codes], paired: bool, half: int) -> None:
        """Count outputs.

        Args:
            codes: their bins on both datasets.
            paired: True if output i on D and output i on D′ are a pair.
            half: 0 or 1.
        """
        k = self.binning.count
        if paired:
            cells = np.bincount(codes[0] * k + codes[1], minlength=k * k)
            self.joint[half] += cells.reshape(k, k)
        else:
            for side, held in enumerate(codes):
                self.single[half, side] += np.bincount(held, minlength=k)

    def law(self, halves: Sequence[int] = (0, 1)) -> tuple[Floats, float]:
        """Joint probabilities, shape (bins, bins), and the outputs on a side behind them.

        Outputs of coins are independent of each other, given the instance; both kinds are mixed in
        proportion to their numbers.
        """
        chosen = list(halves)
        joint = self.joint[chosen].sum(axis=0)
        left, right = self.single[chosen].sum(axis=0)
        pairs, coins = joint.sum(), min(left.sum(), right.sum())
        if coins:
            joint = joint + np.outer(left, right) * (coins / (left.sum() * right.sum()))
        total = pairs + coins
        return joint / max(1.0, total), float(total)

    def marginals(self) -> tuple[Floats, Floats]:
        """Outputs counted in each bin on D and on D′."""
        left = self.joint.sum(axis=(0, 2)) + self.single[:, 0].sum(axis=0)
        right = self.joint.sum(axis=(0, 1)) + self.single[:, 1].sum(axis=0)
        return left, right

    def study(self, divergences: Divergences) -> None:
        """Choose candidates from all counts so far.

        Args:
            divergences: of the claim at any level.
        """
        self.functions = Candidates.of(self, divergences) if len(divergences) else None
        law, total = self.law()
        half, judged = self.law((1,))
        chooser, _ = self.law((0,))
        scale = max(1.0, total / 2)
        left, right = (np.round(chooser.sum(axis=1 - side) * scale) for side in (0, 1))
        bets = bets_for(self.binning, left.astype(np.int64), right.astype(np.int64))
        if isinstance(self.feature, LowBits):
            bets = _of_numbers(bets, self.binning.numeric)
        chosen = bets.ranked | self.feature.fitted
        cut = len(bets.spans)
        count = self._tallies_of_low_bits if isinstance(self.feature, LowBits) else tallies
        single, double = count(law, bets)
        other_single, other_double = count(half, bets)
        single = np.where(chosen[:cut, None], other_single, single)
        double = np.where(chosen[cut:, None], other_double, double)
        pairs = np.where(chosen, max(1.0, judged), max(1.0, total))
        self.events = Events(bets, single, double, pairs)

    def _tallies_of_low_bits(self, joint: Floats, bets: Bets) -> tuple[Floats, Floats]:
        """The same, with an output without a number as one of the event beside an event."""
        numeric = self.binning.numeric
        present = np.zeros_like(joint)
        present[:numeric, :numeric] = joint[:numeric, :numeric]
        single, double = tallies(present, bets)
        absent, _ = tallies(joint - present, bets)
        absent[..., 0] += absent[..., 1]
        absent[..., 1] = 0.0
        return single + absent, double


@dataclass(frozen=True, slots=True)
class Events:
    """Candidate events with their estimated probabilities.

    Attributes:
        bets: the events.
        single: of single events, in both directions, the probabilities that the event happens on
            both sides, on its own only, on the other only, on neither; shape (2, singles, 4).
        double: of two disjoint events the same, shape (2, doubles, 9): first, second or neither on
            D, by first, second or neither on D′.
        pairs: outputs on a side behind each estimate, singles before doubles.
    """

    bets: Bets
    single: Floats
    double: Floats
    pairs: Floats


def tallies(joint: Floats, bets: Bets) -> tuple[Floats, Floats]:
    """Probabilities that decide each bet, in both directions (see `Events`)."""
    sums = bets.sums(joint)
    single, double = (
        np.matmul(sums.take(places), _both_ways(spans))
        for spans, places in enumerate(bets.places, start=1)
    )
    return single, double


def _both_ways(spans: int) -> Floats:
    """From cumulative sums at pairs of ends to probabilities of pairs of parts.

    Args:
        spans: 1 for single bets, whose ends are start, stop and the end of the order and whose
            parts are inside and outside; 2 for double bets, whose ends are those of both spans and
            whose parts are the first, the second and neither.

    Returns:
        Shape (2, ends**2, parts**2), D first and D′ first.
    """
    inside = np.kron(np.eye(spans), [-1.0, 1.0])
    whole = np.append(np.zeros(2 * spans), 1.0)
    parts = np.column_stack([inside, np.zeros(spans)])
    parts = np.concatenate([parts, [whole - parts.sum(axis=0)]])
    forward = np.einsum("pa,qb->abpq", parts, parts)
    both = np.stack([forward, forward.swapaxes(2, 3)])
    return both.reshape(2, parts.shape[1] ** 2, parts.shape[0] ** 2)


def _of_numbers(bets: Bets, numeric: int) -> Bets:
    """The single events that hold numbers alone: an output without a number has no low bits."""
    held = np.zeros((len(bets.orders), bets.orders.shape[1] + 1), np.int64)
    np.cumsum(bets.orders >= numeric, axis=1, out=held[:, 1:])
    order, start, stop = bets.spans.T
    kept = np.flatnonzero(held[order, stop] == held[order, start])
    weight = bets.weight[kept]
    joined = bets.joined[:0]
    return Bets.of(bets.orders, bets.spans[kept], joined, weight / weight.sum(), bets.ranked[kept])
