"""Simpler records: each is in the domain, still holds, and is the simplest that does."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.neighbors.domain import parse_domain
from audit.neighbors.search.shrink import simplest
from audit.neighbors.search.strategies import records

CASES = [
    ("int:0:100", 100, lambda x: True, 0),
    ("int:0:100", 100, lambda x: x > 25, 26),
    ("int:0:100", 100, lambda x: x % 10 == 1 or x == 100, 1),
    ("int:-100:100", -100, lambda x: abs(x) > 25, 26),
    ("int:-100:100", -100, lambda x: x < -25, -26),
    ("int:-100:-5", -100, lambda x: True, -5),
    ("int:40:100", 100, lambda x: True, 40),
    ("int", 2**63 - 1, lambda x: x > 2**40, 2**40 + 1),
    ("float:0:1", 0.37, lambda x: True, 0.0),
    ("float:0:1", 0.37, lambda x: x > 0, 1.0),
    ("float:0:1", 0.37, lambda x: 0 < x < 1, 0.4),
    ("float:0:1", 0.37123456, lambda x: 0.3 < x < 0.4, 0.37),
    ("float:-9:9", -8.5, lambda x: abs(x) > 5, 6.0),
    ("float:0:1000", 1000.0, lambda x: x >= 77, 77.0),
    ("float:90:100", 100.0, lambda x: True, 90.0),
    ("float:0.5:2", 1.75, lambda x: x < 2, 1.0),
    ("float", math.inf, lambda x: x > 10, 11.0),
    ("float", math.inf, lambda x: x > 1e300, math.inf),
    ("float", math.nan, lambda x: True, 0.0),
    ("float", 1e300, lambda x: x > 1e7, 1e300),
    ("choice:a,b,c", "c", lambda x: x != "a", "b"),
    ("choice:3,1,2", 2, lambda x: True, 3),
    ("bool", True, lambda x: True, False),
    ("bool", True, lambda x: x, True),
]


@pytest.mark.parametrize(("spec", "record", "holds", "expected"), CASES)
def test_the_simplest_that_holds(spec: str, record: Any, holds: Any, expected: Any) -> None:
    assert simplest(parse_domain(spec), record, holds) == expected


def test_nan_stays_where_nothing_else_holds() -> None:
    assert math.isnan(simplest(parse_domain("float"), math.nan, math.isnan))


def test_columns_are_simplified_one_by_one() -> None:
    domain = parse_domain("user=user,age=int:0:120,sex=choice:f,m")
    row = {"user": 7, "age": 99, "sex": "m"}

    def old_men(r: dict[str, Any]) -> bool:
        return bool(r["age"] >= 18 and r["sex"] == "m")

    assert simplest(domain, row, old_men) == {"user": 0, "age": 18, "sex": "m"}
    assert simplest(domain, {**row, "user": "ann"}, old_men)["user"] == "ann"


def test_records_of_a_strategy_are_shrunk_by_hypothesis(tmp_path: Path) -> None:
    path = tmp_path / "records.py"
    path.write_text(
        "from hypothesis import strategies as st\n"
        "pairs = st.tuples(st.integers(0, 99), st.sampled_from('xyz'))\n"
    )
    domain = parse_domain(f"{path}:pairs")
    assert simplest(domain, (80, "z"), lambda record: record[0] >= 3) == (3, "x")
    assert simplest(domain, (80, "z"), lambda record: record[0] > 1000) == (80, "z")


@pytest.mark.parametrize(
    "spec", ["int:-7:70", "int", "float:-1:1", "float", "choice:a,b", "bool", "a=int,b=float:0:9"]
)
@settings(max_examples=25)
@given(draw=st.data())
def test_the_answer_was_in_the_domain_and_held(spec: str, draw: st.DataObject) -> None:
    domain = parse_domain(spec)
    record = draw.draw(records(domain))
    good: list[Any] = [record]

    def holds(simpler: Any) -> bool:
        assert domain.contains(simpler)
        if draw.draw(st.booleans()):
            good.append(simpler)
        return simpler is good[-1]

    assert str(simplest(domain, record, holds)) == str(good[-1])
