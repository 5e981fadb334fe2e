"""Rules of the likely cause in their order, and those on a single event and on state."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from audit.claims import PureDP
from audit.diagnosis.contribution import unbounded_contribution
from audit.diagnosis.evidence import (
    Counts,
    Evidence,
    Observed,
    Sample,
    about,
    allowed_delta,
    beyond_delta,
    capital,
    found,
    named_apart,
    number,
    share,
)
from audit.diagnosis.noise import ks_distance, same_shape, spread_of
from audit.diagnosis.noise_scale import data_dependent_scale
from audit.diagnosis.noise_values import bounded_noise, exact_remainder, few_noise_values, spike
from audit.diagnosis.parts import (
    Part,
    answer_counts,
    numeric_parts,
    patterns,
    single_or_bits,
    words,
)
from audit.diagnosis.relations import certain_relation, compared_value, shared_noise
from audit.diagnosis.sizes import budget_not_split, mixed_noise, noise_too_small, wrong_noise_shape
from audit.diagnosis.structure import (
    certain_event,
    data_dependent_failure,
    data_dependent_structure,
    no_noise,
    one_output,
)
from audit.outcomes.outcomes import Outcomes
from audit.verdict.findings import Cause, Diagnosis

_ENOUGH = 200
"""Runs on each dataset from which on most causes can be told apart."""


def wrong_probability(evidence: Evidence) -> Diagnosis | None:
    """One of few outputs with odds beyond the claim, or the event that the witness saw."""
    outputs = patterns(evidence)
    counted = outputs or answer_counts(evidence)
    broken = [one for one in counted if one.counts.breaks(evidence.claim)]
    if broken:
        worst = max(broken, key=lambda one: one.counts.rates[0] * one.counts.log_odds)
        return _too_likely(evidence, f"{words(worst.part)} is {worst.symbol}", worst.counts)
    if len(outputs) < 2:
        return None
    seen = evidence.observed
    if seen is None or seen.q == 0.0:
        # Without a run on D′ there are no odds: the event may be impossible there.
        return None if seen is None else _beyond_delta(evidence, seen)
    if not single_or_bits(evidence):
        # An event that joins noisy parts is no answer, and none of the outputs is too likely.
        return None
    hits = round(seen.p * evidence.left.size), round(seen.q * evidence.right.size)
    return _too_likely(evidence, seen.event, evidence.counts(*hits))


def _beyond_delta(evidence: Evidence, seen: Observed) -> Diagnosis | None:
    """An event that D alone gives, more often than δ allows."""
    delta = allowed_delta(evidence.claim)
    if not delta or seen.least_p <= delta:
        return None
    here, there = named_apart(evidence.left, evidence.right)
    rates = (
        f"{capital(seen.event)} in {share(seen.p)} of {seen.draws:,} runs on {here} and in none "
        f"on {there}"
    )
    hits = round(seen.p * seen.draws)
    return beyond_delta(rates, hits, seen.draws, evidence.claim, counted=seen.presence)


def _too_likely(evidence: Evidence, event: str, counts: Counts) -> Diagnosis:
    sides, rates = evidence.sides(counts.p >= counts.q), counts.rates
    level = evidence.claim.level
    here, there = named_apart(*sides)
    said = (
        f"One of few discrete outputs is too likely. {capital(event)} with probability "
        f"{share(rates[0])} on {here}"
    )
    if rates[1] == 0.0:
        allowed = allowed_delta(evidence.claim)
        least = (rates[0] - allowed) * math.exp(-min(level, 50.0))
        beyond = " but for a probability of δ" if allowed else ""
        return found(
            Cause.WRONG_PROBABILITY,
            f"{said} and in none of {sides[1].size:,} runs on {there}.",
            f"Look for a part or a branch without noise. Each output{beyond} must be possible on "
            f"both datasets, here with probability {number(least)} or more.",
            p=rates[0],
            q=0.0,
        )
    odds = number(rates[0] / rates[1])
    factor = max(1.0, counts.log_odds / level)
    return found(
        Cause.WRONG_PROBABILITY,
        f"{said} and {share(rates[1])} on {there}. Their ratio is {odds}; {evidence.claim} allows "
        f"{number(math.exp(min(level, 50.0)))}.",
        f"Divide the log of the ratio of both probabilities by {number(factor)} or more. If noisy "
        "scores decide, multiply their noise by that. The weights of a selection are "
        "e^(ε·score/(2Δ)); a true answer among k has probability e^ε/(e^ε + k − 1).",
        p=rates[0],
        q=rates[1],
        factor=factor,
    )


def composition(evidence: Evidence) -> Diagnosis | None:
    """A session that breaks its claim by its answers together."""
    seen = evidence.observed
    if not evidence.session or seen is None:
        return None
    questions = len(evidence.left.dataset["questions"])
    return found(
        Cause.COMPOSITION,
        f"The answers of a session exceed the claim together. After {questions} "
        f"question{'s' * (questions != 1)}, {seen.event} in {share(seen.p)} and {share(seen.q)} "
        "of the sessions.",
        "Charge every answer to the budget before it is given. Refusals and repeats count, too.",
        questions=questions,
        p=seen.p,
        q=seen.q,
    )


Rule = Callable[[Evidence], Diagnosis | None]

RULES: tuple[Rule, ...] = (
    composition,
    data_dependent_scale,
    data_dependent_failure,
    no_noise,
    exact_remainder,
    data_dependent_structure,
    few_noise_values,
    shared_noise,
    bounded_noise,
    spike,
    unbounded_contribution,
    budget_not_split,
    wrong_noise_shape,
    noise_too_small,
    one_output,
    wrong_probability,
    compared_value,
    certain_relation,
    certain_event,
    mixed_noise,
)


def diagnose(evidence: Evidence) -> Diagnosis:
    """The cause of the first rule that fits; `unknown` with the event if none does."""
    if isinstance(evidence.claim, PureDP) and evidence.claim.epsilon == 0:
        return found(
            Cause.UNKNOWN,
            "ε = 0 allows no dependence on the data at all, whatever the noise is.",
            "Claim an ε above 0, or compute the output without the data.",
        )
    for rule in RULES:
        diagnosis = rule(evidence)
        if diagnosis is not None:
            return diagnosis
    return unknown(evidence.observed, min(evidence.left.size, evidence.right.size))


def unknown(seen: Observed | None, runs: int = _ENOUGH) -> Diagnosis:
    """The diagnosis if no rule fits so many runs on each dataset, or if diagnosing failed."""
    event, differs = "No event alone is known to refute the claim", "outputs"
    if seen is not None:
        event = f"The event is: {seen.event} on one dataset more often than the claim allows"
        differs = "the event"
    few = runs < _ENOUGH
    return found(
        Cause.UNKNOWN,
        f"{f'Too few runs were left to tell ({runs})' if few else 'No rule fits'}. {event}.",
        f"{'Allow more runs, or look' if few else 'Look'} for code that lets {differs} differ "
        "between the datasets.",
    )


_RARE = 0.25
"""Largest share of first answers that one value has if the part has noise."""
_UNLIKELY = 1e-3
"""Probability of one value in all answers, below which they are of another distribution."""


def kept_state(evidence: Evidence, first: tuple[Outcomes, Outcomes]) -> Diagnosis | None:
    """Later answers of an instance that are distributed differently from those of fresh ones.

    It is `no-noise` if it is the first answers that have none, as with a fixed seed; else the cause
    that the other parts show by themselves, as beside a counter of calls; else `unknown`, as
    other rules would speak of later answers alone. None if both are alike.
    """
    samples = (evidence.left, evidence.right)
    fresh = [Sample(one.dataset, new) for one, new in zip(samples, first, strict=True)]
    changed = [
        (part, later, new)
        for later, new in zip(samples, fresh, strict=True)
        for part in numeric_parts(replace(evidence, left=new, right=later))
        if not _alike(part)
    ]
    if not changed:
        return None
    return (
        no_noise(replace(evidence, left=fresh[0], right=fresh[1]))
        or _of_the_rest(evidence, {part.name for part, *_ in changed})
        or _state(evidence, *changed[0])
    )


def _of_the_rest(evidence: Evidence, changed: set[str]) -> Diagnosis | None:
    """The cause without the parts that state changes; None if the event reads one of them, or if no
    rule fits."""
    seen = "" if evidence.observed is None else evidence.observed.event
    if any(part in seen for part in changed):
        return None
    rest = replace(
        evidence,
        left=_without(evidence.left, changed),
        right=_without(evidence.right, changed),
        observed=None,
    )
    likely = diagnose(rest) if numeric_parts(rest) else None
    return None if likely is None or likely.cause == Cause.UNKNOWN else likely


def _without(sample: Sample, changed: set[str]) -> Sample:
    """The sample without these parts and the columns that are read off them."""
    columns = {
        name: column
        for name, column in sample.outcomes.columns.items()
        if not any(part in words(name) for part in changed)
    }
    return replace(sample, outcomes=Outcomes(sample.size, columns))


def _alike(part: Part) -> bool:
    """True if first and later answers may have one distribution."""
    if part.noisy:
        return same_shape(part.left, part.right) or ks_distance(part.left, part.right) < _RARE
    first, later = part.constants
    if first is not None and later is not None:
        return first == later
    # So many answers on one side have one value that those on the other need not have.
    constant, answers = (part.right, part.left) if first is None else (part.left, part.right)
    return float((answers == constant[0]).mean()) ** constant.size > _UNLIKELY


def _state(evidence: Evidence, part: Part, later: Sample, first: Sample) -> Diagnosis:
    event = "" if evidence.observed is None else f" The event is: {evidence.observed.event}."
    return found(
        Cause.UNKNOWN,
        f"The mechanism keeps state. On {later.name}, {part.name} deviates by about "
        f"{about(spread_of(part.left))} from its median in the first answers of {first.size} fresh "
        f"instances, and by about {about(spread_of(part.right))} in later answers of one.{event}",
        "Look for state between calls: a generator, a cache, a counter or a budget.",
        first=spread_of(part.left),
        later=spread_of(part.right),
        part=part.name,
    )
