"""OpenDP's queries of data frames, in the expressions of Polars."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import Any

from audit.declaration import Entry
from audit.relation import Relation
from mechanisms.external.shelf import ADD_REMOVE, SUBSTITUTE
from mechanisms.external.walks.opendp.measured import Measured

_COLUMNS = ("x", "g")
_BASE = [(0, "a"), (3, "a"), (5, "b")]
_EXTRA = (5, "c")


def entries(measured: Measured) -> Iterator[Entry]:
    """Selections and groups of rows of a number x and a word g; none without Polars."""
    try:
        polars = importlib.import_module("polars")
        importlib.import_module("pyarrow")
    except ImportError:
        return
    for noise in ("laplace", "gaussian"):
        for name, query in _selections(measured.dp, polars).items():
            yield from _queried(measured, polars, noise, name, query, sized=False)
        for name, query in _selections(measured.dp, polars, sized=True).items():
            yield from _queried(measured, polars, noise, name, query, sized=True)


def _selections(dp: Any, polars: Any, sized: bool = False) -> Mapping[str, Any]:
    """Queries by their words; functions of a lazy frame."""
    x, g = polars.col("x"), polars.col("g")
    candidates = [0, 1, 3, 5]
    queries: dict[str, Any] = {
        "select(x.dp.sum((0, 5)))": lambda frame: frame.select(x.dp.sum((0, 5))),
        "select(x.dp.sum((90, 100)))": lambda frame: frame.select(x.dp.sum((90, 100))),
        "select(x.dp.median)": lambda frame: frame.select(x.dp.median(candidates)),
        "select(x.dp.quantile(0.9))": lambda frame: frame.select(x.dp.quantile(0.9, candidates)),
    }
    if sized:
        return queries | {
            "select(x.dp.mean((0, 5)))": lambda frame: frame.select(x.dp.mean((0, 5))),
        }
    return queries | {
        "select(len)": lambda frame: frame.select(dp.len()),
        "select(x.dp.count)": lambda frame: frame.select(x.dp.count()),
        "select(x.dp.n_unique)": lambda frame: frame.select(x.dp.n_unique()),
        "select(g.dp.n_unique)": lambda frame: frame.select(g.dp.n_unique()),
        "select(x.dp.null_count)": lambda frame: frame.select(x.dp.null_count()),
        "select(x.dp.mean((0, 5)))": lambda frame: frame.select(x.dp.mean((0, 5))),
        "select(len, x.dp.sum((0, 5)))": lambda frame: frame.select(dp.len(), x.dp.sum((0, 5))),
        "filter(x > 3).select(len)": lambda frame: frame.filter(x > 3).select(dp.len()),
        "with_columns(x.clip(0, 2)).select(x.dp.sum((0, 2)))": lambda frame: frame.with_columns(
            x.clip(0, 2)
        ).select(x.dp.sum((0, 2))),
        "select(x.fill_null(7).dp.sum((0, 7)))": lambda frame: frame.select(
            x.fill_null(7).dp.sum((0, 7))
        ),
        "group_by(g).agg(len)": lambda frame: frame.group_by("g").agg(dp.len()),
        "group_by(g).agg(len, x.dp.sum((0, 5)))": lambda frame: frame.group_by("g").agg(
            dp.len(), x.dp.sum((0, 5))
        ),
        "group_by(x).agg(len)": lambda frame: frame.group_by("x").agg(dp.len()),
        "group_by(x, g).agg(len)": lambda frame: frame.group_by("x", "g").agg(dp.len()),
    }


def _queried(
    measured: Measured, polars: Any, noise: str, name: str, query: Any, sized: bool
) -> Iterator[Entry]:
    dp = measured.dp
    frame = _frame(polars, _BASE)
    domain = dp.lazyframe_domain(
        [
            dp.series_domain("x", dp.option_domain(dp.atom_domain(T=dp.i64))),
            dp.series_domain("g", dp.atom_domain(T=dp.String)),
        ]
    )
    margin = {"by": [], "max_length": 10, **({"invariant": "lengths"} if sized else {})}
    domain = dp.with_margin(domain, dp.polars.Margin(**margin))
    keyed = "group_by" in name
    output = {
        ("laplace", False): dp.max_divergence(),
        ("laplace", True): dp.approximate(dp.max_divergence()),
        ("gaussian", False): dp.zero_concentrated_divergence(),
        ("gaussian", True): dp.approximate(dp.zero_concentrated_divergence()),
    }[noise, keyed]
    threshold = {"threshold": 3} if keyed else {}
    made = measured.made(
        dp.m.make_private_lazyframe,
        domain,
        dp.symmetric_distance(),
        output,
        query(frame),
        global_scale=1.0,
        **threshold,
    )
    if made is None:
        return
    relation: Relation = SUBSTITUTE if sized else ADD_REMOVE
    pair = ([*_BASE, _EXTRA], [*_BASE, (0, "c")] if sized else _BASE)
    words = f"{name[: name.rindex(')')]}; {noise}, {'length known' if sized else 'any length'})"
    yield measured.entry(
        f"make_private_lazyframe({words}",
        made,
        lambda rows: _frame(polars, [(int(number), str(word)) for number, word in rows]),
        pair,
        2 if sized else 1,
        relation,
        told=_rows,
    )


def _frame(polars: Any, rows: list[tuple[int, str]]) -> Any:
    schema = {"x": polars.Int64, "g": polars.String}
    return polars.LazyFrame(rows, schema=schema, orient="row")


def _rows(answer: Any) -> list[Any]:
    """The values of all rows, sorted."""
    return [value for row in sorted(answer.collect().rows()) for value in row]
