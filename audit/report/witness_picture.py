"""How likely an event is on two datasets as bars of characters, against what a claim allows."""

from __future__ import annotations

from dataclasses import dataclass

from audit.report.numerals import at_most, interval, number
from audit.report.witness_sides import Side, WitnessSides
from audit.verdict.estimate import Estimate

_WIDEST = 40
_STEPS = (1.0, 2.0, 5.0, 10.0)
_SURE, _UNSURE, _MARK = "█", "░", "│"


@dataclass(frozen=True, slots=True)
class Bar:
    """One line of the picture.

    Attributes:
        name: what it shows.
        words: the number.
        drawn: the bar.
    """

    name: str
    words: str
    drawn: str


def picture(found: WitnessSides, width: int = _WIDEST) -> list[Bar]:
    """Both probabilities, and the most that the claim allows of the larger one.

    Args:
        found: the witness.
        width: characters for the whole scale.
    """
    ends = [found.left.estimate.high, found.right.estimate.high, found.allowed]
    whole = scale(max(ends))
    bars = [_shown(side, whole, width) for side in (found.left, found.right)]
    mark = " " * min(width - 1, int(found.allowed / whole * width)) + _MARK
    words = f"{found.more.symbol} up to {at_most(found.allowed)}"
    scaled = "" if whole == 1.0 else f"  (bars reach to {number(whole)})"
    return [*bars, Bar("allowed", words, mark + scaled)]


def scale(largest: float) -> float:
    """A round number at or above the largest value, at most 1."""
    if largest >= 0.5:
        return 1.0
    power = 1.0
    while power > largest and power > 1e-12:
        power /= 10.0
    return min(step * power for step in _STEPS if step * power >= largest * 0.999)


def _shown(side: Side, whole: float, width: int) -> Bar:
    estimate = side.estimate
    return Bar(f"{side.symbol} on {side.name}", interval(estimate), _bar(estimate, whole, width))


def _bar(estimate: Estimate, whole: float, width: int) -> str:
    """Full up to the lower end of the interval, shaded up to the upper one."""
    low, high = (min(width, round(end / whole * width)) for end in (estimate.low, estimate.high))
    return _SURE * low + _UNSURE * (max(high, 1) - low)
