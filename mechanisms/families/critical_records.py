"""Statistics of chains and graphs that one critical record changes by more than 1.

Their noise is for one record, or for the sensitivity: the most that one record more or fewer
changes a statistic by.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from audit.claims import Claim, PureDP
from audit.declaration import Later
from audit.errors import InputError
from mechanisms.parts.noise import laplace
from mechanisms.table import Inputs, Row, add_remove, breaks, frame, keeps, table

NODES = 6
"""Of graphs, whose records are edges: columns u and v."""
LARGEST = 8
"""The largest record of progressions."""
LONGEST_RUN = 9
PLACES = 8
"""Records of a stream that count."""
THRESHOLD = 29
_BONUS = 3.0


@dataclass(frozen=True, slots=True)
class Statistic:
    """A statistic of records.

    Attributes:
        value: the statistic of a dataset.
        sensitivity: the most that one record more or fewer changes it by.
        words: what it is.
    """

    value: Callable[[Any], float]
    sensitivity: float
    words: str


def longest_run(data: Any) -> float:
    """The longest run of consecutive whole numbers, up to 9."""
    held = {int(record) for record in data}
    longest = 0
    for start in (record for record in held if record - 1 not in held):
        length = next(n for n in range(1, len(held) + 2) if start + n not in held)
        longest = max(longest, length)
    return float(min(longest, LONGEST_RUN))


def progressions(data: Any) -> float:
    """Triples of different records at equal steps."""
    held = {min(max(int(record), 0), LARGEST) for record in data}
    return float(sum(2 * b - a in held for a, b in combinations(sorted(held), 2)))


def alternating_sum(data: Any) -> float:
    """The alternating sum of the first records of a stream of bits."""
    bits = [float(record > 0) for record in list(data)[:PLACES]]
    return sum(bits[::2]) - sum(bits[1::2])


def turns(data: Any) -> float:
    """Places of the first eight where a stream turns round."""
    steps = np.sign(np.diff(np.asarray(data, dtype=np.float64)[:PLACES]))
    return float((steps[:-1] * steps[1:] < 0).sum())


def rising(data: Any) -> float:
    """3 where at least six records rise from each to the next."""
    values = np.asarray(data, dtype=np.float64)
    return _BONUS * float(len(values) >= 6 and bool((np.diff(values) > 0).all()))


def stepped_count(data: Any) -> float:
    """The number of records, and 3 more from 29 records on."""
    return float(len(data)) + _BONUS * float(len(data) >= THRESHOLD)


def largest_component(data: Any) -> float:
    """Nodes of the largest component of a graph."""
    parts = [{node} for node in range(NODES)]
    for start, end in _edges(data):
        joined = [part for part in parts if start in part or end in part]
        parts = [part for part in parts if part not in joined] + [set().union(*joined)]
    return float(max(map(len, parts)))


def triangles(data: Any) -> float:
    """Triangles of a graph."""
    edges = _edges(data)
    return float(
        sum(
            (a, b) in edges and (b, c) in edges and (a, c) in edges
            for a, b, c in combinations(range(NODES), 3)
        )
    )


def paths(data: Any) -> float:
    """Pairs of edges of a graph that meet."""
    ends = [node for edge in _edges(data) for node in edge]
    degrees: NDArray[np.int64] = np.bincount(np.array(ends, dtype=np.int64), minlength=NODES)
    return float((degrees * (degrees - 1) // 2).sum())


def _edges(data: Any) -> set[tuple[int, int]]:
    ends: Sequence[tuple[int, int]] = list(zip(data["u"], data["v"], strict=True))
    return {(int(min(pair)), int(max(pair))) for pair in ends if pair[0] != pair[1]}


STATISTICS: Mapping[str, Statistic] = {
    "longest-run": Statistic(longest_run, 5.0, "the longest run of consecutive records, up to 9"),
    "progressions": Statistic(progressions, 8.0, "triples of records at equal steps"),
    "alternating-sum": Statistic(alternating_sum, 8.0, "a stream added and subtracted in turn"),
    "turns": Statistic(turns, 3.0, "how often a stream turns round"),
    "rising": Statistic(rising, 3.0, "whether at least six records rise"),
    "stepped-count": Statistic(stepped_count, 4.0, "a count, and 3 more from 29 records on"),
    "largest-component": Statistic(largest_component, 3.0, "the largest component of a graph"),
    "triangles": Statistic(triangles, 4.0, "triangles of a graph"),
    "paths": Statistic(paths, 8.0, "pairs of edges of a graph that meet"),
}


@dataclass(frozen=True, slots=True)
class NoisyStatistic:
    """A statistic with Laplace noise.

    Attributes:
        statistic: which, a key of `STATISTICS`.
        scaled: whether the noise is for what one record changes; else it is for 1.
        epsilon: claimed epsilon.
    """

    statistic: str
    scaled: bool = True
    epsilon: float = 1.0

    def __post_init__(self) -> None:
        if self.statistic not in STATISTICS:
            known = ", ".join(STATISTICS)
            raise InputError(
                f"statistic {self.statistic!r} is not known; use one of {known}", self.statistic
            )

    @property
    def claim(self) -> Claim:
        return PureDP(self.epsilon)

    def release(self, data: Any, rng: Generator, size: int) -> NDArray[np.float64]:
        """`size` noisy values of the statistic."""
        statistic = STATISTICS[self.statistic]
        scale = (statistic.sensitivity if self.scaled else 1.0) / self.epsilon
        return statistic.value(data) + laplace(rng, scale, size)


_GRAPH = f"u=int:0:{NODES - 1},v=int:0:{NODES - 1}"
_EDGE = (0, 1)
_ALL = list(combinations(range(NODES), 2))
_HALVES = [(0, 2), (2, 4), (1, 3), (3, 5)]


def _without(records: list[Any], at: int, domain: str) -> Inputs:
    """Numbers, and the same without one of them."""
    return add_remove(np.array(records), np.array(records[:at] + records[at + 1 :]), domain)


def _without_edge(edges: list[tuple[int, int]]) -> Inputs:
    """A graph, and the same without `_EDGE`."""
    return add_remove(_graph(edges), _graph([e for e in edges if e != _EDGE]), _GRAPH)


def _graph(edges: list[tuple[int, int]]) -> Later:
    return frame({"u": [u for u, _ in edges], "v": [v for _, v in edges]})


_INPUTS: dict[str, Inputs] = {
    "longest-run": _without(list(range(LONGEST_RUN)), LONGEST_RUN // 2, "int:0:40"),
    "progressions": _without(list(range(LARGEST + 1)), LARGEST // 2, f"int:0:{LARGEST}"),
    "alternating-sum": _without([0, *[1, 0] * (PLACES // 2)], 0, "int:0:1"),
    "turns": _without([0, 1, 0, 1, 0], 2, "int:0:9"),
    "rising": _without([*range(6)], 5, "int:0:100"),
    "stepped-count": _without([1] * THRESHOLD, THRESHOLD - 1, "int:0:1"),
    "largest-component": _without_edge([*_HALVES, _EDGE]),
    "triangles": _without_edge(_ALL),
    "paths": _without_edge(_ALL),
}
"""The datasets on which one record changes a statistic most."""


def _row(name: str, scaled: bool) -> Row:
    """A statistic with noise for its sensitivity, or for one."""
    statistic = STATISTICS[name]
    most = f"{statistic.sensitivity:g}"
    noise = f"for its sensitivity {most}" if scaled else "for one record"
    source = f"calculation: one record changes it by up to {most}"
    return (
        f"{name}-with-noise-for-{'its-sensitivity' if scaled else 'one'}",
        NoisyStatistic(name, scaled),
        _INPUTS[name],
        keeps(source, 1.0) if scaled else breaks(source, statistic.sensitivity),
        f"{statistic.words}; noise {noise}",
    )


ENTRIES = table("Critical records", (_row(*each) for each in product(STATISTICS, (False, True))))
"""Two entries for each statistic, wrong and right."""
