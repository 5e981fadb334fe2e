"""Whether the time that runs take breaks the claim: a leak, never a violation."""

from __future__ import annotations

from dataclasses import replace

from audit.audit_session import AuditSession
from audit.betting.event import Event
from audit.betting.timed import TimedRecord, bet_on_times
from audit.sampling.stopwatch import Stopwatch
from audit.verdict.leak import Leak
from audit.verdict.result import AuditResult
from audit.verdict.times import Times

SHARE = 4
"""One part in so many of the budget is for timed runs."""
_MOST_PAIRS = 8
"""Pairs whose runs are timed to find the one to bet on; the first that were given or found."""


def with_times(session: AuditSession, result: AuditResult, runs: int) -> AuditResult:
    """The result with what timed runs showed.

    Args:
        session: the audit, otherwise at its end.
        result: of the audit.
        runs: of the black box that may be made for it.
    """
    pairs = session.pairs[:_MOST_PAIRS]
    watches = [
        Stopwatch(session.sides(pair), k, session.settings.seed) for k, pair in enumerate(pairs)
    ]
    with session.stage("bets"):
        found = bet_on_times(session.case.claim, session.settings.alpha, watches, runs)
        if found is None:
            return replace(
                result,
                notes=(*result.notes, f"{runs:,} runs are too few to look at the time they take"),
            )
        session.sampler.samples += found.made
    pair = pairs[found.pair]
    times = Times(pair=pair.name, runs=found.runs, left=found.seconds[0], right=found.seconds[1])
    leaks = (_leak(found, pair.name),) if found.leaking else ()
    return replace(
        result,
        times=times,
        leaks=(*result.leaks, *leaks),
        samples=session.sampler.samples,
        effort=dict(session.effort),
    )


def _leak(found: TimedRecord, pair: str) -> Leak:
    event = Event(f"{found.event} (on {pair})", {"feature": "running time", "pair": pair})
    return Leak(kind="timing", event=event, log_evalue=found.log_wealth)
