"""Rules on failures, structure and keys that depend on the data."""

from __future__ import annotations

from collections.abc import Iterable

from audit.diagnosis.cause import Cause, allowed_delta, found, named, number, share
from audit.diagnosis.evidence import Evidence, Sample
from audit.diagnosis.parts import MISSING, SymbolCount, symbol_counts, words
from audit.outcomes.encoding import OUTPUT
from audit.outcomes.outcomes import KIND
from audit.verdict.diagnosis import Diagnosis

_NOT_NUMBERS = ("nan", "inf", "-inf", "NaT", "<NA>")


def data_dependent_failure(evidence: Evidence) -> Diagnosis | None:
    """Exceptions, time-outs or NaN that one dataset causes and the other does not."""
    worst = _worst(evidence, (one for one in _failures(evidence) if one.counts.p != one.counts.q))
    if worst is None or min(worst.counts.p, worst.counts.q) > 0.01:
        return None
    on_left = worst.counts.p > worst.counts.q
    failing, other = _sides(evidence, on_left)
    event = _failure_words(worst, failing)
    rates = max(worst.counts.p, worst.counts.q), min(worst.counts.p, worst.counts.q)
    return found(
        Cause.FAILURE,
        f"{_rates(event, rates, (failing, other))}.",
        f"Return a noisy default for every input, also for {named(failing.dataset)}.",
        rate=rates[0],
        other_rate=rates[1],
        event=event,
    )


def _failures(evidence: Evidence) -> Iterable[SymbolCount]:
    for one in symbol_counts(evidence, structural=True):
        if one.part == KIND and _failed(one.symbol, evidence):
            yield one
    for one in symbol_counts(evidence, structural=False):
        if one.symbol in _NOT_NUMBERS:
            yield one


def _failed(kind: str, evidence: Evidence) -> bool:
    known = kind.startswith(("raised ", "exit", "timed out", "killed", "HTTP"))
    causes = {side.failure.kind for side in (evidence.left, evidence.right) if side.failure}
    return known or kind in causes


def _failure_words(one: SymbolCount, side: Sample) -> str:
    if one.part != KIND:
        part = words(one.part)
        return f"{part[0].upper()}{part[1:]} is {one.symbol}"
    failure = side.failure
    if failure is None:
        return f"The mechanism {one.symbol}"
    message = f": {failure.message}" if failure.message else ""
    place = f" at {failure.where}" if failure.where else ""
    return f"The mechanism raises {failure.kind}{message}{place}"


def data_dependent_structure(evidence: Evidence) -> Diagnosis | None:
    """Types, lengths, keys or their order that depend on the data."""
    if evidence.session:
        return None
    worst = _worst(evidence, (*_keys(evidence), *_structures(evidence)))
    if worst is None:
        return None
    high = max(worst.counts.p, worst.counts.q)
    low = min(worst.counts.p, worst.counts.q)
    likelier, other = _sides(evidence, worst.counts.p > worst.counts.q)
    event = _structure_words(worst)
    delta = allowed_delta(evidence.claim)
    rates = _rates(event, (high, low), (likelier, other))
    if delta and high < 0.99 and low == 0.0:
        return found(
            Cause.DELTA_EXCEEDED,
            f"{rates}; the claim allows {number(delta)}.",
            f"Raise the threshold until this has probability {number(delta)}, or claim a δ of at "
            f"least {number(high)}.",
            p=high,
            q=low,
            delta=delta,
        )
    return found(
        Cause.STRUCTURE,
        f"{rates}: the structure of the output depends on the data.",
        "Fix keys, length, order and types of the output in advance, or release a key only above "
        "a threshold that δ pays for.",
        p=high,
        q=low,
        part=worst.part,
        value=worst.symbol,
    )


def _structures(evidence: Evidence) -> Iterable[SymbolCount]:
    for one in symbol_counts(evidence, structural=True):
        if not (one.part == KIND and _failed(one.symbol, evidence)):
            yield one


def _keys(evidence: Evidence) -> Iterable[SymbolCount]:
    """Entries that are missing, and labels that are among the records of one dataset alone."""
    for one in symbol_counts(evidence, structural=False):
        if one.symbol == MISSING:
            shown = evidence.counts(
                evidence.left.size - one.counts.left, evidence.right.size - one.counts.right
            )
            yield SymbolCount(one.part, "present", shown)
        elif one.part == OUTPUT and 0 in (one.counts.left, one.counts.right):
            likelier, other = _sides(evidence, one.counts.p > 0)
            if _holds(likelier, one.symbol) and not _holds(other, one.symbol):
                yield one


def _holds(sample: Sample, symbol: str) -> bool:
    """True if a label is one of the records."""
    return isinstance(sample.dataset, list) and symbol in map(repr, sample.dataset)


def _rates(event: str, rates: tuple[float, float], sides: tuple[Sample, Sample]) -> str:
    """An event with its frequencies on both datasets, the larger one first."""
    high, low = ("all" if r == 1.0 else "none" if r == 0.0 else share(r) for r in rates)
    return (
        f"{event} in {high} of the runs on {named(sides[0].dataset)} and in {low} of those on "
        f"{named(sides[1].dataset)}"
    )


def _structure_words(one: SymbolCount) -> str:
    if one.symbol == "present":
        return f"The entry {one.part.removeprefix(OUTPUT)} appears"
    if one.part == OUTPUT or (one.part == KIND and one.symbol == "None"):
        return f"The output is {one.symbol}"
    if one.part == KIND:
        return f"The output is of type {one.symbol}"
    return f"The {one.part} is {one.symbol}"


def _worst(evidence: Evidence, counted: Iterable[SymbolCount]) -> SymbolCount | None:
    """The symbol with the largest odds among those that break the claim."""
    broken = [one for one in counted if one.counts.breaks(evidence.claim)]
    return max(broken, key=lambda one: one.counts.log_odds, default=None)


def _sides(evidence: Evidence, on_left: bool) -> tuple[Sample, Sample]:
    sides = evidence.left, evidence.right
    return sides if on_left else sides[::-1]
