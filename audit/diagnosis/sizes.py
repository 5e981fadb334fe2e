"""Rules on noise of one shape and scale that is too small for what it must hide."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from audit.claims import ApproxDP, Claim, PureDP
from audit.diagnosis.contribution import COMPUTED, MORE, clip_or_noise
from audit.diagnosis.evidence import Counts, Evidence, about, allowed_delta, enough, found, number
from audit.diagnosis.noise import Family, Moved, factor_needed, moved, together
from audit.diagnosis.noise_values import never_beyond
from audit.diagnosis.parts import Part, numeric_parts, symbol_counts, words
from audit.diagnosis.shifts import Shift, farthest, noised_alike, shift_of
from audit.verdict.findings import Cause, Diagnosis

_ALONE = 1.1
"""A part whose noise needs no larger factor keeps the claim by itself."""
_LEAST = 0.9
"""Smallest factor that explains a violation, errors of estimation included."""
_EXPLAINED = 0.8
"""Share of the observed log odds that noise of a family must account for."""
_SHAPED = 20
"""Different values from which on discrete noise has a shape."""
_CUTS = 64
_SLACK = 0.15
"""By how much frequencies of fresh runs may differ by chance."""


def budget_not_split(evidence: Evidence) -> Diagnosis | None:
    """Several parts that keep the claim alone and exceed it together."""
    parts = _moved_parts(evidence)
    if len(parts) < 2:
        return None
    alone = max(factor_needed([part.at_least], evidence.claim) for part in parts)
    whole = factor_needed(parts, evidence.claim)
    if alone > _ALONE or whole <= _ALONE or not _explains(evidence, parts):
        return None
    names = _listed([one.part.name for one in parts])
    threshold = " If a threshold pays for δ, raise it with the noise."
    return found(
        Cause.NOT_SPLIT,
        f"The parts together exceed the budget. At least {len(parts)} parts ({names}) move on "
        f"this pair; alone, none is shown to exceed {evidence.claim}, and together they need about "
        f"{about(whole)} times the noise.",
        f"Multiply the noise of all parts by about {about(whole)}. Or claim the sum of their "
        f"{evidence.claim.symbol}.{threshold * (allowed_delta(evidence.claim) > 0)}",
        parts=len(parts),
        factor=whole,
        losses=[round(part.loss, 3) for part in parts],
    )


def wrong_noise_shape(evidence: Evidence) -> Diagnosis | None:
    """Gaussian noise under a claim without δ."""
    for noise in _moved_parts(evidence):
        if noise.part.values < _SHAPED:
            continue
        endless = math.isinf(factor_needed([noise], evidence.claim))
        explained = _separates(noise, evidence) and _explains(evidence, [noise])
        if noise.family is Family.GAUSSIAN and endless and explained:
            level, name = evidence.claim.level, noise.part.name
            beyond = level * noise.scale / noise.loss
            return found(
                Cause.WRONG_SHAPE,
                f"The noise of {name} is Gaussian. Its σ is {number(noise.scale)}, and "
                f"{one_change(evidence)} moves {name} by {number(noise.shift)}. Farther than "
                f"{number(beyond)} from the midpoint the loss exceeds {evidence.claim}.",
                "State a δ, or use Laplace noise of scale Δ/ε, here about "
                f"{about(noise.shift / level)}.",
                sigma=noise.scale,
                shift=noise.shift,
                beyond=beyond,
            )
    return None


def noise_too_small(evidence: Evidence) -> Diagnosis | None:
    """Noise of one shape and scale, moved farther than it pays for."""
    moving = _moved_parts(evidence, texts=True)
    candidates = [(factor_needed([noise], evidence.claim), noise) for noise in moving]
    for factor, noise in sorted(candidates, key=lambda one: -one[0]):
        if _separates(noise, evidence):
            rule = _other_shape if noise.family is Family.OTHER else _too_small
            if (too_small := rule(evidence, noise, factor)) is not None:
                return too_small
    return None


def _too_small(evidence: Evidence, noise: Moved, times: float) -> Diagnosis | None:
    """The diagnosis, with the shift of all parts that are noised alike.

    None unless the part, or it and those noised alike, allow the odds that were observed.
    """
    noises = noised_alike(evidence, noise)
    moving = [replace(noise, shift=one.shift) for one in noises if one.moves]
    if not (_LEAST <= times < math.inf and _explains(evidence, [noise], moving)):
        return None
    scale = _pooled_scale(noises, noise.family)
    names = [one.part.name for one in noises]
    shift = farthest(evidence, names, noise.family) or _seen(evidence, noise)
    worst = replace(noise, scale=scale, shift=shift.size)
    factor = max(1.0, factor_needed([worst], evidence.claim))
    whole = _whole_numbers(noise.part)
    advice = clip_or_noise(evidence, names, noise.family, shift, factor)
    advice = advice or f"{_grow(factor, whole=whole)}."
    symbol = "σ" if noise.family is Family.GAUSSIAN else "scale"
    exact = not shift.runs
    needed = enough(factor * scale) if exact else f"about {about(factor * scale)}"
    what, listed, norm = _in_words(noise, names)
    return found(
        Cause.NOISE_TOO_SMALL,
        f"The noise of {what} is too small for the sensitivity. It is "
        f"{_DISCRETE[noise.family] if whole else noise.family} with "
        f"{symbol} {number(scale)}{listed}, and {one_change(evidence)} moves {what} by "
        f"{shift.words}{norm} ({shift.source}).",
        advice
        if advice == COMPUTED
        else f"{advice} {evidence.claim} needs a {symbol} of {needed} here "
        f"({_formula(noise, evidence.claim)}).",
        scale=scale,
        shift=shift.size,
        exact=exact,
        parts=len(noises),
        family=str(noise.family),
        factor=factor,
        loss=worst.loss,
    )


def _pooled_scale(noises: list[Moved], family: Family) -> float:
    scales = [one.scale for one in noises if one.family is family]
    return math.fsum(scales) / len(scales)


def _in_words(noise: Moved, names: list[str]) -> tuple[str, str, str]:
    """The parts noised alike, their names, and the norm of their shift; of one part its name."""
    if len(names) == 1:
        return noise.part.name, "", ""
    norm = 2 if noise.family is Family.GAUSSIAN else 1
    return f"{len(names)} parts", f" in {_listed(names)}", f" in L{norm} norm"


def _seen(evidence: Evidence, noise: Moved) -> Shift:
    """The shift of one part on the pair itself."""
    left, right = evidence.left, evidence.right
    return Shift(noise.shift, 0.0, min(left.size, right.size), left.dataset, right.dataset)


def _formula(noise: Moved, claim: Claim) -> str:
    """The scale for a sensitivity Δ; for Gaussian noise by the analytic formula."""
    if noise.family is not Family.GAUSSIAN and isinstance(claim, (PureDP, ApproxDP)):
        return "Δ/ε"
    return f"{enough(factor_needed([replace(noise, scale=1.0, shift=1.0)], claim))} · Δ"


def _other_shape(evidence: Evidence, noise: Moved, times: float) -> Diagnosis | None:
    """The diagnosis for noise of no known family.

    None if the noise ends: it never reaches values that the other dataset often gives.
    """
    own = noise.part
    if own.values < _SHAPED or math.sqrt(2.0) * times < _LEAST:
        return None
    if never_beyond(own.left, own.right, evidence.claim.level):
        return None
    odds = 0.0 if evidence.observed is None else evidence.observed.log_odds
    factor = max(1.0, odds / evidence.claim.level)
    sides = evidence.left.dataset, evidence.right.dataset
    shift = shift_of(evidence, [own.name], noise.family, *sides) or _seen(evidence, noise)
    advice = clip_or_noise(evidence, [own.name], noise.family, shift, factor)
    return found(
        Cause.NOISE_TOO_SMALL,
        f"The noise of {own.name} is too small for the sensitivity. It has standard deviation "
        f"{about(noise.scale)} on both datasets, and {one_change(evidence)} moves {own.name} by "
        f"{shift.words}: too far for {evidence.claim}.",
        advice or f"{_grow(factor, least=True)}, or release less of the noisy values.",
        scale=noise.scale,
        shift=shift.size,
        family=str(noise.family),
        factor=factor,
    )


def mixed_noise(evidence: Evidence) -> Diagnosis | None:
    """Noisy parts of no known family that move, labels among them: too small alone, or together."""
    parts = [part for part in numeric_parts(evidence) if part.noisy]
    if evidence.observed is None or evidence.observed.certain:
        return None
    joined = evidence.observed.parts
    shifted = [part for part in parts if part.name in joined or _mean_moves(part)]
    if not shifted:
        return None
    if any(_breaks_alone(evidence, part) for part in shifted):
        worst = max(shifted, key=_relative_shift)
        if never_beyond(worst.left, worst.right, evidence.claim.level):
            return None
        shift = abs(float(worst.left.mean() - worst.right.mean()))
        return found(
            Cause.NOISE_TOO_SMALL,
            f"The noise of {worst.name} does not hide {one_change(evidence)}. It moves the mean by "
            f"{number(shift)}, and {evidence.observed.event} with odds beyond {evidence.claim}.",
            "Increase the noise, or limit what one record moves. This event must keep the claim.",
            scale=float(worst.left.std()),
            shift=shift,
        )
    return _together_only(evidence, [*joined, *(part.name for part in shifted)])


def _together_only(evidence: Evidence, numbers: list[str]) -> Diagnosis | None:
    """Several parts that differ, of which none is shown to exceed the claim alone.

    Args:
        evidence: of the violation.
        numbers: parts that are numbers, or are joined by the event, and keep the claim.
    """
    labels = [one for one in symbol_counts(evidence, structural=False) if _moves(one.counts)]
    moving = list(dict.fromkeys([*numbers, *(words(one.part) for one in labels)]))
    if len(moving) < 2 or any(one.counts.breaks(evidence.claim) for one in labels):
        return None
    return found(
        Cause.NOT_SPLIT,
        f"The parts together exceed the budget. At least {len(moving)} parts ({_listed(moving)}) "
        f"differ on this pair, and none of them alone is shown to exceed {evidence.claim}.",
        f"Divide the budget between all parts that may differ, or claim the sum of their "
        f"{evidence.claim.symbol}.",
        parts=len(moving),
    )


def _moved_parts(evidence: Evidence, texts: bool = False) -> list[Moved]:
    parts = numeric_parts(evidence, texts=texts)
    return [one for part in parts if (one := moved(part)) and one.moves]


def _explains(evidence: Evidence, *ways: list[Moved]) -> bool:
    """True if noise that moved in one of these ways allows the odds that were observed."""
    observed = evidence.observed
    if observed is None:
        return True
    noises = map(together, ways)
    odds = (family.log_odds(loss, observed.least_p) for family, loss in noises)
    return any(one >= _EXPLAINED * observed.least_log_odds for one in odds)


def _separates(noise: Moved, evidence: Evidence) -> bool:
    """True if a threshold on the part tells the datasets apart as well as the event did.

    Moved noise with one peak is told apart best by a threshold.
    """
    seen = evidence.observed
    alone = seen is None or seen.p - seen.q <= noise.distance + _SLACK
    return alone or len(_moved_parts(evidence)) > 1


def _relative_shift(part: Part) -> float:
    return abs(float(part.left.mean() - part.right.mean())) / float(part.left.std())


def _mean_moves(part: Part) -> bool:
    both = (part.left, part.right)
    error = math.hypot(*(float(side.std()) / math.sqrt(len(side)) for side in both))
    return abs(float(part.left.mean() - part.right.mean())) > 4.0 * error


def _moves(counts: Counts) -> bool:
    """True if an event is more frequent on one dataset than chance makes it."""
    both = ((counts.p, counts.left_runs), (counts.q, counts.right_runs))
    error = math.hypot(*(math.sqrt(p * (1.0 - p) / runs) for p, runs in both))
    return abs(counts.p - counts.q) > 4.0 * error


def _breaks_alone(evidence: Evidence, part: Part) -> bool:
    """True if a threshold on the part breaks the claim."""
    both = (part.left, part.right)
    cuts = np.unique(np.quantile(np.concatenate(both), np.linspace(0.0, 1.0, _CUTS))).tolist()
    hits = (
        [int((sign * side >= sign * cut).sum()) for side in both]
        for sign in (1.0, -1.0)
        for cut in cuts
    )
    return any(evidence.counts(*one).breaks(evidence.claim) for one in hits)


def one_change(evidence: Evidence) -> str:
    """The change between neighbors in words."""
    return "one record" if evidence.of_records else "one change"


_DISCRETE = {
    Family.LAPLACE: "geometric or rounded Laplace",
    Family.GAUSSIAN: "discrete or rounded Gaussian",
}
"""Noise on whole numbers: both kinds look alike."""


def _whole_numbers(part: Part) -> bool:
    return all(bool((side == np.round(side)).all()) for side in (part.left, part.right))


def _grow(factor: float, *, least: bool = False, whole: bool = False) -> str:
    if factor < MORE:
        return "Increase the noise"
    if whole:
        return f"Draw noise of about {about(factor)} times the scale, do not multiply integers"
    return f"Multiply the noise by about {about(factor)}{' or more' * least}"


def _listed(names: list[str]) -> str:
    return ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
