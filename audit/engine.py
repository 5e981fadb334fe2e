"""One audit, from a claim and a black box to a verdict: the straight line."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from audit.audit_session import AuditSession
from audit.betting.capital import Capital
from audit.betting.exact.last_runs import LastRuns
from audit.betting.gambler import Gambler
from audit.betting.odds_plan import OddsPlan
from audit.betting.portfolios import Portfolios, Role
from audit.betting.power import floor_pairs
from audit.betting.record import BettingRecord
from audit.betting.schedule import FIRST, PACE, Schedule
from audit.betting.single_calls import WON_SINGLY, one_by_one, worth_single_calls
from audit.blackbox.interface import dear, starts
from audit.case import Case, Settings, Until
from audit.claim import EPSILON_BOUND, PureDP
from audit.errors import BlackBoxError, Interrupted
from audit.neighbors import Pair
from audit.neighbors.search.effort import Search
from audit.outcomes.blas_threads import in_one_thread
from audit.progress import Finished, Warned
from audit.sampling.allotment import LASTING_SHARE
from audit.sampling.pair_draws import PairDraws
from audit.sampling.repeatability import unrepeatable
from audit.sampling.store import memory_of
from audit.verdict.checks import Checked, changed_ways, checked
from audit.verdict.decide import broken_off, doubted, result_of
from audit.verdict.gain import with_gain
from audit.verdict.kept_noise import changed_from_first, changed_since, changed_unseen
from audit.verdict.leak_size import with_size
from audit.verdict.other_law import other_law
from audit.verdict.remarks import drawn_how, tableless, too_few_runs, unchanging
from audit.verdict.result import AuditResult
from audit.verdict.self_check import ALIKE
from audit.verdict.tables import tables_of
from audit.verdict.timing import SHARE, with_times
from audit.verdict.witness import witness_of

if TYPE_CHECKING:
    from audit.neighbors.search.find import Found

_SHARE_ALONE = 4
_LONGER = 3
"""How many times as many runs as the smallest pair took are bet on the worst one."""
_FIRST_STARTED = FIRST * PACE
"""Pairs of the first epoch where more outputs of a call cost next to nothing."""


@in_one_thread
def audit_case(case: Case, settings: Settings) -> AuditResult:
    """Claim and black box to neighbors, samples, bets, evidence, verdict.

    Raises:
        AuditError: the black box cannot be run or returns what is no output, or
            the store cannot be used.
        Interrupted: Ctrl-C, with the evidence so far.
    """
    try:
        result = _carried_out(case, settings)
    except Interrupted as interrupt:
        settings.on_event(_finished(interrupt.result))
        raise
    settings.on_event(_finished(result))
    return result


def _finished(result: AuditResult) -> Finished:
    return Finished(result.verdict, result.samples, result.log_evalue)


def _carried_out(case: Case, settings: Settings) -> AuditResult:
    needed = 2 * floor_pairs(case.claim, settings.alpha)
    if needed > settings.max_samples:
        settings.on_event(Warned(too_few_runs(case, settings, needed)))
    timed = settings.max_samples // SHARE if settings.timing else 0
    settings = _with_less(settings, timed)
    with memory_of(case, settings) as memory:
        session = AuditSession.of(case, settings, memory)
        with session.own_generator_set():
            return _answered(session, timed)


def _answered(session: AuditSession, timed: int) -> AuditResult:
    """Neighbors, bets, verdict; `timed` runs are left for the time that runs take."""
    found = _searched(session)
    gambler = _gambler(session)
    effort = None if found is None else _effort(session, found)
    if found is not None and not session.pairs:
        nothing = BettingRecord.of(gambler)
        return result_of(session, nothing, Checked(doubt=f"{found.misfit}"), effort)
    session.note(() if found is None else found.notes)
    try:
        _bet(session, gambler, found)
        result = _judged(session, BettingRecord.of(gambler), effort)
        return with_times(session, result, timed) if session.settings.timing else result
    except KeyboardInterrupt as interrupt:
        gambler.portfolios.look_aside()
        result = broken_off(session, BettingRecord.of(gambler), effort)
        raise Interrupted(result) from interrupt


def _with_less(settings: Settings, runs: int) -> Settings:
    """The same with so many runs less, which are for something else."""
    budget = replace(settings.budget, max_samples=settings.max_samples - runs)
    return replace(settings, budget=budget)


def _searched(session: AuditSession) -> Found | None:
    """The pairs to bet on: D against itself, those given, and what the search found."""
    case, settings = session.case, session.settings
    if settings.null:
        first = case.pairs[0]
        same = replace(first, name="D0", neighbor=first.dataset, difference="the same dataset")
        session.bet_on((same,))
        return None
    if case.domain is None and case.questions is None and not case.built:
        return None
    # The first budget decides what is searched for; a larger one goes on from there.
    budget = replace(settings.budget, max_samples=session.memory.budgets[0])
    settings = replace(settings, budget=budget)
    # What makes up datasets takes long to load, and many audits are given theirs.
    from audit.betting.search import find_pairs

    with session.stage("search"):
        found = find_pairs(case, session.memory, settings, session.deadline("search"))
    if not case.pairs and found.hopeless is not None:
        raise found.hopeless
    session.bet_on((*case.pairs, *found.pairs))
    return found


def _effort(session: AuditSession, found: Found) -> Search:
    runs = session.effort["search"]
    return Search(pairs=found.tried, shrinks=found.shrinks, samples=runs)


def _bet(session: AuditSession, gambler: Gambler, found: Found | None) -> None:
    """Bet until the claim is refuted or the last budget is spent; keep the pairs that matter."""
    start = session.sampler.samples
    limits = [start + session.allotted(budget).bets for budget in session.memory.budgets]
    with session.stage("bets"):
        if found is not None and found.refuted:
            session.bet_on(_play_alone(session, gambler, limits[0], found.worse))
        for budget, limit in zip(session.memory.budgets, limits, strict=True):
            gambler.play(limit)
            if not (gambler.portfolios.claim.refuted or session.settings.null):
                _ask_one_by_one(session, gambler, session.allotted(budget).shown // 2)


def _ask_one_by_one(session: AuditSession, gambler: Gambler, runs: int) -> None:
    """Bet on what calls for one output give, where that looks worse than calls for many did."""
    place = worth_single_calls(gambler, [session.sides(pair) for pair in session.pairs], runs)
    if place is None:
        return
    index, pair = len(session.pairs), session.pairs[place].singly()
    session.bet_singly_on(pair)
    sampler = session.sampler
    gambler.play_aside(one_by_one(sampler, index, session.sides(pair)), sampler.samples + runs)
    if gambler.portfolios.claim.refuted:
        session.note((WON_SINGLY.format(name=pair.name),))


def _play_alone(
    session: AuditSession, gambler: Gambler, limit: int, worse: bool
) -> tuple[Pair, ...]:
    """Bet on the smallest pair first, so that it is the witness if it can be.

    Only when it fails within its share of the budget do the others join; they
    catch up first. Where it does not fail, and the next one seems to lose more, bets go
    on there alone for the lower bound. Wealth and level stay the same whoever plays.

    Returns:
        The pairs that matter: those behind the first are left out if it sufficed.
    """
    first, before = len(session.case.pairs), session.sampler.samples
    gambler.restrict(first)
    gambler.play(before + (limit - before) // _SHARE_ALONE, limit)
    if gambler.portfolios.claim.refuted and first not in gambler.left_out:
        if not (worse and _asks_how_much(session)):
            return session.pairs[: first + 1]
        spent = session.sampler.samples - before
        gambler.turn_to(first + 1)
        gambler.play(min(limit, session.sampler.samples + _LONGER * spent), limit)
        if gambler.portfolios.claim.refuted:
            return session.pairs[: first + 2]
    gambler.widen()
    return session.pairs


def _asks_how_much(session: AuditSession) -> bool:
    """Whether bets go on for a lower bound, and can afford to."""
    return session.settings.budget.rule is Until.BOUND and not dear(session.sampler.box)


def _judged(session: AuditSession, record: BettingRecord, search: Search | None) -> AuditResult:
    """The result, after all that has to hold before a violation or a bound is said."""
    try:
        found = checked(session, record)
    except BlackBoxError as error:
        found = _unread(session, record, error)
    unseeded = _unseeded(session, record)
    result = result_of(session, record, found, search)
    if found.refuted:
        result = _witnessed(session, record, found, result)
    if session.settings.tables:
        with session.stage("tables"):
            result = replace(result, pairs=tables_of(session, record))
    result = with_size(session, record, result)
    if not found.doubt and (unseen := changed_unseen(session)):
        found, result = replace(found, doubt=unseen), doubted(result, unseen)
    remarks = (*tableless(session, result), *unchanging(record), *unseeded, *drawn_how(session))
    notes = (*result.notes, *remarks)
    result = replace(
        result, samples=session.sampler.samples, effort=dict(session.effort), notes=notes
    )
    if session.settings.together:
        result = with_gain(session, record, result, found)
    late = "" if found.doubt else changed_ways(session)
    return doubted(result, late) if late else result


def _witnessed(
    session: AuditSession, record: BettingRecord, found: Checked, result: AuditResult
) -> AuditResult:
    """The result with its witness."""
    asked = found.copied or session.settings.null
    if not asked and (unlike := other_law(session, record)):
        return doubted(result, unlike)
    try:
        with session.stage("witness"):
            witness = witness_of(session, record)
        changed = changed_since(session, record) or changed_from_first(session, record)
    except BlackBoxError as error:
        return doubted(result, _unread(session, record, error).doubt)
    return doubted(result, changed) if changed else replace(result, witness=witness)


def _unread(session: AuditSession, record: BettingRecord, error: BlackBoxError) -> Checked:
    """What may be said where runs on the pair that won could not be checked: nothing.

    Raises:
        BlackBoxError: somebody else than the search chose that pair.
    """
    best = record.claim.best
    if best is None or best.pair < len(session.case.pairs):
        raise error
    name = session.pairs[best.pair].name
    return Checked(doubt=f"bets on {name}, which the search made up, won, but then: {error}")


def _unseeded(session: AuditSession, record: BettingRecord) -> tuple[str, ...]:
    """What to say where the same command will not give the same numbers again."""
    pair = next((p for k, p in enumerate(session.pairs) if k not in record.left_out), None)
    if pair is None:
        return ()
    with session.stage("check"):
        note = unrepeatable(session.sampler, (pair.dataset, pair.neighbor), session.left)
    return (note,) if note else ()


def _gambler(session: AuditSession) -> Gambler:
    case, settings, alpha = session.case, session.settings, session.settings.alpha
    # A dataset against itself shows no difference at all, whatever is claimed.
    against = ALIKE if settings.null else case.claim
    # Low bits have to keep the same claim: what they show need not be the mechanism's fault,
    # but it must be more than the mechanism may show.
    capitals = {Role.CLAIM: Capital(against, alpha), Role.LEAKS: Capital(case.claim, alpha)}
    if against.bound != EPSILON_BOUND:
        capitals[Role.EPSILON] = Capital(PureDP(1.0), alpha)
    portfolios = Portfolios(capitals)
    first = _FIRST_STARTED if starts(case.box) else FIRST
    schedule = Schedule(settings.budget.rule, first, deadline=session.deadline("bets"))
    schedule.kept_if_lasting = 0.0 if settings.null else LASTING_SHARE
    last = LastRuns(session.sampler, portfolios, schedule)
    return Gambler(
        session.sampler,
        portfolios,
        [PairDraws(i, *session.sides(pair)) for i, pair in enumerate(session.pairs)],
        schedule,
        last=None if settings.null else last,
        odds=None if settings.null else OddsPlan(session.sampler, portfolios, schedule, last),
        pool=session.pool,
        holds_noise=lambda: session.may_hold_noise,
        on_event=settings.on_event,
        optional=frozenset(range(len(case.pairs), len(session.pairs))),
    )
