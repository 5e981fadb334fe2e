"""Privacy claims, each known by its privacy profile delta(epsilon).

A claim is a family of inequalities `P[M(D) in E] <= e^x P[M(D') in E] + delta(x)`,
one for each x; (e^x, delta(x)) is a *line* of the claim. Whatever a claim's
definition, an auditor can bet on its lines, because each of them holds whenever
the claim does.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from audit.claims.divergence import ZCDP, GaussianDP, RenyiDP
from audit.claims.interface import (
    BOUND_ENDS,
    EPSILON_BOUND,
    LARGEST_EPSILON,
    Claim,
    Divergences,
    Lines,
    register_claim,
    two_point_delta,
)
from audit.claims.profile import profile_claim
from audit.errors import ClaimError, shown
from audit.validation import check_epsilon, is_number, native, order_and_epsilon

_LEAST_LEVEL = 1e-9
"""What is bet against where epsilon is 0: whatever keeps that keeps this as well."""
_LARGEST_SLOPE = 1e150
"""Beyond, squares of slopes leave the range of floats."""
_ROUNDING = 1e-9


class _AtEpsilon(Claim):
    """Base of claims whose level is epsilon itself, 0 among its values."""

    __slots__ = ()

    epsilon: float
    symbol: ClassVar[str] = "ε"
    bound: ClassVar[str] = EPSILON_BOUND

    @property
    def level(self) -> float:
        return self.epsilon or _LEAST_LEVEL

    def stated(self, level: float) -> float:
        return 0.0 if not self.epsilon and level <= _LEAST_LEVEL else level

    def lines(self, level: float) -> Lines:
        return np.array([[math.exp(self.stated(level)), self.delta(self.epsilon)]])

    def as_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "epsilon": self.epsilon, "delta": self.delta(self.epsilon)}


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

    @property
    def condition(self) -> str:
        return f"at δ = {self.delta_claimed:g}"

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> ApproxDP:
        return cls(document["epsilon"], document["delta"])

    def __str__(self) -> str:
        return f"(ε, δ) = ({self.epsilon:g}, {self.delta_claimed:g})"


ALIKE = PureDP(1e-3)
"""The claim for a dataset against itself, whatever the mechanism claims."""


def DP(epsilon: float, delta: float | None = None) -> Claim:
    """Differential privacy: pure, or approximate with a delta above 0.

    Args:
        epsilon: claimed epsilon.
        delta: claimed delta.

    Returns:
        A claim of either kind.

    Raises:
        ClaimError: a number is out of its range.
    """
    if delta is None or (is_number(native(delta)) and delta == 0):
        return PureDP(native(epsilon))
    return ApproxDP(native(epsilon), native(delta))


def claim_from(
    claim: Claim | float | None = None,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    rho: float | None = None,
    mu: float | None = None,
    renyi: tuple[float, float] | None = None,
    profile: Any = None,
) -> Claim | None:
    """The one claim that the given parameters state, None when there are none.

    Args:
        claim: one as it is, of whatever kind; a number is an epsilon.
        epsilon: of pure DP; with `delta` of approximate DP.
        delta: of approximate DP.
        rho: of zCDP.
        mu: of Gaussian DP.
        renyi: order and epsilon of Rényi DP.
        profile: a curve: rows of epsilon and delta, a function from epsilon to delta, a
            privacy-loss distribution of dp_accounting, or the path of a file of these.

    Returns:
        The claim; None where nothing was given.

    Raises:
        ClaimError: parameters of two kinds of claim, or one out of its range.
    """
    _check_one(claim=claim, epsilon=epsilon, rho=rho, mu=mu, renyi=renyi, profile=profile)
    if claim is not None and not isinstance(claim, Claim):
        if not is_number(claim):
            raise ClaimError(
                f"claim {shown(claim)} is no claim; give an epsilon, or audit.DP(1, 1e-5)", claim
            )
        return DP(claim, delta)
    if epsilon is not None:
        return DP(epsilon, delta)
    if delta is not None:
        raise ClaimError(f"delta {shown(delta)} needs an epsilon beside it", delta)
    if rho is not None:
        return ZCDP(native(rho))
    if mu is not None:
        return GaussianDP(native(mu))
    if profile is not None:
        return profile_claim(profile)
    return claim if renyi is None else RenyiDP(*order_and_epsilon(renyi))


def _check_one(**given: Any) -> None:
    stated = [name for name, value in given.items() if value is not None]
    if len(stated) > 1:
        raise ClaimError(f"{' and '.join(stated)} state two claims; give one of them", given)


def check_claim(claim: Claim) -> None:
    """Refuse a claim that cannot be bet against, whoever wrote it.

    Raises:
        ClaimError: its level, its lines, its divergences or the name of its bound are not as
            `Claim` says.
    """
    problem = _problem_of(claim)
    if problem:
        raise ClaimError(f"{type(claim).__qualname__} {shown(str(claim))}: {problem}", claim)


def _problem_of(claim: Claim) -> str:
    if not (is_number(claim.level) and 0.0 < claim.level < float("inf")):
        return f"its level {shown(claim.level)} is not a number above 0"
    if not claim.bound.endswith(BOUND_ENDS):
        return f"its bound {claim.bound!r} does not end in {BOUND_ENDS!r}"
    lines, stronger = (np.asarray(claim.lines(part * claim.level)) for part in (1.0, 0.9))
    return _problem_of_lines(lines, stronger) or _problem_of_divergences(
        *(claim.divergences(part * claim.level) for part in (1.0, 0.9))
    )


def _problem_of_lines(lines: Lines, stronger: Lines) -> str:
    if lines.ndim != 2 or lines.shape[1] != 2 or not len(lines) or lines.shape != stronger.shape:
        return f"its lines have shape {lines.shape}, expected (lines, 2) at every level"
    slope, offset = lines.T
    if not ((slope >= 1.0) & (slope <= _LARGEST_SLOPE) & (offset >= 0.0) & (offset <= 1.0)).all():
        return "its lines have slopes below 1 or offsets outside [0, 1]"
    return "" if _rises(stronger, lines) else "its lines fall where its level grows"


def _problem_of_divergences(bounds: Divergences, stronger: Divergences) -> str:
    if bounds.ndim != 2 or bounds.shape[1] != 2 or bounds.shape != stronger.shape:
        return f"its divergences have shape {bounds.shape}, expected (orders, 2) at every level"
    orders, largest = bounds.T
    if not ((orders >= 1.0) & (largest >= 0.0) & np.isfinite(largest)).all():
        return "its divergences have orders below 1 or bounds that are no numbers of at least 0"
    if (orders != stronger[:, 0]).any():
        return "its divergences have other orders at another level"
    return "" if _rises(stronger, bounds) else "its divergences fall where its level grows"


def _rises(stronger: Lines, weaker: Lines) -> bool:
    return bool((stronger <= weaker * (1.0 + _ROUNDING) + _ROUNDING).all())
