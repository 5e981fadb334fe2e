"""A witness with its sides in their usual places: p is always of D, q of its neighbor."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from audit.report.headline import sides
from audit.report.numerals import at_most, number
from audit.verdict.estimate import Estimate
from audit.verdict.result import Witness


@dataclass(frozen=True, slots=True)
class Side:
    """One dataset of a witness.

    Attributes:
        symbol: "p" for D, "q" for its neighbor.
        name: D, D1, S1, ...
        dataset: as the witness holds it.
        estimate: how likely the event is there, or the mean of a function.
        averaged: what that is of: E, or a function.
    """

    symbol: str
    name: str
    dataset: Any
    estimate: Estimate
    averaged: str


@dataclass(frozen=True, slots=True)
class WitnessSides:
    """Both datasets of a witness, D first.

    Attributes:
        left: D.
        right: its neighbor.
        more: the one on which the event is likelier than the claim allows.
        less: the other one.
        allowed: the most that the claim allows on the first, if the second is as far up as its
            interval reaches.
        line: the inequality of the claim that is broken.
        scale: what the numbers of both sides are, in words.
    """

    left: Side
    right: Side
    more: Side
    less: Side
    allowed: float
    line: str
    scale: str

    @classmethod
    def of(cls, witness: Witness) -> WitnessSides:
        """The sides of a witness in order, whichever of them the event is likelier on."""
        names = sides(witness)
        swapped = names[1] == "D"
        symbols = "qp" if swapped else "pq"
        function = witness.function
        own, other = ("E", "E") if function is None else ("h", function.dual)
        more = Side(symbols[0], names[0], witness.dataset, witness.p, own)
        less = Side(symbols[1], names[1], witness.neighbor, witness.q, other)
        left, right = (less, more) if swapped else (more, less)
        allowed = min(1.0, witness.slope * witness.q.high + witness.offset)
        scale = "how likely the event is" if function is None else f"means of {own} and {other}"
        return cls(left, right, more, less, allowed, _line(witness, symbols), scale)


def _added(offset: float) -> str:
    return f"{'-' if offset < 0 else '+'} {number(abs(offset))}"


def _line(witness: Witness, symbols: str) -> str:
    more, less = symbols[0], symbols[1]
    offset = f" + {at_most(witness.offset)}" if witness.offset else ""
    if witness.function is not None:
        return f"{more} ≤ {number(witness.slope)} {less} {_added(witness.offset)}"
    if witness.slope == 1.0:
        return f"{more} ≤ {less}{offset}"
    power = f"e^{math.log(witness.slope):.6g}"
    return f"{more} ≤ {power} {less}{offset} = {at_most(witness.slope)} {less}{offset}"
