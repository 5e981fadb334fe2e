"""Domains derived from tables contain every row, parse back, and make tables of the same dtypes."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from audit.errors import DomainError
from audit.neighbors.domain import Sizes, UserDomain, parse_domain
from audit.neighbors.domain.derived import derived_domain, rounded_outwards
from audit.neighbors.pair import check_records

COLUMNS: dict[str, tuple[Any, str]] = {
    "ages": ([29, 62, 41, 33], "int:25:65"),
    "hundreds": ([0, 100, 7, 9], "int:0:100"),
    "bytes": (np.array([1, 250, 3, 9], "uint8"), "int:0:255"),
    "one number": ([5, 5, 5, 5], "int:0:5"),
    "flags": ([0, 1, 1, 0], "int:0:1"),
    "shares": ([0.03, 0.97, 0.5, 0.1], "float:0:1"),
    "infinite": ([0.0, np.inf, 0.5, 1.0], "float:0:1:special"),
    "counts, one missing": ([3.0, None, 7.0, 4.0], "int:3:7:missing"),
    "floats, one missing": ([0.5, None, 7.0, 4.0], "float:0:7:missing"),
    "truth": ([True, False, True, True], "bool"),
    "truth, one missing": ([True, None, False, True], "bool:missing"),
    "groups": (["b", "a", "a", "b"], "choice:a,b"),
    "groups, one missing": (["b", None, "a", "b"], "choice:a,b:missing"),
    "numbers as strings": (["1", "2", "2", "1"], 'choice:"1","2"'),
    "commas": (["a,b", "c", "a,b", 'd "e"'], r'choice:"a,b",c,"d \"e\""'),
    "commas, one missing": (["a,b", None, "c", "c"], 'choice:"a,b",c:missing'),
    "odd words": (["x=1", " y ", "z[3]", "x=1"], 'choice:" y ","x=1","z[3]"'),
    "categories": (pd.Categorical(["f", "m", "m", "f"], ["m", "f", "x"]), "choice:f,m,x"),
    "days": (
        ["2020-02-03", "2020-05-06", "2020-02-03", "2020-04-04"],
        "date:2020-02-01:2020-05-31",
    ),
    "timestamps": (pd.date_range("2020-02-28 12:30", periods=4), "date:2020-02-01:2020-03-31"),
    "days, one missing": (
        ["2020-02-03", None, "2020-02-04", "2020-02-04"],
        "date:2020-02-01:2020-02-29:missing",
    ),
    "nothing": ([None] * 4, "text:missing"),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_has_the_domain_of_its_kind(name: str) -> None:
    values, spec = COLUMNS[name]
    table = pd.DataFrame({"column": values})
    domain = derived_domain(table)
    assert str(domain) == f"column={spec}"
    assert parse_domain(str(domain)) == domain
    check_records(table, domain, "D")
    made = domain.dataset(domain.extremes)
    assert made.dtypes.equals(table.dtypes)
    assert domain.dataset([]).dtypes.equals(table.dtypes)
    check_records(made, domain, "D1")


def test_many_strings_are_text_unless_they_come_again() -> None:
    names = [f"name {i}" for i in range(30)]
    assert str(derived_domain(pd.DataFrame({"a": names}))) == "a=text"
    assert str(derived_domain(pd.DataFrame({"a": names * 2}))).startswith("a=choice:name 0,")


def test_users_and_sizes_are_those_given() -> None:
    table = pd.DataFrame({"user": ["x", "y", "x"], "v": [1, 2, 3]})
    domain = derived_domain(table, {"user": UserDomain(2)}, Sizes(3, 3))
    assert str(domain) == "user=user:2,v=int:1:3[3]"
    assert domain.dataset([{"user": 0, "v": 1}])["user"].tolist() == ["0"]


@pytest.mark.parametrize(
    ("column", "values", "complaint"),
    [
        ("a", [Decimal(1), Decimal(2)], "type Decimal"),
        ("a", [date(2020, 1, 1), date(2020, 1, 2)], "type date"),
        ("a", ["x", 1], "type int"),
        ("a", [1j, 2j], "type complex"),
        ("a,b", [1, 2], "'a,b' cannot be written"),
        (0, [1, 2], "name 0 cannot be written"),
    ],
)
def test_what_no_domain_has_is_refused(column: Any, values: list[Any], complaint: str) -> None:
    with pytest.raises(DomainError, match=complaint):
        derived_domain(pd.DataFrame({column: values}))


NUMBERS = st.one_of(st.integers(-(10**9), 10**9), st.floats(-1e12, 1e12))


@given(NUMBERS, NUMBERS)
@example(0.0, 5e-324)
@example(0.0, 3e-300)
def test_ranges_grow_by_less_than_a_fifth_at_either_end(one: float, other: float) -> None:
    low, high = min(one, other), max(one, other)
    bottom, top = rounded_outwards(low, high)
    assert bottom <= low <= high <= top
    assert bottom < top
    if low < high:
        margin = max((high - low) / 5, isinstance(low, int)) * (1 + 1e-9)
        assert low - bottom <= margin
        assert top - high <= margin
