"""Rules on what lies outside one output: low-order bits, times, questions of a session."""

from __future__ import annotations

from audit.diagnosis.cause import Cause
from audit.diagnosis.evidence import Evidence
from audit.diagnosis.phrases import found, number
from audit.verdict.diagnosis import Diagnosis


def low_entropy_floats(evidence: Evidence) -> Diagnosis | None:
    """Low-order bits that depend on the data, beside a claim that holds in real numbers."""
    if evidence.leak != "floating-point":
        return None
    epsilon = evidence.leak_epsilon
    size = "" if epsilon is None else f" (ε ≥ {number(epsilon)} if all digits are released)"
    return found(
        Cause.LOW_BITS,
        f"Low-order bits of the output reveal the data{size}: {evidence.leak_event}.",
        "Use discrete noise, or release only numbers rounded to a grid coarser than 2^-20 of the "
        "noise scale.",
        **({} if epsilon is None else {"epsilon": epsilon}),
    )


def timing(evidence: Evidence) -> Diagnosis | None:
    """Times of runs that depend on the data."""
    if evidence.leak != "time":
        return None
    return found(
        Cause.TIMING,
        f"The time of a run depends on the data: {evidence.leak_event}.",
        "Pad every run to a fixed time, or do not let others see it.",
    )


def composition(evidence: Evidence) -> Diagnosis | None:
    """A session that breaks its claim by its answers together."""
    if not evidence.session or evidence.observed is None:
        return None
    questions = len(evidence.left.dataset["questions"])
    return found(
        Cause.COMPOSITION,
        f"After {questions} question{'s' * (questions != 1)} the answers exceed {evidence.claim} "
        f"together: {evidence.observed.event}, in {100 * evidence.observed.p:.3g}% and "
        f"{100 * evidence.observed.q:.3g}% of the sessions.",
        "Charge every answer to the budget before it is given, refusals and repeats included.",
        questions=questions,
        p=evidence.observed.p,
        q=evidence.observed.q,
    )
