"""What an audit adds to the wealth of all versions of its target together.

Once everything else is done, the bets that look best against the claim are bet again, on calls
made for this alone and taken as wholes (see `call_wealth`): with bets and stakes fixed before the
first of them, what they make of a wealth of 1 has expectation at most 1 where the claim is kept,
given all that was known. Where no bet looks promising nothing is drawn, and the wealth stays.

That calls are independent of each other is looked at here, too: what bets win on a dataset against
itself is taken off, and calls whose order matters, an output that is another one elsewhere, and
runs that begin to fail make the audit forfeit. All of this only ever takes away.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, cast

from audit.audit_session import AuditSession
from audit.betting.confirmation.call_wealth import CallWealth
from audit.betting.confirmation.calls import CallJob, plans_of
from audit.betting.confirmation.plan import Plan, Planner
from audit.betting.confirmation.serial import order_matters
from audit.betting.record import BettingRecord
from audit.errors import BlackBoxError
from audit.sampling.stream import Stage
from audit.sampling.trace import Misaligned
from audit.verdict.checks import Checked, changed_ways
from audit.verdict.kept_noise import kept_noise
from audit.verdict.result import AuditResult
from audit.verdict.self_check import bets_against_itself

FORFEITED = -math.inf
_FEWEST_CALLS = 32
"""Calls, or blocks of them, that the runs should be enough for."""
_WAVES = 8
_CHECK = 4
"""One part in so many of the runs is for bets on a dataset against itself."""


def with_gain(
    session: AuditSession, record: BettingRecord, result: AuditResult, found: Checked
) -> AuditResult:
    """The result with what it adds to the wealth of all versions.

    Args:
        session: the audit, otherwise at its end.
        record: of its bets.
        result: of the audit.
        found: what of the bets may be said.
    """
    with session.stage("together"):
        try:
            gained = _gained(session, record, found)
        except (BlackBoxError, Misaligned):
            gained = FORFEITED
    return replace(
        result, gained=gained, samples=session.sampler.samples, effort=dict(session.effort)
    )


def _gained(session: AuditSession, record: BettingRecord, found: Checked) -> float:
    """Natural log of the factor, minus infinity where it is forfeited."""
    if changed_ways(session) or (found.doubt and not found.unconfirmed):
        return FORFEITED
    if found.refuted:
        # It is said already.
        return 0.0
    before, runs = session.sampler.samples, session.settings.together
    beside = runs // _CHECK
    plan = _plan(session, record, runs - beside)
    if plan is None:
        return 0.0
    wealth = _bet(session, record, plan, before + runs - beside)
    claim = session.case.claim
    won = wealth.log_wealth(claim.level) if wealth.calls else 0.0
    if won <= 0.0:
        return won
    if kept_noise(session, record) or changed_ways(session):
        return FORFEITED
    if order_matters(wealth.payoffs(claim.level), session.settings.seed):
        return FORFEITED
    # As much as they would win with as many runs.
    return won - (_CHECK - 1) * _won_on_itself(session, record, beside)


def _plan(session: AuditSession, record: BettingRecord, runs: int) -> Plan | None:
    """Bets and sizes of calls; None where nothing looks promising."""
    planner = Planner.of(record.claim, session.sampler, 1.0, beyond=False)
    plan = planner.at(session.case.claim.level, record.claim.against)
    if plan is None:
        return None
    most = max(1, runs // (2 * _FEWEST_CALLS * plan.calls))
    plan = replace(plan, outputs=min(plan.outputs, most))
    return plan if runs >= 2 * plan.block else None


def _bet(session: AuditSession, record: BettingRecord, plan: Plan, end: int) -> CallWealth:
    """Bet these runs, or those there is time for."""
    sampler, deadline = session.sampler, session.deadline("tables")
    wealth = CallWealth.against(
        session.case.claim, plan.level, record.claim.alpha, 1.0, plan.bets, plan.block
    )
    pair, readers = plan.bets[0].pair, cast(Any, plan.bets)
    # A build of its own draws: those that go on with one audit have the same seed.
    place = len(session.memory.budgets)
    plans = plans_of(plan, session.sides(session.pairs[pair]), place, Stage.TOGETHER)
    began, blocks = deadline.now(), max(1, (end - sampler.samples) // (2 * plan.block))
    for _ in range(_WAVES):
        wave = min(math.ceil(blocks / _WAVES), (end - sampler.samples) // (2 * plan.block))
        if wave <= 0 or not deadline.affords(wave, wealth.calls, began):
            break
        jobs = (CallJob(calls, readers, False, plan.block) for calls in plans(wave))
        for done in session.pool.run(sampler, jobs):
            sampler.adopt(done.trace)
            if done.batch is not None:
                wealth.add(done.batch.counts)
    return wealth


def _won_on_itself(session: AuditSession, record: BettingRecord, runs: int) -> float:
    """Log of what bets on a dataset against itself make of a wealth of 1, at least 0."""
    best = record.claim.best
    if best is None or None not in record.pairs[best.pair].answers:
        # What never varies, here and elsewhere, is alike to itself.
        return 0.0
    sides = session.sides(session.pairs[best.pair])
    capital = bets_against_itself(record, sides, best.pair, session.sampler, session.pool, (runs,))
    return max(0.0, capital.best)
