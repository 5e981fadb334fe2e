"""Claims by their parameters, the noise scales they require, and some well-known wrong ones.

Every rule takes the claim's epsilon and delta and the sensitivity that the code
believes in, and returns the scale of the noise: b of a Laplace distribution,
sigma of a normal one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from audit.claims import ApproxDP, Claim, GaussianDP, PureDP
from mechanisms.parts.parameters import require_positive, require_probability

Rule = Callable[[float, float, float], float]
Calibration = Literal[
    "pure", "inverted", "classic", "classic-variance", "analytic", "analytic-sign-slip"
]


@dataclass(frozen=True, slots=True)
class Pure:
    """Base of mechanisms whose first parameter is the epsilon that they claim, without a delta.

    Attributes:
        epsilon: claimed epsilon.
    """

    epsilon: float = 1.0

    @property
    def claim(self) -> Claim:
        return PureDP(self.epsilon)


def claim_of(epsilon: float, delta: float) -> Claim:
    """The claim of a mechanism whose parameters are epsilon and delta."""
    return ApproxDP(epsilon, delta) if delta else PureDP(epsilon)


def pure_scale(epsilon: float, delta: float, sensitivity: float) -> float:
    """Scale of Laplace or geometric noise for pure differential privacy."""
    return sensitivity / epsilon


def inverted_scale(epsilon: float, delta: float, sensitivity: float) -> float:
    """Epsilon taken for the scale: right at 1, too much noise above, too little below."""
    return sensitivity * epsilon


def classic_sigma(epsilon: float, delta: float, sensitivity: float) -> float:
    """The textbook Gaussian (Dwork and Roth 2014, Theorem A.1), proven for epsilon < 1 only."""
    return sensitivity * math.sqrt(2.0 * math.log(1.25 / delta)) / epsilon


def classic_variance(epsilon: float, delta: float, sensitivity: float) -> float:
    """The textbook sigma handed over where a variance is expected."""
    return math.sqrt(classic_sigma(epsilon, delta, sensitivity))


def analytic_sigma(epsilon: float, delta: float, sensitivity: float) -> float:
    """The smallest sigma there is (arXiv 1805.06530, Theorem 8)."""

    # It takes a while to load, and most mechanisms need no such noise.
    from scipy.optimize import brentq

    def excess(mu: float) -> float:
        return math.log(max(GaussianDP(mu).delta(epsilon), 1e-300) / delta)

    return sensitivity / float(brentq(excess, 1e-4, 300.0, xtol=1e-13, rtol=1e-13))


def analytic_sign_slip(epsilon: float, delta: float, sensitivity: float) -> float:
    """The analytic Gaussian with a minus in its last formula.

    In the branch of small deltas the right factor is `sqrt(1 + u/2) + sqrt(u/2)`;
    the slip returns its reciprocal over 2 epsilon.
    """
    factor = analytic_sigma(epsilon, delta, 1.0) * math.sqrt(2.0 * epsilon)
    return sensitivity / (factor * math.sqrt(2.0 * epsilon))


def scale_of(calibration: Calibration, epsilon: float, delta: float, sensitivity: float) -> float:
    """Noise scale by a calibration rule.

    Raises:
        InputError: a sensitivity that is no positive number, or a rule for
            Gaussian noise without a delta between 0 and 1.
    """
    require_positive("sensitivity", sensitivity)
    if calibration not in ("pure", "inverted"):
        require_probability("delta", delta)
    return _RULES[calibration](epsilon, delta, sensitivity)


_RULES: Mapping[Calibration, Rule] = {
    "pure": pure_scale,
    "inverted": inverted_scale,
    "classic": classic_sigma,
    "classic-variance": classic_variance,
    "analytic": analytic_sigma,
    "analytic-sign-slip": analytic_sign_slip,
}
