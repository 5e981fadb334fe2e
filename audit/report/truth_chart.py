"""Lower bounds of many audits against the true epsilons of their mechanisms."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from audit.report.axes import Axes, Logarithmic, Scale, legend
from audit.report.svg import Drawing, Drawn, element, line, shape
from audit.verdict.result import Verdict

_WIDTH, _TOP, _BOTTOM = 720.0, 44.0, 420.0
_LOOKS = {
    Verdict.VIOLATION: ("beyond", "violation"),
    Verdict.NOT_REFUTED: ("p", "not refuted"),
    Verdict.INCONCLUSIVE: ("open", "inconclusive"),
}
_KEYS = (("claimed", "bound = truth"), ("apart", "bound above the truth"))
_RADIUS = 4.0
_PLACES = 11
"""How many points fit side by side into the strip at the right edge."""


@dataclass(frozen=True, slots=True)
class Point:
    """One audit: the true epsilon, the bound found, the verdict."""

    truth: float
    bound: float
    verdict: Verdict


def truth_chart(points: Sequence[Point]) -> Drawing:
    """Each audit's lower bound on epsilon against its mechanism's true epsilon.

    Mechanisms for which no finite epsilon holds stand in a strip of their own
    at the right edge, side by side; audits without a bound in one at the foot.
    """
    across = EdgedScale.over([p.truth for p in points], "0")
    upward = EdgedScale.over([p.bound for p in points], "none")
    axes = Axes(across, upward, _TOP, _BOTTOM)
    seen = {p.verdict for p in points}
    keys = [_LOOKS[verdict] for verdict in _LOOKS if verdict in seen]
    parts = (
        *_ground(axes, across, upward),
        *axes.frame("true ε of the mechanism (∞: no finite ε holds)", "lower bound on ε"),
        *_audits(axes, across, points),
        *legend([*keys, *_KEYS], 140.0, 14.0),
    )
    return Drawing("lower bounds against true epsilons", _WIDTH, _BOTTOM + 42.0, parts)


def _ground(axes: Axes, across: EdgedScale, upward: EdgedScale) -> Iterator[Drawn]:
    """The diagonal, and above it the region of wrong bounds."""
    low, high = max(across.low, upward.low), min(across.high, upward.high)
    if low >= high:
        return
    start, end = axes.place(low, low), axes.place(high, high)
    corners = [(axes.left, start[1]), start, end, (end[0], axes.top), (axes.left, axes.top)]
    yield shape("apart", corners)
    yield line("claimed", start, end)


def _audits(axes: Axes, across: EdgedScale, points: Sequence[Point]) -> Iterator[Drawn]:
    taken: Counter[int] = Counter()
    for verdict, (look, _) in _LOOKS.items():
        for point in sorted((p for p in points if p.verdict is verdict), key=lambda p: p.bound):
            x, y = axes.place(point.truth, point.bound)
            if across.endless and math.isinf(point.truth):
                x += 2.0 * _RADIUS * _turn(taken, round(y / (2.0 * _RADIUS)))
            yield element("circle", look=look, cx=x, cy=y, r=_RADIUS)


def _turn(taken: Counter[int], row: int) -> int:
    """0, 1, -1, 2, -2, ... for those that share a row, over again when it is full."""
    order = taken[row] % _PLACES
    taken[row] += 1
    return (order + 1) // 2 * (1 if order % 2 else -1)


_SMALLEST, _LARGEST = 1e-3, 1e6
_BEFORE, _BEHIND = 0.08, 0.2
"""Width of the edges, as a share of the whole scale."""


@dataclass(frozen=True, slots=True)
class EdgedScale(Scale):
    """A logarithmic scale with an edge for values near 0, and one for the largest.

    What lies between its ends is drawn to scale.

    Attributes:
        nothing: name of the edge before it; empty for no edge.
        endless: whether there is an edge behind it.
    """

    nothing: str
    endless: bool

    @classmethod
    def over(cls, values: Sequence[float], nothing: str) -> EdgedScale:
        """A scale on which all these values have a place.

        Args:
            values: all of them.
            nothing: what those near 0 are called.
        """
        inside = [v for v in values if _SMALLEST <= v <= _LARGEST] or [1.0]
        return cls(
            min(inside) / 1.3,
            max(inside) * 1.3,
            nothing if any(v < _SMALLEST for v in values) else "",
            any(v > _LARGEST for v in values),
        )

    def share(self, value: float) -> float:
        """To scale inside, in the middle of an edge outside."""
        before = _BEFORE if self.nothing else 0.0
        behind = _BEHIND if self.endless else 0.0
        if value < _SMALLEST:
            return before / 2.0
        if value > _LARGEST:
            return 1.0 - behind / 2.0
        return before + Logarithmic(self.low, self.high).share(value) * (1.0 - before - behind)

    def ticks(self) -> Iterator[tuple[float, str]]:
        """Round numbers, and the edges where there are any."""
        if self.nothing:
            yield 0.0, self.nothing
        yield from Logarithmic(self.low, self.high).ticks()
        if self.endless:
            yield math.inf, "∞"
