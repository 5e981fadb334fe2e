"""Flags for what a mechanism says about itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from cyclopts import Group, Parameter

from audit.errors import InputError

CLAIM = Group("Claim", sort_key=1)


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimFlags:
    """What the mechanism says about itself.

    Attributes:
        epsilon: claimed epsilon.
        delta: claimed delta, beside epsilon.
        rho: claimed zCDP parameter.
        mu: claimed Gaussian DP parameter.
        renyi: claimed Rényi order and epsilon, as ORDER:EPSILON.
        profile: file of a claimed curve.
        relation: what makes two datasets neighbors.
    """

    epsilon: Annotated[float | None, Parameter(group=CLAIM, help="claimed ε")] = None
    delta: Annotated[float | None, Parameter(group=CLAIM, help="claimed δ, beside ε")] = None
    rho: Annotated[float | None, Parameter(group=CLAIM, help="claimed ρ of zCDP")] = None
    mu: Annotated[float | None, Parameter(group=CLAIM, help="claimed μ of Gaussian DP")] = None
    renyi: Annotated[
        str | None, Parameter(group=CLAIM, help="claimed Rényi DP, as ORDER:EPSILON")
    ] = None
    profile: Annotated[
        str | None,
        Parameter(
            group=CLAIM,
            help="claimed curve of (ε, δ): a CSV with the columns epsilon, delta and perhaps "
            "direction, or FILE.py:NAME of a function of ε or of a privacy-loss distribution",
        ),
    ] = None
    relation: Annotated[
        str | None,
        Parameter(
            group=CLAIM,
            help="what makes two datasets neighbors: add-remove, substitute, user or declared; "
            "l1:K, l2:K or linf:K for vectors of numbers at a distance of at most K; changes:K for "
            "at most K records changed; where nothing says otherwise add-remove",
        ),
    ] = None

    def given(self) -> dict[str, Any]:
        """The parameters of the claim that were given, as arguments of `audit.run`."""
        values = {
            "epsilon": self.epsilon,
            "delta": self.delta,
            "rho": self.rho,
            "mu": self.mu,
            "renyi": None if self.renyi is None else _order_and_epsilon(self.renyi),
            "profile": self.profile,
        }
        return {name: value for name, value in values.items() if value is not None}


def _order_and_epsilon(text: str) -> tuple[float, float]:
    order, _, epsilon = text.partition(":")
    try:
        return float(order), float(epsilon)
    except ValueError:
        raise InputError(
            f"--renyi {text!r} is not ORDER:EPSILON; write for example 2:0.5", text
        ) from None
