"""PipelineDP's metrics, alone and together, over noise, bounds and caps."""

from __future__ import annotations

import math
from collections.abc import Iterator

from audit.declaration import Entry
from mechanisms.external.pipeline_dp import Asked, Row, people
from mechanisms.external.shelf import Shelf
from mechanisms.external.walks.pipeline_dp.asking import NOISES, asking

_COUNTS: tuple[tuple[str, ...], ...] = (
    ("COUNT",),
    ("PRIVACY_ID_COUNT",),
    ("COUNT", "PRIVACY_ID_COUNT"),
)
_VALUES: tuple[tuple[str, ...], ...] = (
    ("SUM",),
    ("MEAN",),
    ("VARIANCE",),
    ("PERCENTILE(50)",),
    ("PERCENTILE(10)", "PERCENTILE(90)"),
    ("COUNT", "SUM"),
    ("COUNT", "MEAN"),
    ("COUNT", "MEAN", "VARIANCE"),
    ("PRIVACY_ID_COUNT", "SUM", "PERCENTILE(50)"),
)
_CAPS = ((1, 1), (2, 3))
_BEYOND = {"NaN": math.nan, "infinite": math.inf, "far": 1e6}


def entries(shelf: Shelf) -> Iterator[Entry]:
    """Counts, values within their bounds, values beyond them."""
    for noise, delta in NOISES.items():
        for partitions, rows in _CAPS:
            caps = {"noise_kind": noise, **_caps(partitions, rows)}
            more = _rows(partitions, rows, 1.0)
            for metrics in _COUNTS:
                asked = Asked(metrics, caps, delta=delta)
                yield from asking(shelf, asked, people(0.0, 0.0), more)
            for metrics in _VALUES:
                for low in (0, -1) if rows == 1 else (0,):
                    bounds = {"min_value": low, "max_value": 1, **caps}
                    asked = Asked(metrics, bounds, delta=delta)
                    yield from asking(shelf, asked, people(low, 0.0, 0.0, 0.0), more)
    yield from _outside(shelf)


def _outside(shelf: Shelf) -> Iterator[Entry]:
    """More rows than the caps allow, and values that are no numbers or beyond the bounds."""
    for metrics in (("COUNT",), ("SUM",), ("MEAN",), ("VARIANCE",), ("PERCENTILE(50)",)):
        bounds = {} if metrics == ("COUNT",) else {"min_value": 0, "max_value": 1}
        rest = people(0.0, 0.0, 1.0)
        asked = Asked(metrics, bounds)
        yield from asking(shelf, asked, rest, _rows(2, 20, 1.0), "40 rows of one id")
        if bounds:
            for told, value in _BEYOND.items():
                yield from asking(shelf, asked, rest, [(9, "a", value)], f"a value {told}")


def _caps(partitions: int, rows: int) -> dict[str, int]:
    return {"max_partitions_contributed": partitions, "max_contributions_per_partition": rows}


def _rows(partitions: int, rows: int, value: float) -> list[Row]:
    """All rows of one privacy id."""
    return [(9, "ab"[number], value) for number in range(partitions) for _ in range(rows)]
