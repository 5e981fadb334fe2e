"""What has to hold before anything that bets have won is said.

A violation, a leak or a bound rests on runs that are draws of one law, independent
of each other. None of that is taken on trust where it can be looked at:

1. runs fail as often late as early (`failure_rate`);
2. an output that never varies is the same in another process (`repetition`), and later;
3. calls of one second are no more alike than calls of two, where the time is asked for
   (`by_the_clock`);
4. what was won is won again call by call, on calls of their own (`confirm`), where one
   call gives many outputs or the black box changes with a call, and by copies that were never
   called, where it may hold noise (`by_copies`);
5. runs made one after the other are no more alike than runs made apart (`in_a_row`): else
   it says nothing either that bets did not win; nor do they come in an order that comes again
   (`in_turn`);
6. bets on a dataset against itself stay poor (`self_check`). Where they win, draws of one
   call may depend on each other, which cannot inflate what was won call by call; a violation
   stands on that where its calls show no dependence on each other (`serial`).

Behind the witness calls have to give again what they gave at first (`kept_noise`).

What then stays assumed is that calls are independent of each other given the past.
"""

from __future__ import annotations

from dataclasses import dataclass

from audit.audit_session import AuditSession
from audit.betting.confirmation.call_wealth import CallWealth
from audit.betting.confirmation.confirm import Confirmer, share_of_try
from audit.betting.confirmation.plan import BLOCK
from audit.betting.confirmation.serial import order_matters
from audit.betting.record import BettingRecord, CapitalRecord
from audit.case import Until
from audit.verdict.by_copies import by_copies
from audit.verdict.by_the_clock import by_the_clock
from audit.verdict.crowded import answers_alone, largest_calls, notes_on
from audit.verdict.kept_noise import changed_later, kept_noise
from audit.verdict.self_check import runs_wanted, self_check

_MOST_TIMES = 6
"""How many times the pairs of a refutation its confirmation may take."""
_TIMES_FOR_BOUND = 6
"""How many runs for each pair that was bet with how large a loss is may take."""
_WITHIN = (
    "the draws of one call depend on each other: bets that took them for independent won on a "
    "dataset against itself; the violation was won on whole calls, which no such dependence can "
    "inflate, and those calls showed no dependence on each other"
)
_IN_A_ROW = (
    "calls made one after the other are more alike than those made at different times: the black "
    "box keeps a part of its noise for a while (as where a seed is taken from a clock), or gives "
    "times that it measured, so that its calls are not independent draws of its law, and "
)
_LASTING = _IN_A_ROW + "what was won on them is no evidence against the claim"
_NOTHING_WON = _IN_A_ROW + "that nothing was won on them says nothing of the claim"
_IN_TURN = (
    "outputs follow each other in an order that comes again: the black box gives its noise in turn "
    "(from a table, or a generator with a short period), so that its calls are not independent "
    "draws of its law, and what was won on them is no evidence against the claim"
)
_REPEATING = (
    "calls for the same number of outputs gave the same ones again and again: the black box keeps "
    "its noise, so that its calls are not draws of its law; let it draw noise in every call"
)


@dataclass(frozen=True, slots=True)
class Checked:
    """What of the bets may be said.

    Attributes:
        doubt: why nothing may, as a clause; empty where something may.
        level: lower bound on the claim's parameter; 0 where there is doubt.
        epsilon: the same for epsilon, where the claim is of another kind.
        refuted: whether the claim is.
        leaking: whether low bits break it.
        confirmer: what won it again on fresh calls; None where single runs were enough.
        unconfirmed: whether all doubt is that the claim was not refuted again on fresh calls.
        copied: whether all of that was won by copies of the black box.
    """

    doubt: str = ""
    level: float = 0.0
    epsilon: float = 0.0
    refuted: bool = False
    leaking: bool = False
    confirmer: Confirmer | None = None
    unconfirmed: bool = False
    copied: bool = False


def checked(session: AuditSession, record: BettingRecord) -> Checked:
    """Look at everything that has to hold, the cheapest first."""
    claim = record.claim
    if doubt := changed_ways(session):
        return Checked(doubt)
    if session.settings.null:
        # Here it is the independence of draws itself that is on trial.
        return _as_bet(record)
    won = claim.level > 0.0 or claim.refuted
    if won and (doubt := kept_noise(session, record)):
        return Checked(doubt)
    if won and (doubt := by_the_clock(session, record)):
        return Checked(doubt)
    if won and record.in_turn:
        return Checked(_LASTING if record.in_a_row else _IN_TURN)
    found = _confirmed(session, record)
    if found.doubt:
        return found
    if not (found.level or found.epsilon or found.refuted):
        return Checked(_NOTHING_WON) if record.in_a_row else found
    if doubt := _dependent(session, record, found):
        return Checked(doubt)
    return found


def changed_ways(session: AuditSession) -> str:
    """What to say where runs began or ceased to fail; empty where they did not."""
    first = session.sampler.first
    if not session.sampler.rate.changed or first is None:
        return ""
    told = f": {first.message}" if first.message else ""
    return (
        "the black box changed its ways while it ran, so that its runs are not draws of one law; "
        f"the first run to fail was number {first.call:,} ({first.kind}{told})"
    )


def _as_bet(record: BettingRecord) -> Checked:
    claim, pure, leaks = record.claim, record.pure, record.leaks
    return Checked(
        level=claim.level,
        epsilon=0.0 if pure is None else pure.level,
        refuted=claim.refuted,
        leaking=leaks is not None and leaks.refuted,
    )


def _confirmed(session: AuditSession, record: BettingRecord) -> Checked:
    """What is won by copies, or on calls of their own, where that is asked for."""
    best, sampler = record.claim.best, session.sampler
    if (record.claim.level > 0.0 or record.claim.refuted) and session.may_hold_noise:
        won = by_copies(session, record)
        told = not won.doubt and record.claim.refuted
        return Checked(won.doubt, won.level, won.epsilon, told, won.leaking, copied=True)
    if best is None or not (sampler.lasting or sampler.many_on(best.pair)):
        return _as_bet(record)
    confirmer = Confirmer(
        sampler,
        session.pool,
        [session.sides(pair) for pair in session.pairs],
        share_of_try(len(session.memory.budgets)),
        session.places,
        {index: pair.commonest for index, pair in record.pairs.items()},
        session.deadline("confirmation"),
        beyond=_asked_how_bad(session),
        crowd=largest_calls(session, record),
    )
    runs = session.allotted(session.settings.max_samples).confirmation
    with session.confirmation():
        claim = _won_again(session, confirmer, record, record.claim, _for_claim(session, record))
        if confirmer.repeating and not answers_alone(session, record, confirmer.crowded):
            return Checked(_REPEATING)
        if record.claim.refuted and (claim is None or claim.level < record.claim.claim.level):
            return Checked(_unconfirmed(session, record, claim), unconfirmed=True)
        pure = _won_again(session, confirmer, record, record.pure, runs // 4)
        leaking = _if_refuted(record.leaks)
        leaks = _won_again(session, confirmer, record, leaking, runs // 4, bound=False)
    session.note(notes_on(confirmer.crowded))
    return Checked(
        level=0.0 if claim is None else claim.level,
        epsilon=0.0 if pure is None else pure.level,
        refuted=record.claim.refuted,
        leaking=leaks is not None and leaks.level >= leaks.claim.level,
        confirmer=confirmer,
    )


def _for_claim(session: AuditSession, record: BettingRecord) -> int:
    """Runs for what was won against the claim.

    Where it was refuted, all that bets left over; likewise where the black box keeps something
    from call to call, as nobody knew that before the bets.
    """
    allotted = session.allotted(session.settings.max_samples)
    runs = allotted.confirmation
    others = (record.pure is not None) + (_if_refuted(record.leaks) is not None)
    runs -= others * (runs // 4)
    if not (record.claim.refuted or session.sampler.lasting):
        return runs
    return max(runs, session.left - allotted.check - allotted.shown - others * (runs // 4))


def _asked_how_bad(session: AuditSession) -> bool:
    return session.settings.budget.rule is not Until.VIOLATION


def _if_refuted(capital: CapitalRecord | None) -> CapitalRecord | None:
    return capital if capital is not None and capital.refuted else None


def _won_again(
    session: AuditSession,
    confirmer: Confirmer,
    record: BettingRecord,
    capital: CapitalRecord | None,
    runs: int,
    bound: bool = True,
) -> CallWealth | None:
    if capital is None:
        return None
    allotted = session.allotted(session.settings.max_samples)
    kept = allotted.check + allotted.shown
    pairs = record.refuted_at or record.drawn
    most = min(max(0, session.left - kept), 2 * _most_times(session) * pairs)
    further = bound and capital.refuted and _asked_how_bad(session)
    # Those on pairs that were left for a worse one count as well.
    bet = max(record.drawn, session.effort["bets"] // 2)
    runs = min(runs, (_TIMES_FOR_BOUND if further else 2) * bet)
    return confirmer.confirmed(capital, runs, max(most, min(runs, session.left)), bound)


def _most_times(session: AuditSession) -> int:
    """The same in pairs of runs; where blocks of calls count as one, a block for each pair."""
    return _MOST_TIMES * (BLOCK if session.sampler.lasting else 1)


def _unconfirmed(session: AuditSession, record: BettingRecord, claim: CallWealth | None) -> str:
    """Why a refuted claim is not said to be."""
    if session.deadline("confirmation").met:
        return (
            "the bets won, but the time ended before fresh calls could confirm it; give more than "
            f"--max-seconds {session.settings.max_seconds:g}"
        )
    spent = 0 if claim is None else claim.calls * claim.size
    if spent < 0.9 * _most_times(session) * (record.refuted_at or record.drawn):
        return (
            "the bets won, but the budget ended before fresh calls could confirm it; give "
            f"--max-samples {2 * session.settings.max_samples} or more"
        )
    return (
        "the bets won, but not on fresh calls taken as wholes: draws of one call depend on each "
        "other, or on how many are asked for at once, so this is no evidence against the claim"
    )


def _dependent(session: AuditSession, record: BettingRecord, found: Checked) -> str:
    """What to say where bets on a dataset against itself won, or could not be made."""
    best = record.claim.best
    if best is None or None not in record.pairs[best.pair].answers:
        # What never varies, here and elsewhere, is alike to itself.
        return changed_later(session, record)
    if record.in_a_row or (found.confirmer and found.confirmer.in_a_row):
        return _LASTING
    if found.confirmer and found.confirmer.in_turn:
        return _IN_TURN
    sampler, deadline = session.sampler, session.deadline("check")
    limits = [session.allotted(budget).check for budget in session.memory.budgets]
    before = sampler.samples
    with session.stage("check"):
        sides = session.sides(session.pairs[best.pair])
        alike = self_check(record, sides, best.pair, sampler, session.pool, limits, deadline)
    wanted = runs_wanted(record.pairs[best.pair], sampler.many_on(best.pair))
    if alike and deadline.met and sampler.samples - before < min(wanted, limits[-1]) // 2:
        return (
            "the bets won, but the time ended before bets on a dataset against itself could show "
            "whether runs are independent of each other; give more than "
            f"--max-seconds {session.settings.max_seconds:g}"
        )
    if alike and not sampler.lasting:
        return ""
    orders = _orders(session, found)
    if sampler.lasting and True in orders:
        return _LASTING
    if alike:
        return ""
    if not (found.refuted and sampler.many_on(best.pair) and set(orders) == {False}):
        return _dependence(record.claim.alpha)
    session.note((_WITHIN,))
    return ""


def _dependence(alpha: float) -> str:
    """What to say where bets on a dataset against itself won, which chance lets happen too."""
    return (
        "bets on a dataset against itself won, which independent draws let happen with probability "
        f"at most {alpha:g}: those of this black box seem to depend on each other (state kept "
        "between calls, or noise shared within one call), so no bet on two datasets is evidence "
        "against the claim; --null looks at that alone"
    )


def _orders(session: AuditSession, found: Checked) -> list[bool | None]:
    """Of each try to win on calls: whether their order matters, with some made only now."""
    if found.confirmer is None:
        return []
    left = session.left - session.allotted(session.settings.max_samples).shown
    with session.stage("check"):
        paid = found.confirmer.later(max(0, left), session.case.claim.level)
    return [order_matters(payoffs, session.settings.seed) for payoffs in paid]
