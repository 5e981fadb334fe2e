"""Statistics of how records stand to each other: noise for one record, or for what one moves."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np

from audit.declaration import Entry, Later, Truth
from mechanisms.parts.counts.arrangement import (
    LARGEST,
    LONGEST_RUN,
    NODES,
    PLACES,
    STATISTICS,
    THRESHOLD,
    NoisyArrangement,
)
from mechanisms.parts.frames import frame

GROUP = "Arrangements"
_GRAPH = f"u=int:0:{NODES - 1},v=int:0:{NODES - 1}"


def _graph(*edges: tuple[int, int]) -> Later:
    return frame({"u": [u for u, _ in edges], "v": [v for _, v in edges]})


def _pair(records: list[int], at: int) -> tuple[Any, Any]:
    """Records, and the same without one of them."""
    return np.array(records), np.array(records[:at] + records[at + 1 :])


_EDGE = (0, 1)
_ALL = list(combinations(range(NODES), 2))
_HALVES = [(0, 2), (2, 4), (1, 3), (3, 5)]
_TELLING: dict[str, tuple[str, tuple[Any, Any]]] = {
    "longest-run": ("int:0:40", _pair(list(range(LONGEST_RUN)), LONGEST_RUN // 2)),
    "progressions": (f"int:0:{LARGEST}", _pair(list(range(LARGEST + 1)), LARGEST // 2)),
    "alternating-sum": ("int:0:1", _pair([0, *[1, 0] * (PLACES // 2)], 0)),
    "turns": ("int:0:9", _pair([0, 1, 0, 1, 0], 2)),
    "rising": ("int:0:100", _pair([*range(6)], 5)),
    "stepped-count": ("int:0:1", _pair([1] * THRESHOLD, THRESHOLD - 1)),
    "largest-component": (_GRAPH, (_graph(*_HALVES, _EDGE), _graph(*_HALVES))),
    "triangles": (
        _GRAPH,
        (_graph(*_ALL), _graph(*(edge for edge in _ALL if edge != _EDGE))),
    ),
    "paths": (_GRAPH, (_graph(*_ALL), _graph(*(edge for edge in _ALL if edge != _EDGE)))),
}
"""Domain, and the pair of datasets on which one record changes most."""


def _entry(name: str, scaled: bool) -> Entry:
    statistic = STATISTICS[name]
    domain, (data, neighbor) = _TELLING[name]
    noise = f"for the {statistic.sensitivity:g} that one moves" if scaled else "for one record"
    truth = Truth(
        keeps=scaled,
        epsilon=1.0 if scaled else statistic.sensitivity,
        source=f"calculation: one record changes it by up to {statistic.sensitivity:g}",
    )
    return Entry(
        name=f"{name}-with-noise-for-{'its-sensitivity' if scaled else 'one'}",
        group=GROUP,
        summary=f"{statistic.words}; noise {noise}",
        mechanism=NoisyArrangement(name, scaled),
        data=data,
        neighbors=(neighbor,),
        domain=domain,
        truth=truth,
    )


ENTRIES: tuple[Entry, ...] = tuple(
    _entry(name, scaled) for name, scaled in product(STATISTICS, (False, True))
)
"""Two entries for each statistic, wrong and right."""
