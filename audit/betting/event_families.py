"""Events of one feature: its bins, its counts in the past, and the families that are bet on.

Counts of the past rest no claim. They come in two halves: events and functions that are ordered or
fitted by frequencies are chosen on one half and judged on the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from audit.betting.functions import Candidates
from audit.claims import Divergences
from audit.outcomes.binning import Binning, learned
from audit.outcomes.column import Counts, Floats, Masks
from audit.outcomes.encoding import Outcomes
from audit.outcomes.features import Feature, LowBits

Codes = NDArray[np.int64]
Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Bets:
    """The events on which one table of counts is bet.

    Every event is a span of an order of the bins, so that cumulative sums count
    it at its ends alone.

    Attributes:
        orders: shape (2, bins), permutations of the bins: as they stand, and by likelihood ratio.
        spans: shape (events, 3), single events: order, start, stop.
        joined: shape (doubles, 5), double bets: order, start and stop of the event
            bet D over D', start and stop of a disjoint one bet D' over D.
        cells: where the table's cells stand in every order, shape (orders, bins, bins).
        places: where the cumulative sums are read, for singles and doubles.
    """

    orders: Places
    spans: Places
    joined: Places
    cells: Places
    places: tuple[Places, Places]

    @classmethod
    def of(cls, orders: Places, spans: Places, joined: Places) -> Bets:
        """Bets on these spans."""
        bins = orders.shape[1]
        places = _places(spans, bins), _places(joined, bins)
        cells = orders[:, :, None] * bins + orders[:, None, :]
        return cls(orders, spans, joined, cells, places)

    @property
    def ranked(self) -> Masks:
        """Which singles, then doubles, were chosen by looking at past frequencies."""
        return np.asarray(np.concatenate([self.spans[:, 0], self.joined[:, 0]]) == 1)

    def mask(self, order: int, start: int, stop: int) -> Masks:
        """Mask of the bins that a span holds."""
        held = np.zeros(self.orders.shape[1], np.bool_)
        held[self.orders[order, start:stop]] = True
        return held

    def masks(self, event: int) -> tuple[Masks, Masks]:
        """Bins of an event and of the second one; of a single one the second is empty."""
        if event < len(self.spans):
            plus = self.mask(*self.spans[event])
            return plus, np.zeros_like(plus)
        order, *ends = self.joined[event - len(self.spans)].tolist()
        return self.mask(order, *ends[:2]), self.mask(order, *ends[2:])

    def sums(self, joint: Floats) -> NDArray[np.float64]:
        """Cumulative sums of a table along every order, shape (orders * (bins + 1)**2,)."""
        orders, bins = self.orders.shape
        cells = joint.take(self.cells)
        sums = np.zeros((orders, bins + 1, bins + 1))
        sums[:, 1:, 1:] = cells.cumsum(axis=2).cumsum(axis=1)
        return sums.ravel()


def _places(spans: Places, bins: int) -> Places:
    """All pairs of a span's ends and the end of the order, in cumulative sums."""
    ends = np.column_stack([spans[:, 1:], np.full(len(spans), bins)])
    flat = (spans[:, :1, None] * (bins + 1) + ends[:, :, None]) * (bins + 1) + ends[:, None, :]
    return np.ascontiguousarray(flat.reshape(len(spans), ends.shape[1] ** 2))


@dataclass(slots=True, eq=False)
class Reading:
    """A feature with its bins and counts.

    Attributes:
        feature: the feature.
        binning: its bins.
        joint: outputs on D by outputs on D′ of pairs, in two halves, shape (2, bins, bins).
        single: outputs of coins, shape (2 halves, 2 sides, bins).
        same: pairs of outputs of one unit on one dataset that are in one bin, by dataset.
        within: all pairs of outputs of one unit on one dataset, by dataset.
        alike: correlation of two outputs of one unit, from the last call of `study`.
        events: candidates, from the last call of `study`.
        functions: the same; None if the claim bounds no divergence.
    """

    feature: Feature
    binning: Binning
    joint: Floats
    single: Floats
    same: Floats = field(default_factory=lambda: np.zeros(2))
    within: Floats = field(default_factory=lambda: np.zeros(2))
    alike: float = 0.0
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

    def count(
        self,
        codes: tuple[Codes, Codes],
        paired: bool,
        half: int,
        units: Sequence[Places] | None = None,
    ) -> None:
        """Count outputs.

        Args:
            codes: their bins on both datasets.
            paired: True if output i on D and output i on D′ are a pair.
            half: 0 or 1.
            units: the unit of each output, if units have several and did not choose the feature.
        """
        k = self.binning.count
        if paired:
            cells = np.bincount(codes[0] * k + codes[1], minlength=k * k)
            self.joint[half] += cells.reshape(k, k)
        else:
            for side, held in enumerate(codes):
                self.single[half, side] += np.bincount(held, minlength=k)
        for side, own in enumerate(units or ()):
            for total, groups in ((self.same, own * k + codes[side]), (self.within, own)):
                times = np.unique(groups, return_counts=True)[1]
                total[side] += times @ (times - 1)

    def _correlation(self) -> float:
        """Correlation of two outputs of one unit on one dataset.

        How much more often both are in one bin than by chance, as a part of the most there could
        be: the mean of the intraclass correlations of the bins, weighted by their variances
        (Fleiss, Psychological Bulletin 76, 1971).
        """
        counts = np.stack(self.marginals())
        chance = np.square(counts / np.maximum(1.0, counts.sum(axis=1, keepdims=True))).sum(axis=1)
        most = float(self.within @ (1.0 - chance))
        excess = float((self.same - self.within * chance).sum())
        return min(1.0, max(0.0, excess / most)) if most > 0.0 else 0.0

    def law(self, halves: Sequence[int] = (0, 1)) -> tuple[Floats, float]:
        """Joint probabilities, shape (bins, bins), and the outputs on a side behind them.

        Outputs of coins are independent given the instance; both kinds count by their numbers.
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
        """Choose candidates from all counts so far."""
        self.alike = self._correlation()
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
    return Bets.of(bets.orders, bets.spans[kept], bets.joined[:0])


def bets_for(binning: Binning, left: Counts, right: Counts) -> Bets:
    """The events worth betting on for one feature.

    Half-lines, single bins, and sets of bins ordered by their likelihood ratio
    so far; doubles pair an upper with a lower set of about the same size.

    Args:
        binning: the feature's bins.
        left: past draws on D in each bin, shape (bins,).
        right: past draws on D' in each bin.
    """
    count, edges, cuts = binning.count, binning.numeric - 1, binning.count - 1
    likely = np.argsort(-np.log((left + 0.5) / (right + 0.5)), kind="stable")
    orders = np.stack([np.arange(count), likely])
    mass = np.zeros((2, count + 1), np.int64)
    np.cumsum((left + right)[orders], axis=1, out=mass[:, 1:])
    spans = _singles(edges, count)
    held = mass[spans[:, 0], spans[:, 2]] - mass[spans[:, 0], spans[:, 1]]
    above, below, _, likelier, others = np.split(
        np.arange(len(spans)), np.cumsum([edges, edges, count, cuts])
    )
    halves = _matched(above, below, held)
    # Of half-lines that hold the same draws, the shortest; of likely sets, the longest.
    halves[1] = below[np.searchsorted(held[below], held[halves[1]])]
    sets = _matched(likelier[::-1], others[::-1], held)
    upper, lower = np.concatenate([halves, sets[:, ::-1]], axis=1)
    joined = np.concatenate([spans[upper], spans[lower, 1:]], axis=1)
    return Bets.of(orders, spans, joined)


@lru_cache(maxsize=128)
def _singles(edges: int, count: int) -> Places:
    """Order, start and stop of all single events.

    Half-lines above every edge and below it, every bin, and of the order of
    likelihood the first bins and the last ones.
    """
    ends, bins = np.arange(1, edges + 1), np.arange(count)
    kinds: list[tuple[Places | int, ...]] = [
        (0, ends, edges + 1),
        (0, 0, ends),
        (0, bins, bins + 1),
        (1, 0, bins[1:]),
        (1, bins[1:], count),
    ]
    spans = np.concatenate([np.stack(np.broadcast_arrays(*kind), axis=1) for kind in kinds])
    spans.setflags(write=False)
    return spans


def _matched(upper: Places, lower: Places, held: Counts) -> Places:
    """Each event with the largest disjoint one of the others that weighs no more.

    Args:
        upper: events; the i-th is disjoint from lower[0] to lower[i] and from no other.
        lower: events, each holding no fewer past draws than the one before.
        held: past draws in each event.

    Returns:
        Shape (2, pairs): events of both kinds.
    """
    weights = held[lower]
    fitting = np.searchsorted(weights, np.maximum(held[upper], 1), side="right") - 1
    best = np.minimum(fitting, np.arange(len(upper)))
    found = (best >= 0) & (weights[best] > 0)
    return np.stack([upper[found], lower[best[found]]])
