"""A claimed curve beside what was shown against it, as both kinds of pictures draw it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from audit.claims import Claim, ProfileDP
from audit.report.numerals import number
from audit.verdict.result import AuditResult, Verdict

LEAST = 1e-6
"""Where the axis of deltas ends at most."""
_POINTS = 100

Points = tuple[tuple[float, float], ...]
"""Epsilon and delta of each."""


@dataclass(frozen=True, slots=True)
class Curve:
    """Content of a picture of a curve.

    Attributes:
        claimed: the rows.
        moved: the same, moved by the lower bound on the shift; a mechanism that kept these
            or any between would have been refuted with probability alpha at most. Empty where
            no bound counts.
        shown: delta at least, at many epsilons, by the intervals of the witness.
    """

    claimed: Points
    moved: Points
    shown: Points

    @classmethod
    def of(cls, result: AuditResult) -> Curve | None:
        """Of a result; None where its claim is no curve."""
        claim = result.claim
        if not isinstance(claim, ProfileDP):
            return None
        return cls(claim.rows, _moved(result, claim), _shown(result, claim))

    @property
    def farthest(self) -> float:
        """The largest epsilon that is drawn."""
        drawn = [epsilon for epsilon, delta in (*self.claimed, *self.moved) if delta >= LEAST]
        return max([1e-3, *drawn])

    @property
    def highest(self) -> float:
        """The largest delta that is drawn."""
        return max(delta for _, delta in (*self.claimed, *self.shown))


def _moved(result: AuditResult, claim: ProfileDP) -> Points:
    shift = result.levels[claim.bound]
    undecided = result.verdict is Verdict.INCONCLUSIVE and bool(result.reason)
    if result.null or undecided or shift <= claim.stated(0.0):
        return ()
    return tuple((max(0.0, epsilon + shift), delta) for epsilon, delta in claim.rows)


def _shown(result: AuditResult, claim: ProfileDP) -> Points:
    """P[E] - e^epsilon Q[E] at least; each epsilon's delta is no smaller for any event E."""
    witness = result.witness
    if witness is None or witness.function is not None:
        return ()
    found = []
    for epsilon in np.linspace(0.0, claim.rows[-1][0], _POINTS + 1).tolist():
        delta = witness.p.low - math.exp(epsilon) * witness.q.high
        if delta < LEAST:
            break
        found.append((epsilon, delta))
    return tuple(found)


def about_curve(claim: Claim) -> str:
    """Sentence on the bets on a curve and the quantity of its bound; else empty."""
    if not isinstance(claim, ProfileDP):
        return ""
    rows = ", ".join(f"δ({number(epsilon)}) = {number(delta)}" for epsilon, delta in claim.rows)
    return (
        f"The claim is a curve, bet on at these rows, which were chosen before any draw: {rows}; "
        "the lower bound is that of a shift s, which moves each row (ε, δ) to (max(0, ε + s), δ): "
        "the smallest with which the mechanism would keep all of them."
    )
