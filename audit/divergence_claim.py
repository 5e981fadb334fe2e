"""Claims that bound Rényi divergences: zero-concentrated, Rényi and Gaussian DP."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from audit.claim_kind import Claim, Divergences, Lines, register_claim
from audit.errors import ClaimError, shown
from audit.privacy_profile import (
    LARGEST_EPSILON,
    concentrated_delta,
    gaussian_delta,
    one_order_delta,
    profile_lines,
)
from audit.validation import check_positive, is_number

_BET_ON = np.array([1.0, 1.5, 2.0, 3.0])
"""Orders of the divergences bet on against zCDP; the lines of its events come from all orders."""


@register_claim
@dataclass(frozen=True, slots=True)
class ZeroConcentratedDP(Claim):
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

    def at(self, level: float) -> ZeroConcentratedDP:
        return ZeroConcentratedDP(level)

    def delta(self, epsilon: float) -> float:
        return concentrated_delta(self.rho, epsilon)

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
        return one_order_delta(self.order, self.epsilon, epsilon)

    def lines(self, level: float) -> Lines:
        steps = np.array([-0.5, 0.0, 0.5, 1.0, 2.0, 4.0, 8.0])
        points = [0.0, *(self.epsilon + steps / (self.order - 1.0))]
        return profile_lines(self.at(level).delta, points)

    def divergences(self, level: float) -> Divergences:
        return np.array([[self.order, level]])

    @property
    def condition(self) -> str:
        return f"of order {self.order:g}"

    def __str__(self) -> str:
        return f"Rényi ({self.order:g}, {self.epsilon:g})"


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
        return gaussian_delta(self.mu, epsilon)

    def lines(self, level: float) -> Lines:
        steps = np.array([-1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0])
        return profile_lines(self.at(level).delta, [0.0, *(self.mu**2 / 2 + self.mu * steps)])

    def __str__(self) -> str:
        return f"μ = {self.mu:g} (Gaussian DP)"
