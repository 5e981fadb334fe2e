"""An event that one dataset alone gives, more often than δ allows."""

from __future__ import annotations

import math

from audit.claims import Claim
from audit.diagnosis.evidence import allowed_delta, at_least, enough, found, number
from audit.verdict.findings import Cause, Diagnosis
from audit.verdict.intervals import proportion

_ALPHA = 0.05
"""Of the interval of the event's probability."""


def beyond_delta(rates: str, hits: int, runs: int, claim: Claim, *, counted: bool) -> Diagnosis:
    """The diagnosis of an event with probability above δ.

    Args:
        rates: the event with its frequencies on both datasets.
        hits: runs in which it happened.
        runs: of the dataset that gives it.
        claim: with a δ.
        counted: True if the event is that a part of the output is there, as behind a threshold.
    """
    delta, seen = allowed_delta(claim), proportion(hits, runs, _ALPHA)
    return found(
        Cause.DELTA_EXCEEDED,
        f"An event of one dataset alone exceeds δ. {rates}; the claim allows {number(delta)}.",
        f"Make this event as rare as {number(delta)}, or claim a δ of about "
        f"{number(seen.estimate)}. This pair shows {at_least(seen.low)} to {enough(seen.high)} "
        f"with 95% confidence.{_threshold(claim.stated(claim.level), delta) if counted else ''}",
        p=seen.estimate,
        q=0.0,
        delta=delta,
    )


def _threshold(epsilon: float, delta: float) -> str:
    """The threshold on counts that δ pays for: Laplace noise exceeds it with probability δ."""
    if epsilon <= 0.0 or delta >= 0.5:
        return ""
    least = enough(1.0 + math.log(1.0 / (2.0 * delta)) / epsilon)
    return (
        " If a count with Laplace noise of scale 1/ε decides, and a record changes one count by "
        f"1, the threshold is 1 + ln(1/(2δ))/ε = {least}."
    )
