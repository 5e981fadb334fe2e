"""Longer answers for readers of a report: what it means, what it cannot say."""

from __future__ import annotations

from audit.report.numerals import count, number, percent
from audit.report.power import detectable, needed
from audit.verdict.result import AuditResult, Verdict


def answer(result: AuditResult) -> str:
    """One paragraph for somebody who has to decide and knows no statistics."""
    if result.null:
        return _null_answer(result)
    if result.verdict is Verdict.VIOLATION:
        return _violation_answer(result)
    if result.verdict is Verdict.INCONCLUSIVE:
        return _inconclusive_answer(result)
    return _not_refuted_answer(result)


def _violation_answer(result: AuditResult) -> str:
    if (together := result.by_versions) is not None:
        return (
            f"Versions of this mechanism were audited one after the other. None since audit "
            f"{count(together.since)} has to break its claim of {result.claim} by much, but what "
            "they won together is more than versions that all keep it win, except with "
            f"probability at most {percent(together.level)}. Which of them it was is not known, "
            "and there is no example: look at what changed since then, or audit the versions "
            "again with more runs."
        )
    return (
        f"The mechanism does not keep its claim of {result.claim}: its outputs tell two "
        "neighboring datasets apart more clearly than the claim allows, so more about single "
        "persons can be learned from them than was promised. An audit like this one accuses a "
        f"mechanism that keeps its claim with probability at most {percent(result.alpha)}. "
        "The example below can be run again and checked by hand."
    )


def _not_refuted_answer(result: AuditResult) -> str:
    return (
        f"This audit tried to break the claim of {result.claim} and did not succeed. That does "
        "not show that the claim holds: a smaller excess, other datasets or rarer outputs may "
        f"have been missed. What would have been seen: {detectable(result)}."
    )


def _inconclusive_answer(result: AuditResult) -> str:
    return (
        f"This audit says nothing about the claim of {result.claim}, neither for it nor against "
        f"it. To get an answer: {needed(result)}."
    )


def _null_answer(result: AuditResult) -> str:
    if result.verdict is Verdict.VIOLATION:
        return (
            "The mechanism was audited against itself on one dataset, where there is nothing to "
            "find, and a difference was found: its runs share noise or keep state. Audits of it "
            "assume independent runs, so their verdicts do not hold until this is mended."
        )
    return (
        "The mechanism was audited against itself on one dataset, where there is nothing to "
        "find, and nothing was found. This checks the audit, not the mechanism."
    )


def limits(result: AuditResult) -> list[str]:
    """What this audit cannot say, one sentence each."""
    unseen = (
        "Only the pairs, features and events listed above were looked at; a black box can hide "
        "a violation in datasets or outputs that no audit of this size meets."
    )
    rare = f"An event so rare that {count(result.samples)} runs hardly show it refutes nothing."
    independent = (
        f"The guarantee on false alarms, α = {number(result.alpha)}, assumes that calls of the "
        "mechanism are independent of each other, given those before; what it keeps from call to "
        "call is looked for, but not everything can be found."
    )
    channels = (
        "The verdict is about outputs in real arithmetic; bit patterns of floating-point "
        "numbers, and channels such as running time or memory, are not part of it."
    )
    return [unseen, rare, independent, channels]
