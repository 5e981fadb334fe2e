"""SmartNoise SQL walked: aggregates over the options of a table, grouped or not.

Each query is held to the cost that the library quotes for it. Neighbors are one user with
all rows: as many as `max_ids` allows, or more where the library samples them; one row where
rows are private. A query that the library refuses for both tables is no call.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from audit.declaration import Entry
from mechanisms.external.call import Release
from mechanisms.external.shelf import Shelf
from mechanisms.external.smartnoise_sql import (
    COST,
    opened,
    price,
    released,
    rows_of,
)
from mechanisms.external.walks.steps import shown, step

_AGGREGATES = (
    "COUNT(*)",
    "COUNT(x)",
    "COUNT(DISTINCT uid)",
    "COUNT(DISTINCT g)",
    "COUNT(DISTINCT x)",
    "SUM(x)",
    "AVG(x)",
    "VAR(x)",
    "STDDEV(x)",
    "MIN(x)",
    "MAX(x)",
)
_TABLES: tuple[Mapping[str, Any], ...] = (
    {},
    {"row_privacy": True},
    {"clamp_counts": True},
    {"censor_dims": False},
    {"use_dpsu": True},
    {"max_ids": 3},
    {"max_ids": 3, "clamp_counts": True, "censor_dims": False},
)
_COLUMNS: tuple[Mapping[str, Any], ...] = (
    {"type": "int", "lower": 0, "upper": 10},
    {"type": "float", "lower": -10.0, "upper": 10.0},
    {"type": "float", "lower": 90.0, "upper": 100.0},
    {"type": "int", "lower": 5, "upper": 10, "nullable": False},
)
_QUARTERED = ("AVG(x)", "VAR(x)", "STDDEV(x)")
"""They cost three or four times epsilon; at a quarter of it a few hundred runs can tell more."""
_PRIVACIES = ((0.5, 0.01), (2.0, 0.01), (1.0, 0.2))


def entries() -> tuple[Entry, ...]:
    """Enumerated queries of SmartNoise SQL; raises as `opened` does."""
    return tuple(_all(*opened()))


def _all(shelf: Shelf, library: Any) -> Iterator[Entry]:
    for aggregate in _AGGREGATES:
        for group in (False, True):
            for options in _TABLES:
                yield from _asked(shelf, library, aggregate, group, options)
    for aggregate in ("SUM(x)", "AVG(x)", "VAR(x)", "COUNT(x)"):
        for column in _COLUMNS:
            yield from _asked(shelf, library, aggregate, False, {"x": column})
    for aggregate in ("COUNT(*)", "SUM(x)"):
        for epsilon, delta in _PRIVACIES:
            spent = library.Privacy(epsilon=epsilon, delta=delta)
            for group in (False, True):
                yield from _asked(shelf, library, aggregate, group, {}, spent)


def _asked(
    shelf: Shelf,
    library: Any,
    aggregate: str,
    group: bool,
    options: Mapping[str, Any],
    spent: Any | None = None,
) -> Iterator[Entry]:
    key, by = ("g, ", " GROUP BY g") if group else ("", "")
    query = f"SELECT {key}{aggregate} AS v FROM d.t{by}"
    if aggregate in _QUARTERED:
        spent = library.Privacy(epsilon=0.25, delta=0.01)
    does = released(library, query, options, spent)
    pair = tables(options, 18 if spent is None else int(18 / min(1.0, spent.epsilon)))
    if all(_fails(does, table) for table in pair):
        return
    privacy = {} if spent is None else {"epsilon": spent.epsilon, "delta": spent.delta}
    told = shown({**options, **privacy})
    yield step(
        shelf,
        f"{aggregate.partition('(')[0]}({query}{', ' if told else ''}{told})",
        does,
        pair,
        claims=price(library, query, options, spent),
        documented=COST,
    )


def tables(options: Mapping[str, Any], users: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Users in three groups, in the middle, and one at the upper bound; without this one."""
    column = options.get("x", {"lower": 0.0, "upper": 10.0})
    middle = (column["lower"] + column["upper"]) / 2
    rest = [(number, "abc"[number % 3], middle) for number in range(users)]
    rows = options.get("max_ids", 1)
    more = [(99, "abc"[number], float(column["upper"])) for number in range(rows)]
    return rows_of(*rest, *more), rows_of(*rest)


def _fails(does: Release, table: pd.DataFrame) -> bool:
    try:
        does(table)
    except (ValueError, TypeError, AttributeError):
        return True
    return False
