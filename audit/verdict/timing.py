"""Timing side channel: a claim broken by the times of runs is a leak, never a violation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from audit.betting.events import Event
from audit.betting.timed import TimedRecord, bet_on_times
from audit.case import Settings
from audit.claims import Claim
from audit.neighbors import Pair
from audit.sampling.draws import Draws
from audit.sampling.stopwatch import Stopwatch
from audit.verdict.leak import Leak, Times
from audit.verdict.result import AuditResult

SHARE = 4
"""One part in so many of the budget is for timed runs."""
_MOST_PAIRS = 8
"""Pairs whose runs are timed to find the one to bet on; the first that were given or found."""


def with_times(
    draws: Draws,
    pairs: Sequence[Pair],
    claim: Claim,
    settings: Settings,
    result: AuditResult,
    runs: int,
) -> AuditResult:
    """The result with what timed runs showed; calls are assumed to be independent of each other.

    Args:
        draws: of the audit.
        pairs: of the audit.
        claim: of the audit.
        settings: of the audit.
        result: of the audit.
        runs: that may be made for it.
    """
    chosen = pairs[:_MOST_PAIRS]
    watches = [Stopwatch(draws.sides(pair), k, settings.seed) for k, pair in enumerate(chosen)]
    found = bet_on_times(claim, settings.alpha, watches, runs)
    if found is None:
        note = f"{runs:,} runs are too few to look at the time they take"
        return replace(result, notes=(*result.notes, note))
    draws.sampler.samples += found.made
    pair = chosen[found.pair]
    times = Times(pair=pair.name, runs=found.runs, left=found.seconds[0], right=found.seconds[1])
    leaks = (_leak(found, pair.name),) if found.leaking else ()
    return replace(result, times=times, leaks=(*result.leaks, *leaks))


def _leak(found: TimedRecord, pair: str) -> Leak:
    event = Event(f"{found.event} (on {pair})", {"feature": "running time", "pair": pair})
    return Leak(kind="timing", event=event, log_evalue=found.log_wealth)
