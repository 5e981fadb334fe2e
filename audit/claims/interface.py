"""Interface of claims, and the kinds of claims known by name."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields
from importlib.metadata import entry_points
from typing import Any, ClassVar, Protocol, Self, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from audit.errors import ClaimError

Lines = NDArray[np.float64]
"""Shape (lines, 2): slope e^x >= 1 and offset delta(x) in [0, 1] of each line."""

Divergences = NDArray[np.float64]
"""Shape (orders, 2): an order of at least 1, and the largest Rényi divergence of that order."""

LARGEST_EPSILON = 300.0
"""Beyond, squares of e^epsilon leave the range of floats, and no audit could tell."""
EPSILON_BOUND = "epsilon_lower"
"""What results call a lower bound on epsilon, the level of pure and approximate claims."""

BOUND_ENDS = "_lower"
"""Of the names of lower bounds."""
_ENTRY_POINTS = "dp_audit.claims"


@runtime_checkable
class Claim(Protocol):
    """A privacy claim, as whoever bets against it and reports on it needs it.

    A frozen dataclass that inherits from this, wherever it is written, can be audited and
    reported on; stored results of it are read again where `register_claim` has seen it.

    Attributes:
        kind: its name in results.
        symbol: of its level, as reports write it.
        bound: what results call the lower bound on its level: a name of its own that ends
            in `_lower`, or `EPSILON_BOUND` where the level is epsilon itself.
    """

    __slots__ = ()

    kind: ClassVar[str]
    symbol: ClassVar[str]
    bound: ClassVar[str]

    @property
    def level(self) -> float:
        """The parameter that grows as the claim weakens, above 0: epsilon, rho or mu."""

    def at(self, level: float) -> Self:
        """The same claim with another level.

        Args:
            level: above 0.

        Returns:
            A claim of the same class.
        """

    def delta(self, epsilon: float) -> float:
        """The privacy profile: the smallest delta known to hold at some epsilon.

        Args:
            epsilon: at least 0.

        Returns:
            A delta in [0, 1] that does not rise with epsilon.
        """

    def lines(self, level: float) -> Lines:
        """The lines to bet on, at another level of the same family.

        Slopes and offsets never decrease with the level, and row j means the
        same line at every level: that makes lower bounds monotone.

        Args:
            level: above 0.

        Returns:
            Shape (lines, 2), the same for every level.
        """

    def divergences(self, level: float) -> Divergences:
        """The Rényi divergences that the claim bounds, at another level of the same family.

        Functions are bet on against them, in both directions, beside the lines. Bounds
        never decrease with the level, and row j has the same order at every level.

        Args:
            level: above 0.

        Returns:
            Shape (orders, 2); by default no row.
        """
        return np.empty((0, 2))

    @property
    def condition(self) -> str:
        """Condition of a bound on the level, as "at δ = 1e-05"; or empty."""
        return ""

    def stated(self, level: float) -> float:
        """A level as results and reports say it, where bets need another scale than people.

        Args:
            level: at least 0; 0 where nothing is known.

        Returns:
            By default the same.
        """
        return level

    def as_json(self) -> dict[str, Any]:
        """Kind and parameters, as in the result; by default the fields of a dataclass.

        Returns:
            What JSON can hold, with `kind` among it.
        """
        parameters: dict[str, Any] = asdict(self)  # type: ignore[call-overload]
        return {"kind": self.kind, **parameters}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        """The claim that `as_json` gave, read from JSON; by default a dataclass by its fields.

        Args:
            document: what `as_json` gave, infinities as the strings "inf" and "-inf".

        Returns:
            An equal claim.

        Raises:
            ClaimError: a parameter is out of its range.
            KeyError: one is missing.
        """
        names = [field.name for field in fields(cls)]  # type: ignore[arg-type]
        return cls(**{name: document[name] for name in names})

    def __str__(self) -> str:
        """The claim in the field's notation."""


_KINDS: dict[str, type[Claim]] = {}
Kind = TypeVar("Kind", bound=type[Claim])


def register_claim(kind: Kind) -> Kind:
    """Make a class of claims known by its `kind`, so that stored results of it can be read.

    Stands above the class as a decorator. An installed package that names its classes as
    entry points of the group `dp_audit.claims` has them registered where a kind is met
    that nobody knows, also on the command line.

    Args:
        kind: a class with what `Claim` asks for.

    Returns:
        The class itself.

    Raises:
        ClaimError: another class has its kind, or its bound has no name that results can
            hold.
    """
    if not kind.bound.endswith(BOUND_ENDS):
        raise ClaimError(
            f"bound {kind.bound!r} of {kind.__qualname__} does not end in {BOUND_ENDS!r}, by "
            "which results are read; rename it",
            kind,
        )
    known = _KINDS.setdefault(kind.kind, kind)
    if (known.__module__, known.__qualname__) != (kind.__module__, kind.__qualname__):
        raise ClaimError(
            f"kind {kind.kind!r} of {kind.__qualname__} is that of {known.__qualname__} already; "
            "choose another",
            kind,
        )
    _KINDS[kind.kind] = kind  # the same class again, as where a notebook runs a cell twice
    return kind


def known_kinds() -> tuple[str, ...]:
    """The kinds that are registered, in the order in which they were."""
    return tuple(_KINDS)


def claim_kind(name: str) -> type[Claim] | None:
    """The class of claims with a kind, None where nobody has registered one."""
    if name not in _KINDS:
        for point in entry_points(group=_ENTRY_POINTS):
            register_claim(point.load())
    return _KINDS.get(name)


def two_point_delta(epsilon: float, delta: float, at: float) -> float:
    """The delta that (epsilon, delta)-DP promises at another epsilon, at least 0.

    It is the claim's own from epsilon on; below it what follows from arXiv 1905.02383,
    Proposition 2.5.
    """
    if at >= epsilon:
        return delta
    # At least delta: a profile never rises, which rounding would otherwise make it do.
    return max(delta, 1.0 - (1.0 - delta) * (1.0 + math.exp(at)) / (1.0 + math.exp(epsilon)))


def profile_lines(profile: Callable[[float], float], points: Sequence[float]) -> Lines:
    """Lines of a profile at epsilons that are brought into the range that can be bet on.

    Shape (points, 2), slope and offset by growing slope; those whose delta is 1 say nothing but
    keep their row.
    """
    kept = np.unique(np.clip(points, 0.0, LARGEST_EPSILON))
    return np.array([[math.exp(x), profile(x)] for x in map(float, kept)])
