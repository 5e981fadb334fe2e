"""The short answer of an audit: the verdict first, then what shows it and what to do."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator

from audit.neighbors.rows import USERS_REPEAT
from audit.neighbors.search.search_result import DERIVED
from audit.outcomes.outcomes import KIND
from audit.outcomes.part_words import failure
from audit.report import loss, sentences
from audit.report.causes import channel, short_cause
from audit.report.counterexample import example, worst
from audit.report.document import Answer, Fact
from audit.report.formatting import clip, count
from audit.report.loss import Interface
from audit.sampling.draws import INDEPENDENT_CALLS
from audit.sampling.ledger_entry import Together
from audit.sampling.units import UnitKind
from audit.verdict.findings import Leak
from audit.verdict.result import INTERRUPTED, READ_FROM, AuditResult, Verdict

WORDS = {
    Verdict.VIOLATION: "FAIL",
    Verdict.NOT_REFUTED: "NOT REFUTED",
    Verdict.INCONCLUSIVE: "INCONCLUSIVE",
}
"""The first word of every answer."""
_LEAKS = ("low-entropy-floats", "timing")
"""Causes of leaks, each of which has a line of its own."""
_LONGEST_DOMAIN = 150
"""Of the note that names a derived domain: two lines."""


def answer_of(result: AuditResult, interface: Interface | None = None) -> Answer:
    """The short answer; advice is worded for an interface, by default that of the command."""
    interface = interface or Interface.of(result.command)
    return Answer(
        verdict=result.verdict,
        word=WORDS[result.verdict],
        title=title(result),
        stated=(*_noted(result, INTERRUPTED), *_measurements(result, interface)),
        decision="" if result.null else decision(result.verdict, result.leaks, _undecided(result)),
        example=None if result.witness is None else example(result.witness, result),
        worst=worst(result),
        tried=_tried(result),
        facts=tuple(fact for fact in _facts(result, interface) if fact.text),
        runs=_runs(result),
        details=f"Details: {interface.details}",
        command=result.command,
        short=short(result),
        notes=tuple(_notes(result, interface)),
    )


def title(result: AuditResult) -> str:
    """The mechanism and what became of its claim."""
    name = sentences.named(result)
    if result.null:
        shown = "shows a difference" if result.verdict is Verdict.VIOLATION else "no difference"
        return f"{name}: D against itself: {shown}"
    if result.verdict is Verdict.INCONCLUSIVE:
        return f"{name}: no answer about {result.claim}"
    if result.verdict is Verdict.NOT_REFUTED:
        return f"{name}: no violation of {result.claim} was found"
    if (together := result.by_versions) is not None:
        since = f"since audit {count(together.since)}"
        return f"some version of {name} {since} {loss.broken(result.claim)}"
    return f"{name} {loss.broken(result.claim)}"


_DECISIONS = {
    Verdict.VIOLATION: "not under this claim; fix the cause, then audit again",
    Verdict.INCONCLUSIVE: "this audit is no basis for a decision",
}


def decision(verdict: Verdict, leaks: Collection[Leak] = (), undecided: str = "") -> str:
    """Meaning of a verdict, beside leaks, for somebody who decides on a release.

    `undecided` is the reason if not being refuted means little; empty if it means something.
    """
    kinds = {leak.kind for leak in leaks}
    rounded = " of rounded outputs" * ("floating-point" in kinds)
    unseen = ", if nobody sees how long runs take" * ("timing" in kinds)
    if undecided and verdict is Verdict.NOT_REFUTED:
        return f"For a release: undecided, as {undecided}"
    held = f"nothing was found against one{rounded}{unseen}; this is no proof"
    return f"For a release: {_DECISIONS.get(verdict, held)}"


def _noted(result: AuditResult, beginning: str) -> list[str]:
    return [note for note in result.notes if note.startswith(beginning)]


_NULL = {
    Verdict.VIOLATION: "its runs are not independent, so no audit of it can be trusted",
    Verdict.NOT_REFUTED: "as expected: this checks the audit, not the mechanism",
}
"""Answers of audits of D against itself."""


def _undecided(result: AuditResult) -> str:
    """Why a claim that was not refuted may well be false; empty if nothing speaks for that."""
    if result.suggestive is not None:
        return "evidence against the claim has grown"
    return "twice the claimed ε may have passed" * loss.has_little_power(result)


def _measurements(result: AuditResult, interface: Interface) -> tuple[str, ...]:
    if result.null:
        return (_NULL.get(result.verdict) or obstacle(result),)
    grown = sentences.suggestive(result)
    suggestive = (f"suggestive: {grown}",) if grown else ()
    if result.verdict is Verdict.INCONCLUSIVE:
        return (obstacle(result), *suggestive)
    if result.verdict is Verdict.NOT_REFUTED:
        return (
            sentences.relation(result),
            *map(interface.worded, _noted(result, USERS_REPEAT)),
            f"not a proof: {loss.detectable(result)}",
            f"lower bound: {loss.measured(result)}",
            *suggestive,
        )
    if result.by_versions is not None:
        return (_of_builds(result.by_versions),)
    return _shown(result)


def _of_builds(together: Together) -> str:
    builds, runs = count(together.builds), count(together.runs)
    return f"{builds} builds together show it in {runs} runs; this build alone does not"


def _shown(result: AuditResult) -> tuple[str, ...]:
    """Bound of a violation, and that there is no end to the loss, where there is none."""
    where = "over the pairs tried" if result.worst is None else "on the worst pair found"
    measured = f"measured: {loss.measured(result)} {where}"
    noiseless = result.diagnosis is not None and result.diagnosis.cause == "no-noise"
    unlimited = "unbounded: no noise" if noiseless else _never(result)
    return (measured, unlimited) if unlimited else (measured,)


def _never(result: AuditResult) -> str:
    """That the event never happened on one dataset, so that no loss is too large; else empty."""
    witness, bound = result.witness, loss.own_bound(result)
    if witness is None or witness.function is not None or math.isinf(bound):
        return ""
    _, times, runs = witness.counts or (0, 0, witness.draws)
    if times or witness.q.estimate:
        return ""
    never = f"0 of {count(runs)} on {sentences.sides_of(witness.direction)[1]}"
    return f"{never}: the loss may be unlimited; the bound grows with the runs"


def obstacle(result: AuditResult) -> str:
    """Why there is no answer."""
    if not result.wanted or result.reason:
        return result.reason or "no usable output was drawn"
    least = 2 * result.floor
    certain = f"even an event that is certain on D and impossible on D' takes {count(least)} runs"
    if result.samples >= least:
        why = ", whatever the mechanism does on the tested events: they are too rare"
    elif result.max_samples < least:
        why = f", whatever the mechanism does: {certain}"
    else:
        why = f": the search and the pairs of datasets share them, and {certain} of one pair"
    return f"{_too_few(result)}{why}"


def _too_few(result: AuditResult) -> str:
    runs = count(result.max_samples or result.samples)
    return f"{runs} runs cannot refute {result.claim}"


def short(result: AuditResult) -> str:
    """The numbers in a few words: "ε ≥ 1.92, claimed 1: keys depend on the data"."""
    if result.null or result.by_versions is not None:
        return _measurements(result, Interface.of(result.command))[0]
    if result.verdict is Verdict.INCONCLUSIVE:
        few = result.wanted and not result.reason
        return f"{result.claim}: {_too_few(result) if few else obstacle(result)}"
    if result.verdict is Verdict.NOT_REFUTED:
        return f"{result.claim}; {loss.detectable(result)}"
    claimed = result.claim.stated(result.claim.level)
    return f"{loss.bound(result)}, claimed {claimed:g}: {_reason(result)}"


def _reason(result: AuditResult) -> str:
    if result.diagnosis is not None and result.diagnosis.cause != "unknown":
        return short_cause(result.diagnosis.cause)
    if result.witness is None:
        return "no single event stands out"
    if result.witness.function is not None:
        return "means of a function of the output"
    return sentences.brief(result.witness.event)


def _tried(result: AuditResult) -> tuple[str, ...]:
    """Extent of the audit, unless it refuted the claim or could not have done so."""
    if result.verdict is not Verdict.NOT_REFUTED:
        return ()
    pairs, *others = (text.partition(READ_FROM)[0] for text in sentences.tried(result))
    evidence = f"evidence: {sentences.evidence(result)}"
    derived = clip(_derived(result), _LONGEST_DOMAIN)
    return (*filter(None, [pairs, derived]), *others, evidence)


def _derived(result: AuditResult) -> str:
    """The note that names a derived domain; empty if there is none."""
    return next(iter(_noted(result, DERIVED)), "")


def _notes(result: AuditResult, interface: Interface) -> Iterator[str]:
    """All notes but those that stand elsewhere."""
    stated = [*_noted(result, INTERRUPTED), *_measurements(result, interface), result.reason]
    shown = [*stated, _derived(result) if _tried(result) else ""]
    for note in loss.remarks(result, interface):
        if note not in shown:
            yield _clause(note)


def _facts(result: AuditResult, interface: Interface) -> list[Fact]:
    facts = _cause(result, interface)
    if found := hint(result, interface):
        facts.append(Fact("Hint", found))
    if result.verdict is Verdict.INCONCLUSIVE:
        facts.append(Fact("What to do", loss.needed(result, interface)))
    if result.verdict is not Verdict.VIOLATION:
        facts.append(Fact("Failed runs", sentences.failure(result)))
    facts += [
        Fact(channel(leak.kind).name, sentences.side_channel(leak, result.claim, result.verdict))
        for leak in _worst(result)
    ]
    facts.append(Fact("Assumed", sentences.assumed(result)))
    if result.verdict is Verdict.NOT_REFUTED and not result.null:
        facts.append(Fact("To test more", ", ".join(_wider(result, interface))))
    return facts


_NEARLY_ALWAYS = 0.99


def hint(result: AuditResult, interface: Interface) -> str:
    """A clause on datasets that the mechanism may never have been meant for; often empty."""
    witness = result.witness
    if result.verdict is not Verdict.VIOLATION or witness is None or result.null:
        return ""
    asked = witness.event.parameters
    symbols = [] if asked.get("other_symbols") else asked.get("symbols", ())
    failures = asked.get("feature") == KIND and symbols and all(map(failure, symbols))
    if not failures or witness.p.estimate < _NEARLY_ALWAYS:
        return ""
    return (
        f"nearly every run on {sentences.sides_of(witness.direction)[0]} fails, and a failure is "
        "an output; if the mechanism is not meant for such datasets, restrict "
        f"{interface.argument('domain')} or {interface.argument('data')}"
    )


def _wider(result: AuditResult, interface: Interface) -> Iterator[str]:
    """What would test more, in this order."""
    searched, grown = result.search is not None, result.suggestive
    runs = searched or loss.has_little_power(result)
    ways = {
        f"{interface.argument('domain')} with the bounds that the code must withstand": searched
        and bool(_derived(result)),
        loss.larger(result, interface): runs and grown is None and not result.recorded,
        interface.wider: searched,
        f"{interface.assumption(INDEPENDENT_CALLS)} if calls are independent": by_lives(result),
    }
    if grown is not None and not result.recorded:
        yield interface.budget(grown.runs_wanted)
    yield from (way for way, helps in ways.items() if helps)


def by_lives(result: AuditResult) -> bool:
    """True if fresh instances were the units."""
    return result.units is not None and result.units.kind == UnitKind.LIFE


def _cause(result: AuditResult, interface: Interface) -> list[Fact]:
    """The likely cause of a violation and its fix; a leak has a line of its own."""
    diagnosis = result.diagnosis
    if diagnosis is None:
        why = "" if result.witness is None else f"not examined: {_unexamined(result, interface)}"
        return [Fact("Likely cause", why)]
    if diagnosis.cause in _LEAKS and result.leaks:
        return []
    return [
        Fact("Likely cause", _clause(diagnosis.sentence)),
        Fact("To fix", _clause(diagnosis.advice)),
    ]


def _unexamined(result: AuditResult, interface: Interface) -> str:
    if result.recorded:
        return "recorded outputs alone do not show it; audit the mechanism that made them"
    runs = result.time_limit is None
    ended, limit = ("runs", "max-samples") if runs else ("time", "max-seconds")
    return f"the {ended} ended first; give a larger {interface.argument(limit)}"


def _worst(result: AuditResult) -> list[Leak]:
    ordered = sorted(result.leaks, key=lambda leak: leak.epsilon_lower or 0.0)
    return list({leak.kind: leak for leak in ordered}.values())


def _clause(text: str) -> str:
    return text.strip().removesuffix(".")


def _runs(result: AuditResult) -> str:
    """Size of the audit, also of one that time ended, its seed, and a refuted claim's p-value."""
    made = sentences.sample(result)
    if (limited := result.time_limit) is not None:
        made = f"time ended after {count(result.samples)} of {count(limited.max_samples)} runs"
    if result.units is not None and result.units.count:
        unit = "unit" if limited is not None else sentences.UNIT
        made = f"{made}, {sentences.many(result.units.count, unit)}"
    return ", ".join(filter(None, [made, f"seed {result.seed}", sentences.p_value(result)]))
