"""Rules of the likely cause in their order, and those that read a single event."""

from __future__ import annotations

import math
from collections.abc import Callable

from audit.claims import PureDP
from audit.diagnosis.bounded_noise import bounded_noise
from audit.diagnosis.cause import allowed_delta, capital, found, named_apart, number, share
from audit.diagnosis.contribution import unbounded_contribution
from audit.diagnosis.evidence import Counts, Evidence, Observed
from audit.diagnosis.noise_scale import data_dependent_scale
from audit.diagnosis.parts import patterns, single_or_bits
from audit.diagnosis.relations import certain_relation, compared_value, shared_noise
from audit.diagnosis.sizes import budget_not_split, mixed_noise, noise_too_small, wrong_noise_shape
from audit.diagnosis.structure import (
    certain_event,
    data_dependent_failure,
    data_dependent_structure,
    no_noise,
    one_output,
    spike,
)
from audit.verdict.findings import Cause, Diagnosis

_MOST = 128
"""Different outputs at most."""
_ENOUGH = 200
"""Runs on each dataset from which on most causes can be told apart."""


def wrong_probability(evidence: Evidence) -> Diagnosis | None:
    """One of few outputs with odds beyond the claim, or the event that the witness saw."""
    counted = patterns(evidence, _MOST)
    if len(counted) < 2:
        return None
    broken = [one for one in counted if one.counts.breaks(evidence.claim)]
    if broken:
        worst = max(broken, key=lambda one: one.counts.rates[0] * one.counts.log_odds)
        return _too_likely(evidence, f"the output is {worst.output}", worst.counts)
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
    here, there = named_apart(evidence.left.dataset, evidence.right.dataset)
    return found(
        Cause.DELTA_EXCEEDED,
        f"An event of one dataset alone exceeds δ. {capital(seen.event)} in {share(seen.p)} of "
        f"{seen.draws:,} runs on {here} and in none on {there}; the claim allows {number(delta)}.",
        f"Make this event as rare as {number(delta)}, or claim a δ of at least "
        f"{number(seen.p)}. A larger threshold makes it rarer.",
        p=seen.p,
        q=seen.q,
        delta=delta,
    )


def _too_likely(evidence: Evidence, event: str, counts: Counts) -> Diagnosis:
    sides, rates = evidence.sides(counts.p >= counts.q), counts.rates
    level = evidence.claim.level
    here, there = named_apart(sides[0].dataset, sides[1].dataset)
    said = (
        f"One of few discrete outputs is too likely. {capital(event)} with probability "
        f"{share(rates[0])} on {here}"
    )
    if rates[1] == 0.0:
        least = (rates[0] - allowed_delta(evidence.claim)) * math.exp(-min(level, 50.0))
        return found(
            Cause.WRONG_PROBABILITY,
            f"{said} and in none of {sides[1].size:,} runs on {there}.",
            "Look for a part or a branch without noise. Each output must be possible on both "
            f"datasets, here with probability {number(least)} or more.",
            p=rates[0],
            q=0.0,
        )
    odds = number(rates[0] / rates[1])
    factor = max(1.0, counts.log_odds / level)
    return found(
        Cause.WRONG_PROBABILITY,
        f"{said} and {share(rates[1])} on {there}. Their ratio is {odds}; {evidence.claim} allows "
        f"{number(math.exp(min(level, 50.0)))}.",
        f"Divide the log of this ratio by {number(factor)} or more. If noisy scores decide, "
        "multiply their noise by it. The weights of a selection are "
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
    data_dependent_structure,
    spike,
    shared_noise,
    bounded_noise,
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
    event = "" if evidence.observed is None else evidence.observed.event
    return unknown(event, min(evidence.left.size, evidence.right.size))


def unknown(event: str, runs: int = _ENOUGH) -> Diagnosis:
    """The diagnosis if no rule fits, or if diagnosing failed.

    Args:
        event: the witness's event in words; may be empty.
        runs: on each dataset, from which the rules were read.
    """
    shown = f"{event} on one dataset more often than the claim allows" if event else "none known"
    few = runs < _ENOUGH
    return found(
        Cause.UNKNOWN,
        f"{f'Too few runs were left to tell ({runs})' if few else 'No rule fits'}. The event is: "
        f"{shown}.",
        f"{'Allow more runs, or look' if few else 'Look'} for code that lets the event differ "
        "between the datasets.",
    )
