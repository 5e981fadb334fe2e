"""Guesses: who is guessed to be in, in which order, without a look at the coins; and prefixes.

Prefixes are fixed before any coin is seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator, Philox, SeedSequence

from audit.canary.design import Assignment, Codes, Design, Flags, Scores

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
        beside = (-step,) if step == _COARSEST else (-step, step)
        for place in range(0, len(sizes), step):
            others = [place + away for away in beside if 0 <= place + away < len(sizes)]
            apart = (o in kept and abs(sizes[o] - sizes[place]) >= least for o in others)
            if sizes[place] >= least and all(apart):
                kept.add(place)
    return tuple(prefixes[-1 - place] for place in sorted(kept, reverse=True))


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


_ORDER, _MATCHING = 1, 2


def guesses_from(scores: Scores, design: Design, seed: int) -> Guesses:
    """Guess every coin for which there is a score, open the guesses, most confident first.

    The seed is that of the permutation that breaks ties, and of the one that matches fixed halves;
    neither looks at scores, which are checked against the design (`screen`).
    """
    ties = stream(seed, _ORDER).permutation(len(scores))
    if design.assignment is not Assignment.COIN:
        return _compared(scores, ties, couples_of(scores, design.assignment, seed))
    if scores.guessed:
        return _given(scores, design, ties)
    return _ranked(scores, design.probability, ties)


def stream(seed: int, stage: int) -> Generator:
    return Generator(Philox(SeedSequence(seed, spawn_key=(stage,))))


def _given(scores: Scores, design: Design, ties: Codes) -> Guesses:
    """Somebody else's guesses about coins, in the order of the permutation."""
    order = np.argsort(ties)
    values, members = scores.values[order], scores.members[order]
    ins, outs = members[values > 0], ~members[values < 0]
    if design.probability != 0.5:
        return Guesses(ins=ins, outs=outs)
    made = values != 0
    right = (values > 0) == members
    return Guesses(ins=right[made], outs=np.empty(0, dtype=bool), sided=False)


def _ranked(scores: Scores, probability: float, ties: Codes) -> Guesses:
    """Within each run, "in" for the highest scores and "out" for the rest.

    A guess is the more confident, the farther its rank is from where the two
    sides meet, relative to the size of its side; runs are put together by that.
    """
    ins, outs = [], []
    for rows in scores.rows_by_run():
        ranked = rows[np.lexsort((ties[rows], scores.values[rows]))]
        ranked = ranked[~np.isnan(scores.values[ranked])]
        cut = len(ranked) - round(len(ranked) * probability)
        ins.append(ranked[cut:][::-1])
        outs.append(ranked[:cut])
    members = scores.members
    return Guesses(ins=members[_opened(ins, ties)], outs=~members[_opened(outs, ties)])


def _opened(runs: list[Codes], ties: Codes) -> Codes:
    """Rows of all runs by how far down their run's side they stand."""
    depths = np.concatenate([np.arange(len(rows)) / max(len(rows), 1) for rows in runs])
    every = np.concatenate(runs)
    return every[np.lexsort((ties[every], depths))]


def _compared(scores: Scores, ties: Codes, couples: tuple[Codes, Codes]) -> Guesses:
    """The member of each couple is guessed to be the one with the higher score.

    Two equal guesses of somebody else choose neither; equal scores choose by the permutation.
    """
    members, others = couples
    with np.errstate(invalid="ignore"):
        lead = scores.values[members] - scores.values[others]
    lead[scores.values[members] == scores.values[others]] = 0.0  # infinities included
    right = np.where(lead == 0.0, ties[members] < ties[others], lead > 0.0)
    known = np.flatnonzero(~(np.isnan(lead) | ((lead == 0.0) & scores.guessed)))
    # Of the two ties, the smaller: it says nothing about which of the two is the member.
    neutral = np.minimum(ties[members], ties[others])
    order = known[np.lexsort((neutral[known], -np.abs(lead[known])))]
    return Guesses(ins=right[order], outs=np.empty(0, dtype=bool), sided=False)


def couples_of(
    scores: Scores, assignment: Assignment, seed: int, stage: int = _MATCHING
) -> tuple[Codes, Codes]:
    """Rows of members and of the others they are compared with, shape (couples,) each.

    Args:
        scores: checked against the design.
        assignment: pairs are compared with each other; all others at random within a run.
        seed: of the matching. Scores that know it know who is compared with whom, and which
            members are then right depends on each other; so it must be unknown to the training.
        stage: of the stream of random numbers.
    """
    if assignment is Assignment.PAIRS:
        assert scores.pairs is not None
        order = np.lexsort((~scores.members, scores.pairs, scores.runs))
        return order[::2], order[1::2]
    rng = stream(seed, stage)
    shuffled = rng.permutation(len(scores))
    ins, outs = [], []
    for run in range(len(scores.run_names)):
        own = shuffled[scores.runs[shuffled] == run]
        members, others = own[scores.members[own]], own[~scores.members[own]]
        count = min(len(members), len(others))
        ins.append(members[:count])
        outs.append(others[:count])
    return np.concatenate(ins), np.concatenate(outs)


BOTH_SIDES, IN_ALONE, ALL_GUESSES = "both sides", "in alone", "all guesses"

_BOTH_SHARE, _IN_SHARE = 0.9, 0.1
"""Parts of alpha: leaks that show members only are looked for at little cost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy:
    """Prefixes of the guesses, all of them tested together by one exact boundary.

    Attributes:
        name: in words.
        share: its part of alpha.
        kappa: part of delta that its guesses can cost: 1, or the probability
            of "in" where only "in" is guessed.
        prefixes: from the shortest to the longest.
    """

    name: str
    share: float
    kappa: float
    prefixes: tuple[Prefix, ...]


def strategies_for(guesses: Guesses, probability: float, *, given: bool) -> tuple[Strategy, ...]:
    """The strategies for some guesses; none where there are none.

    Which strategies there are follows from how the canaries were assigned and from who guessed,
    never from the output. Guesses that somebody else made have all one confidence: then there is
    one prefix, which holds them all.
    """
    ins, outs = len(guesses.ins), len(guesses.outs)
    if not len(guesses):
        return ()
    whole = (Prefix(ins, outs),) if given else prefixes_of(ins, outs)
    if given or not guesses.sided:
        return (Strategy(name=ALL_GUESSES, share=1.0, kappa=1.0, prefixes=whole),)
    alone = prefixes_of(ins, 0) if ins else ()
    return (
        Strategy(name=BOTH_SIDES, share=_BOTH_SHARE, kappa=1.0, prefixes=whole),
        Strategy(name=IN_ALONE, share=_IN_SHARE, kappa=probability, prefixes=alone),
    )


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
