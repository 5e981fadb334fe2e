"""SmartNoise SQL: queries on a data frame, at the cost that the library itself quotes.

The claim of an entry is what `reader.get_privacy_cost(query)` answers before the
query runs: every statistic and the hidden count of users behind `censor_dims` are
paid for separately there. The docstring of `Privacy` promises epsilon for each
statistic returned; entries called per-statistic hold the library to that.
The noise scale is found by a search of 0.2 s; it is kept between queries.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import pandas as pd

from audit.claims import ApproxDP, Claim
from audit.declaration import Entry
from mechanisms.external.call import Release, imported
from mechanisms.external.shelf import Finding, Shelf

REQUIREMENT = "smartnoise-sql==1.0.10"
_DELTA = 0.01
COST = "reader.get_privacy_cost(query)"
_STATISTIC = "Privacy: epsilon is the epsilon value for each statistic returned"
_PRICE = f"{COST} does count it"
_BOUNDS = {"type": "float", "lower": 0.0, "upper": 10.0}


def opened() -> tuple[Shelf, Any]:
    """The library, fast enough for thousands of runs.

    Raises:
        InputError: it is not installed.
    """
    library, version = imported("snsql", "smartnoise-sql", REQUIREMENT)
    keep_scales()
    return Shelf("smartnoise-sql", version, "docs.smartnoise.org/sql"), library


def entries() -> tuple[Entry, ...]:
    """Queries of SmartNoise SQL; raises as `opened` does."""
    shelf, library = opened()
    return (
        *_queries(shelf, library),
        *_options(shelf, library),
        *_promises(shelf, library),
        _by_itself(shelf, library),
    )


def keep_scales() -> None:
    """Cache of scales, which the library searches again at every query."""
    for kind in ("Laplace", "Gaussian"):
        _keep_scales(getattr(importlib.import_module("snsql.sql._mechanisms"), kind))


def _keep_scales(kind: Any) -> None:
    if hasattr(kind, "searched"):
        return
    kind.searched = kind._compute_noise_scale
    found: dict[Any, float] = {}

    def remembered(self: Any) -> None:
        key = (self.epsilon, self.delta, self.lower, self.upper, self.max_contrib)
        if key not in found:
            self.searched()
            found[key] = self.scale
        self.scale = found[key]

    kind._compute_noise_scale = remembered


def _keep_plan(reader: Any) -> Any:
    """Cache of queries, which the library parses and rewrites again at every call."""
    reader.parse_query_string = _once(reader.parse_query_string)
    reader._rewrite_ast = _once(reader._rewrite_ast)
    return reader


def _once(function: Release) -> Release:
    found: list[Any] = []

    def remembered(argument: Any) -> Any:
        if not found:
            found.append(function(argument))
        return found[0]

    return remembered


def rows_of(*rows: tuple[int, str, float | None]) -> pd.DataFrame:
    """A table of users, groups and numbers."""
    return pd.DataFrame(rows, columns=["uid", "g", "x"])


def _people(groups: str, x: float = 1.0) -> pd.DataFrame:
    """One row for each letter: user, group and a number."""
    return rows_of(*((i, group, x) for i, group in enumerate(groups)))


def _reader(library: Any, data: pd.DataFrame, options: Mapping[str, Any], privacy: Any) -> Any:
    owner = not options.get("row_privacy", False)
    columns = {"uid": {"type": "int", "private_id": owner}, "g": {"type": "string"}, "x": _BOUNDS}
    table = {"rows": 100, "max_ids": 1, **columns, **options}
    return library.from_df(data, privacy=privacy, metadata={"": {"d": {"t": table}}})


def released(
    library: Any, query: str, options: Mapping[str, Any], privacy: Any | None = None
) -> Release:
    """Runs a query, and answers its rows: of groups by their keys, or as they stand.

    A reader is kept for each table, as an analyst would keep it, and so is the plan of the
    query; every run asks the database and draws anew.

    Args:
        library: snsql.
        query: on table d.t, which `rows_of` makes.
        options: of the table and its columns, in the words of the library's metadata.
        privacy: of the library, epsilon 1 and delta 0.01 where none is given.
    """
    spent = privacy or library.Privacy(epsilon=1.0, delta=_DELTA)

    readers: dict[Any, Any] = {}

    def release(data: pd.DataFrame) -> Any:
        key = tuple(data.itertuples(index=False, name=None))
        if key not in readers:
            readers[key] = _keep_plan(_reader(library, data, options, spent))
        rows = readers[key].execute(query)[1:]
        return {str(row[0]): row[1] for row in rows} if "GROUP" in query else [*map(list, rows)]

    return release


def price(
    library: Any, query: str, options: Mapping[str, Any], privacy: Any | None = None
) -> Claim:
    """The cost quoted by the library, at most delta 0.5."""
    spent = privacy or library.Privacy(epsilon=1.0, delta=_DELTA)
    reader = _reader(library, _people("aa"), options, spent)
    epsilon, delta = reader.get_privacy_cost(query)
    return ApproxDP(float(epsilon), min(float(delta), 0.5))


def _asked(
    shelf: Shelf, library: Any, name: str, query: str, *data: pd.DataFrame, **more: Any
) -> Entry:
    options = more.pop("options", {})
    shown = ", ".join(f"{key}: {value}" for key, value in options.items())
    return shelf.entry(
        name,
        f"{query}{'; ' if shown else ''}{shown}",
        released(library, query, options),
        *data,
        claims=more.pop("claims", None) or price(library, query, options),
        documented=more.pop("documented", COST),
        **more,
    )


def _queries(shelf: Shelf, library: Any) -> tuple[Entry, ...]:
    five, four = _people("aaaaa"), _people("aaaa")
    rich = rows_of(*((i, "a", 1.0) for i in range(6)), (6, "a", 1e6))
    poor = rows_of(*((i, "a", 1.0) for i in range(6)))
    holes = rows_of(*((i, "a", 1.0) for i in range(6)), (6, "a", None))

    def asked(name: str, query: str, *data: pd.DataFrame) -> Entry:
        return _asked(shelf, library, name, query, *data)

    return (
        asked("count", "SELECT COUNT(*) AS n FROM d.t", five, four),
        asked("count-users", "SELECT COUNT(DISTINCT uid) AS n FROM d.t", five, four),
        asked("count-values", "SELECT COUNT(DISTINCT g) AS n FROM d.t", _people("aaaab"), four),
        asked("sum", "SELECT SUM(x) AS s FROM d.t", rich, poor),
        asked("average", "SELECT AVG(x) AS a FROM d.t", rich, poor),
        asked("variance", "SELECT VAR(x) AS v FROM d.t", rich, poor),
        asked("deviation", "SELECT STDDEV(x) AS v FROM d.t", rich, poor),
        asked("sum-missing", "SELECT SUM(x) AS s FROM d.t", holes, poor),
        asked("where", "SELECT COUNT(*) AS n FROM d.t WHERE x > 5", rich, poor),
        asked(
            "group",
            "SELECT g, COUNT(*) AS n FROM d.t GROUP BY g",
            _people("aaaaaz"),
            _people("aaaaa"),
        ),
        asked(
            "having",
            "SELECT g, COUNT(*) AS n FROM d.t GROUP BY g HAVING n > 3",
            _people("aaaaaz"),
            _people("aaaaa"),
        ),
    )


def _options(shelf: Shelf, library: Any) -> tuple[Entry, ...]:
    groups = "SELECT g, COUNT(*) AS n FROM d.t GROUP BY g"
    two = rows_of(*((i, "a", 1.0) for i in range(9)), (9, "a", 1.0), (9, "b", 1.0), (9, "c", 1.0))
    none = rows_of(*((i, "a", 1.0) for i in range(9)))
    rich = rows_of(*((i, "a", 1.0) for i in range(6)), (6, "a", 1e6))

    def asked(name: str, query: str, *data: pd.DataFrame, **more: Any) -> Entry:
        return _asked(shelf, library, name, query, *data, **more)

    return (
        asked("two-rows", groups, two, none, options={"max_ids": 2}),
        asked("rows-sum", "SELECT SUM(x) AS s FROM d.t", two, none, options={"max_ids": 2}),
        asked(
            "row-privacy",
            groups,
            _people("aaaaaz"),
            _people("aaaaa"),
            options={"row_privacy": True},
        ),
        asked(
            "keys-uncensored",
            groups,
            _people("aaaaaz"),
            _people("aaaaa"),
            options={"censor_dims": False},
            broken=Finding(
                "groups are released however few users they have",
                warned="metadata, censor_dims: drops groups that might reveal individuals; "
                "it is on unless it is turned off",
            ),
        ),
        asked(
            "columns-unclamped",
            "SELECT SUM(x) AS s FROM d.t",
            rich,
            rich.head(6),
            options={"clamp_columns": False},
            broken=Finding(
                "records outside the bounds are summed as they are, the noise follows the bounds",
                warned="metadata, clamp_columns: it is on unless it is turned off",
            ),
        ),
    )


def _promises(shelf: Shelf, library: Any) -> tuple[Entry, ...]:
    """Epsilon = 1 for one statistic, as the docstring has it."""
    claim = ApproxDP(1.0, _DELTA)
    hidden = "the count of users that decides whether the row is shown costs epsilon again"
    known = "github.com/opendp/smartnoise-sdk/issues/200 and 385 (closed)"

    def promised(name: str, query: str, *data: pd.DataFrame, why: str) -> Entry:
        return _asked(
            shelf,
            library,
            f"{name}-per-statistic",
            query,
            *data,
            claims=claim,
            documented=_STATISTIC,
            broken=Finding(why, None, known, _PRICE),
        )

    return (
        promised(
            "count", "SELECT COUNT(*) AS n FROM d.t", _people("aaaaa"), _people("aaaa"), why=hidden
        ),
        promised(
            "average",
            "SELECT AVG(x) AS a FROM d.t",
            rows_of(*((i, "a", 10.0) for i in range(5))),
            rows_of(*((i, "a", 10.0) for i in range(4))),
            why=f"the sum and the count behind an average cost epsilon each, and {hidden}",
        ),
    )


def _by_itself(shelf: Shelf, library: Any) -> Entry:
    """A column grouped by itself; all users have one number beyond its bounds."""
    users = rows_of(*((i, "a", 1_000_000) for i in range(12)))
    return _asked(
        shelf,
        library,
        "sum-by-itself",
        "SELECT x, SUM(x) AS s FROM d.t GROUP BY x",
        users,
        users.head(11),
        options={"x": {"type": "int", "lower": 0, "upper": 10}},
        broken=Finding(
            "a column that is grouped by is not clamped, in its own sum either, whose noise is "
            "for its bounds",
            None,
        ),
    )
