"""Privacy claims, each known by its privacy profile delta(epsilon).

A claim is a family of inequalities `P[M(D) in E] <= e^x P[M(D') in E] + delta(x)`,
one for each x; (e^x, delta(x)) is a *line* of the claim. Whatever a claim's
definition, an auditor can bet on its lines, because each of them holds whenever
the claim does.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr, ndtr

from audit.errors import ClaimError, shown
from audit.validation import check_positive, is_number, native, order_and_epsilon

_Numbers = NDArray[np.float64] | np.float64
Lines = NDArray[np.float64]
"""Shape (lines, 2): slope e^x >= 1 and offset delta(x) in [0, 1] of each line."""

EPSILON_CLAIMS = ("pure", "approximate")
"""Kinds of claim whose level is epsilon itself."""

_LARGEST_EPSILON = 300.0
"""Beyond, squares of e^epsilon leave the range of floats, and no audit could tell."""


@runtime_checkable
class Claim(Protocol):
    """What every claim can say about itself."""

    kind: ClassVar[str]
    symbol: ClassVar[str]

    @property
    def level(self) -> float:
        """The parameter that grows as the claim weakens: epsilon, rho or mu."""

    def at(self, level: float) -> Self:
        """The same claim with another level."""

    def delta(self, epsilon: float) -> float:
        """The privacy profile: the smallest delta known to hold at epsilon >= 0."""

    def lines(self, level: float) -> Lines:
        """The lines to bet on, at another level of the same family.

        Slopes and offsets never decrease with the level, and row j means the
        same line at every level: that makes lower bounds monotone.
        """

    def as_json(self) -> dict[str, Any]:
        """Kind and parameters, as in the result."""

    def __str__(self) -> str:
        """The claim in the field's notation."""


@dataclass(frozen=True, slots=True)
class PureDP:
    """epsilon-differential privacy (Dwork, McSherry, Nissim, Smith 2006)."""

    epsilon: float
    kind: ClassVar[str] = "pure"
    symbol: ClassVar[str] = "epsilon"

    def __post_init__(self) -> None:
        check_positive("epsilon", self.epsilon, _LARGEST_EPSILON)

    @property
    def level(self) -> float:
        return self.epsilon

    def at(self, level: float) -> PureDP:
        return PureDP(level)

    def delta(self, epsilon: float) -> float:
        return _two_point_delta(self.epsilon, 0.0, epsilon)

    def lines(self, level: float) -> Lines:
        return np.array([[math.exp(level), 0.0]])

    def as_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "epsilon": self.epsilon, "delta": 0.0}

    def __str__(self) -> str:
        return f"ε = {self.epsilon:g}"


@dataclass(frozen=True, slots=True)
class ApproxDP:
    """(epsilon, delta)-differential privacy."""

    epsilon: float
    delta_claimed: float
    kind: ClassVar[str] = "approximate"
    symbol: ClassVar[str] = "epsilon"

    def __post_init__(self) -> None:
        check_positive("epsilon", self.epsilon, _LARGEST_EPSILON)
        if not (is_number(self.delta_claimed) and 0 < self.delta_claimed < 1):
            raise ClaimError(
                f"delta {shown(self.delta_claimed)} is not between 0 and 1; "
                "use 0 < delta < 1, or leave it out for pure DP",
                self.delta_claimed,
            )

    @property
    def level(self) -> float:
        return self.epsilon

    def at(self, level: float) -> ApproxDP:
        return ApproxDP(level, self.delta_claimed)

    def delta(self, epsilon: float) -> float:
        return _two_point_delta(self.epsilon, self.delta_claimed, epsilon)

    def lines(self, level: float) -> Lines:
        return np.array([[math.exp(level), self.delta_claimed]])

    def as_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "epsilon": self.epsilon, "delta": self.delta_claimed}

    def __str__(self) -> str:
        return f"(ε, δ) = ({self.epsilon:g}, {self.delta_claimed:g})"


@dataclass(frozen=True, slots=True)
class ZeroConcentratedDP:
    """rho-zCDP: Rényi divergence of every order a is at most rho·a (arXiv 1605.02065)."""

    rho: float
    kind: ClassVar[str] = "zcdp"
    symbol: ClassVar[str] = "rho"

    def __post_init__(self) -> None:
        check_positive("rho", self.rho, _LARGEST_EPSILON)

    @property
    def level(self) -> float:
        return self.rho

    def at(self, level: float) -> ZeroConcentratedDP:
        return ZeroConcentratedDP(level)

    def delta(self, epsilon: float) -> float:
        orders = 1.0 + np.geomspace(1e-3, 1e5, 3000)
        converted = float(np.min(_renyi_delta(orders, orders * self.rho, epsilon)))
        return min(converted, _divergence_delta(self.rho))

    def lines(self, level: float) -> Lines:
        spread = 2.0 * math.sqrt(self.rho)
        steps = np.array([0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0])
        return _lines_at([0.0, *(self.rho + spread * steps)], self.at(level))

    def as_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "rho": self.rho}

    def __str__(self) -> str:
        return f"ρ = {self.rho:g} (zCDP)"


@dataclass(frozen=True, slots=True)
class RenyiDP:
    """(order, epsilon)-Rényi differential privacy (arXiv 1702.07476)."""

    order: float
    epsilon: float
    kind: ClassVar[str] = "renyi"
    symbol: ClassVar[str] = "epsilon"

    def __post_init__(self) -> None:
        check_positive("Rényi epsilon", self.epsilon, _LARGEST_EPSILON)
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
        converted = float(_renyi_delta(np.float64(self.order), np.float64(self.epsilon), epsilon))
        return min(converted, _divergence_delta(self.epsilon))

    def lines(self, level: float) -> Lines:
        steps = np.array([-0.5, 0.0, 0.5, 1.0, 2.0, 4.0, 8.0])
        return _lines_at([0.0, *(self.epsilon + steps / (self.order - 1.0))], self.at(level))

    def as_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "order": self.order, "epsilon": self.epsilon}

    def __str__(self) -> str:
        return f"Rényi ({self.order:g}, {self.epsilon:g})"


@dataclass(frozen=True, slots=True)
class GaussianDP:
    """mu-Gaussian differential privacy (arXiv 1905.02383, Corollary 2.13)."""

    mu: float
    kind: ClassVar[str] = "gaussian"
    symbol: ClassVar[str] = "mu"

    def __post_init__(self) -> None:
        check_positive("mu", self.mu, _LARGEST_EPSILON)

    @property
    def level(self) -> float:
        return self.mu

    def at(self, level: float) -> GaussianDP:
        return GaussianDP(level)

    def delta(self, epsilon: float) -> float:
        mu = self.mu
        second = math.exp(min(epsilon + float(log_ndtr(-epsilon / mu - mu / 2)), 0.0))
        return min(1.0, max(0.0, float(ndtr(-epsilon / mu + mu / 2)) - second))

    def lines(self, level: float) -> Lines:
        steps = np.array([-1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0])
        return _lines_at([0.0, *(self.mu**2 / 2 + self.mu * steps)], self.at(level))

    def as_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "mu": self.mu}

    def __str__(self) -> str:
        return f"μ = {self.mu:g} (Gaussian DP)"


def claim_from(
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    rho: float | None = None,
    mu: float | None = None,
    renyi: tuple[float, float] | None = None,
) -> Claim | None:
    """The one claim that the given parameters state, None when there are none.

    Raises:
        ClaimError: parameters of two kinds of claim, or one out of its range.
    """
    given = {"epsilon": epsilon, "rho": rho, "mu": mu, "renyi": renyi}
    stated = [name for name, value in given.items() if value is not None]
    if len(stated) > 1:
        raise ClaimError(f"{' and '.join(stated)} state two claims; give one of them", given)
    if delta is not None and epsilon is None:
        raise ClaimError(f"delta {shown(delta)} needs an epsilon beside it", delta)
    if epsilon is not None:
        pure = delta is None or (is_number(native(delta)) and delta == 0)
        return PureDP(native(epsilon)) if pure else ApproxDP(native(epsilon), native(delta))
    if rho is not None:
        return ZeroConcentratedDP(native(rho))
    if mu is not None:
        return GaussianDP(native(mu))
    return None if renyi is None else RenyiDP(*order_and_epsilon(renyi))


def _two_point_delta(epsilon: float, delta: float, at: float) -> float:
    """Profile of (epsilon, delta)-DP, below epsilon by arXiv 1905.02383, Prop. 2.5."""
    if at >= epsilon:
        return delta
    # At least delta: a profile never rises, which rounding would otherwise make it do.
    return max(delta, 1.0 - (1.0 - delta) * (1.0 + math.exp(at)) / (1.0 + math.exp(epsilon)))


def _renyi_delta(order: _Numbers, divergence: _Numbers, epsilon: float) -> NDArray[np.float64]:
    """Rényi divergence to delta, arXiv 2004.00010, Proposition 12."""
    with np.errstate(over="ignore"):  # the largest orders: the delta is then 0 or 1
        log_delta = (order - 1.0) * (divergence - epsilon) - np.log(order - 1.0)
    log_delta = log_delta + order * np.log1p(-1.0 / order)
    return np.asarray(np.exp(np.minimum(log_delta, 0.0)))


def _divergence_delta(divergence: float) -> float:
    """Total variation from KL divergence: Pinsker's and Bretagnolle-Huber's inequalities.

    Rényi divergences grow with the order, so any of them bounds KL; and the
    profile never exceeds its value at 0, the total variation.
    """
    return min(math.sqrt(divergence / 2.0), math.sqrt(-math.expm1(-divergence)))


def _lines_at(points: Sequence[float], claim: Claim) -> Lines:
    """The claim's lines at fixed points; those whose delta is 1 say nothing but keep their row."""
    kept = np.unique(np.clip(points, 0.0, _LARGEST_EPSILON))
    return np.array([[math.exp(x), claim.delta(x)] for x in map(float, kept)])
