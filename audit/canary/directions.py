"""Guesses in both directions: higher scores speak for "in", or lower ones do.

A score with the wrong sign separates members as well as one with the right sign. So guesses are
made in either direction, and the level is divided: both tests hold together with probability at
least 1 - alpha (Bonferroni), and the larger of the two bounds is a bound.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from audit.canary.bench import Bench
from audit.canary.design import Design
from audit.canary.guesses import Guesses, Prefix, prefixes_of
from audit.canary.guessing import guesses_from
from audit.canary.scores import Scores
from audit.claims import Claim

_STATED, _REVERSED = 0.8, 0.2
"""Parts of alpha for the direction that the caller states, and for the other one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Direction:
    """Guesses in one direction, and their tests at a part of alpha.

    Attributes:
        guesses: opened.
        bench: of the tests.
        share: its part of alpha.
        reverse: whether it is the direction that the caller does not state.
    """

    guesses: Guesses
    bench: Bench
    share: float
    reverse: bool

    def bound(self, claim: Claim) -> float:
        """The largest level of the claim's kind such that it and all below are refuted."""
        return self.bench.bound(claim, self.guesses)

    def p_value(self, claim: Claim) -> float | None:
        """Of the claim, before it is divided by the share; None where it is tested at alpha."""
        return self.bench.p_value(claim, self.guesses)

    def log_e_value(self, claim: Claim) -> float:
        """Natural log of the e-value against the claim."""
        if not len(self.guesses):
            return 0.0
        bench, ins, outs = self.bench, len(self.guesses.ins), len(self.guesses.outs)
        prefixes = (Prefix(ins, outs),) if bench.given else prefixes_of(ins, outs)
        design, canaries = bench.design, bench.canaries
        return log_e_value(claim, self.guesses, design, canaries, prefixes, bench.alpha)


def directions_of(
    scores: Scores, design: Design, canaries: int, alpha: float, seed: int
) -> tuple[Direction, Direction]:
    """The direction that the caller states, and the other one.

    Args:
        scores: checked against the design (`screening`).
        design: of the coins.
        canaries: coins in all.
        alpha: level of both directions together.
        seed: of the permutation that breaks ties and of the matching.
    """
    both = ((scores, _STATED), (replace(scores, values=-scores.values), _REVERSED))
    stated, other = (
        Direction(
            guesses=guesses_from(held, design, seed),
            bench=Bench(
                design=design, canaries=canaries, alpha=alpha * share, given=scores.guessed
            ),
            share=share,
            reverse=held is not scores,
        )
        for held, share in both
    )
    return stated, other


def largest_bound(directions: tuple[Direction, ...], claim: Claim) -> tuple[float, Direction]:
    """The largest bound of all directions, and the first direction that has it."""
    bounds = [direction.bound(claim) for direction in directions]
    best = int(np.argmax(bounds))
    return bounds[best], directions[best]


def smallest_p_value(directions: tuple[Direction, ...], claim: Claim) -> float | None:
    """A p-value of the claim: the smallest of all directions, each divided by its share."""
    found = [(direction.p_value(claim), direction.share) for direction in directions]
    divided = [p / share for p, share in found if p is not None]
    return min(1.0, *divided) if divided else None


def mixed_log_e_value(directions: tuple[Direction, ...], claim: Claim) -> float:
    """Natural log of the weighted mean of the e-values of all directions."""
    logs = [direction.log_e_value(claim) + math.log(direction.share) for direction in directions]
    return float(np.logaddexp.reduce(logs))


_PARTS = (0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.95)
"""Stakes, as parts of all that one can lose on one guess."""


def log_e_value(
    claim: Claim,
    guesses: Guesses,
    design: Design,
    canaries: int,
    prefixes: tuple[Prefix, ...],
    alpha: float,
) -> float:
    """Natural log of the wealth of gamblers who bet that guesses are right, at the claim.

    A gambler stakes a part s of the wealth on each guess: it grows by the
    factor 1 + s (1/q - 1) where the guess is right and 1 - s where it is wrong.
    If guesses are right with probability at most q whatever was opened before,
    this is a nonnegative supermartingale, and so is the average over stakes and
    over prefixes at which to stop; its mean is at most 1. With a delta, let G
    be the event that no guess was right by way of it: P[not G] <= (1 - q) m
    delta (see `excess`), so the mean of min(wealth, 1/alpha) is at most 1 +
    (1 - q) m delta / alpha, by which it is divided. A claim of several lines
    has the average over them.

    Args:
        claim: its lines are bet against.
        guesses: opened.
        design: of the coins.
        canaries: coins in all.
        prefixes: at which gamblers stop.
        alpha: wealth above 1/alpha counts as 1/alpha where there is a delta.
    """
    found = [
        _log_against(math.log(slope), float(offset), guesses, design, canaries, prefixes, alpha)
        for slope, offset in claim.lines(claim.level)
        if offset < 1.0
    ]
    return _log_mean(found)


def _log_against(
    epsilon: float,
    delta: float,
    guesses: Guesses,
    design: Design,
    canaries: int,
    prefixes: tuple[Prefix, ...],
    alpha: float,
) -> float:
    rates = design.rates(epsilon)
    wealth = _log_mean(list(_log_wealths(guesses, rates, prefixes)))
    if delta == 0.0:
        return wealth
    excess = (1.0 - min(rates)) * canaries * design.delta(epsilon, delta)
    return min(wealth, -math.log(alpha)) - math.log1p(excess / alpha)


def _log_wealths(
    guesses: Guesses, rates: tuple[float, float], prefixes: tuple[Prefix, ...]
) -> Iterator[float]:
    for prefix in prefixes:
        sides = (
            (int(guesses.ins[: prefix.ins].sum()), prefix.ins, rates[0]),
            (int(guesses.outs[: prefix.outs].sum()), prefix.outs, rates[1]),
        )
        for part in _PARTS:
            yield sum(
                right * math.log1p(part * (1.0 / rate - 1.0)) + (size - right) * math.log1p(-part)
                for right, size, rate in sides
            )


def _log_mean(logs: list[float]) -> float:
    """ln of the mean of e^x; of no numbers 0, a wealth never bet."""
    if not logs:
        return 0.0
    return float(np.logaddexp.reduce(logs)) - math.log(len(logs))
