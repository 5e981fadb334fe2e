"""Noise of a family, moved between two datasets, and the claim that it pays for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from audit.claims import Claim, GaussianDP
from audit.claims.interface import Divergences, Lines
from audit.diagnosis.parts import Part, constant
from audit.lazy_modules import special
from audit.outcomes.column import Floats

_SURE = 1e-6
"""Chance that the same noise on both datasets looks like noise of two shapes or scales."""
_LEAST_RATIO = 1.15
"""Scales nearer to each other are treated as equal."""
_FEWEST_VALUES = 4
"""A part with fewer different values is a choice, not a number with noise."""
_LATTICE = 0.25
"""Different values in units of the runs; noise with fewer is discrete."""
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0
"""Its multiples, modulo 1, spread evenly, in whatever order the runs are."""
_LARGEST_FACTOR = 1e12
_LARGEST_MU = 300.0
"""Beyond, no δ below 1 is left."""


class Family(StrEnum):
    """Families that are told apart; the scale of each is the usual one."""

    LAPLACE = "Laplace"
    GAUSSIAN = "Gaussian"
    OTHER = "other"

    def delta(self, loss: float, epsilon: float) -> float:
        """δ at ε of noise with so large a loss."""
        if self is Family.GAUSSIAN:
            return GaussianDP(loss).delta(epsilon) if loss <= _LARGEST_MU else 1.0
        return max(0.0, -math.expm1((epsilon - loss) / 2.0))

    def divergence(self, loss: float, order: float) -> float:
        """Rényi divergence of an order of noise with so large a loss."""
        if self is Family.GAUSSIAN:
            return order * loss**2 / 2.0
        if order == 1.0:
            return loss + math.expm1(-loss)
        # Proposition 6 of arXiv 1702.07476.
        logs = (
            math.log(order / (2.0 * order - 1.0)) + (order - 1.0) * loss,
            math.log((order - 1.0) / (2.0 * order - 1.0)) - order * loss,
        )
        return float(np.logaddexp(*logs)) / (order - 1.0)

    def log_odds(self, loss: float, p: float) -> float:
        """The largest log odds of an event of probability p on the likelier dataset."""
        if self is Family.GAUSSIAN:
            bound = min(max(p, 1e-12), 1.0 - 1e-12)
            shifted = special.ndtri(bound) - loss
            return float(math.log(bound) - special.log_ndtr(shifted))
        return loss


@dataclass(frozen=True, slots=True)
class Moved:
    """A part whose noise has one shape and one scale on both datasets.

    Attributes:
        part: with its numbers on both datasets.
        family: of its noise.
        scale: Laplace b, also of geometric noise, whose probabilities fall by e^(-step/b) a step;
            else the standard deviation.
        shift: distance of its centres on D and D′, at least 0.
        error: standard error of the shift.
        distance: largest difference of the probabilities of a threshold event.
    """

    part: Part
    family: Family
    scale: float
    shift: float
    error: float
    distance: float = 1.0

    @property
    def loss(self) -> float:
        """Shift over scale: ε of Laplace noise, μ of Gaussian noise."""
        return self.shift / self.scale

    @property
    def moves(self) -> bool:
        """True if the shift is no chance."""
        return self.shift > 5.0 * self.error

    @property
    def at_least(self) -> Moved:
        """The same with the lower limit of its shift, two and a half standard errors below."""
        return replace(self, shift=max(self.shift - 2.5 * self.error, 0.0))


def moved(part: Part) -> Moved | None:
    """The part's noise, None if it differs between the datasets or there is none."""
    if not part.noisy or part.values < _FEWEST_VALUES:
        return None
    left, right = centred(part.left), centred(part.right)
    if not same_shape(left, right) or differs(scale_ratio(part)):
        return None
    pooled = np.concatenate([left, right])
    family = family_of(pooled)
    scale = _laplace_scale(pooled) if family is Family.LAPLACE else float(pooled.std())
    centre = np.median if family is Family.LAPLACE else np.mean
    shift = abs(float(centre(part.right) - centre(part.left)))
    error = scale * math.sqrt(1.0 / len(left) + 1.0 / len(right))
    return Moved(part, family, scale, shift, error, ks_distance(part.left, part.right))


def centred(numbers: Floats) -> Floats:
    """Distances from the median."""
    return np.asarray(numbers - np.median(numbers))


def family_of(noise: Floats) -> Family:
    """The family of centred noise, from its skewness and its mean deviation.

    Noise in steps is spread evenly over them: geometric and discrete Gaussian noise then have
    nearly the mean deviation of Laplace and Gaussian noise.
    """
    noise = noise + step_of(noise) * (_GOLDEN * np.arange(len(noise)) % 1.0 - 0.5)
    spread = float(noise.std())
    standardized = (noise - noise.mean()) / spread
    skewness, kurtosis = (float(np.mean(standardized**power)) for power in (3, 4))
    deviation = float(np.abs(noise).mean()) / spread
    slack = 2.0 / math.sqrt(len(noise))
    # E|Z|/σ is 1/√2 for Laplace noise and √(2/π) for Gaussian noise; 0.7525 is halfway.
    if deviation < min(0.735 + 0.15 * slack, 0.7525) and abs(skewness) < 0.6:
        return Family.LAPLACE
    if deviation < math.sqrt(0.5) + 0.6 * slack:
        return Family.OTHER  # few numbers: within 3.4 standard errors of Laplace noise
    normal = abs(deviation - math.sqrt(2.0 / math.pi)) < 0.006 + 0.3 * slack
    if normal and abs(skewness) < 0.05 + 6.0 * slack and abs(kurtosis - 3.0) < 0.1 + 10.0 * slack:
        return Family.GAUSSIAN
    return Family.OTHER


def step_of(noise: Floats) -> float:
    """The distance of neighboring values of discrete noise; 0 if it is continuous."""
    values = np.unique(noise)
    if len(values) < 2 or len(values) > _LATTICE * len(noise):
        return 0.0
    gaps = np.diff(values)
    step = float(gaps.min())
    regular = np.abs(gaps / step - np.rint(gaps / step)).max() < 1e-6
    return step if regular else 0.0


def _laplace_scale(noise: Floats) -> float:
    """The scale b of Laplace noise, or of geometric noise in steps, from its mean deviation.

    Geometric noise k·step with probabilities in proportion to e^(-|k|·step/b) has the mean
    deviation step / sinh(step/b).
    """
    deviation, step = float(np.abs(noise).mean()), step_of(noise)
    return step / math.asinh(step / deviation) if step else deviation


def same_shape(left: Floats, right: Floats) -> bool:
    """True if the Kolmogorov-Smirnov distance of two centred samples is no more than chance."""
    size = len(left) * len(right) / (len(left) + len(right))
    return ks_distance(left, right) <= math.sqrt(-math.log(_SURE / 2.0) / 2.0 / size)


def ks_distance(left: Floats, right: Floats) -> float:
    """Kolmogorov-Smirnov distance: the largest difference of two distribution functions."""
    grid = np.sort(np.concatenate([left, right]))
    below = [np.searchsorted(np.sort(side), grid, side="right") for side in (left, right)]
    return float(np.abs(below[0] / len(left) - below[1] / len(right)).max())


def spread_of(numbers: Floats) -> float:
    """Mean absolute deviation from the median: b of Laplace noise, 0.8 σ of Gaussian noise."""
    return 0.0 if constant(numbers) is not None else float(np.abs(centred(numbers)).mean())


def scale_ratio(part: Part) -> tuple[float, float]:
    """Log of the ratio of the scales on D and D′, and its standard error."""
    logs, errors = [], []
    for side in (part.left, part.right):
        deviations = np.abs(centred(side))
        mean = float(deviations.mean())
        logs.append(math.log(mean))
        errors.append(float(deviations.std()) / mean / math.sqrt(len(side)))
    return logs[0] - logs[1], math.hypot(*errors)


def differs(ratio: tuple[float, float]) -> bool:
    """True if two scales differ by more than chance and by more than 15%."""
    log_ratio, error = ratio
    return abs(log_ratio) > max(math.log(_LEAST_RATIO), 5.0 * error)


def factor_needed(parts: Sequence[Moved], claim: Claim) -> float:
    """By how much the noise of all parts must grow for the claim to hold.

    Laplace losses add up; Gaussian ones add up as squares. It is below 1 if there is more noise
    than the claim needs, and infinite if no scale is enough.
    """
    family, loss = together(parts)
    promised = claim.lines(claim.level), claim.divergences(claim.level)
    if not _keeps(family, loss / _LARGEST_FACTOR, *promised):
        return math.inf
    low, high = -math.log(_LARGEST_FACTOR), math.log(_LARGEST_FACTOR)
    while high - low > 1e-7:
        middle = (low + high) / 2.0
        kept = _keeps(family, loss / math.exp(middle), *promised)
        low, high = (low, middle) if kept else (middle, high)
    return math.exp(high)


def together(parts: Sequence[Moved]) -> tuple[Family, float]:
    """Family and loss of all parts as one."""
    losses = [part.loss for part in parts]
    if all(part.family is Family.GAUSSIAN for part in parts):
        return Family.GAUSSIAN, math.hypot(*losses)
    return Family.LAPLACE, math.fsum(losses)


def _keeps(family: Family, loss: float, lines: Lines, divergences: Divergences) -> bool:
    if family is Family.GAUSSIAN and not lines[:, 1].all():
        return False
    # Lines of a claim about divergences follow from them and promise less.
    for order, most in divergences.tolist():
        if family.divergence(loss, order) > most:
            return False
    return all(family.delta(loss, math.log(slope)) <= offset for slope, offset in lines.tolist())
