"""Statistics of chains and graphs that one critical record changes by more than 1."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np

from audit.declaration import Later
from mechanisms.parts.critical_records import (
    LARGEST,
    LONGEST_RUN,
    NODES,
    PLACES,
    STATISTICS,
    THRESHOLD,
    NoisyStatistic,
)
from mechanisms.table import Inputs, Row, add_remove, breaks, frame, keeps, table

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
