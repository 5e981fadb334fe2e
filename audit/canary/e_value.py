"""The e-value of an audit: what may be multiplied with that of later runs, whenever one stops."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from audit.canary.design import Design
from audit.canary.guesses import Guesses
from audit.canary.prefixes import Prefix
from audit.claim import Claim

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
