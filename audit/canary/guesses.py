"""Designs of canaries, guesses with prefixes fixed before any coin is seen, and their laws.

How members were chosen is declared by the user, never inferred.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from audit.relation import Relation


class Assignment(StrEnum):
    """The three ways that have a guarantee.

    COIN: each canary is put in by a coin of its own.
    PAIRS: of the two canaries of each pair, a fair coin puts one in.
    HALVES: a fixed number of canaries, drawn uniformly at random, is put in.
    """

    COIN = "coin"
    PAIRS = "pairs"
    HALVES = "halves"


_ONE_STEP = (Relation.SUBSTITUTE, Relation.DECLARED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """Coins of a design, and the distance between their two sides.

    A canary that is put in or left out makes two neighboring datasets: by
    adding or removing it, or by substituting it where something else stands in
    its place. Where one of two canaries is put in, the two datasets differ by
    one substitution: by an addition and a removal.

    Attributes:
        assignment: who is put in.
        probability: of being put in, for coins; 0.5 for pairs and halves.
        relation: of the claim.
    """

    assignment: Assignment = Assignment.COIN
    probability: float = 0.5
    relation: Relation = Relation.ADD_REMOVE

    @property
    def steps(self) -> int:
        """Number of steps between neighboring datasets from one side of a coin to the other."""
        coin = self.assignment is Assignment.COIN
        return 1 if coin or self.relation in _ONE_STEP else 2

    @property
    def coins(self) -> str:
        """Things that one coin decides about, in words."""
        return "canaries" if self.assignment is Assignment.COIN else "pairs of canaries"

    @property
    def larger_odds(self) -> float:
        """Odds of the likelier side of a coin."""
        return max(self.probability, 1.0 - self.probability) / min(
            self.probability, 1.0 - self.probability
        )

    def rates(self, epsilon: float) -> tuple[float, float]:
        """The largest probability of a right guess "in", and of a right guess "out".

        For a pure claim, whatever the output and the other coins. By Bayes'
        rule the posterior odds are at most e^epsilon times those of the coin
        (arXiv 2305.08846, Proposition 5.1 for fair coins), e^(2 epsilon) where
        two neighboring datasets in a row lead from one side to the other.
        """
        odds = math.log(self.probability / (1.0 - self.probability))
        loss = self.steps * epsilon
        return _logistic(loss + odds), _logistic(loss - odds)

    def delta(self, epsilon: float, delta: float) -> float:
        """The delta between the two sides of a coin: (1 + e^epsilon) delta for two steps.

        Group privacy: P <= e^epsilon (e^epsilon P'' + delta) + delta.
        """
        return delta if self.steps == 1 else min(1.0, (1.0 + math.exp(epsilon)) * delta)


def _logistic(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-x)) if x >= 0 else math.exp(x) / (1.0 + math.exp(x))


_FEWEST = 8
"""No prefix is shorter: so few right guesses could refute nothing worth refuting."""

_STEP = 0.5**0.25
"""Each prefix is this part of the next: finer ones are hardly apart, coarser ones miss the best."""
SPARSE_STEP = 1.0 / 3.0
"""The same where prefixes share alpha instead of one boundary, so that there are fewer."""


@dataclass(frozen=True, slots=True)
class Prefix:
    """The most confident guesses of either side.

    Attributes:
        ins: how many of the guesses "in" it holds.
        outs: how many of the guesses "out".
    """

    ins: int
    outs: int

    @property
    def size(self) -> int:
        """All guesses of the prefix."""
        return self.ins + self.outs


def prefixes_of(ins: int, outs: int, step: float = _STEP) -> tuple[Prefix, ...]:
    """All of the guesses, 84 percent of them, 71, 59, half, and so on, down to eight.

    Args:
        ins: guesses "in", at least 0.
        outs: guesses "out", at least 0; one guess in all at least.

    Returns:
        From the shortest to the whole, each holding all that is in those before.
    """
    count = math.floor(math.log(max((ins + outs) / _FEWEST, 1.0)) / -math.log(step) + 1e-9)
    shares = (step**place for place in range(count, -1, -1))
    return tuple(dict.fromkeys(Prefix(math.ceil(ins * s), math.ceil(outs * s)) for s in shares))


def blocks_of(prefixes: tuple[Prefix, ...]) -> tuple[Prefix, ...]:
    """Guesses that each prefix adds to the one before."""
    both = zip(prefixes, (Prefix(0, 0), *prefixes), strict=False)
    return tuple(Prefix(p.ins - shorter.ins, p.outs - shorter.outs) for p, shorter in both)


_COARSEST = 4
"""Of the prefixes, each fourth from the whole on halves the one before."""


def spaced(prefixes: tuple[Prefix, ...], least: int) -> tuple[Prefix, ...]:
    """Those prefixes between which no block is shorter than `least`, the first included.

    Each fourth is kept while blocks are long enough, then each second between two that are kept,
    then each between two of these. All conditions are on sizes of given neighbors, so a smaller
    least block keeps all that a larger one does.
    """
    sizes = [prefix.size for prefix in reversed(prefixes)]
    kept: set[int] = set()
    for step in (_COARSEST, _COARSEST // 2, 1):
        coarsest = step == _COARSEST
        for place in range(0 if coarsest else step, len(sizes), step if coarsest else 2 * step):
            shorter, longer = place + step, place - step
            bare = coarsest or shorter >= len(sizes)
            first = sizes[place] - (0 if bare else sizes[shorter]) >= least
            second = not place or (longer in kept and sizes[longer] - sizes[place] >= least)
            if first and second and (bare or shorter in kept):
                kept.add(place)
    return tuple(prefixes[-1 - place] for place in sorted(kept, reverse=True))


Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Guesses:
    """One guess for each coin, the most confident first, opened.

    Attributes:
        ins: for guesses "in", whether each is right; where sides do not
            matter, for all guesses.
        outs: for guesses "out"; empty where sides do not matter.
        sided: whether a prefix takes of either side what fits the coins: not
            for pairs, and not where somebody else guessed fair coins.
    """

    ins: Flags
    outs: Flags
    sided: bool = True

    def __len__(self) -> int:
        return len(self.ins) + len(self.outs)

    def right(self, prefix: Prefix) -> int:
        """Number of right guesses of a prefix."""
        return int(self.ins[: prefix.ins].sum()) + int(self.outs[: prefix.outs].sum())

    def perfect(self) -> Guesses:
        """As many guesses, all of them right."""
        return replace(self, ins=np.ones_like(self.ins), outs=np.ones_like(self.outs))


@dataclass(frozen=True, slots=True, kw_only=True)
class GuessTest:
    """A test of guesses about so many coins in all, also of those that nobody guessed."""

    guesses: Guesses
    design: Design
    canaries: int
    alpha: float


_CLOSE = 5e-4
"""Steps are halved until they are shorter; the last that failed was at most twice as long."""
_FIRST_STEP = 0.5


def largest_refuted(
    refutes: Callable[[float, float], bool], start: float, target: float, limit: float
) -> float:
    """The end of the levels from `start` on that are all refuted, short by at most 0.001.

    A bound found so is wrong with probability at most alpha: if the claim holds
    at a level between `start` and the bound, that level was refuted although it
    holds; if it holds at one below `start`, `start` was, where it holds as well.

    Args:
        refutes: whether every level of an interval is refuted; gives False
            rather than be wrong, above all for wide intervals.
        start: the first level, chosen without the data; if it is not refuted, the end is 0.
        target: a level worth meeting exactly: that of the claim.
        limit: no level beyond is looked at.
    """
    if not refutes(start, start):
        return 0.0
    reached, step = start, _FIRST_STEP
    while step >= _CLOSE and reached < limit:
        end = min(reached + step, limit)
        if reached < target < end:
            end = target
        if refutes(reached, end):
            reached, step = end, 2.0 * step
        else:
            step /= 2.0
    return reached


Floats = NDArray[np.float64]

LOST = 4e-40
"""At most this much lies outside of a window, on both sides of both binomials."""

_LOG_LOST = -math.log(LOST / 8.0)
_NEGLIGIBLE = 110.0
"""Ends of a window whose numbers are e^-110 times as likely as the likeliest are cut off."""


@dataclass(frozen=True, slots=True)
class Law:
    """Law of the number of right guesses among independent ones.

    Attributes:
        low: the smallest number in the window.
        mass: probability of low, low + 1, ..., shape (window,).
    """

    low: int
    mass: Floats

    @property
    def high(self) -> int:
        """The largest number in the window."""
        return self.low + len(self.mass) - 1

    def tails(self) -> Floats:
        """At least P[X >= low], P[X >= low + 1], ..., each by at most `LOST` too large."""
        return np.minimum(self.mass[::-1].cumsum()[::-1] + LOST, 1.0)

    def tail(self, count: int) -> float:
        """At least P[X >= count]."""
        if count <= self.low:
            return 1.0
        return LOST if count > self.high else float(self.tails()[count - self.low])

    def critical(self, level: float) -> int:
        """The smallest count whose `tail` is at most the level; high + 1 where none is."""
        below = self.tails() <= level
        return self.low + (int(below.argmax()) if below.any() else len(below))


@lru_cache(maxsize=512)
def law_of(ins: int, outs: int, rate_in: float, rate_out: float) -> Law:
    """The law of the sum of two independent binomials.

    The window is that of Bernstein's inequality: a sum of independent
    indicators with variance v is farther than t from its mean, on one side,
    with probability at most exp(-t² / (2 (v + t/3))).

    Args:
        ins: guesses that are right with probability `rate_in`.
        outs: guesses that are right with probability `rate_out`.
        rate_in: in (0, 1]; the chance at a large epsilon may be no float below 1.
        rate_out: in (0, 1].
    """
    if rate_in == rate_out:
        return _binomial(ins + outs, rate_in)
    left, right = _binomial(ins, rate_in), _binomial(outs, rate_out)
    return Law(left.low + right.low, np.convolve(left.mass, right.mass))


def _binomial(count: int, rate: float) -> Law:
    """Probabilities from the ratios of neighbors: b (k - b) / (b + 1) apart, then normalized."""
    if rate >= 1.0:
        return Law(count, np.ones(1))
    mean, third = count * rate, _LOG_LOST / 3.0
    # The t of Bernstein's inequality at which an eighth of `LOST` is left on one side.
    reach = third + math.sqrt(third**2 + 2.0 * _LOG_LOST * mean * (1.0 - rate))
    low, high = max(0, math.floor(mean - reach)), min(count, math.ceil(mean + reach))
    right = np.arange(low, high)
    odds = math.log(rate) - math.log1p(-rate)
    logs = np.append(0.0, np.cumsum(np.log((count - right) / (right + 1.0)) + odds))
    kept = np.flatnonzero(logs >= logs.max() - _NEGLIGIBLE)
    mass = np.exp(logs[kept[0] : kept[-1] + 1] - logs.max())
    return Law(low + int(kept[0]), mass / mass.sum())
