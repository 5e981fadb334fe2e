"""What domains contain, which records they try first and what a black box is given."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from audit.errors import DomainError
from audit.neighbors.domain import IntDomain, TableDomain, parse_domain, with_special
from audit.neighbors.domain.record import distinct, in_words, key

SPECS = (
    "int:0:100",
    "int:-3:-1",
    "int:5000000:",
    "int",
    "float:-1:1",
    "float:0:inf",
    "float",
    "choice:a,b,c",
    "choice:1,2",
    "bool",
    "age=int:0:120,sex=choice:f,m",
    "user=user:5,spent=float:0:9",
    "text",
    "date:2019-06-01:2021-03-31",
    "int:0:9:missing",
    "choice:a,b:missing",
    "name=text,born=date:1969-01-01:1971-01-01,score=float:0:1:missing,ok=bool:missing",
)


@pytest.mark.parametrize("spec", SPECS)
def test_ends_and_extremes_are_records_and_come_once(spec: str) -> None:
    domain = parse_domain(spec)
    assert domain.extremes[:2] == domain.ends
    assert all(map(domain.contains, domain.extremes))
    assert len({key(record) for record in domain.extremes}) == len(domain.extremes)


@pytest.mark.parametrize("spec", SPECS)
def test_the_opposite_is_a_record_and_another_one(spec: str) -> None:
    domain = parse_domain(spec)
    for record in domain.extremes:
        assert domain.contains(domain.opposite(record))
        assert key(domain.opposite(record)) != key(record)


@pytest.mark.parametrize("spec", SPECS)
def test_a_dataset_looks_alike_whatever_its_records(spec: str) -> None:
    domain = parse_domain(spec)
    empty, one = domain.dataset([]), domain.dataset(domain.ends[:1])
    many = domain.dataset(domain.extremes)
    assert type(empty) is type(one) is type(many)
    assert [len(empty), len(one), len(many)] == [0, 1, len(domain.extremes)]
    if isinstance(empty, pd.DataFrame):
        assert empty.dtypes.equals(one.dtypes)
        assert empty.dtypes.equals(many.dtypes)
    elif isinstance(empty, np.ndarray):
        assert empty.dtype == one.dtype == many.dtype
        assert empty.ndim == 1


@pytest.mark.parametrize(
    ("spec", "inside", "outside"),
    [
        ("int:0:9", [0, 9, np.int8(3), 4.0], [-1, 10, 4.5, math.nan, math.inf, True, "3", None]),
        ("float:0:1:special", [0.5, math.nan, math.inf, -math.inf, -0.0], [1.1, True, "nan", None]),
        ("float:0:1", [0, 0.5, np.float32(1)], [1.1, math.nan, math.inf, False, "0", None, [0.5]]),
        ("float:0:inf", [0.0, math.inf], [-1.0, -math.inf, math.nan]),
        ("float", [math.nan, math.inf, -1e300], [True, "nan", None]),
        ("choice:a,b", ["a", np.str_("b")], ["c", 0, None, ["a"]]),
        ("choice:1,2", [1, 2.0], [3, "1", True]),
        ("bool", [True, np.bool_(False)], [0, 1, None, "true"]),
        ("age=int:0:9", [{"age": 3}, {"age": 3, "more": None}], [{}, {"age": 10}, 3, [3]]),
        ("user=user,v=bool", [{"user": "x", "v": True}], [{"user": math.nan, "v": True}]),
    ],
)
def test_contains(spec: str, inside: list[Any], outside: list[Any]) -> None:
    domain = parse_domain(spec)
    assert all(map(domain.contains, inside))
    assert not any(map(domain.contains, outside))


def test_extremes_of_numbers_are_those_that_break_code() -> None:
    assert parse_domain("int:0:100").extremes == (0, 100, 1, 50, 99)
    assert {-128, -129, -32_769, 2**63 - 2, 1 - 2**63} <= set(IntDomain().extremes)
    assert {127, 128, 32_767, 32_768, 2**31, 2**63 - 1, -(2**63)} <= set(IntDomain().extremes)
    unbounded = parse_domain("float").extremes
    assert {math.inf, -math.inf, 0.0, 1e6} <= set(unbounded)
    assert any(map(math.isnan, unbounded))
    assert not any(map(math.isnan, parse_domain("float:0:inf").extremes))


def test_special_values_are_records_within_any_bounds_where_that_is_asked_for() -> None:
    plain, special = parse_domain("float:1:2"), parse_domain("float:1:2:special")
    assert with_special(plain) == with_special(special) == special
    shown = {repr(record) for record in special.extremes}
    assert shown == {"1.0", "2.0", "1.5", "nan", "inf", "-inf"}
    assert {repr(record) for record in plain.extremes} == {"1.0", "2.0", "1.5"}
    zero = parse_domain("float:0:1:special").extremes
    assert {"0.0", "-0.0"} <= set(map(repr, zero))
    table = with_special(parse_domain("user=user:3,v=float:0:1,w=int:0:9[5]"))
    assert str(table) == "user=user:3,v=float:0:1:special,w=int:0:9[5]"
    with pytest.raises(DomainError, match="leave `special` out"):
        with_special(parse_domain("int:0:9"))


def test_a_table_has_stable_columns_and_keeps_the_owner() -> None:
    domain = parse_domain("user=user:5,sex=choice:f,m,age=int:0:9")
    assert isinstance(domain, TableDomain)
    frame = domain.dataset([])
    assert list(frame.columns) == ["user", "sex", "age"]
    assert frame["age"].dtype == np.int64
    assert domain.opposite({"user": 7, "sex": "f", "age": 9}) == {"user": 7, "sex": "m", "age": 0}
    assert (domain.user, domain.rows_per_user, domain.many_rows) == ("user", 5, 5)


def test_keys_are_equal_for_equal_records_only() -> None:
    assert key(math.nan) == key(np.float32("nan")) == key(pd.NA)
    assert key(np.array([1, 2])) == key([1.0, 2.0])
    assert key({"a": 1, "b": {2}}) == key({"b": {2}, "a": 1})
    assert key(math.nan) != key("nan")
    assert key([]) != key(0)
    assert key(-0.0) == key(np.float32(-0.0)) != key(0.0)
    assert distinct([3, 1, 3.0, math.nan, 1, math.nan])[:2] == (3, 1)


def test_records_in_words_are_short_and_on_one_line() -> None:
    class Broken:
        def __repr__(self) -> str:
            raise ValueError

    assert in_words({"age": np.int64(3), "sex": "f"}) == "(age=3, sex='f')"
    assert in_words(np.float64(0.5)) == "0.5"
    assert in_words(Broken()).startswith("<")
    assert len(in_words("long\n" * 100)) == 60
