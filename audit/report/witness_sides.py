"""A witness with its sides in their usual places: D first, then its neighbor D'."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from audit.claims import Claim, Lines
from audit.relation import NEIGHBOR
from audit.report.formatting import at_most, number
from audit.verdict.intervals import Estimate
from audit.verdict.pair_table import Bin
from audit.verdict.result import Witness


def sides(witness: Witness) -> tuple[str, str]:
    """Names of the witness's left and right dataset."""
    return sides_of(witness.direction)


def sides_of(direction: str) -> tuple[str, str]:
    """D and D' in the order of a direction such as "D over D1"."""
    left, _, _ = direction.partition(" over ")
    return ("D", NEIGHBOR) if left == "D" else (NEIGHBOR, "D")


@dataclass(frozen=True, slots=True)
class Side:
    """One dataset of a witness.

    Attributes:
        symbol: the quantity, as "P[D]" or "mean h on D".
        name: D or D'.
        dataset: as the witness holds it.
        estimate: probability of the event there, or the mean of a function.
        records: the whole dataset, as far as the witness holds it.
    """

    symbol: str
    name: str
    dataset: Any
    estimate: Estimate
    records: Any


@dataclass(frozen=True, slots=True)
class WitnessSides:
    """Both datasets of a witness, D first.

    Attributes:
        left: D.
        right: its neighbor.
        more: the one on which the event is likelier than the claim allows.
        less: the other one.
        allowed: the most that the claim allows on the first, given the estimate of the second, or
            the upper end of its interval if the event did not occur there.
        assumed: that upper end; None if the estimate is used.
        line: the inequality of the claim that is broken.
    """

    left: Side
    right: Side
    more: Side
    less: Side
    allowed: float
    assumed: float | None
    line: str

    @classmethod
    def of(cls, witness: Witness) -> WitnessSides:
        """The sides of a witness in order, whichever of them the event is likelier on."""
        names = sides(witness)
        function = witness.function
        if function is None:
            symbols = [f"P[{name}]" for name in names]
        else:
            means = zip(("h", function.dual), names, strict=True)
            symbols = [f"mean {mean} on {name}" for mean, name in means]
        here, there = witness.dataset, witness.neighbor
        made = witness.made or {}
        more = Side(symbols[0], names[0], here, witness.p, made.get("dataset", here))
        less = Side(symbols[1], names[1], there, witness.q, made.get("neighbor", there))
        left, right = (more, less) if names[0] == "D" else (less, more)
        never = function is None and witness.q.estimate == 0.0
        least = witness.q.high if never else witness.q.estimate
        allowed = min(1.0, witness.slope * least + witness.offset)
        assumed = least if never else None
        return cls(left, right, more, less, allowed, assumed, _line(witness, *symbols))


def _line(witness: Witness, more: str, less: str) -> str:
    offset = f" + {at_most(witness.offset)}" if witness.offset else ""
    if witness.function is not None:
        sign, size = "-" if witness.offset < 0 else "+", number(abs(witness.offset))
        return f"{more} ≤ {number(witness.slope)} · {less} {sign} {size}"
    if witness.slope == 1.0:
        return f"{more} ≤ {less}{offset}"
    power = f"e^{math.log(witness.slope):.6g}"
    return f"{more} ≤ {power} · {less}{offset} = {at_most(witness.slope)} · {less}{offset}"


def allowed_ratios(bins: Sequence[Bin], claim: Claim) -> list[tuple[float, float]]:
    """Between which ends p/q may lie in each bin, given how likely the bin is."""
    lines = claim.lines(claim.level)
    return [
        (1.0 / largest_allowed(lines, b.q.estimate), largest_allowed(lines, b.p.estimate))
        for b in bins
    ]


def largest_allowed(lines: Lines, probability: float) -> float:
    """The largest ratio of an event's probabilities that a claim allows.

    Solving p <= a q + b for p/q gives a / (1 - b/p) where b < p, and no limit
    elsewhere; the tightest line counts.

    Args:
        lines: the claim's lines, shape (lines, 2).
        probability: of the event on the side where it is more likely.
    """
    slopes, offsets = lines.T
    binding = offsets < probability
    if not binding.any():
        return math.inf if probability > 0 else float(np.min(slopes))
    return float(np.min(slopes[binding] / (1.0 - offsets[binding] / probability)))
