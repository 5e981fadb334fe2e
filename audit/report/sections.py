"""The sections of a report, from a result.

Questions of a reviewer, answered from one audit, and those that it did not examine.

The questions follow NIST SP 800-226, Guidelines for Evaluating Differential
Privacy Guarantees: parameters, unit of privacy, correctness of the
implementation, side channels, and what surrounds a mechanism.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from audit.betting.events import Event
from audit.jsonable import jsonable
from audit.relation import NEIGHBOR, AnyRelation, Relation
from audit.report import document as model
from audit.report import loss, sentences
from audit.report.answer import answer_of
from audit.report.causes import channel
from audit.report.counterexample import WitnessSides, made
from audit.report.curve_chart import about_curve, size_pictures
from audit.report.formatting import interval, number, sentence
from audit.report.loss import Interface
from audit.verdict.result import AuditResult, Verdict

_LONGEST_DATASET = 4000
_SHORTEST_DATASET = 72
"""Of those shown once more: the short answer cuts them."""
_RECORDS = "This report shows records of the given data; share it only with those who may see them."


def document_of(result: AuditResult) -> model.Document:
    """The whole report."""
    return model.Document(
        result=result,
        name=sentences.named(result),
        summary=result.summary,
        answer=answer_of(result),
        sections=tuple(section for section in _sections(result) if section.parts),
    )


def _sections(result: AuditResult) -> Iterator[model.Section]:
    if not result.null:
        for title, drawn in size_pictures(result):
            yield model.Section(title, (model.Picture(title, drawn),), terminal=False)
    yield model.Section("Counterexample", tuple(_counterexample(result)))
    for leak in result.leaks:
        found = channel(leak.kind)
        answers = {
            "event": sentences.leak_evidence(leak),
            "meaning": found.means,
            "concerns": found.concerns,
            "remedy": found.remedy,
            "harmless": found.ignore,
        }
        yield model.Section(f"Side channel: {found.name.lower()}", (_facts(answers),))
    yield model.Section("Evidence", (_facts(_evidence(result)),))
    yield model.Section("Tested", (model.Items(tuple(map(sentence, sentences.tried(result)))),))
    remarks = loss.remarks(result, Interface.of(result.command))
    notes = (*(_RECORDS,) * result.given_data, *remarks)
    yield model.Section("Notes", (model.Items(notes),) if notes else ())
    yield model.Section("Limits", (model.Items(tuple(_limits(result))),))
    asked = (
        "Questions of NIST SP 800-226 about a differential privacy guarantee, as far as this audit "
        "examined them."
    )
    yield model.Section("For reviewers", (model.Paragraph(asked), review(result)), terminal=False)
    yield model.Section("Reproduction", (_facts(_reproduction(result)),))
    yield model.Section("Tables", tuple(_tables(result)))
    yield model.Section("Method", tuple(map(model.Paragraph, _method(result))), terminal=False)


def _facts(named: dict[str, str]) -> model.Facts:
    """Facts by name; those without a text are left out."""
    return model.Facts(tuple(model.Fact(name, text) for name, text in named.items() if text))


_ROUNDING = "outputs that miss the number by errors of floating-point arithmetic count as it"


def _counterexample(result: AuditResult) -> Iterator[model.Part]:
    witness = result.witness
    if witness is None:
        return
    found, function = WitnessSides.of(witness), witness.function
    yield _facts(
        {
            "pair": f"{witness.pair}: {sentences.difference(witness)}",
            "datasets": made(witness),
            "event" if function is None else "function h": sentences.event(witness.event),
            "rounding": _ROUNDING * ("up to rounding" in sentences.event(witness.event)),
            "the claim": found.line,
            "sample": f"{sentences.draws(witness, result.recorded)} on each dataset",
            "intervals": loss.intervals(result),
            "mean h": f"{interval(function.mean)} on {NEIGHBOR}" if function else "",
            "earlier runs": sentences.counts(witness),
            "event with the most evidence": sentences.strongest(witness),
        }
    )
    yield from _weights(witness.event)
    for side in (found.left, found.right):
        whole = sentences.dataset(side.records, _LONGEST_DATASET)
        if len(whole) > _SHORTEST_DATASET:
            yield model.Paragraph(f"{side.name}:")
            yield model.Code(whole)


def _evidence(result: AuditResult) -> dict[str, str]:
    listed = loss.statements(result)
    drawn = "common" if result.coupled else "independent"
    return {
        "claim": f"{result.claim}; {sentences.relation(result)}",
        "lower bound": loss.bounds(result),
        "estimate": sentences.estimate(result),
        "profile": sentences.profile(result),
        "evidence": sentences.evidence(result),
        "suggestive": sentences.suggestive(result),
        "power": loss.detectable(result) if result.verdict is Verdict.NOT_REFUTED else "",
        "outputs" if result.recorded else "runs": sentences.runs(result),
        "units": "" if result.units is None else sentences.units(result.units),
        "randomness": f"{drawn} random numbers on both datasets of a pair" * (not result.recorded),
        "failed runs": sentences.failure(result),
        "assumed": sentences.assumed(result),
        "confidence": loss.confidence(result),
        "statements": "; ".join(listed) if len(listed) > 1 else "",
        "ledger": sentences.standing(result),
    }


def _limits(result: AuditResult) -> Iterator[str]:
    if result.verdict is Verdict.NOT_REFUTED and not result.null:
        yield (
            "Not refuted is no proof: a smaller excess, other datasets or rarer outputs may have "
            "been missed."
        )
    yield (
        "Only the pairs, features and events above were tested; a black box can hide a "
        "violation in datasets or outputs that no audit of this size meets."
    )
    yield f"An event too rare for {sentences.sample(result)} refutes nothing."
    yield (
        f"The bound on false alarms, α = {number(result.alpha)}, assumes that what counts once in "
        "the evidence is independent of everything before it."
    )
    if result.diagnosis is not None and result.verdict is Verdict.VIOLATION:
        yield (
            "The likely cause is a description without a confidence level; check it against the "
            "code."
        )
    if result.verdict is Verdict.VIOLATION and not result.null:
        yield "One flaw can hide another: audit again after the fix."
    yield (
        "The verdict is about outputs in real arithmetic; low-order bits of floating-point "
        "numbers, running time and memory are not part of it."
    )


def _reproduction(result: AuditResult) -> dict[str, str]:
    seconds = "" if result.seconds is None else f", after {number(result.seconds)} seconds"
    return {
        "seed": str(result.seed),
        "code": result.place,
        "called": "" if result.command else "from Python: repeat the call with this seed",
        "version": result.version,
        "parameters": json.dumps(jsonable(result.parameters), ensure_ascii=False),
        "finished": f"{result.finished}{seconds}" if result.finished else "",
    }


def _tables(result: AuditResult) -> Iterator[model.Part]:
    """The tables, that of the counterexample's pair first."""
    telling = None if result.witness is None else result.witness.pair
    found = [pair for pair in result.pairs if pair.bins]
    if not found:
        return
    yield model.Paragraph(
        "Relative frequencies with Clopper-Pearson intervals, and their ratios. "
        f"{loss.tables(result)}"
    )
    if quiet := sentences.quiet_pairs(result):
        yield model.Paragraph(quiet)
    yield from sorted(found, key=lambda pair: pair.name != telling)


def _method(result: AuditResult) -> Iterator[str]:
    yield (
        "The claim is read as a family of inequalities P[M(D) ∈ E] ≤ e^x · P[M(D′) ∈ E] + δ(x), "
        "one for every pair of neighboring datasets D and D′, every event E and every point x of "
        "its privacy profile δ."
    )
    yield (
        "A sequential test by betting starts with wealth 1. Event and stake λ are fixed by earlier "
        "units alone, and each fresh unit multiplies the wealth by 1 + λ(p̂ − e^x · q̂ − δ(x)), "
        "where p̂ and q̂ are the shares of its outputs in E on D and on D′."
    )
    if curve := about_curve(result.claim):
        yield curve
    if functions := sentences.bets_on_functions(result.claim):
        yield functions
    yield (
        "If the claim holds, this wealth is an e-process: a nonnegative supermartingale. Ville's "
        "inequality bounds the probability that it ever reaches 1/α by α = "
        f"{number(result.alpha)}, valid under optional stopping and for any number of events "
        "tried (arXiv:2210.01948)."
    )
    yield (
        "The lower bound is the largest level such that the same runs refute it and every smaller "
        "one, so it is wrong with probability at most α."
    )


_HIGH = "The score is higher where outputs look more like those of D."
_RULES = {
    ("on D", "on the neighbor", "scale"): (
        f"{_HIGH} Each part y adds (|y - on the neighbor| - |y - on D|) / scale."
    ),
    ("centre", "weight"): f"{_HIGH} Each part y adds weight · (y - centre).",
    ("lowest", "highest"): (
        f"{_HIGH} Each part adds the log-ratio of its bin, which lies between these two."
    ),
}


def _weights(event: Event) -> Iterator[model.Part]:
    """The formula and the parts of a learned score; nothing for other events."""
    found = event.parameters.get("weights")
    if found:
        head = tuple(found[0])
        rows = tuple(tuple(_cell(row.get(name, "")) for name in head) for row in found)
        yield model.Paragraph(_RULES.get(head[1:], _HIGH))
        yield model.Rows(head, rows)


def _cell(value: object) -> str:
    return number(value) if isinstance(value, float | int) else str(value)


NOT_EXAMINED = "not examined"

_UNITS: dict[AnyRelation, str] = {
    Relation.ADD_REMOVE: "one record: added or removed (unbounded neighbors)",
    Relation.SUBSTITUTE: "one record: its value changed (bounded neighbors)",
    Relation.USER: "one user: all records of theirs added or removed",
    Relation.DECLARED: "as the caller declared the pairs; what one person contributes was "
    f"{NOT_EXAMINED}",
}


def review(result: AuditResult) -> model.Facts:
    """The questions of a reviewer in the order in which guarantees build on each other."""
    change = f"{sentences.relation(result)}; the claim holds for that change"
    asked = {
        "Privacy parameters claimed": f"{result.claim}",
        "Lower bounds measured": loss.bounds(result),
        "Unit of privacy, neighboring datasets": _UNITS.get(result.relation, change),
        "Trust in the implementation": _implementation(result),
        "Failures, missing and special values as outputs": (
            "as far as the recorded outputs hold them"
            if result.recorded
            else "examined: a failed run, a time-out, NaN, None and a missing part are outputs"
        ),
        "Low-order bits of floating-point outputs": _low_bits(result),
        "Running time": _timing(result),
        "Memory, power, network and other side channels": NOT_EXAMINED,
        "Quality of the random number generator": NOT_EXAMINED,
        "Other releases from the same data (composition)": NOT_EXAMINED,
        "Trust model; collection, storage and access to the data": NOT_EXAMINED,
        "Accuracy and fairness of the outputs": NOT_EXAMINED,
    }
    return _facts(asked)


def _implementation(result: AuditResult) -> str:
    if result.null:
        return "the audit itself was checked, on one dataset against itself; the claim was not"
    answers = {
        Verdict.VIOLATION: ": the claim is refuted",
        Verdict.NOT_REFUTED: ": not refuted, which is no proof that the claim holds",
        Verdict.INCONCLUSIVE: ", without an answer",
    }
    return f"examined as a black box{answers[result.verdict]}"


def _low_bits(result: AuditResult) -> str:
    if any(leak.kind == "floating-point" for leak in result.leaks):
        return "examined: they reveal the input"
    if result.recorded:
        return NOT_EXAMINED
    if result.no_fractions:
        return "none in these runs: no output held a float that is no whole number"
    larger = " larger than the violation" * (result.verdict is Verdict.VIOLATION)
    return f"examined in floats, as far as the runs went: no leak{larger} was found"


def _timing(result: AuditResult) -> str:
    if any(leak.kind == "timing" for leak in result.leaks):
        return "examined: it reveals the input"
    if result.times is not None:
        return f"examined: {sentences.times(result.times)}"
    return NOT_EXAMINED
