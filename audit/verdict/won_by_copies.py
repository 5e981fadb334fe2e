"""A refutation won again by copies of a black box, each of them one bet.

What may keep a part of its noise from call to call gives runs that are draws of its law one by
one, and not together: within one process the kept part is a number like any other. Copies that
were never called draw it anew. So each of some copies gives n outputs on D and n on D', and
counts as one call does (see `call_wealth`): the mean of what they pay is linear in them, so that
its expectation is at most 0 where the claim is kept, whatever a copy keeps from run to run, and
the wealth on independent copies reaches 1/alpha with probability at most alpha (Ville).

A copy multiplies the wealth by no more than 1 + 1/(a + b) on the line (a, b) of a claim, however
large n is. Where a claim allows much, or what breaks it is little, that takes more copies than
can be made, and nothing but their likeness is asked for (see `other_law`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from audit.audit_session import AuditSession
from audit.betting.confirmation.call_wealth import CallWealth
from audit.betting.confirmation.confirm import share_of_try
from audit.betting.confirmation.leading_bet import LeadingBet
from audit.betting.confirmation.odds_event import OddsEvent
from audit.betting.inequalities import Inequalities
from audit.betting.record import BettingRecord
from audit.sampling.batch import Sides
from audit.verdict.asked_copies import best_to_ask, copies_of, drawn_by

_MOST_COPIES, _MOST_STARTED = 512, 128
"""Copies that a refutation may be expected to take, and where each starts a program."""
_COSTS = 3.0
"""Log-wealth that typically stays behind in other stakes and events."""
_AS_MUCH_AS = 256
"""Runs of a quick black box that take as long as a copy does."""
_LARGEST = 1 << 12
"""Runs of a copy on either side at most."""
_WAVE = 0.25
"""Part of the copies that are expected to be enough, made at once."""
_LONGER = 2
"""How many times as many copies as were expected are made at most."""
_FIRST = 4
"""Number of the first copy: those before are asked whether they have the same law."""
_MOST_BETS = 3
_NOT_AGAIN = (
    "the bets won, but copies of the black box that had not been called before did not win again "
    "what was won here{within}: it may keep a part of its noise from call to call, so that its "
    "runs are not draws of its law{advice}"
)
_NO_ACCIDENT = 1e-6
_ALIKE = (
    "the bets won, but all copies of the black box that had not been called before gave the same "
    "outputs, which do vary: it has noise in store that was drawn before its first call, so that "
    "nothing tells whether it keeps a part of it from call to call; let it draw noise in every run"
)
_UNASKED = (
    "the bets won, but the black box may keep a part of its noise from call to call, and no copy "
    "of it could be made and called to see whether it does; audit it by its address, with audit "
    "python FILE.py:FUNCTION, or as a program"
)


@dataclass(frozen=True, slots=True)
class _Plan:
    """So many copies, with so many runs on either side each; none where that is out of reach."""

    copies: int = 0
    size: int = 0


def not_won_by_copies(session: AuditSession, record: BettingRecord) -> str:
    """Why a refutation may not be said of what may hold more than before its first call.

    Empty where copies won it again, or as many as could be made would not.
    """
    best = best_to_ask(session, record)
    if best is None or not record.claim.refuted:
        return ""
    with session.confirmation():
        return session.sampler.found("won by copies", lambda: _found(session, record, best))


def within_reach(session: AuditSession, record: BettingRecord) -> bool:
    """Whether copies could win again what refuted the claim, had they enough runs."""
    return record.claim.best is not None and _planned(session, record, math.inf).copies > 0


def _found(session: AuditSession, record: BettingRecord, best: LeadingBet) -> str:
    runs = session.left - session.allotted(session.settings.max_samples).shown // 2
    plan = _planned(session, record, runs)
    if not plan.copies:
        return ""
    bets, capital, asked = _bets(record, best), record.claim, copies_of(session, best, plan.size)
    share = share_of_try(len(session.memory.budgets))
    wealth = CallWealth.against(
        capital.claim, capital.claim.level, capital.alpha, share, bets, plan.size
    )
    deadline, made = session.deadline("check"), 0
    began, most = deadline.now(), min(_LONGER * plan.copies, runs // (2 * plan.size))
    firsts: list[Sides] = []
    while made < most:
        wave = min(max(1, math.ceil(_WAVE * plan.copies)), most - made)
        if not deadline.affords(wave, made, began):
            break
        given = drawn_by(session, asked, wave, _FIRST + made)
        if given is None:
            return _UNASKED
        for sides, *_ in given:
            wealth.add([bet.sums(*sides, plan.size) for bet in bets])
            _add_first(firsts, sides)
        made += wave
        if wealth.look(capital.claim.level):
            return _ALIKE if _begin_alike(session, record, best, firsts, made) else ""
    return _lost(session, made >= _LONGER * plan.copies)


def _add_first(firsts: list[Sides], sides: Sides) -> None:
    """Add the first run on either side to those that there are, if it is another one."""
    first = sides[0].take(slice(1)), sides[1].take(slice(1))
    if len(firsts) < 3 and not any(_equal(first, other) for other in firsts):
        firsts.append(first)


def _begin_alike(
    session: AuditSession, record: BettingRecord, best: LeadingBet, firsts: list[Sides], made: int
) -> bool:
    """Whether the first runs of copies are always the same, but for who is first.

    Where copies are independent the two sides of each fall into one of two cells of probability
    at most p with probability at most 2 p: into those of the first and of another one of them.
    """
    shares = record.pairs[best.pair].commonest
    likeliest = min(shares) if session.sampler.coupled else math.prod(shares)
    accident = made * min(1.0, 2.0 * likeliest) ** (made - 2)
    return len(firsts) < 3 and accident < _NO_ACCIDENT


def _equal(one: Sides, other: Sides) -> bool:
    return all(a.equals(b) for a, b in zip(one, other, strict=True))


def _lost(session: AuditSession, enough: bool) -> str:
    """What to say where copies did not win, as many of them as should have been enough or not."""
    if enough:
        return _NOT_AGAIN.format(within="", advice="; let it draw all of its noise in every run")
    settings = session.settings
    if session.deadline("check").met:
        more = f"more than --max-seconds {settings.max_seconds:g}"
        return _NOT_AGAIN.format(within=" in the time there was", advice=f"; give {more}")
    more = f"--max-samples {2 * settings.max_samples} or more"
    return _NOT_AGAIN.format(within=" with the runs that were left", advice=f"; give {more}")


def _bets(record: BettingRecord, best: LeadingBet) -> Sequence[LeadingBet]:
    """What copies are bet on: all in pairs, and on the same one."""
    others = [bet for bet in record.claim.leading if bet.pair == best.pair and bet is not best]
    chosen = [best, *others][:_MOST_BETS]
    return [bet.in_pairs if isinstance(bet, OddsEvent) else bet for bet in chosen]


def _planned(session: AuditSession, record: BettingRecord, runs: float) -> _Plan:
    """What takes least time of all that should be enough; with few runs, what takes fewest."""
    capital, best = record.claim, record.claim.best
    assert best is not None
    promised = Inequalities.at(capital.claim, capital.claim.level)
    goal = _COSTS - math.log(capital.alpha * share_of_try(len(session.memory.budgets)))
    most = _MOST_STARTED if hasattr(session.case.box, "restart") else _MOST_COPIES
    bet = _bets(record, best)[0]
    sizes = [1 << power for power in range(_LARGEST.bit_length())]
    plans = [_Plan(math.ceil(goal / _growth(bet, promised, size)), size) for size in sizes]
    possible = [plan for plan in plans if plan.copies <= most]
    if not possible:
        return _Plan()
    enough = [plan for plan in possible if 2 * plan.copies * plan.size <= runs]
    quickest = min(enough, key=lambda p: p.copies * (2 * p.size + _AS_MUCH_AS), default=None)
    return quickest or min(possible, key=lambda plan: plan.copies * plan.size)


def _growth(bet: LeadingBet, promised: Inequalities, size: int) -> float:
    """Log-wealth that a copy earns with so many runs on either side; tiny where it is none."""
    mean, variance = bet.moments(promised)
    if mean <= 0.0:
        return 1e-9
    stake = min(bet.largest_stake(promised), mean * size / max(variance, 1e-12))
    return max(1e-9, stake * mean - 0.5 * stake**2 * (variance / size + mean**2))
