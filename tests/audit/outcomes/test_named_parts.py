"""Named fields, categories, decimals and times: what is read of them beside their values."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass, make_dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from audit.outcomes.encoding import encode
from audit.outcomes.leaves import leaves_of

Point = namedtuple("Point", "x y")
Turned = namedtuple("Turned", "y x")
Turned.__name__ = "Point"


@dataclass(frozen=True, slots=True)
class Pair:
    x: float
    y: float


def of(output: Any) -> dict[str, float | str]:
    return leaves_of(output, "o")[1]


def differing(one: Any, other: Any) -> set[str]:
    """What two outputs can be told apart by."""
    left, right = of([one]), of([other])
    return {name for name in left | right if left.get(name) != right.get(name)}


@pytest.mark.parametrize("output", [Point(1.0, 2.0), Pair(1.0, 2.0), SimpleNamespace(x=1.0, y=2.0)])
def test_fields_are_read_by_name(output: Any) -> None:
    leaves = of(output)
    assert (leaves["o.x"], leaves["o.y"], leaves["fields of o"]) == (1.0, 2.0, "'x, y'")
    assert leaves_of(output, "o")[0] == f"{type(output).__name__} of 2"
    assert differing(output, output) == set()


def test_types_and_orders_of_fields_differ() -> None:
    assert differing(Point(1.0, 2.0), Turned(2.0, 1.0)) == {"fields of o[0]"}
    assert differing(Point(1.0, 2.0), Pair(1.0, 2.0)) == {"types in o"}
    assert differing(Pair(1.0, 2.0), Pair(1.0, 3.0)) == {"o[0].y"}


def test_a_field_that_holds_nothing_yet_is_left_out() -> None:
    made = make_dataclass("Later", [("x", float), ("y", float)], init=False)()
    made.x = 1.0
    assert of(made)["fields of o"] == "'x'"
    assert "o.y" not in of(made)


def test_all_categories_are_read_and_whether_they_have_an_order() -> None:
    def held(known: list[str], ordered: bool = False) -> pd.Categorical:
        return pd.Categorical(["a"], known, ordered)

    for made in (pd.Series, lambda c: pd.DataFrame({"k": c}), pd.CategoricalIndex, lambda c: c):
        wrap = made if made is not pd.CategoricalIndex else lambda c: pd.Series([1.0], index=c)
        one, more, ranked = (
            wrap(held(*given)) for given in ((["a"],), (["a", "b"],), (["a"], True))
        )
        assert differing(one, wrap(held(["a"]))) == set()
        assert all("categories" in name for name in differing(one, more)) and differing(one, more)
        assert {name[:20] for name in differing(one, ranked)} == {"order of categories "}


def test_decimals_tell_their_exponent() -> None:
    assert of(Decimal("1.50")) == {"o": 1.5, "exponent of o": -2.0}
    assert of(Decimal("150")) == {"o": 150.0, "exponent of o": 0.0}
    assert of(Decimal("NaN")) == {"o": "nan"}


MOMENT = datetime(2026, 11, 18, 10, 30, 15, 250_000)


@pytest.mark.parametrize("output", [MOMENT, np.datetime64(MOMENT), pd.Timestamp(MOMENT)])
def test_times_are_seconds_and_parts(output: Any) -> None:
    assert of(output) == {
        "o": MOMENT.replace(tzinfo=UTC).timestamp(),
        "year of o": 2026.0,
        "month of o": 11.0,
        "day of month of o": 18.0,
        "weekday of o": 2.0,
        "hour of o": 10.0,
        "minute of o": 30.0,
        "second of o": 15.0,
        "microsecond of o": 250_000.0,
    }


def test_other_times() -> None:
    zone = timezone(timedelta(hours=2))
    assert of(MOMENT.replace(tzinfo=zone))["UTC offset of o"] == 7200.0
    assert of(MOMENT.replace(tzinfo=zone))["hour of o"] == 10.0
    assert of(date(1970, 1, 2))["o"] == 86_400.0
    assert of(np.datetime64("NaT")) == {"o": "NaT"}
    assert of(pd.NaT) == {"o": "NaT"}
    assert of(np.datetime64(5, "ns"))["nanosecond of o"] == 5.0
    assert of(np.datetime64("12000-01-01")) == {"o": 316_516_204_800.0}
    nanoseconds = np.array(["1970-01-01T00:00:02"], "M8[ns]")
    assert of(nanoseconds)["o[0]"] == encode(nanoseconds, 1).column("output").values[0] == 2.0
