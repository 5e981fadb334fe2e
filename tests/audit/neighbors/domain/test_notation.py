"""Every notation parses or is refused in one line, and survives a round trip."""

from __future__ import annotations

import math
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.errors import DomainError
from audit.neighbors.domain import (
    BoolDomain,
    ChoiceDomain,
    DateDomain,
    Domain,
    FloatDomain,
    IntDomain,
    MissingDomain,
    Sizes,
    StrategyDomain,
    TableDomain,
    TextDomain,
    UserDomain,
    domain_of,
    parse_domain,
)

READINGS: dict[str, Domain] = {
    "int:0:100": IntDomain(0, 100),
    "int:-5:1e6": IntDomain(-5, 1_000_000),
    "int": IntDomain(),
    "int:0:": IntDomain(low=0),
    "int:-inf:7": IntDomain(high=7),
    "float:-1:1": FloatDomain(-1.0, 1.0),
    "float": FloatDomain(),
    "float:0:inf": FloatDomain(0.0, math.inf),
    "float:-1:1:special": FloatDomain(-1.0, 1.0, special=True),
    "float:-inf:inf:special": FloatDomain(special=True),
    "float:0:1:special[3]": FloatDomain(0.0, 1.0, Sizes(3, 3), special=True),
    "choice:a,b,c": ChoiceDomain(("a", "b", "c")),
    "choice: a , b ": ChoiceDomain(("a", "b")),
    "choice:1,2,3": ChoiceDomain((1, 2, 3)),
    "choice:0.5,2": ChoiceDomain((0.5, 2.0)),
    "choice:01,02": ChoiceDomain(("01", "02")),
    "choice:x=1,y": ChoiceDomain(("x=1", "y")),
    'choice:"a,b",c[3]': ChoiceDomain(("a,b", "c"), Sizes(3, 3)),
    'choice: "a,b" , "1" ': ChoiceDomain(("a,b", "1")),
    'choice:"1","2"': ChoiceDomain(("1", "2")),
    'choice:5",6"': ChoiceDomain(('5"', '6"')),
    r'a=choice:"x=\"1\",y=2":missing,b=bool': TableDomain(
        (("a", MissingDomain(ChoiceDomain(('x="1",y=2',)))), ("b", BoolDomain()))
    ),
    "bool": BoolDomain(),
    "age=int:0:120,sex=choice:f,m": TableDomain(
        (("age", IntDomain(0, 120)), ("sex", ChoiceDomain(("f", "m"))))
    ),
    "income=choice:<=50K,>50K,hours-per-week=int:0:99": TableDomain(
        (("income", ChoiceDomain(("<=50K", ">50K"))), ("hours-per-week", IntDomain(0, 99)))
    ),
    "user=user:5,spent=float:0:9": TableDomain(
        (("user", UserDomain(5)), ("spent", FloatDomain(0.0, 9.0)))
    ),
    "int:0:9[37]": IntDomain(0, 9, Sizes(37, 37)),
    "float:0:1 [ 2 .. 40 ]": FloatDomain(0.0, 1.0, Sizes(2, 40)),
    "bool[5..]": BoolDomain(Sizes(5)),
    "choice:a,b[3]": ChoiceDomain(("a", "b"), Sizes(3, 3)),
    "age=int:0:120,sex=choice:f,m[10..20]": TableDomain(
        (("age", IntDomain(0, 120)), ("sex", ChoiceDomain(("f", "m")))), Sizes(10, 20)
    ),
    "text": TextDomain(),
    "date:2020-01-01:2020-12-31": DateDomain(date(2020, 1, 1), date(2020, 12, 31)),
    "int:0:9:missing": MissingDomain(IntDomain(0, 9)),
    "float:0:1:special:missing": MissingDomain(FloatDomain(0.0, 1.0, special=True)),
    "choice:a,b:missing[3]": MissingDomain(ChoiceDomain(("a", "b")), Sizes(3, 3)),
    "name=text,born=date:1950-01-01:2005-12-31:missing[2..]": TableDomain(
        (
            ("name", TextDomain()),
            ("born", MissingDomain(DateDomain(date(1950, 1, 1), date(2005, 12, 31)))),
        ),
        Sizes(2),
    ),
    "who=user,ok=bool": TableDomain((("who", UserDomain()), ("ok", BoolDomain()))),
}


@pytest.mark.parametrize(("spec", "domain"), READINGS.items())
def test_notation_is_read(spec: str, domain: Domain) -> None:
    assert parse_domain(spec) == domain


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("", "cannot be read"),
        ("integer:0:1", "write one like int:0:100"),
        ("int:", "needs two bounds"),
        ("int:5", "needs two bounds; write int:LOW:HIGH"),
        ("int:0:1:2", "needs two bounds"),
        ("int:9:1", "write the low end first"),
        ("int:0.5:1", "'0.5'"),
        ("int:a:1", "'a'"),
        ("int:nan:1", "'nan'"),
        ("int:inf:9", "'inf'"),
        ("int:0:99999999999999999999", "int64"),
        ("int:0:1e400", "'1e400' of domain 'int:0:1e400' is beyond int64; write inf"),
        (f"int:{'9' * 5000}:", "beyond int64"),
        ("float:1:0", "write the low end first"),
        ("float:nan:1", "NaN"),
        ("float:inf:inf", "no finite number"),
        ("float:0", "needs two bounds; write float:LOW:HIGH"),
        ("float:special", "needs two bounds"),
        ("int:0:1:special", "needs two bounds"),
        ("choice:", "empty choice"),
        ("choice:a,,b", "empty choice"),
        ("choice:a,b,int:0:9", "name all columns, for example a=choice:x,y,b=int:0:9, or write it"),
        ("choice:a,b,a", "twice"),
        ("choice:1,1.0", "twice"),
        ("bool:1", "cannot be read"),
        ("text:5", "cannot be read"),
        ("date", "'' of domain 'date' is not a date; write for example date:2020-01-01:"),
        ("date:2020-01-01", "needs two bounds; write date:LOW:HIGH"),
        ("date:2020-13-01:2021-01-01", "'2020-13-01'"),
        ("date:2021-01-01:2020-01-01", "is empty; write the first day first"),
        ("a=user:missing", "has no values that could be missing; leave :missing out"),
        ("int:0:9:missing:missing", "has no values that could be missing"),
        ("user", "names users without a column; write for example who=user:5 (at most 5 records"),
        ("user:5", "names users without a column"),
        ("user=user:0,v=bool", "0 records per user"),
        ("user=user:many,v=bool", "'many'"),
        (f"user=user:{'9' * 5000},v=bool", "not a whole number of at most 18 digits"),
        ("choice:\x1b[2J,a\nb,a,a", r"'choice:\x1b[2J,a\nb,a,a' names a choice twice"),
        ("a=choice:x\ny,a=int", r"'a=choice:x\ny,a=int' names column 'a' twice"),
        ("a=user,b=user", "two user columns"),
        ("a=bool,a=bool", "'a' twice"),
        ("a=", "cannot be read"),
        ("a=bool,", "cannot be read"),
        ("age=int:0:9,sex", "column 'sex' of domain 'age=int:0:9,sex' has no kind; write for"),
        ("age=int:0:9, sex ,b=bool", "write for example sex=text"),
        ("sex=coice:f,m", "domain 'coice:f' cannot be read; write one like"),
        ("int:a:b", "bound 'a' of domain 'int:a:b' is not a number; write for example int:0:100"),
        ("v=float:0:b", "bound 'b' of domain 'float:0:b' is not a number; write for example float"),
        (r'choice:"a\q"', r"write \\ for a backslash"),
        ('choice:"a,b",', "has an empty choice"),
        ("nowhere.py:records", "no file 'nowhere.py'"),
        ("int:0:9[0]", "no dataset with records"),
        ("int:0:9[5..2]", "sizes [5..2] leave no dataset"),
        ("int:0:9[0]", "sizes [0] leave no dataset with records; write [n] or [m..n] with n of"),
        ("int:0:9[99999999999]", "sizes '[99999999999]' of a domain are not [n], [m..n] or [m..]"),
        ("int:0:9[-1]", "sizes '[-1]' of a domain are not"),
        ("a=int:0:9,b=bool[2:4]", "write for example a=int:0:9,b=bool[37]"),
        ("int:0:9[37", "'9[37'"),
        ("int[3]:0:9", "cannot be read"),
        ("a=bool[2],b=bool", "cannot be read"),
    ],
)
def test_wrong_notation_is_refused_in_one_line(spec: str, complaint: str) -> None:
    with pytest.raises(DomainError) as caught:
        parse_domain(spec)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_dict_of_columns_is_the_domain_that_its_notation_names() -> None:
    columns = {"age": "int:0:120", "sex": ChoiceDomain(("f", "m"))}
    assert domain_of(columns) == parse_domain("age=int:0:120,sex=choice:f,m")


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({}, "has no columns"),
        ({"age": 5}, "column 'age' of the domain is 5, not the domain of one column"),
        ({5: "int"}, "column 5 of the domain is 'int'"),
        ({"age": TableDomain((("a", IntDomain()),))}, "not the domain of one column"),
        ({"age": "integer"}, "'integer' cannot be read"),
        (5, "domain 5 does not describe a record"),
    ],
)
def test_what_is_no_domain_is_refused_in_one_line(given: Any, complaint: str) -> None:
    with pytest.raises(DomainError) as caught:
        domain_of(given)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_strategy_is_not_loaded_before_it_is_needed(tmp_path: Path) -> None:
    file = tmp_path / "records.py"
    file.write_text("raise RuntimeError('loaded')")
    assert parse_domain(f"{file}:anything") == StrategyDomain(str(file), "anything")


_PIECES = st.sampled_from(
    ["int", "float", "choice", "bool", "user", ":", ":", ",", "=", "-", "0", "1", "7.5", "1e3"]
    + ["[", "]", "..", "[2]", "[1..5]"]
    + ["inf", "nan", "a", "b", " ", ".py", "é", "x y"]
)


@given(st.one_of(st.text(), st.lists(_PIECES, max_size=12).map("".join)))
def test_any_text_parses_and_survives_a_round_trip_or_is_refused(spec: str) -> None:
    try:
        domain = parse_domain(spec)
    except DomainError:
        return
    assert parse_domain(str(domain)) == domain


@given(st.integers(-(2**63), 2**63 - 1), st.integers(-(2**63), 2**63 - 1))
def test_integer_bounds_survive_a_round_trip(one: int, other: int) -> None:
    domain = IntDomain(min(one, other), max(one, other))
    assert parse_domain(str(domain)) == domain


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(allow_nan=False))
def test_float_bounds_survive_a_round_trip(one: float, other: float) -> None:
    domain = FloatDomain(min(one, other), max(one, other))
    assert parse_domain(str(domain)) == domain


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, unique=True))
def test_float_choices_survive_a_round_trip(choices: list[float]) -> None:
    domain = ChoiceDomain(tuple(choices))
    assert parse_domain(str(domain)) == domain
