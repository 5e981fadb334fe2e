"""What an audit would have shown, and what it lacks to show anything."""

from __future__ import annotations

import math

from audit.amounts import MOST_SAMPLES
from audit.claim_kind import LARGEST_EPSILON
from audit.report.numerals import at_most, count, read
from audit.verdict.result import AuditResult


def detectable(result: AuditResult) -> str:
    """The smallest excess that would have been seen, of the events that were looked at.

    Nothing is known about other events: a loss that none of them shows is not
    seen, however large it is.
    """
    smallest = result.detectable_epsilon
    if smallest is None:
        return "nothing could be bet on, so that nothing would have been seen"
    if smallest > LARGEST_EPSILON:
        return (
            "none of the events looked at would have been seen reliably, however many times as "
            "likely a change of one record had made it"
        )
    power = at_most(smallest)
    end = "the two sides" if result.null else "the claim"
    seen = "told apart" if result.null else "refuted"
    return (
        f"had the most telling of the events looked at been {at_most(math.exp(read(power)))} times "
        f"(e^{power}) as likely on one side as on the other, {end} would have been {seen} with "
        "probability 0.9"
    )


def too_few_runs(result: AuditResult) -> bool:
    """Whether a larger budget is what an answer takes."""
    return result.wanted > 0


def needed(result: AuditResult) -> str:
    """What an inconclusive audit lacks."""
    if result.recorded:
        return (
            "independent draws in the order in which they were made, at least "
            f"{count(result.claimed_reach)} of them on D and on a neighbor"
        )
    if not too_few_runs(result):
        return "a black box that gives usable, independent outputs; more runs alone do not help"
    if result.wanted > MOST_SAMPLES:
        return f"it takes more runs than an audit may make ({count(MOST_SAMPLES)})"
    runs = count(2 * result.claimed_reach)
    return (
        f"even an event that is certain on D and impossible on its neighbor takes {runs} runs to "
        f"bet with on its own pair; give about --max-samples {result.wanted}"
    )
