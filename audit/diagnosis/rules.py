"""Decision list of causes, the most specific first."""

from __future__ import annotations

from collections.abc import Callable

from audit.diagnosis.cause import Cause
from audit.diagnosis.constants import certain_event, no_noise, one_output, spike
from audit.diagnosis.contribution import unbounded_contribution
from audit.diagnosis.discrete import wrong_probability
from audit.diagnosis.evidence import Evidence
from audit.diagnosis.phrases import found
from audit.diagnosis.relations import certain_relation, compared_value, shared_noise
from audit.diagnosis.scale import data_dependent_scale
from audit.diagnosis.sessions import composition
from audit.diagnosis.sizes import (
    budget_not_split,
    mixed_noise,
    noise_too_small,
    wrong_noise_shape,
)
from audit.diagnosis.structure import data_dependent_failure, data_dependent_structure
from audit.diagnosis.support import bounded_noise
from audit.verdict.diagnosis import Diagnosis

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
    for rule in RULES:
        diagnosis = rule(evidence)
        if diagnosis is not None:
            return diagnosis
    return unknown("" if evidence.observed is None else evidence.observed.event)


def unknown(event: str) -> Diagnosis:
    """The diagnosis if no rule fits, or if diagnosing failed.

    Args:
        event: the witness's event in words; may be empty.
    """
    shown = f"{event} on one dataset more often than the claim allows" if event else "none known"
    return found(
        Cause.UNKNOWN,
        f"No rule fits; the event is: {shown}.",
        "Look at the event on both datasets of the counterexample.",
    )
