"""How much low bits of the outputs lose, on draws made after their event was chosen.

Bets on low bits end when they win, far below the loss. So their event is counted on fresh
runs, each of a call of its own, whose number does not depend on what they show. With
Clopper-Pearson bounds for P[E | D] from below and for P[E | D'] from above, each at alpha / 2,

    epsilon >= ln((P[E | D] - delta) / P[E | D'])

is false with probability at most alpha. An output that is no number tells nothing of low bits,
so on the other side it counts as one of the event (see `low_bit_tally`).
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from audit.audit_session import AuditSession
from audit.betting.confirmation.leading_bet import LeadingBet
from audit.betting.record import BettingRecord
from audit.blackbox.interface import starts
from audit.case import Until
from audit.claim import ApproxDP
from audit.sampling.stream import Address, Stage
from audit.verdict.fresh_draws import FEWEST, SLOW_SHARE, drawn_afresh
from audit.verdict.intervals import proportion
from audit.verdict.result import AuditResult

_MOST = 3000
"""Runs on either side: with none of the event on one of them they show an epsilon of 4.5."""


def with_size(session: AuditSession, record: BettingRecord, result: AuditResult) -> AuditResult:
    """The result whose leak of low bits states a lower bound on epsilon, where that was asked.

    None is stated of a black box that changes with a call, as its runs need not be independent,
    nor where every call for one output of many starts something up.
    """
    asked = session.settings.budget.rule is not Until.VIOLATION
    apart = not session.sampler.lasting and not starts(session.sampler.box)
    if not (result.leaks and record.leaks and asked and apart):
        return result
    bet = record.leaks.shown or record.leaks.best
    runs = _runs(session, record)
    if bet is None or runs < FEWEST:
        return result
    with session.stage("witness"):
        lower = _epsilon(session, bet, runs)
    leaks = (replace(leak, epsilon_lower=lower) for leak in result.leaks)
    return replace(result, leaks=tuple(leaks)) if lower > 0.0 else result


def _runs(session: AuditSession, record: BettingRecord) -> int:
    """On either side: few where each is slow, and half of what may still be made at most."""
    many = session.sampler.box.many
    wanted = _MOST if many else max(FEWEST, min(_MOST, record.drawn // SLOW_SHARE))
    return session.in_time("witness", min(2 * wanted, session.beside // 2)) // 2


def _epsilon(session: AuditSession, bet: LeadingBet, runs: int) -> float:
    """A lower bound at level alpha; 0 where these runs show none."""
    pair, claim = session.pairs[bet.pair], session.case.claim
    session.sampler.singly.add((Stage.LEAK, bet.pair))
    own, _ = bet.shown
    absent = np.arange(bet.binning.count) >= bet.binning.numeric
    sides = (pair.dataset, pair.neighbor) if bet.forward else (pair.neighbor, pair.dataset)
    seen = []
    for side, (data, mask) in enumerate(zip(sides, (own > 0.0, (own > 0.0) | absent), strict=True)):
        address, source = Address(Stage.LEAK, bet.pair, side), session.source(data)
        outcomes = drawn_afresh(session.sampler, address, source, runs, side)
        bins = bet.binning.code(bet.feature.read(outcomes))
        seen.append(proportion(int(mask[bins].sum()), runs, session.settings.alpha))
    p, q = seen
    delta = claim.delta_claimed if isinstance(claim, ApproxDP) else 0.0
    return max(0.0, math.log((p.low - delta) / q.high)) if p.low > delta else 0.0
