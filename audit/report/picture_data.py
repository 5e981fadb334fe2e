"""Data of pictures: bins side by side, and a claimed curve with what was shown against it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from audit.betting.events import Event
from audit.claims import Claim, ProfileDP
from audit.report.formatting import number
from audit.verdict.pair_table import Bin
from audit.verdict.result import AuditResult, Verdict, Witness

_OTHER = "is any other value"


def event_spans(bins: Sequence[Bin], feature: str, event: Event) -> list[tuple[float, float]]:
    """From where to where an event reaches; empty when it reads something else than the bins."""
    if event.parameters.get("feature") != feature:
        return []
    spans = [
        (_place(bins, float(low)), _place(bins, float(high)))
        for low, high in event.parameters.get("intervals", ())
    ]
    symbols = {f"is {symbol}" for symbol in event.parameters.get("symbols", ())}
    if event.parameters.get("other_symbols"):
        symbols.add(_OTHER)
    spans += [
        (place, place + 1.0)
        for place, cell in enumerate(bins)
        if cell.low is None and cell.label in symbols
    ]
    return [(low, high) for low, high in spans if high > low]


def function_steps(
    bins: Sequence[Bin], feature: str, witness: Witness
) -> list[tuple[float, float, float]]:
    """From where to where each value of a witness's function reaches, left to right.

    Empty where it is an event that is witnessed, or something else is read.
    """
    if witness.function is None or witness.event.parameters.get("feature") != feature:
        return []
    found = [
        (_place(bins, low), _place(bins, high), value)
        for low, high, value in witness.function.steps
    ]
    return [(low, high, value) for low, high, value in found if high > low]


def _place(bins: Sequence[Bin], value: float) -> float:
    """The position of a number; inside an unbounded bin, its middle."""
    place = 0.0
    for i, cell in enumerate(bins):
        if cell.low is None or cell.high is None:
            continue
        if value >= cell.high:
            place = i + 1.0
        elif value > cell.low:
            return i + _share(value, cell.low, cell.high)
    return place


def _share(value: float, low: float, high: float) -> float:
    if math.isinf(low) or math.isinf(high):
        return 0.5
    return (value - low) / (high - low)


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
