"""Scores of members against those of the others, if canaries are independent.

Assumed, and tested by nobody: the scores of members are independent draws from one law, and those
of the others from another one. If each canary is put in by its coin, these laws are outputs of
the mechanism on neighboring datasets, so that every line (a, b) of the claim promises
P[E] <= a P'[E] + b for every event E, in both orders.

A part of the scores, drawn at random, chooses one event, a score above or below a threshold, and
one line of the claim. An exact test of two binomials (see `binomial_test`) on the other scores
gives a lower bound on the level, which is wrong with probability at most alpha.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.random import Generator

from audit.canary.binomial_test import BinomialTest, least_counts
from audit.canary.prefixes import largest_refuted
from audit.canary.result import TwoSample
from audit.canary.scores import Codes, Floats, Scores
from audit.claims import LARGEST_EPSILON, Claim
from audit.lazy_modules import special

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
    return TwoSample(
        bound=_bound(own, other, len(ins) - chosen, claim, event.place, alpha),
        threshold=event.threshold,
        above=event.above,
        members=counts[0],
        others=counts[1],
        draws=len(ins) - chosen,
    )


def _bound(own: int, other: int, draws: int, claim: Claim, place: int, alpha: float) -> float:
    """The largest level whose line an exact test refutes; 0 where there is none."""
    score = _quantile(alpha)

    def line(level: float) -> tuple[float, float]:
        slope, offset = map(float, claim.lines(level)[place])
        return slope, offset

    def extreme(_: float, level: float) -> bool:
        return bool(own >= least_counts(draws, *line(level), score)[other])

    approximate = largest_refuted(extreme, _SMALLEST, claim.level, LARGEST_EPSILON)
    if approximate == 0.0:
        return 0.0
    test = BinomialTest(draws, least_counts(draws, *line(approximate), score))

    def refutes(_: float, level: float) -> bool:
        return test.refutes(*line(level), alpha)

    return largest_refuted(refutes, _SMALLEST, claim.level, LARGEST_EPSILON)


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
    """The z-scores of events against lines at every level of a ladder.

    Args:
        own: frequencies of the events on the side that they are tested for, shape (events,).
        other: on the other side.
        claim: its lines.
        ladder: levels.
        spread: 1/n of the draws to come and of those that the frequencies are from, added up.

    Returns:
        Shape (levels, events, lines).
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
