"""Side channels: leaks by the times of runs, and the size of a floating-point leak.

A claim broken by the times of runs is a leak, never a violation.

The size of a floating-point leak is measured on first outputs of fresh units. With
Clopper-Pearson bounds for P[E | D] from below and for P[E | D′] from above, each at alpha/2,

    epsilon >= ln((P[E | D] − delta) / P[E | D′])

is false with probability at most alpha. An output without a number has no low-order bits; on the
side that must not have the event it counts as one of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from audit.betting.bet import EventBet
from audit.betting.events import Event
from audit.betting.screening import Offer
from audit.betting.timed import bet_on_times
from audit.claims import ApproxDP, Claim
from audit.neighbors import Pair
from audit.sampling.draws import Draws
from audit.sampling.source import Stage
from audit.sampling.stopwatch import Stopwatch
from audit.verdict.findings import Leak, Times
from audit.verdict.fresh_units import FEWEST, Allowance, FreshTally, fresh_units
from audit.verdict.intervals import proportion
from audit.verdict.result import AuditResult

SHARE = 4
"""One part in so many of the budget is for timed runs."""
_MOST_PAIRS = 8
"""Pairs whose runs are timed to find the one to bet on; the first that were given or found."""

_SEEN, _LARGEST = 20.0, 20.0
"""Units are so many times e^ε, so that a loss above ε can show; a larger ε counts as this one."""


def with_times(draws: Draws, pairs: Sequence[Pair], result: AuditResult, runs: int) -> AuditResult:
    """The result with what timed runs showed; calls are assumed to be independent of each other.

    Args:
        draws: of the audit.
        pairs: of the audit.
        result: without times.
        runs: that may be made for them.
    """
    chosen = pairs[:_MOST_PAIRS]
    watches = [Stopwatch(draws.sides(pair), k, result.seed) for k, pair in enumerate(chosen)]
    found = bet_on_times(result.claim, result.alpha, watches, runs)
    if found is None:
        note = f"{runs:,} runs are too few to look at the time they take"
        return replace(result, notes=(*result.notes, note))
    draws.sampler.samples += found.made
    pair = chosen[found.pair]
    times = Times(pair=pair.name, runs=found.runs, left=found.seconds[0], right=found.seconds[1])
    if not found.leaking:
        return replace(result, times=times)
    words = f"{found.event} (on {pair.name})"
    event = Event(words, {"feature": "running time", "pair": pair.name})
    leak = Leak(kind="timing", event=event, log_evalue=found.log_wealth)
    return replace(result, times=times, leaks=(*result.leaks, leak))


def of_their_own(result: AuditResult) -> Iterator[Leak]:
    """Leaks that lose more than is shown without them; all of them if the claim stands.

    The lowest set bit of a decimal number follows its size; so it breaks a claim that the size
    breaks, and says nothing else.
    """
    for leak in result.leaks:
        size = leak.epsilon_lower
        if result.verdict != "violation" or (size is not None and size > result.epsilon_lower):
            yield leak


def leak_size(
    draws: Draws, offer: Offer, claim: Claim, alpha: float, bet: int, allowance: Allowance
) -> float | None:
    """A lower bound on epsilon at level alpha; None if too few runs are left, or none was shown.

    Args:
        draws: of the audit.
        offer: the leading event on low-order bits.
        claim: of the audit.
        alpha: chance that the bound is too large.
        bet: units that were bet on.
        allowance: outputs and time left.

    Raises:
        BlackBoxError: the black box cannot be run at all.
    """
    # A size beyond the claim is enough; all that may be drawn would take a quarter of the audit.
    enough = _SEEN * math.exp(min(claim.level, _LARGEST))
    few = max(4 * fresh_units(draws, bet, tables=True), math.ceil(enough))
    units = allowance.units(min(few, 2 * fresh_units(draws, bet)))
    if units < FEWEST or not isinstance(offer.bet, EventBet):
        return None
    tally = FreshTally(draws, [offer.bet], Stage.LEAK)
    tally.draw_up_to(units)
    own, other = (0, 1) if offer.bet.forward else (1, 0)
    counts, gain = tally.counts[0], offer.bet.gain[own]
    p = proportion(int(counts[own][gain > 0].sum()), units, alpha)
    cost = np.asarray(offer.bet.cost[other] > 0)
    q = proportion(int(counts[other][cost].sum()), units, alpha)
    delta = claim.delta_claimed if isinstance(claim, ApproxDP) else 0.0
    if p.low <= delta:
        return None
    lower = math.log((p.low - delta) / q.high)
    return lower if lower > 0.0 else None
