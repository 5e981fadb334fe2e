"""Flags of the privacy claim."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from cyclopts import Group, Parameter

from audit.errors import InputError

CLAIM = Group("Claim", sort_key=1)


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimFlags:
    """The privacy claim and the adjacency relation.

    Attributes:
        epsilon: claimed epsilon.
        delta: claimed delta, together with epsilon.
        rho: claimed zCDP parameter.
        mu: claimed Gaussian DP parameter.
        renyi: claimed Rényi order and epsilon, as ORDER:EPSILON.
        profile: file of a claimed curve.
        relation: the adjacency relation.
    """

    epsilon: Annotated[float | None, Parameter(group=CLAIM, help="claimed ε")] = None
    delta: Annotated[float | None, Parameter(group=CLAIM, help="claimed δ, with --epsilon")] = None
    rho: Annotated[float | None, Parameter(group=CLAIM, help="claimed ρ of zCDP")] = None
    mu: Annotated[float | None, Parameter(group=CLAIM, help="claimed μ of Gaussian DP")] = None
    renyi: Annotated[
        str | None, Parameter(group=CLAIM, help="claimed Rényi DP, as ORDER:EPSILON")
    ] = None
    profile: Annotated[
        str | None,
        Parameter(
            group=CLAIM,
            help="claimed privacy profile: a CSV with columns epsilon, delta and optionally "
            "direction, or FILE.py:NAME of a function of ε or of a privacy-loss distribution",
        ),
    ] = None
    relation: Annotated[
        str | None,
        Parameter(
            group=CLAIM,
            help="adjacency: add-remove (the default), substitute, user or declared; l1:K, "
            "l2:K or linf:K for vectors at a distance of at most K; changes:K for at most K "
            "changed records",
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
