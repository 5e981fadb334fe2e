"""Rule on few discrete outputs, one of which is too likely."""

from __future__ import annotations

import math

from audit.diagnosis.cause import Cause
from audit.diagnosis.evidence import Evidence
from audit.diagnosis.odds import Counts
from audit.diagnosis.parts import patterns
from audit.diagnosis.phrases import found, named, number, share
from audit.verdict.diagnosis import Diagnosis

_MOST = 128
"""Different outputs at most."""


def wrong_probability(evidence: Evidence) -> Diagnosis | None:
    """One of few outputs with odds beyond the claim, or the event that the witness saw."""
    counted = patterns(evidence, _MOST)
    if len(counted) < 2:
        return None
    broken = [one for one in counted if one.counts.breaks(evidence.claim)]
    if broken:
        worst = max(broken, key=lambda one: _gain(one.counts))
        return _too_likely(evidence, f"the output is {worst.output}", worst.counts)
    seen = evidence.observed
    if seen is None:
        return None
    hits = round(seen.p * evidence.left.size), round(seen.q * evidence.right.size)
    return _too_likely(evidence, seen.event, evidence.counts(*hits))


def _too_likely(evidence: Evidence, event: str, counts: Counts) -> Diagnosis:
    on_left = counts.p >= counts.q
    sides = (evidence.left, evidence.right) if on_left else (evidence.right, evidence.left)
    rates = max(counts.p, counts.q), min(counts.p, counts.q)
    odds = "without bound" if rates[1] == 0.0 else number(rates[0] / rates[1])
    level = evidence.claim.level
    factor = max(1.0, counts.log_odds / level)
    return found(
        Cause.WRONG_PROBABILITY,
        f"Of few discrete outputs one is too likely: {event}, with probability {share(rates[0])} "
        f"on {named(sides[0].dataset)} and {share(rates[1])} on {named(sides[1].dataset)}. The "
        f"odds are {odds}; {evidence.claim} allows {number(math.exp(min(level, 50.0)))}.",
        f"Divide the log odds by {number(factor)}: multiply the noise of a selection by that, or "
        "tell the truth among k answers with probability e^ε/(e^ε + k − 1).",
        p=rates[0],
        q=rates[1],
        factor=factor,
    )


def _gain(counts: Counts) -> float:
    return max(counts.p, counts.q) * counts.log_odds
