"""Claims that bound Rényi divergences: zero-concentrated, Rényi and Gaussian DP."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from audit.claims.interface import (
    LARGEST_EPSILON,
    Claim,
    Divergences,
    Lines,
    profile_lines,
    register_claim,
)
from audit.errors import ClaimError, shown
from audit.lazy_modules import special
from audit.validation import check_positive, is_number

_BET_ON = np.array([1.0, 1.5, 2.0, 3.0])
"""Orders of the divergences bet on against zCDP; the lines of its events come from all orders."""
_ORDERS = 1.0 + np.geomspace(1e-3, 1e5, 3000)
"""Orders of Rényi divergence at which zCDP is converted."""
_Numbers = NDArray[np.float64] | np.float64


@register_claim
@dataclass(frozen=True, slots=True)
class ZCDP(Claim):
    """rho-zCDP: Rényi divergence of every order a is at most rho·a (arXiv 1605.02065).

    Attributes:
        rho: above 0.
    """

    rho: float
    kind: ClassVar[str] = "zcdp"
    symbol: ClassVar[str] = "ρ"
    bound: ClassVar[str] = "rho_lower"

    def __post_init__(self) -> None:
        check_positive("rho", self.rho, LARGEST_EPSILON)

    @property
    def level(self) -> float:
        return self.rho

    def at(self, level: float) -> ZCDP:
        return ZCDP(level)

    def delta(self, epsilon: float) -> float:
        converted = float(np.min(renyi_delta(_ORDERS, _ORDERS * self.rho, epsilon)))
        return min(converted, divergence_delta(self.rho))

    def lines(self, level: float) -> Lines:
        spread = 2.0 * math.sqrt(self.rho)
        steps = np.array([0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0])
        return profile_lines(self.at(level).delta, [0.0, *(self.rho + spread * steps)])

    def divergences(self, level: float) -> Divergences:
        return np.column_stack([_BET_ON, _BET_ON * level])

    def __str__(self) -> str:
        return f"ρ = {self.rho:g} (zCDP)"


@register_claim
@dataclass(frozen=True, slots=True)
class RenyiDP(Claim):
    """(order, epsilon)-Rényi differential privacy (arXiv 1702.07476).

    Attributes:
        order: above 1.
        epsilon: the divergence of that order at most, above 0.
    """

    order: float
    epsilon: float
    kind: ClassVar[str] = "renyi"
    symbol: ClassVar[str] = "Rényi ε"
    bound: ClassVar[str] = "renyi_lower"

    def __post_init__(self) -> None:
        check_positive("Rényi epsilon", self.epsilon, LARGEST_EPSILON)
        if not (is_number(self.order) and 1 < self.order <= sys.float_info.max):
            raise ClaimError(
                f"Rényi order {shown(self.order)} is not a number above 1; use for example 2:0.5",
                self.order,
            )

    @property
    def level(self) -> float:
        return self.epsilon

    def at(self, level: float) -> RenyiDP:
        return RenyiDP(self.order, level)

    def delta(self, epsilon: float) -> float:
        order, divergence = np.float64(self.order), np.float64(self.epsilon)
        converted = float(renyi_delta(order, divergence, epsilon))
        return min(converted, divergence_delta(self.epsilon))

    def lines(self, level: float) -> Lines:
        steps = np.array([-0.5, 0.0, 0.5, 1.0, 2.0, 4.0, 8.0])
        points = [0.0, *(self.epsilon + steps / (self.order - 1.0))]
        return profile_lines(self.at(level).delta, points)

    def divergences(self, level: float) -> Divergences:
        return np.array([[self.order, level]])

    @property
    def condition(self) -> str:
        return f"of order {_exactly(self.order)}"

    def __str__(self) -> str:
        return f"Rényi ({_exactly(self.order)}, {self.epsilon:g})"


@register_claim
@dataclass(frozen=True, slots=True)
class GaussianDP(Claim):
    """mu-Gaussian differential privacy (arXiv 1905.02383, Corollary 2.13).

    Attributes:
        mu: above 0.
    """

    mu: float
    kind: ClassVar[str] = "gaussian"
    symbol: ClassVar[str] = "μ"
    bound: ClassVar[str] = "mu_lower"

    def __post_init__(self) -> None:
        check_positive("mu", self.mu, LARGEST_EPSILON)

    @property
    def level(self) -> float:
        return self.mu

    def at(self, level: float) -> GaussianDP:
        return GaussianDP(level)

    def delta(self, epsilon: float) -> float:
        middle, half = -epsilon / self.mu, self.mu / 2.0
        second = math.exp(min(epsilon + float(special.log_ndtr(middle - half)), 0.0))
        return min(1.0, max(0.0, float(special.ndtr(middle + half)) - second))

    def lines(self, level: float) -> Lines:
        steps = np.array([-1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0])
        return profile_lines(self.at(level).delta, [0.0, *(self.mu**2 / 2 + self.mu * steps)])

    def __str__(self) -> str:
        return f"μ = {self.mu:g} (Gaussian DP)"


def _exactly(order: float) -> str:
    """An order with all its digits: 1.0000001 is another claim than 1."""
    return repr(float(order)).removesuffix(".0")


def renyi_delta(order: _Numbers, divergence: _Numbers, epsilon: float) -> NDArray[np.float64]:
    """The delta that follows at epsilon from a Rényi divergence (arXiv 2004.00010, Prop. 12).

    Args:
        order: above 1, one or many.
        divergence: of that order, of the same shape.
        epsilon: where the profile is wanted, at least 0.

    Returns:
        One delta in [0, 1] for each order.
    """
    with np.errstate(over="ignore"):  # the largest orders: the delta is then 0 or 1
        log_delta = (order - 1.0) * (divergence - epsilon) - np.log(order - 1.0)
    log_delta = log_delta + order * np.log1p(-1.0 / order)
    return np.asarray(np.exp(np.minimum(log_delta, 0.0)))


def divergence_delta(divergence: float) -> float:
    """Total variation from KL divergence: Pinsker's and Bretagnolle-Huber's inequalities.

    Rényi divergences grow with the order, so any of them bounds KL; and the profile never exceeds
    its value at 0, the total variation, so that this delta holds at every epsilon.
    """
    return min(math.sqrt(divergence / 2.0), math.sqrt(-math.expm1(-divergence)))
