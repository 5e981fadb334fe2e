"""dp-epidemiology: weekly transactions of merchants, with measurements of OpenDP of its own.

Its analyzers take a table; its measurements state their own cost, which is the claim.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pandas as pd

from audit.claims import PureDP
from audit.declaration import Entry
from mechanisms.external.call import imported
from mechanisms.external.shelf import ADD_REMOVE, Finding, Shelf

REQUIREMENT = "dp-epidemiology==0.1.1"
_SCALE = "README, Sensitivity and Epsilon Analysis: Scale = 3 * no_of_time_stamps * upper_bound / ε"
_MAP = "privacy_map of the measurement that it returns"
_WEEKS = "time steps are whole weeks, rounded down: a period of less than a week has scale 0"
_FIXED = "the scale is 1 whatever epsilon"
_UNSCALED = "privacy_map has the sensitivity alone, whatever the scale"
_CITY, _START = "Medellin", datetime(2021, 1, 4)


def entries() -> tuple[Entry, ...]:
    """Calls of dp-epidemiology.

    Raises:
        InputError: it is not installed.
    """
    _, version = imported("DP_epidemiology", "dp-epidemiology", REQUIREMENT)
    shelf = Shelf("dp-epidemiology", version, "pypi: dp-epidemiology")
    return (*_analyzers(shelf), *_measurements(shelf))


def _table(rows: Any) -> pd.DataFrame:
    """Rows (merchant's postal code, number of transactions), all of one day and one city."""
    return pd.DataFrame(
        [
            {
                "merch_postal_code": code,
                "nb_transactions": count,
                "transaction_type": "OFFLINE",
                "merch_category": category,
                "city": _CITY,
                "date": "2021-01-05",
            }
            for code, count, category in rows
        ]
    )


def _analyzers(shelf: Shelf) -> tuple[Entry, ...]:
    rows = [("50001", 100, "Airlines"), ("50001", 20, "Restaurants")]

    def one(
        module: str,
        end: datetime,
        extra: tuple[Any, ...],
        why: Finding | None,
        category: str = "Airlines",
    ) -> Entry:
        function = getattr(importlib.import_module(f"DP_epidemiology.{module}"), module)
        days = (end - _START).days
        said = "".join(f"{text!r}, " for text in extra)

        def release(data: Any) -> Any:
            found = function(_table(data), _START, end, _CITY, *extra, 1.0)
            return [int(value) for value in found["nb_transactions"]]

        return shelf.entry(
            f"{module.replace('_', '-')}-{days}-days",
            f"{module}(df, start, end {days} days later, {_CITY!r}, {said}epsilon=1)",
            release,
            rows,
            [*rows, ("50001", 400, category)],
            relation=ADD_REMOVE,
            documented=_SCALE,
            broken=why,
        )

    week, short = datetime(2021, 1, 11), datetime(2021, 1, 10)
    less = Finding(_WEEKS)
    return (
        one("hotspot_analyzer", week, (), None),
        one("mobility_analyzer", week, ("transit_stations",), None),
        one("pandemic_adherence_analyzer", week, ("luxury",), None, "Restaurants"),
        one("hotspot_analyzer", short, (), less),
        one("mobility_analyzer", short, ("transit_stations",), less),
    )


def _measurements(shelf: Shelf) -> tuple[Entry, ...]:
    library = importlib.import_module("DP_epidemiology.utilities")
    zips = [(50001, 1, "Airlines"), (50002, 1, "Airlines")]
    sums = [("50001", 0, "Airlines")]

    def one(
        name: str,
        call: str,
        made: Any,
        pair: tuple[Any, Any],
        cast: Callable[[Any], Any],
        claimed: float,
        why: Finding | None,
    ) -> Entry:
        return shelf.entry(
            name,
            call,
            lambda data: cast(made(_table(data))),
            *pair,
            claims=PureDP(claimed),
            relation=ADD_REMOVE,
            documented=_MAP,
            broken=why,
        )

    def count(epsilon: float, why: Finding | None) -> Entry:
        return one(
            f"private-count-{epsilon:g}",
            f"make_private_count('city', {_CITY!r}, epsilon={epsilon:g})",
            library.make_private_count("city", _CITY, epsilon),
            (zips, [*zips, (50003, 1, "Airlines")]),
            int,
            epsilon,
            why,
        )

    def total(scale: float, why: Finding | None) -> Entry:
        made = library.make_private_nb_transactions_avg_count("Airlines", 1, 1, scale)
        return one(
            f"transactions-scale-{scale:g}",
            f"make_private_nb_transactions_avg_count('Airlines', 1, 1, scale={scale:g})",
            made,
            (sums, [*sums, ("50001", 1, "Airlines")]),
            float,
            float(made.map(1)),
            why,
        )

    return (
        count(1.0, None),
        count(0.1, Finding(_FIXED, 1.0)),
        total(1.0, None),
        total(0.25, Finding(_UNSCALED, 4.0)),
    )
