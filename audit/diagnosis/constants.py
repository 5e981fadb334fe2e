"""Rules on outputs without noise."""

from __future__ import annotations

import numpy as np

from audit.diagnosis.cause import Cause, found, named, number, share
from audit.diagnosis.evidence import Evidence
from audit.diagnosis.parts import MISSING, Part, numeric_parts, patterns, symbol_counts, words
from audit.verdict.diagnosis import Diagnosis

_ADVICE = "Add noise for the sensitivity of {part}, without a fixed seed."
_MOST = 128
"""Different outputs of few."""
_NARROW = 1e-3
"""Width of a spike, in units of the spread of the other outputs."""
_SPIKE = 0.02
"""Least share of the runs in a spike."""


def no_noise(evidence: Evidence) -> Diagnosis | None:
    """A part that always has one value on D and another one on D′; None is structure instead."""
    if evidence.session:
        return None
    for part in numeric_parts(evidence):
        left, right = part.constants
        if left is not None and right is not None and left != right:
            return _constant(evidence, part.name, number(left), number(right))
    separating = [o for o in symbol_counts(evidence, structural=False) if o.counts.separates]
    absent = {one.part for one in separating if one.symbol in (MISSING, "None")}
    for one in separating:
        if one.part not in absent:
            part_name = words(one.part)
            side = evidence.left if one.counts.p > one.counts.q else evidence.right
            return found(
                Cause.NO_NOISE,
                f"{_capital(part_name)} is {one.symbol} in all {side.size:,} runs on "
                f"{named(side.dataset)} and never on the neighbor: there is no noise.",
                _ADVICE.format(part=part_name),
                value=one.symbol,
            )
    return None


def _constant(evidence: Evidence, part: str, left: str, right: str) -> Diagnosis:
    return found(
        Cause.NO_NOISE,
        f"{_capital(part)} is {left} in all runs on {named(evidence.left.dataset)} and {right} in "
        f"all runs on {named(evidence.right.dataset)}: there is no noise.",
        _ADVICE.format(part=part),
        left=left,
        right=right,
        part=part,
    )


def spike(evidence: Evidence) -> Diagnosis | None:
    """A share of the outputs within a tiny interval that the other dataset never meets."""
    for part in numeric_parts(evidence):
        for on_left in (True, False):
            held = _spike(part, on_left)
            if held is not None:
                centre, rate = held
                side = evidence.left if on_left else evidence.right
                return found(
                    Cause.NO_NOISE,
                    f"{_capital(part.name)} is {number(centre)}, nearly without noise, in "
                    f"{share(rate)} of the runs on {named(side.dataset)} and never on the "
                    "neighbor.",
                    _ADVICE.format(part=part.name),
                    value=centre,
                    rate=rate,
                )
    return None


def _spike(part: Part, on_left: bool) -> tuple[float, float] | None:
    """Centre and share of the narrowest dense interval that the other side does not meet."""
    here, there = (part.left, part.right) if on_left else (part.right, part.left)
    ordered = np.sort(here)
    low, high = np.quantile(ordered, [0.1, 0.9])
    most = max(5, int(_SPIKE * len(ordered)))
    continuous = 2 * len(np.unique(ordered)) >= len(ordered) > most
    if not continuous or not high > low:
        return None
    widths = ordered[most:] - ordered[:-most]
    at = int(widths.argmin())
    if not widths[at] < _NARROW * (high - low):
        return None
    first, last = ordered[at], ordered[at + most]
    if ((there >= first) & (there <= last)).sum():
        return None
    slack = _NARROW * (high - low)
    rate = float(((here >= first - slack) & (here <= last + slack)).mean())
    return float((first + last) / 2.0), rate


def one_output(evidence: Evidence) -> Diagnosis | None:
    """One of few discrete outputs in all runs on one dataset, and others on the neighbor."""
    for pattern in patterns(evidence, _MOST):
        counts = pattern.counts
        sides = evidence.left, evidence.right
        always, other = sides if counts.p >= counts.q else sides[::-1]
        if max(counts.p, counts.q) < 1.0:
            continue
        rest = evidence.counts(evidence.left.size - counts.left, evidence.right.size - counts.right)
        if rest.breaks(evidence.claim):
            return found(
                Cause.NO_NOISE,
                f"The output is {pattern.output} in all runs on {named(always.dataset)}, and "
                f"another one in {share(max(rest.p, rest.q))} of those on "
                f"{named(other.dataset)}: there is no noise on {named(always.dataset)}.",
                _ADVICE.format(part="the output"),
                value=pattern.output,
                rate=max(rest.p, rest.q),
            )
    return None


def certain_event(evidence: Evidence) -> Diagnosis | None:
    """An event of the witness that always happens on D and never on D′."""
    observed = evidence.observed
    if observed is None or not observed.certain or evidence.session:
        return None
    return found(
        Cause.NO_NOISE,
        f"In {share(observed.p)} of the runs on {named(evidence.left.dataset)}, and in "
        f"{share(observed.q)} of those on the neighbor, {observed.event}: this has no noise.",
        "Compute it from noisy values alone, or leave it out of the output.",
        event=observed.event,
        p=observed.p,
        q=observed.q,
    )


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
