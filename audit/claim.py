"""Privacy claims, each known by its privacy profile delta(epsilon).

A claim is a family of inequalities `P[M(D) in E] <= e^x P[M(D') in E] + delta(x)`,
one for each x; (e^x, delta(x)) is a *line* of the claim. Whatever a claim's
definition, an auditor can bet on its lines, because each of them holds whenever
the claim does.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from audit.claim_kind import EPSILON_BOUND, Claim, Lines, register_claim
from audit.errors import ClaimError, shown
from audit.privacy_profile import (
    LARGEST_EPSILON,
    concentrated_delta,
    gaussian_delta,
    one_order_delta,
    profile_lines,
    two_point_delta,
)
from audit.validation import check_epsilon, check_positive, is_number, native, order_and_epsilon

__all__ = [
    "EPSILON_BOUND", "ApproxDP", "Claim", "GaussianDP", "Lines", "PureDP", "RenyiDP",
    "ZeroConcentratedDP", "claim_from",
]

_LEAST_LEVEL = 1e-9
"""What is bet against where epsilon is 0: whatever keeps that keeps this as well."""


class _AtEpsilon(Claim):
    """What claims have in common whose level is epsilon itself, 0 among its values."""

    __slots__ = ()

    epsilon: float
    symbol: ClassVar[str] = "ε"
    bound: ClassVar[str] = EPSILON_BOUND

    @property
    def level(self) -> float:
        return self.epsilon or _LEAST_LEVEL

    def stated(self, level: float) -> float:
        return 0.0 if not self.epsilon and level <= _LEAST_LEVEL else level


@register_claim
@dataclass(frozen=True, slots=True)
class PureDP(_AtEpsilon):
    """epsilon-differential privacy (Dwork, McSherry, Nissim, Smith 2006).

    Attributes:
        epsilon: at least 0.
    """

    epsilon: float
    kind: ClassVar[str] = "pure"

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon, LARGEST_EPSILON)

    def at(self, level: float) -> PureDP:
        return PureDP(level)

    def delta(self, epsilon: float) -> float:
        return two_point_delta(self.epsilon, 0.0, epsilon)

    def lines(self, level: float) -> Lines:
        return np.array([[math.exp(self.stated(level)), 0.0]])

    def as_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "epsilon": self.epsilon, "delta": 0.0}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> PureDP:
        if document["delta"] != 0:
            raise ClaimError(f"delta {shown(document['delta'])} of a pure claim is not 0", document)
        return cls(document["epsilon"])

    def __str__(self) -> str:
        return f"ε = {self.epsilon:g}"


@register_claim
@dataclass(frozen=True, slots=True)
class ApproxDP(_AtEpsilon):
    """(epsilon, delta)-differential privacy (Dwork, Kenthapadi, McSherry, Mironov, Naor 2006).

    Attributes:
        epsilon: at least 0.
        delta_claimed: between 0 and 1.
    """

    epsilon: float
    delta_claimed: float
    kind: ClassVar[str] = "approximate"

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon, LARGEST_EPSILON)
        if not (is_number(self.delta_claimed) and 0 < self.delta_claimed < 1):
            raise ClaimError(
                f"delta {shown(self.delta_claimed)} is not between 0 and 1; "
                "use 0 < delta < 1, or leave it out for pure DP",
                self.delta_claimed,
            )

    def at(self, level: float) -> ApproxDP:
        return ApproxDP(level, self.delta_claimed)

    def delta(self, epsilon: float) -> float:
        return two_point_delta(self.epsilon, self.delta_claimed, epsilon)

    def lines(self, level: float) -> Lines:
        return np.array([[math.exp(self.stated(level)), self.delta_claimed]])

    @property
    def condition(self) -> str:
        return f"at δ = {self.delta_claimed:g}"

    def as_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "epsilon": self.epsilon, "delta": self.delta_claimed}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> ApproxDP:
        return cls(document["epsilon"], document["delta"])

    def __str__(self) -> str:
        return f"(ε, δ) = ({self.epsilon:g}, {self.delta_claimed:g})"


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


def claim_from(
    *,
    claim: Claim | None = None,
    epsilon: float | None = None,
    delta: float | None = None,
    rho: float | None = None,
    mu: float | None = None,
    renyi: tuple[float, float] | None = None,
) -> Claim | None:
    """The one claim that the given parameters state, None when there are none.

    Args:
        claim: one as it is, of whatever kind.
        epsilon: of pure DP; with `delta` of approximate DP.
        delta: of approximate DP.
        rho: of zCDP.
        mu: of Gaussian DP.
        renyi: order and epsilon of Rényi DP.

    Returns:
        The claim; None where nothing was given.

    Raises:
        ClaimError: parameters of two kinds of claim, or one out of its range.
    """
    given = {"claim": claim, "epsilon": epsilon, "rho": rho, "mu": mu, "renyi": renyi}
    stated = [name for name, value in given.items() if value is not None]
    if len(stated) > 1:
        raise ClaimError(f"{' and '.join(stated)} state two claims; give one of them", given)
    if claim is not None and not isinstance(claim, Claim):
        raise ClaimError(f"claim {shown(claim)} is none; inherit from audit.Claim", claim)
    if delta is not None and epsilon is None:
        raise ClaimError(f"delta {shown(delta)} needs an epsilon beside it", delta)
    if epsilon is not None:
        pure = delta is None or (is_number(native(delta)) and delta == 0)
        return PureDP(native(epsilon)) if pure else ApproxDP(native(epsilon), native(delta))
    if rho is not None:
        return ZeroConcentratedDP(native(rho))
    if mu is not None:
        return GaussianDP(native(mu))
    return claim if renyi is None else RenyiDP(*order_and_epsilon(renyi))
