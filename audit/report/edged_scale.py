"""A logarithmic scale with room at its edges for zero and infinity."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from audit.report.numerals import number

_SMALLEST = 1e-3
_LARGEST = 1e6
_ROUND = (1.0, 2.0, 5.0, 10.0)
_STRIP = 0.16
"""Width of an edge, as a share of the scale between them."""


@dataclass(frozen=True, slots=True)
class EdgedScale:
    """Positions from 0 at `low` to 1 at `high`, edges outside.

    Attributes:
        low: the smallest value drawn to scale.
        high: the largest one.
        empty: whether smaller values need an edge.
        endless: whether larger ones do.
    """

    low: float
    high: float
    empty: bool
    endless: bool

    @classmethod
    def over(cls, values: Sequence[float]) -> EdgedScale:
        """A scale on which all these values have a place."""
        inside = [v for v in values if _SMALLEST <= v <= _LARGEST] or [1.0]
        low, high = _round_down(min(inside) / 1.1), 1.0 / _round_down(1.0 / (max(inside) * 1.1))
        return cls(low, high, any(v < _SMALLEST for v in values), any(v > _LARGEST for v in values))

    @property
    def low_edge(self) -> float:
        return -_STRIP / 3.0 if self.empty else 0.0

    @property
    def high_edge(self) -> float:
        return 1.0 + _STRIP / 4.0 if self.endless else 1.0

    @property
    def limits(self) -> tuple[float, float]:
        """First and last number on the axis."""
        return (
            self.low_edge - (_STRIP / 2.0 if self.empty else 0.0),
            self.high_edge + (2.0 * _STRIP if self.endless else 0.0),
        )

    def place(self, value: float) -> float:
        """The position of a value: to scale inside, in the middle of an edge outside."""
        if value < _SMALLEST:
            return (self.low_edge + self.limits[0]) / 2.0
        if value > _LARGEST:
            return (self.high_edge + self.limits[1]) / 2.0
        return math.log(value / self.low) / math.log(self.high / self.low)

    def ticks(self, nothing: str, infinity: str) -> tuple[list[float], list[str]]:
        """Positions and names: round numbers, and the edges where there are any."""
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        steps = _ROUND[:3] if len(powers) <= 5 else _ROUND[:1]
        values = [step * 10.0**power for power in powers for step in steps]
        inside = [v for v in values if self.low / 1.001 <= v <= self.high * 1.001]
        places, names = [self.place(v) for v in inside], [number(v) for v in inside]
        if self.empty:
            places, names = [self.place(0.0), *places], [nothing, *names]
        if self.endless:
            places, names = [*places, self.place(math.inf)], [*names, infinity]
        return places, names


def _round_down(value: float) -> float:
    """The largest of ..., 0.5, 1, 2, 5, 10, ... that is no larger."""
    power = 10.0 ** math.floor(math.log10(value))
    return max(step * power for step in _ROUND if step * power <= value * 1.0001)
