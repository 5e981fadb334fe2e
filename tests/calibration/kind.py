"""A kind of mechanism that keeps its claim, with the truth that bounds are compared with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

PURE: dict[str, Any] = {"epsilon": 1.0}
"""The claim of most kinds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One right mechanism, its claim, and neighbors that attain it unless `truth` says less.

    Attributes:
        name: for the report.
        make: builds the black box of one audit from the number of that audit; kinds
            that keep a generator of their own seed it from this number.
        claim: keywords of the claim.
        truth: the smallest parameters that hold on the pair, by the name of the lower
            bound that must not exceed them; a name left out has no finite truth.
        samples: runs for one audit.
        timeout: seconds for one run.
        rounds: part of the study's audits that this kind gets, less if it is slow.
        assume: assumptions that are declared; none for an audit by fresh instances.
        questions: what a session is asked, whose factory `make` builds; else None.
    """

    name: str
    make: Callable[[int], Any]
    claim: dict[str, Any] = field(default_factory=lambda: dict(PURE))
    truth: dict[str, float] = field(default_factory=lambda: {"epsilon_lower": 1.0})
    samples: int = 3000
    timeout: float = 10.0
    rounds: float = 1.0
    assume: tuple[str, ...] = ()
    questions: Any = None


def pure(
    name: str, release: Any, epsilon: float = 1.0, samples: int = 3000, rounds: float = 1.0
) -> Kind:
    """A kind that keeps pure epsilon-DP tightly."""
    return Kind(
        name=name,
        make=always(release),
        claim={"epsilon": epsilon},
        truth={"epsilon_lower": epsilon},
        samples=samples,
        rounds=rounds,
    )


def always(release: Any) -> Callable[[int], Any]:
    """The same black box for every audit; it keeps nothing."""
    return lambda number: release
