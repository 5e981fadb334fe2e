"""Rules on failures, structure, keys and outputs without noise."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from audit.diagnosis.evidence import (
    Evidence,
    Sample,
    allowed_delta,
    beyond_delta,
    capital,
    found,
    named,
    named_apart,
    number,
    out_of,
    share,
)
from audit.diagnosis.parts import (
    Part,
    SymbolCount,
    numeric_parts,
    parts_where_present,
    patterns,
    symbol_counts,
    words,
)
from audit.outcomes.encoding import OUTPUT
from audit.outcomes.outcomes import KIND
from audit.outcomes.symbols import LENGTH, MISSING, ORDER
from audit.verdict.findings import Cause, Diagnosis

_ABSENT = ("None", "NaT", "<NA>")
"""Symbols of a value that is not there though its place is."""
_NOT_NUMBERS = ("nan", "inf", "-inf", "NaT", "<NA>")


def data_dependent_failure(evidence: Evidence) -> Diagnosis | None:
    """Exceptions, time-outs or NaN that one dataset causes and the other does not."""
    worst = _worst(evidence, _failures(evidence))
    if worst is None or worst.counts.rates[1] > 0.01:
        return None
    rates = worst.counts.rates
    failing, other = evidence.sides(worst.counts.p > worst.counts.q)
    event = _failure_words(worst, failing)
    return found(
        Cause.FAILURE,
        f"Failures depend on the data. {_rates(event, rates, (failing, other))}.",
        f"Return a noisy default for every input, also for {failing.name}.",
        rate=rates[0],
        other_rate=rates[1],
        event=event,
    )


def _failures(evidence: Evidence) -> Iterable[SymbolCount]:
    kinds, values = (symbol_counts(evidence, structural=built) for built in (True, False))
    yield from (one for one in kinds if _failed(one, evidence))
    yield from (one for one in values if one.symbol in _NOT_NUMBERS)


def _failed(one: SymbolCount, evidence: Evidence) -> bool:
    known = one.symbol.startswith(("raised ", "exit", "timed out", "killed", "HTTP"))
    causes = {side.failure.kind for side in (evidence.left, evidence.right) if side.failure}
    return one.part == KIND and (known or one.symbol in causes)


def _failure_words(one: SymbolCount, side: Sample) -> str:
    if one.part != KIND:
        return f"{capital(words(one.part))} is {one.symbol}"
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
    counts = symbol_counts(evidence, structural=True)
    built = (one for one in counts if not _failed(one, evidence))
    worst = _worst(evidence, (*_keys(evidence), *built))
    if worst is None:
        return _rare_part(evidence)
    high, low = worst.counts.rates
    sides = evidence.sides(worst.counts.p > worst.counts.q)
    rates = _rates(_structure_words(worst), (high, low), sides)
    in_order = worst.part.startswith(ORDER)
    if allowed_delta(evidence.claim) and high < 0.99 and low == 0.0 and not in_order:
        runs, counted = sides[0].size, worst.symbol == "present" or worst.part.startswith(LENGTH)
        return beyond_delta(rates, round(high * runs), runs, evidence.claim, counted=counted)
    fix = _ORDERED if in_order else _FIX_STRUCTURE
    fix = _defaulted(sides[0].dataset) if worst.symbol in _ABSENT else fix
    return _structure(rates, high, low, fix, part=worst.part, value=worst.symbol)


_ORDERED = "Sort the keys, or fix their order in advance."


def _defaulted(dataset: Any) -> str:
    """The advice for a dataset on which a value is not there."""
    empty = hasattr(dataset, "__len__") and not len(dataset)
    where = "for empty data" if empty else f"for every input, also for {named(dataset)}"
    return f"Return a noisy default {where} (SQL: coalesce(…, 0))."


_FIX_STRUCTURE = (
    "Fix keys, length, order and types of the output in advance. Or release a key only above a "
    "threshold that δ pays for."
)


def _structure(rates: str, high: float, low: float, fix: str, **numbers: str) -> Diagnosis:
    return found(
        Cause.STRUCTURE,
        f"The structure of the output depends on the data. {rates}.",
        fix,
        p=high,
        q=low,
        **numbers,
    )


def _rare_part(evidence: Evidence) -> Diagnosis | None:
    """A part that the test saw on one dataset alone, too seldom for fresh runs to show it."""
    seen = evidence.observed
    if seen is None or not seen.presence or seen.q > 0.0 or allowed_delta(evidence.claim):
        return None
    rates = _rates(capital(seen.event), (seen.p, 0.0), (evidence.left, evidence.right))
    return _structure(rates, seen.p, 0.0, _FIX_STRUCTURE)


def _keys(evidence: Evidence) -> Iterable[SymbolCount]:
    """Entries that are missing, and labels that are among the records of one dataset alone."""
    for one in symbol_counts(evidence, structural=False):
        if one.symbol in _ABSENT and one.part != KIND:
            yield one
        elif one.symbol == MISSING:
            shown = evidence.counts(
                evidence.left.size - one.counts.left, evidence.right.size - one.counts.right
            )
            yield SymbolCount(one.part, "present", shown)
        elif one.part == OUTPUT and 0 in (one.counts.left, one.counts.right):
            likelier, other = evidence.sides(one.counts.p > 0)
            if _holds(likelier, one.symbol) and not _holds(other, one.symbol):
                yield one


def _holds(sample: Sample, symbol: str) -> bool:
    """True if a label is one of the records."""
    return isinstance(sample.dataset, list) and symbol in map(repr, sample.dataset)


def _rates(event: str, rates: tuple[float, float], sides: tuple[Sample, Sample]) -> str:
    """An event with its frequencies on both datasets, the larger one first."""
    high, low = ("all" if r == 1.0 else "none" if r == 0.0 else share(r) for r in rates)
    here, there = named_apart(*sides)
    return f"{event} in {high} of the runs on {here} and in {low} of those on {there}"


def _structure_words(one: SymbolCount) -> str:
    if one.symbol == "present":
        return f"The entry {one.part.removeprefix(OUTPUT)} appears"
    if one.part == OUTPUT or (one.part == KIND and one.symbol == "None"):
        return f"The output is {one.symbol}"
    if one.symbol in _ABSENT:
        return f"{capital(words(one.part))} is {one.symbol}"
    if one.part == KIND:
        return f"The output is of type {one.symbol}"
    return f"The {one.part} is {one.symbol}"


def _worst(evidence: Evidence, counted: Iterable[SymbolCount]) -> SymbolCount | None:
    """The symbol with the largest odds among those that break the claim.

    Few runs suffice for one that D alone has in all of them, if the witness's event is as certain.
    """
    sure = evidence.observed is not None and evidence.observed.certain
    broken = [
        one
        for one in counted
        if one.counts.breaks(evidence.claim) or (sure and one.counts.separates)
    ]
    return max(broken, key=lambda one: one.counts.log_odds, default=None)


NO_NOISE = (
    "Add fresh noise for the sensitivity of {part}. Noise with a fixed seed, or memoized in a "
    "cache or a file, is always the same."
)


def no_noise(evidence: Evidence) -> Diagnosis | None:
    """A part that always has one value on D and another one on D′; None is structure instead."""
    if evidence.session:
        return None
    return (
        _exact(evidence, numeric_parts(evidence), "all runs")
        or _exact_symbol(evidence)
        or _exact(evidence, parts_where_present(evidence), "all runs that have it")
    )


def _exact(evidence: Evidence, parts: Iterable[Part], runs: str) -> Diagnosis | None:
    """A part with one value on D and another one on D′."""
    here, there = named_apart(evidence.left, evidence.right)
    for part in parts:
        left, right = part.constants
        if left is not None and right is not None and left != right:
            return found(
                Cause.NO_NOISE,
                f"{capital(part.name)} has no noise. It is {number(left)} in {runs} on {here} and "
                f"{number(right)} in {runs} on {there}.",
                NO_NOISE.format(part=part.name),
                left=number(left),
                right=number(right),
                part=part.name,
            )
    return None


def _exact_symbol(evidence: Evidence) -> Diagnosis | None:
    """A symbol in nearly all runs on one dataset and in none on the other."""
    separating = [o for o in symbol_counts(evidence, structural=False) if o.counts.separates]
    absent = {one.part for one in separating if one.symbol in (MISSING, *_ABSENT, *_NOT_NUMBERS)}
    one = next((one for one in separating if one.part not in absent), None)
    if one is None:
        return None
    part_name = words(one.part)
    side, _ = evidence.sides(one.counts.p > one.counts.q)
    high = max(one.counts.left, one.counts.right)
    return found(
        Cause.NO_NOISE,
        f"{capital(part_name)} has no noise. It is {one.symbol} in {out_of(high, side.size)} on "
        f"{side.name} and in none on the neighbor.",
        NO_NOISE.format(part=part_name),
        value=one.symbol,
    )


def one_output(evidence: Evidence) -> Diagnosis | None:
    """One of few discrete outputs in all runs on one dataset, and others on the neighbor."""
    for pattern in patterns(evidence):
        counts = pattern.counts
        always, other = evidence.sides(counts.p >= counts.q)
        if counts.rates[0] < 1.0:
            continue
        rest = evidence.counts(evidence.left.size - counts.left, evidence.right.size - counts.right)
        if rest.breaks(evidence.claim):
            return found(
                Cause.NO_NOISE,
                "The output has no noise on one dataset. It is "
                f"{pattern.symbol} in all runs on {always.name}, and another one in "
                f"{share(rest.rates[0])} of those on {other.name}.",
                "Add noise for the sensitivity of the output on every branch of the code.",
                value=pattern.symbol,
                rate=rest.rates[0],
            )
    return None


def certain_event(evidence: Evidence) -> Diagnosis | None:
    """An event of the witness that always happens on D and never on D′."""
    advice = "Compute it from noisy values alone, or leave it out of the output."
    return certain(evidence, Cause.NO_NOISE, "A certain event", advice)


def certain(evidence: Evidence, cause: Cause, what: str, advice: str) -> Diagnosis | None:
    """A cause that has no noise if the witness's event is certain; None if it is not."""
    observed = evidence.observed
    if observed is None or not observed.certain or evidence.session:
        return None
    return found(
        cause,
        f"{what} has no noise. In {share(observed.p)} of the runs on {evidence.left.name}, and in "
        f"{share(observed.q)} of those on the neighbor, {observed.event}.",
        advice,
        event=observed.event,
        p=observed.p,
        q=observed.q,
    )
