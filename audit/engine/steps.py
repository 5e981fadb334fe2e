"""One audit, from a claim and a black box to a verdict: the straight line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from time import perf_counter

from audit.betting.bettor import Bettor
from audit.betting.past import PairPast
from audit.betting.power import floor_units
from audit.betting.sameness import alike_so_far, failing
from audit.betting.screening import Offer
from audit.betting.wealth import Wealth
from audit.case import Case, Settings, Until
from audit.claims import ALIKE, EPSILON_BOUND, Claim, PureDP
from audit.diagnosis.likely_cause import cause_of_leaks, diagnosed
from audit.engine.plan import Chosen, pairs_of
from audit.engine.progress import (
    Forecast,
    Pace,
    Progress,
    changed_ways,
    long_audit,
    tableless,
    time_limit,
    told_time,
    too_few_runs,
)
from audit.errors import BlackBoxError, Interrupted
from audit.neighbors import Pair
from audit.outcomes.column import one_thread
from audit.outcomes.failed_run import hopeless
from audit.progress import Finished, Subscriber, Warned
from audit.sampling.draws import Draws, draws_of
from audit.sampling.units import UnitKind
from audit.verdict.decide import doubted, result_of
from audit.verdict.evidence import Evidence, curve_wealths
from audit.verdict.fresh_units import Measured, fresh_units, tables_of
from audit.verdict.result import INTERRUPTED, AuditResult
from audit.verdict.side_channels import SHARE, leak_size, of_their_own, with_times
from audit.verdict.witness import unmeasured, witness_of

_ALONE = 4
"""One part in so many of the budget is bet on the smallest refuted pair alone."""


def audit_case(case: Case, settings: Settings) -> AuditResult:
    """Claim and black box to neighbors, units, bets, evidence, verdict.

    Raises:
        AuditError: the black box cannot be run or returns what is no output, or the store cannot
            be used.
        Interrupted: Ctrl-C, with the evidence so far.
    """
    on_event, most = settings.on_event, settings.max_samples
    needed = 2 * floor_units(case.claim, settings.alpha)
    if needed > most:
        on_event(Warned(too_few_runs(case, settings, needed)))
    timed = most // SHARE if settings.timing else 0
    settings = replace(settings, budget=replace(settings.budget, max_samples=most - timed))
    try:
        with one_thread(), draws_of(case, settings) as draws:
            pace = Pace(most, settings.max_seconds, searching=not case.box.many)
            forecast = Forecast(pace, draws.units.kind is UnitKind.LIFE, on_event)
            heard = replace(settings, on_event=forecast.heard)
            progress = Progress(heard, draws, notes=[*case.notes])
            result, pairs = _answered(case, progress)
            if settings.timing:
                result = _with_times(progress, pairs, result, timed)
    except Interrupted as interrupt:
        _finish(on_event, interrupt.result)
        raise
    _finish(on_event, result)
    return result


def _finish(on_event: Subscriber, result: AuditResult) -> None:
    on_event(Finished(result.verdict, result.samples, result.log_evalue))


def _with_times(
    progress: Progress, pairs: Sequence[Pair], result: AuditResult, runs: int
) -> AuditResult:
    """The result after bets on the time of so many runs."""
    settings, draws = progress.settings, progress.draws
    with progress.stage("bets"):
        result = with_times(draws, pairs, result, runs)
    return replace(
        result,
        samples=draws.samples,
        effort=dict(progress.effort),
        max_samples=settings.max_samples + runs,
    )


def _answered(case: Case, progress: Progress) -> tuple[AuditResult, tuple[Pair, ...]]:
    """Neighbors, bets, verdict."""
    settings, draws = progress.settings, progress.draws
    chosen = pairs_of(case, progress)
    pairs = chosen.pairs
    for index, pair in enumerate(pairs):
        draws.add_pair(index, pair)
    bettor = _bettor(case, progress, chosen)
    try:
        gained = _bet(progress, bettor, chosen.smallest) if pairs else 0.0
        evidence = Evidence.of(bettor, gained)
        if pairs and not evidence.pairs and bettor.left_out:
            raise next(iter(bettor.left_out.values()))
        return _judged(case, progress, chosen, evidence), pairs
    except KeyboardInterrupt as interrupt:
        for wealth in bettor.wealths.values():
            wealth.look()
        made = f"after {draws.samples:,}" if draws.samples else "before the first"
        note = f"{INTERRUPTED}{made} of at most {settings.max_samples:,} runs"
        evidence = Evidence.of(bettor, 0.0)
        doubt = _doubt(draws, chosen, evidence, waits=False)
        seen = "" if doubt else unmeasured(pairs, evidence)
        result = result_of(
            case,
            settings,
            draws,
            pairs,
            evidence,
            doubt=doubt,
            search=chosen.search,
            effort=progress.effort,
            notes=[*progress.notes, *filter(None, [seen]), note],
        )
        raise Interrupted(result) from interrupt


def _bettor(case: Case, progress: Progress, chosen: Chosen) -> Bettor:
    settings, count = progress.settings, len(chosen.pairs)
    against: Claim = ALIKE if settings.null else case.claim
    wealths = {"claim": Wealth.against(against, settings.alpha)}
    # Low-order bits must keep the same claim.
    wealths["leaks"] = Wealth.against(case.claim, settings.alpha, bound=False)
    if against.bound != EPSILON_BOUND:
        wealths["epsilon"] = Wealth.against(PureDP(1.0), settings.alpha)
    if not settings.null and settings.budget.rule is not Until.VIOLATION:
        wealths |= curve_wealths(settings.alpha)
    pasts = [PairPast(index) for index in range(count)]
    for index, batches in chosen.learned.items():
        for batch in batches:
            pasts[index].learn(batch)
    return Bettor(
        progress.draws.units,
        wealths,
        pasts,
        settings.budget.rule,
        progress.deadline("bets"),
        on_event=settings.on_event,
        optional=frozenset(range(len(case.pairs), count)),
        before=progress.draws.samples,
    )


def _bet(progress: Progress, bettor: Bettor, first: int | None) -> float:
    """Bet until the rule of stopping holds or the last budget is spent, and note the pace.

    The smallest pair that the search refuted is bet on alone at first, so that it is the witness if
    it can be; then all pairs are, so that the bound is that of the worst.

    Returns:
        Log of the factor that the last budget changed the wealth at the claim's level by.

    Raises:
        BlackBoxError: the first runs on every dataset all fail in the same way.
    """
    began = perf_counter()
    with progress.stage("bets"):
        bettor.prepare(progress.draws.budgets[0])
        for warning in filter(None, _warnings(progress, bettor, perf_counter() - began)):
            progress.settings.on_event(Warned(warning))
        before = _play(progress, bettor, first)
        if failing(past.same for past in bettor.pasts):
            sampler = progress.draws.sampler
            raise hopeless(sampler.box.name, sampler.first)
    seconds = (perf_counter() - began) / max(1, bettor.units)
    one_sided = any(design.share is not None for design in bettor.designs.values())
    progress.pace = 2 * seconds if one_sided else seconds
    return bettor.claim.last - before


def _play(progress: Progress, bettor: Bettor, first: int | None) -> float:
    """Bet up to all budgets in turn; the log wealth before the last of several, else 0."""
    limits, rule, before = progress.limits(len(bettor.pasts)), progress.settings.budget.rule, 0.0
    if first is not None:
        # Alone it only has to refute; the bound is earned on all pairs.
        alone = Until.VIOLATION if rule is Until.BOUND else rule
        bettor.play(limits[0] // _ALONE, {first}, alone)
    for budget, limit in zip(progress.draws.budgets, limits, strict=True):
        before = bettor.claim.last
        bettor.afford(budget)
        bettor.play(limit)
    if bettor.deadline.met and not bettor.claim.refuted:
        progress.bet_longer()
        bettor.play(limits[-1])
    return before if len(limits) > 1 else 0.0


def _warnings(progress: Progress, bettor: Bettor, seconds: float) -> Iterator[str]:
    """Warnings from pilots that took so many seconds."""
    yield long_audit(progress.draws, bettor.claim.claim, progress.settings.alpha)
    if not progress.effort["search"]:
        # Bets on outputs that never vary end after a tenth of the runs.
        ends = seconds * progress.settings.max_samples / (10 * max(1, bettor.runs))
        yield alike_so_far((past.same for past in bettor.pasts), ends)


def _judged(
    case: Case,
    progress: Progress,
    chosen: Chosen,
    evidence: Evidence,
) -> AuditResult:
    """The result, after everything that has to hold before a violation or a bound is stated."""
    settings, draws, pairs = progress.settings, progress.draws, chosen.pairs
    with progress.stage("check"):
        doubt = _doubt(draws, chosen, evidence, waits=True)
    result = result_of(
        case,
        settings,
        draws,
        pairs,
        evidence,
        doubt=doubt,
        search=chosen.search,
        notes=progress.notes,
    )
    try:
        result = _shown(case, progress, pairs, evidence, chosen.smallest, result)
    except BlackBoxError as error:
        if evidence.worst is None or evidence.worst < len(case.pairs):
            raise
        reason = f"the claim was refuted on a pair that the search made up, but then: {error}"
        result = doubted(result, reason)
    late = "" if doubt else changed_ways(draws)
    result = doubted(result, late) if late else result
    bare = tableless(result, progress) if pairs else ()
    return replace(
        result,
        samples=draws.samples,
        effort=dict(progress.effort),
        notes=(*result.notes, *told_time(draws), *bare),
        time_limit=time_limit(settings, progress.deadlines),
    )


def _doubt(draws: Draws, chosen: Chosen, evidence: Evidence, *, waits: bool) -> str:
    """Why nothing may be stated; empty if nothing speaks against it."""
    doubt = chosen.misfit or changed_ways(draws)
    return doubt or (draws.units.doubt(waits=waits) if evidence.states else "")


def _shown(
    case: Case,
    progress: Progress,
    pairs: Sequence[Pair],
    evidence: Evidence,
    first: int | None,
    result: AuditResult,
) -> AuditResult:
    """The result with witness, size of the leak and tables, from fresh units."""
    settings, draws = progress.settings, progress.draws
    measured = None
    sized = bool(result.leaks) and settings.budget.rule != "violation"
    if result.verdict == "violation":
        later = sized + 1
        result, measured = _explained(case, progress, pairs, evidence, first, result, later)
    if sized and evidence.leak is not None:
        result = _with_leak_size(case, progress, evidence, evidence.leak, result)
    result = replace(result, leaks=tuple(of_their_own(result)))
    if result.leaks and result.witness is None:
        result = replace(result, diagnosis=cause_of_leaks(result.leaks))
    if pairs:
        count = fresh_units(draws, evidence.units.count, tables=True)
        read = [(k, pairs[k]) for k in evidence.pairs if k not in evidence.bettor.left_out]
        with progress.stage("tables"):
            allowance = progress.allowance("tables")
            tables = tables_of(
                draws,
                read,
                case.pairs,
                evidence.pairs,
                measured,
                case.claim,
                settings,
                count,
                allowance,
            )
        result = replace(result, pairs=tables)
    return result


def _with_leak_size(
    case: Case, progress: Progress, evidence: Evidence, leak: Offer, result: AuditResult
) -> AuditResult:
    settings, draws, units = progress.settings, progress.draws, evidence.units.count
    allowance = progress.allowance("diagnosis", 1)
    with progress.stage("witness"):
        size = leak_size(draws, leak, case.claim, settings.alpha, units, allowance)
    return replace(result, leaks=(replace(result.leaks[0], epsilon_lower=size),))


def _explained(
    case: Case,
    progress: Progress,
    pairs: Sequence[Pair],
    evidence: Evidence,
    first: int | None,
    result: AuditResult,
    later: int,
) -> tuple[AuditResult, Measured | None]:
    """A violation with its witness and its likely cause, and what the witness was measured by."""
    named = {pair.name: pair for pair in pairs}
    if evidence.worst is not None:
        named["worst"] = pairs[evidence.worst]
    draws, alpha = progress.draws, progress.settings.alpha
    with progress.stage("witness"):
        allowance = progress.allowance("witness", later + 1)
        witness, measured = witness_of(draws, pairs, evidence, alpha, first, allowance)
        result = replace(result, witness=witness)
        allowance = progress.allowance("diagnosis", later)
        cause = diagnosed(case, draws, result, named, measured, allowance)
    return replace(result, diagnosis=cause), measured
