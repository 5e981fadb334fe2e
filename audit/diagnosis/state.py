"""Rule on mechanisms whose first answer and later answers differ."""

from __future__ import annotations

from dataclasses import replace

from audit.diagnosis.cause import about, found, named
from audit.diagnosis.evidence import Evidence, Outputs, Sample
from audit.diagnosis.noise import ks_distance, same_shape, spread_of
from audit.diagnosis.parts import Part, numeric_parts, words
from audit.diagnosis.rules import diagnose
from audit.diagnosis.structure import no_noise
from audit.outcomes.outcomes import Outcomes
from audit.verdict.findings import Cause, Diagnosis

_RARE = 0.25
"""Largest share of first answers that one value has if the part has noise."""


def kept_state(evidence: Evidence, first: tuple[Outputs, Outputs]) -> Diagnosis | None:
    """Later answers of an instance that are distributed differently from its first one.

    Args:
        evidence: with later answers of one instance.
        first: first answers of fresh instances on D and on D′.

    Returns:
        `no-noise` if it is the first answers that have none, as with a fixed seed; else the cause
        that the other parts show by themselves, as beside a counter of calls; else `unknown`, as
        other rules would speak of later answers alone. None if both are alike.
    """
    samples = (evidence.left, evidence.right)
    fresh = [Sample.of(one.dataset, new) for one, new in zip(samples, first, strict=True)]
    changed = [
        (part, later, new)
        for later, new in zip(samples, fresh, strict=True)
        for part in numeric_parts(Evidence(claim=evidence.claim, left=new, right=later))
        if not _alike(part)
    ]
    if not changed:
        return None
    firsts = Evidence(claim=evidence.claim, left=fresh[0], right=fresh[1])
    return (
        no_noise(firsts)
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
    first, later = part.constants
    if first is None and later is not None:
        # The value of all later answers is no likely one of the first.
        return float((part.left == later).mean()) > _RARE
    if first is not None and later is None:
        return float((part.right == first).mean()) > _RARE
    if first is not None or later is not None:
        return first == later
    return same_shape(part.left, part.right) or ks_distance(part.left, part.right) < _RARE


def _state(evidence: Evidence, part: Part, later: Sample, first: Sample) -> Diagnosis:
    event = "" if evidence.observed is None else f" The event is: {evidence.observed.event}."
    return found(
        Cause.UNKNOWN,
        f"The mechanism keeps state. On {named(later.dataset)}, {part.name} deviates by about "
        f"{about(spread_of(part.left))} from its median in the first answers of {first.size} fresh "
        f"instances, and by about {about(spread_of(part.right))} in later answers of one.{event}",
        "Look for what is kept between calls: a generator, a cache, a counter or a budget.",
        first=spread_of(part.left),
        later=spread_of(part.right),
        part=part.name,
    )
