"""The power of an audit in words: the smallest losses that it would have detected."""

from __future__ import annotations

import math

from audit.claims import LARGEST_EPSILON, ApproxDP, Claim, PureDP
from audit.report.formatting import at_most, number
from audit.verdict.result import AuditResult


def detectable(result: AuditResult) -> str:
    """The smallest loss that events would have revealed with power 0.9.

    By the most telling of those tested, and by one that 10% of the outputs show on the dataset on
    which it is likelier: losses that show in few outputs take more runs. Nothing is known about
    other events: a loss that none of the tested ones shows is not seen, however large it is.
    """
    smallest = result.detectable_epsilon
    if smallest is None:
        return "no event could be tested, so no loss would have been detected"
    if smallest > LARGEST_EPSILON:
        return "no loss on the tested events would have been detected reliably"
    least = least_loss(result, smallest)
    if not _in_epsilon(result):
        beyond, allowed = _beyond(result.claim)
        ordinary = in_a_tenth(result, "{least} times")
        event = f"a tested event {least} times as likely{beyond}"
        return f"90% power to detect {event}{ordinary}{allowed}"
    what = "a difference of ε" if result.null else "ε"
    ordinary = in_a_tenth(result, "≥ {least}")
    return f"90% power to detect {what} ≥ {least} on the tested events{ordinary}"


def _beyond(claim: Claim) -> tuple[str, str]:
    """The δ of an approximate claim, and the ratio that it allows; empty for other claims."""
    if not isinstance(claim, ApproxDP):
        return "", ""
    return " beyond δ", f"; the claim allows {number(math.exp(claim.epsilon))} times"


def _in_epsilon(result: AuditResult) -> bool:
    """True if a loss that would have been detected is an ε, else it is a ratio."""
    return result.null or isinstance(result.claim, PureDP)


def least_loss(result: AuditResult, smallest: float) -> str:
    """A loss that would have been detected, as an ε or as a ratio of probabilities."""
    return at_most(smallest if _in_epsilon(result) else math.exp(smallest))


def in_a_tenth(result: AuditResult, words: str) -> str:
    """The same for an event of one output in ten, which is what most losses show in."""
    smallest = result.detectable_tenth
    if smallest is None:
        return ""
    if smallest > LARGEST_EPSILON:
        return " (none if 10% of runs show it)"
    best = result.detectable_epsilon
    rare = "; no tested event is so frequent" if best is not None and best > smallest else ""
    return f" ({words.format(least=least_loss(result, smallest))} if 10% of runs show it{rare})"


_LITTLE = 2.0
"""Power is little if a mechanism may pass that loses so many times the claimed ε."""


def has_little_power(result: AuditResult) -> bool:
    """True if a claimed ε was not refuted, and neither would twice as much have been."""
    claim, smallest = result.claim, result.detectable_epsilon
    if result.null or smallest is None or not isinstance(claim, PureDP | ApproxDP):
        return False
    return smallest > (_LITTLE * claim.epsilon or LARGEST_EPSILON)
