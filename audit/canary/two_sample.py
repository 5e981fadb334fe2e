"""Scores of members against those of the others, if canaries are independent.

Assumed, and tested by nobody: the scores of members are independent draws from one law, and those
of the others from another one. If each canary is put in by its coin, these laws are outputs of
the mechanism on neighboring datasets, so that every line (a, b) of the claim promises
P[E] <= a P'[E] + b for every event E, in both orders.

A part of the scores, drawn at random, chooses one event and one line. The exact test of two
binomials on the other scores is that of docs/explanation/canaries.md: outcomes with least[Y]
or more of n draws on its own side, for Y of n on the other one, and a partition of the range of q.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from audit.canary.design import Codes, Floats, Scores
from audit.canary.guesses import largest_refuted
from audit.canary.result import TwoSample
from audit.claims import LARGEST_EPSILON, Claim
from audit.lazy_modules import special

Counts = NDArray[np.int64]

_ROUNDING = 1.0 + 1e-9
_CELLS = 64
"""Parts of the range of q to begin with."""
_ROOM = 0.97
"""Part of the level that the p-value of each single q may have; the rest is for what lies
between."""
_REMOTE = 28.0
"""Counts are left out if their chance is below exp of minus that."""
_CLOSE = 1.001


def least_counts(draws: int, slope: float, offset: float, score: float) -> Counts:
    """For each count on the other side the least one on its own side with a z-score.

    (p - a q - b)^2 = z^2 (p (1 - p) + a^2 q (1 - q))/n, solved for the larger p, where frequencies
    are drawn a little to the middle.

    Args:
        draws: n.
        slope: a.
        offset: b.
        score: z, above 0.

    Returns:
        Shape (n + 1,), nondecreasing; n + 1 where no count has it.
    """
    q = (np.arange(draws + 1) + 0.5) / (draws + 1.0)
    allowed, square = slope * q + offset, score * score / draws
    spread = square * slope**2 * q * (1.0 - q)
    half = allowed + square / 2.0
    root = np.sqrt(np.maximum(half**2 - (1.0 + square) * (allowed**2 - spread), 0.0))
    p = (half + root) / (1.0 + square)
    counts = np.ceil(np.minimum(p, 2.0) * (draws + 1.0) - 0.5).astype(np.int64)
    return np.maximum.accumulate(np.clip(counts, 1, draws + 1))


@dataclass(frozen=True)
class BinomialTest:
    """The test of lines by a set of outcomes that are as extreme as the one that was seen.

    Attributes:
        draws: n.
        least: counts on its own side, for each count on the other side; shape (n + 1,).
    """

    draws: int
    least: Counts

    def refutes(self, slope: float, offset: float, level: float) -> bool:
        """True if the p-value of a line is at most a level.

        Args:
            slope: a, at least 1.
            offset: b.
            level: of the test.
        """

        def largest(q: float) -> float:
            return min(1.0, slope * q + offset)

        end = (1.0 - offset) / slope if offset < 1.0 else 0.0
        marks = (end * np.linspace(0.0, 1.0, _CELLS + 1) ** 2).tolist()
        if any(self._chance(largest(q), q) > _ROOM * level for q in marks):
            return False
        cells = list(pairwise(marks))
        while cells:
            low, high = cells.pop()
            if self._chance(largest(high), low) > level:
                middle = (low + high) / 2.0
                if self._chance(largest(middle), middle) > _ROOM * level:
                    return False
                cells += [(low, middle), (middle, high)]
        return True

    def p_value(self, slope: float, offset: float, alpha: float) -> float:
        """The p-value of a line to within 0.1 percent, at most alpha if that refutes the line."""
        low, high = math.exp(-_REMOTE), 1.0
        middle = alpha
        while high > _CLOSE * low:
            refuted = self.refutes(slope, offset, middle)
            low, high = (low, middle) if refuted else (middle, high)
            middle = math.sqrt(low * high)
        return high

    def _chance(self, p: float, q: float) -> float:
        """The chance of outcomes as extreme with these chances of the event, rounded up.

        Counts so far from the mean that Bernstein's inequality leaves them nothing are left out.
        """
        mean, variance = self.draws * q, self.draws * q * (1.0 - q)
        away = _REMOTE / 3.0 + math.sqrt(_REMOTE**2 / 9.0 + 2.0 * variance * _REMOTE)
        first, last = max(0, math.floor(mean - away)), min(self.draws, math.ceil(mean + away))
        seen, wanted = np.arange(first, last + 1), self.least[first : last + 1]
        above = special.bdtrc(np.minimum(wanted, self.draws) - 1.0, self.draws, p)
        above = np.where(wanted > self.draws, 0.0, above)
        ways = self._ways[first : last + 1]
        chances = np.exp(ways + special.xlogy(seen, q) + special.xlog1py(self.draws - seen, -q))
        return float(chances @ above) * _ROUNDING + 2.0 * math.exp(-_REMOTE)

    @cached_property
    def _ways(self) -> Floats:
        """Log of the number of ways in which so many draws can show the event."""
        seen = np.arange(self.draws + 1.0)
        ways: Floats = (
            special.gammaln(self.draws + 1.0)
            - special.gammaln(seen + 1)
            - special.gammaln(self.draws - seen + 1)
        )
        return ways


_TO_CHOOSE = 1.0 / 6.0
"""Part of the scores that chooses the event and the line."""
FEWEST = 30
"""Scores of either side below which nothing is chosen."""
_THRESHOLDS = np.linspace(0.02, 0.98, 49)
"""Shares of the choosing scores below the thresholds that are tried."""
_LARGEST_ALPHA = 0.3
"""Scores of the normal law are those of this level at most: above 0."""
_BANDWIDTH = 0.4
"""Of the smoothing, on the scale of normal scores."""
_SMALLEST, _HIGHEST, _RUNGS = 1e-3, 6.0, 60
"""Levels that are tried for the choice: the lowest, the highest as a multiple of the claim's."""


@dataclass(frozen=True, slots=True)
class _Event:
    """A score at or above a threshold, or below it, and a line of the claim.

    Attributes:
        threshold: of the score.
        above: whether the event is a score of at least the threshold.
        members: whether the line promises that it is not much more frequent among members.
        place: index of the line.
    """

    threshold: float
    above: bool
    members: bool
    place: int

    def count(self, scores: Floats) -> int:
        """Scores that show it; a missing score never does."""
        return int((scores >= self.threshold if self.above else scores < self.threshold).sum())


def two_sample_bound(
    scores: Scores, couples: tuple[Codes, Codes], claim: Claim, alpha: float, rng: Generator
) -> TwoSample | None:
    """The largest level of the claim's kind that an exact two-sample test refutes.

    Args:
        scores: of all canaries.
        couples: equally many rows of members and of others, in a random order.
        claim: whose levels are tested.
        alpha: chance that a level that holds is refuted.
        rng: draws the scores that choose; unknown to the training.

    Returns:
        None where there are too few scores.
    """
    ins, outs = (rng.permutation(scores.values[rows]) for rows in couples)
    chosen = round(len(ins) * _TO_CHOOSE)
    if len(ins) < FEWEST:
        return None
    event = _best_event(ins[:chosen], outs[:chosen], claim, alpha, len(ins) - chosen)
    counts = event.count(ins[chosen:]), event.count(outs[chosen:])
    own, other = counts if event.members else counts[::-1]
    bound, p_value = _tested(own, other, len(ins) - chosen, claim, event.place, alpha)
    return TwoSample(
        bound=bound,
        p_value=p_value,
        threshold=event.threshold,
        above=event.above,
        members=counts[0],
        others=counts[1],
        draws=len(ins) - chosen,
    )


def _tested(
    own: int, other: int, draws: int, claim: Claim, place: int, alpha: float
) -> tuple[float, float]:
    """The largest level whose line an exact test refutes, or 0; the p-value of the claim."""
    score = _quantile(alpha)

    def line(level: float) -> tuple[float, float]:
        slope, offset = map(float, claim.lines(level)[place])
        return slope, offset

    def extreme(_: float, level: float) -> bool:
        return bool(own >= least_counts(draws, *line(level), score)[other])

    approximate = largest_refuted(extreme, _SMALLEST, claim.level, LARGEST_EPSILON)
    if approximate == 0.0:
        return 0.0, 1.0
    test = BinomialTest(draws, least_counts(draws, *line(approximate), score))

    def refutes(_: float, level: float) -> bool:
        return test.refutes(*line(level), alpha)

    bound = largest_refuted(refutes, _SMALLEST, claim.level, LARGEST_EPSILON)
    return bound, test.p_value(*line(claim.level), alpha)


def _quantile(alpha: float) -> float:
    return float(-special.ndtri(min(_LARGEST_ALPHA, alpha)))


def _best_event(ins: Floats, outs: Floats, claim: Claim, alpha: float, draws: int) -> _Event:
    """The event and the line that promise the largest bound on so many draws.

    Frequencies are smoothed on the scale of normal scores of the ranks: the best of many raw
    frequencies in a tail is mostly there by luck.
    """
    pooled = np.concatenate([ins, outs])
    known = np.sort(pooled[~np.isnan(pooled)])
    if not len(known):
        return _Event(0.0, True, True, 0)
    edges = np.unique(np.quantile(known, _THRESHOLDS))
    at_edges = _normal_scores(edges, known)
    ladder = np.geomspace(_SMALLEST, _HIGHEST * max(claim.level, 1.0), _RUNGS)
    quantile, spread = _quantile(alpha), 1.0 / draws + 1.0 / len(ins)
    best, found = -np.inf, _Event(float(edges[0]), True, True, 0)
    for above, members in product((True, False), repeat=2):
        here, there = (_shares(held, known, at_edges, above) for held in (ins, outs))
        own, other = (here, there) if members else (there, here)
        excess = _excess(own, other, claim, ladder, spread) - quantile
        reach = _reach(excess)
        at, place = np.unravel_index(int(reach.argmax()), reach.shape)
        if reach[at, place] > best:
            best = reach[at, place]
            found = _Event(float(edges[at]), above, members, int(place))
    return found


def _normal_scores(values: Floats, known: Floats) -> Floats:
    """Normal quantiles of the ranks of values among the known scores, in the middle of ties."""
    ranks = np.searchsorted(known, values, "left") + np.searchsorted(known, values, "right")
    return np.asarray(special.ndtri((0.5 * ranks + 0.5) / (len(known) + 1.0)))


def _shares(scores: Floats, known: Floats, edges: Floats, above: bool) -> Floats:
    """Smoothed shares of scores above edges or below them; a missing score is neither."""
    present = _normal_scores(scores[~np.isnan(scores)], known)[:, None]
    steps = (present - edges if above else edges - present) / _BANDWIDTH
    return np.asarray((special.ndtr(steps).sum(axis=0) + 0.5) / (len(scores) + 1.0))


def _excess(own: Floats, other: Floats, claim: Claim, ladder: Floats, spread: float) -> Floats:
    """The z-scores of events against lines at every level of a ladder, (levels, events, lines).

    Events have frequencies on the side that they are tested for and on the other one, shape
    (events,); `spread` adds up 1/n of the draws to come and of those that these are from.
    """
    p, q = own[:, None], other[:, None]
    scores = []
    for level in ladder.tolist():
        slope, offset = claim.lines(level).T
        error = np.sqrt((p * (1.0 - p) + slope**2 * q * (1.0 - q)) * spread)
        scores.append((p - slope * q - offset) / error)
    return np.stack(scores)


def _reach(excess: Floats) -> Floats:
    """Number of rungs of the ladder with a positive excess, with the part of the next one."""
    top = len(excess) - 1
    rungs = np.cumprod(excess > 0.0, axis=0).sum(axis=0)
    last, beyond = (
        np.take_along_axis(excess, np.clip(at, 0, top)[None], axis=0)[0]
        for at in (rungs - 1, rungs)
    )
    parts = np.clip(last / np.maximum(last - beyond, 1e-12), 0.0, 1.0)
    return np.asarray(np.where(rungs == 0, excess[0], rungs + parts))
