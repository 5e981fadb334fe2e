"""From evidence to a result."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from audit import __version__ as VERSION
from audit.betting.events import Event
from audit.betting.power import Detectable, floor_units
from audit.betting.sameness import CERTAIN, Sameness, constant, only_value, unseen
from audit.blackbox.callables import place_of
from audit.case import Case, Settings
from audit.claims import EPSILON_BOUND, Claim
from audit.neighbors import Pair, beyond_shown, shown
from audit.neighbors.difference import in_short, summary
from audit.neighbors.rows import has_records
from audit.sampling.draws import Draws
from audit.verdict.evidence import Evidence, curve_of
from audit.verdict.findings import Leak, Search, Suggestive, WorstPair, event_of
from audit.verdict.result import READ_FROM, AuditResult, Verdict

_NULL_FAILED = (
    "D against itself was refuted: the units of this audit are not independent of each other, or "
    "the auditor has a bug; verdicts on other pairs mean nothing until this is fixed"
)
_BLIND = (
    "every output was a text that never came twice, and no feature of these texts separated the "
    "datasets: return the values that the text is made of, or a part of it that can be read"
)
_UNSEEN = Detectable(math.inf, math.inf)
_CONSTANT = "every run on every dataset gave one and the same output{shown}{so}"
_SO = ", so the audit says nothing about the data: {check}"
_RARE = "; outputs that δ allows come about once in {runs:,} runs"
_FORGOTTEN = "check that the function returns its result, or that the program prints it"
_FIXED = "check that the output is computed from the data, and that no error is caught and replaced"
_ENDED_EARLY = "it ended after {made:,} of at most {most:,} runs, before its bets could decide"
_LEAST_RUNS = 8.0
"""Runs of a unit that may give several outputs: with more runs, units grow."""
_SUGGESTIVE = math.log(20.0)
"""Log e-value from which on evidence that did not suffice is reported."""


def result_of(
    case: Case,
    settings: Settings,
    draws: Draws,
    pairs: Sequence[Pair],
    evidence: Evidence,
    *,
    doubt: str = "",
    search: Search | None = None,
    effort: dict[str, int] | None = None,
    notes: Sequence[str] = (),
) -> AuditResult:
    """The result without witness, leaks' sizes and tables, which take draws of their own.

    Args:
        case: the mechanism, its claim and its data.
        settings: of the audit.
        draws: of the audit.
        pairs: of the audit.
        evidence: of the bets.
        doubt: why nothing of it may be stated, as a clause; empty if it may.
        search: effort of the search; None if there was none.
        effort: outputs by stage.
        notes: facts that a reader must know.
    """
    floor = floor_units(case.claim, settings.alpha)
    verdict, reason, wanted = _verdict(settings, draws, evidence, doubt, floor)
    blind = _blind(evidence)
    power = _UNSEEN if blind else evidence.detectable
    said = [*notes, *_ended(evidence, pairs), *[_BLIND] * blind]
    if settings.null and verdict is Verdict.VIOLATION:
        said.append(_NULL_FAILED)
    result = AuditResult(
        mechanism=case.name,
        parameters=case.parameters,
        claim=case.claim,
        relation=case.relation,
        verdict=verdict,
        reason=reason,
        levels=_levels(case.claim, evidence),
        curve=curve_of(evidence.bettor.wealths),
        estimate=evidence.estimate,
        alpha=settings.alpha,
        log_evalue=evidence.claim.best,
        samples=draws.samples,
        effort=dict(effort or {}),
        failure=draws.sampler.first,
        detectable_epsilon=power.best if power else None,
        detectable_tenth=power.tenth if power else None,
        coupled=draws.units.coupled,
        witness=None,
        pairs=(),
        search=search,
        leaks=_leaks(evidence, pairs),
        seed=settings.seed,
        version=VERSION,
        command=case.command,
        null=settings.null,
        tried=_tried(evidence, pairs),
        notes=tuple(said),
        floor=floor,
        wanted=wanted,
        max_samples=settings.max_samples,
        summary=case.summary,
        place=place_of(case.box),
        gained=-math.inf if doubt else evidence.gained,
        worst=_worst(evidence, pairs, case.claim),
        assumptions=draws.assumptions,
        suggestive=_suggestive(evidence, draws.samples),
        units=evidence.units,
        given_data=case.given_data,
        no_fractions=not evidence.fractional,
    )
    return without_statements(result) if verdict is Verdict.INCONCLUSIVE else result


def _ended(evidence: Evidence, pairs: Sequence[Pair]) -> Iterator[str]:
    """Pairs whose bets ended early, and why."""
    for index, error in evidence.bettor.left_out.items():
        yield f"bets on {pairs[index].name}, which the search made up, ended early: {error}"


def doubted(result: AuditResult, reason: str) -> AuditResult:
    """The same if nothing that was found may be stated."""
    bare = without_statements(result)
    return replace(bare, verdict=Verdict.INCONCLUSIVE, reason=reason, wanted=0, gained=-math.inf)


def without_statements(result: AuditResult) -> AuditResult:
    """The same without witness, bounds and leaks."""
    levels = dict.fromkeys(result.levels, 0.0) | {result.claim.bound: result.claim.stated(0.0)}
    bare = replace(result, witness=None, worst=None, diagnosis=None, suggestive=None)
    return replace(bare, levels=levels, curve=(), estimate=None, leaks=())


def _verdict(
    settings: Settings, draws: Draws, evidence: Evidence, doubt: str, floor: int
) -> tuple[Verdict, str, int]:
    """The verdict, the reason of an inconclusive one, and the outputs that an answer takes."""
    if doubt:
        return Verdict.INCONCLUSIVE, doubt, 0
    if evidence.refuted:
        return Verdict.VIOLATION, "", 0
    if evidence.pairs and not evidence.usable:
        return Verdict.INCONCLUSIVE, _always_failed(draws), 0
    made, budget = draws.samples, settings.max_samples
    same = [past.same for past in evidence.pairs.values()]
    if same and constant(same):
        rare = unseen(same, evidence.claim.claim)
        more = _more(CERTAIN * len(same) / rare, made, budget) if rare else 0
        return Verdict.INCONCLUSIVE, _constant(same, rare), more
    most = max((past.units for past in evidence.pairs.values()), default=0)
    if most >= floor and evidence.detectable and not math.isinf(evidence.detectable.best):
        return Verdict.NOT_REFUTED, "", 0
    more = _more(_enough(draws, evidence, floor), made, budget)
    ended = _ENDED_EARLY.format(made=made, most=budget) if more == budget else ""
    return Verdict.INCONCLUSIVE, ended, more


def _enough(draws: Draws, evidence: Evidence, floor: int) -> float:
    """Outputs with which so many units of each pair are ample."""
    least = _LEAST_RUNS if draws.units.pairs else 1.0
    per_unit = max(least, evidence.bettor.runs / max(1, evidence.units.count))
    return 4.0 * per_unit * floor * max(1, len(evidence.pairs))


def _more(enough: float, made: int, budget: int) -> int:
    """The budget if it is enough and was not spent, else more than that."""
    wanted = math.ceil(enough / 100) * 100
    return budget if wanted <= budget and made <= budget // 2 else max(wanted, 2 * budget)


def _constant(same: Sequence[Sameness], rare: float) -> str:
    """That outputs never vary, with the output if it is short.

    Args:
        same: all outputs on each pair, of which none varies.
        rare: probability of other outputs that may just not have come yet; 0 if there are none.
    """
    value = next(only_value(answer) for one in same for answer in one.answers)
    check = _FORGOTTEN if value in ("", "None") else _FIXED
    so = "" if rare and value != "None" else _SO.format(check=check)
    so += _RARE.format(runs=round(1.0 / rare)) if rare else ""
    return _CONSTANT.format(shown=f" ({value})" if value else "", so=so)


def _always_failed(draws: Draws) -> str:
    first = draws.sampler.first
    message = "" if first is None else f" ({first.kind}{first.message and ': '}{first.message})"
    return f"every run on every dataset failed in the same way{message}"


def _blind(evidence: Evidence) -> bool:
    """True if outputs could not be compared, so that nothing would have been detected."""
    return evidence.unread and not (evidence.refuted or evidence.claim.bound > 0.0)


def _levels(claim: Claim, evidence: Evidence) -> dict[str, float]:
    """Lower bounds: of the claim's own level, and of epsilon if that is another one."""
    pure = evidence.bettor.wealths.get("epsilon")
    epsilon = 0.0 if pure is None else pure.bound
    return {EPSILON_BOUND: epsilon, claim.bound: claim.stated(evidence.claim.bound)}


def _leaks(evidence: Evidence, pairs: Sequence[Pair]) -> tuple[Leak, ...]:
    """The floating-point leak, if there is one."""
    if evidence.leak is None:
        return ()
    wealth, bet = evidence.bettor.wealths["leaks"], evidence.leak.bet
    pair = pairs[bet.pair]
    event = event_of(bet, wealth.claim)
    where = f"{event.description} (on {pair.name}: {pair.difference})"
    named = Event(where, {**event.parameters, "pair": pair.name})
    return (Leak(kind="floating-point", event=named, log_evalue=wealth.best),)


def _worst(evidence: Evidence, pairs: Sequence[Pair], claim: Claim) -> WorstPair | None:
    """The pair on which the bound was earned, of a claim that was refuted."""
    if not evidence.refuted or evidence.worst is None:
        return None
    pair = pairs[evidence.worst]
    levels = _levels(claim, evidence)
    return WorstPair(
        dataset=shown(pair.dataset),
        neighbor=shown(pair.neighbor, pair.dataset),
        difference=pair.difference,
        epsilon_lower=levels[EPSILON_BOUND],
        made=beyond_shown(pair.dataset, pair.neighbor) if pair.made else None,
    )


def _suggestive(evidence: Evidence, made: int) -> Suggestive | None:
    """Evidence that grew and did not suffice, with the runs of an audit that may decide.

    Args:
        evidence: of the bets.
        made: runs so far, those of the search among them, which another audit makes again.
    """
    wealth = evidence.claim
    if wealth.refuted or wealth.best < _SUGGESTIVE:
        return None
    drawn = evidence.bettor.runs
    runs = made - drawn + 1.5 * drawn * wealth.goal / wealth.best
    digits = 10 ** max(0, math.floor(math.log10(runs)) - 1)
    return Suggestive(log_evalue=wealth.best, runs_wanted=math.ceil(runs / digits) * digits)


_SHORT = 24


def _in_short(pairs: Sequence[Pair]) -> str:
    """Names and datasets of pairs, those with the same words together: "S1 ([] and [9])"."""
    names: dict[str, list[str]] = {}
    for pair in pairs:
        names.setdefault(_datasets(pair), []).append(pair.name)
    return "; ".join(f"{', '.join(found)} ({words})" for words, found in names.items())


def _datasets(pair: Pair) -> str:
    """Both datasets if they are short, else how they differ, with the D that the search made."""
    both = [shown(data) for data in (pair.dataset, pair.neighbor)]
    if not any(isinstance(one, str) or len(f"{one}") > _SHORT for one in both):
        return " and ".join(map(str, both))
    difference = in_short(pair.difference)
    return f"{in_short(summary(pair.dataset))}, {difference}" if pair.made else difference


def _has_an_empty_one(pair: Pair) -> bool:
    return any(has_records(data) and not len(data) for data in (pair.dataset, pair.neighbor))


def _tried(evidence: Evidence, pairs: Sequence[Pair]) -> tuple[str, ...]:
    """Pairs, runs and events that were tried, in words."""
    bettor, bet = evidence.bettor, [pairs[index] for index in evidence.pairs]
    if not bet:
        return ()
    several = "s" * (len(bet) != 1)
    empty = all(pair.made and _has_an_empty_one(pair) for pair in bet)
    which = ", each with an empty one" if several else ", one of them empty"
    functions = f" and {bettor.functions:,} functions" if bettor.functions else ""
    read = f"{READ_FROM}{'; '.join(bettor.features)}" if bettor.features else ""
    return (
        f"{len(bet)} pair{several} of datasets{which * empty}: {_in_short(bet)}",
        f"{bettor.runs:,} runs to bet with",
        f"{bettor.bets:,} events{functions} that screening chose{read}"
        if bettor.bets or bettor.functions
        else "no event that showed enough, or in enough runs, to bet on",
    )
