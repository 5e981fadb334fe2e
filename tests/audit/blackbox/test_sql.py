"""Queries draw what their text says, share randomness, and cannot change their data."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.random import default_rng
from numpy.typing import NDArray
from scipy import stats

from audit.blackbox.interface import RunTimeout
from audit.blackbox.sql import QueryError, SqlBlackBox
from audit.errors import BlackBoxError, InputError

pytestmark = pytest.mark.lowest

duckdb = pytest.importorskip("duckdb", reason="the extra `sql` is not installed")

NUMBERS = np.array([1.0, 2.0, 4.0])


def result_of(query: str, data: Any = NUMBERS, size: int = 1, seed: int = 0, **options: Any) -> Any:
    return SqlBlackBox(query, **options).bind(data).draw(default_rng(seed), size)


@pytest.mark.parametrize(
    ("data", "query", "expected"),
    [
        (NUMBERS, "SELECT sum(value) FROM data", 7.0),
        (np.array([1, 2]), "SELECT sum(value), max(typeof(value)) FROM data", (3, "BIGINT")),
        (np.array([]), "SELECT count(*) FROM data", 0),
        (np.array([]), "SELECT sum(value) FROM data", None),
        (np.array([1.0, np.nan]), "SELECT count(value) FROM data", 2),
        (np.array([1.0, np.nan]), "SELECT sum(value) FROM data", np.nan),
        (np.array([np.nan, 0.1, 5e-324]), "SELECT min(value) FROM data", 5e-324),
        (np.array([np.nan, -np.inf]), "SELECT min(value) FROM data", -np.inf),
        (np.array([[np.nan, 1.0], [2.0, 0.3]]), "SELECT count(c0) + sum(c1) FROM data", 3.3),
        (np.array([True, False]), "SELECT bool_or(value) FROM data", True),
        (np.array([[1.0, 2.0], [3.0, 4.0]]), "SELECT sum(c0) - sum(c1) FROM data", -2.0),
        (np.empty((0, 2)), "SELECT count(c1) FROM data", 0),
        (["b", "a"], "SELECT min(value) FROM data", "a"),
        ([], "SELECT count(*) FROM data WHERE value = 'a'", 0),
        (["a", 1, None, [2]], "SELECT list(value) FROM data", ["a", "1", None, "[2]"]),
        ([True, False], "SELECT count(*) FROM data WHERE value", 1),
        ([1, 2.5], "SELECT sum(value) FROM data", 3.5),
        ([["f", 3], ["m", 4]], "SELECT sum(c1) FROM data WHERE c0 = 'm'", 4),
        ([{"age": 3}, {"age": 4}], "SELECT sum(age) FROM data", 7),
        (5, "SELECT value FROM data", 5),
        (pd.Series([1.0, 2.0]), "SELECT sum(value) FROM data", 3.0),
        (pd.DataFrame({"a b": [1, 2], "t": ["x", None]}), 'SELECT sum("a b") FROM data', 3),
        (pd.DataFrame({"t": ["x", None]}), "SELECT count(t) FROM data", 1),
        (pd.DataFrame({0: [1], 1: [2]}), 'SELECT "0" + "1" FROM data', 3),
    ],
)
def test_data_becomes_a_table(data: Any, query: str, expected: Any) -> None:
    found = result_of(query, data)
    np.testing.assert_equal(tuple(found.values()) if type(expected) is tuple else found, expected)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT 1", 1),
        ("SELECT 1 AS a, 'x' AS b", {"a": 1, "b": "x"}),
        ("SELECT 1 AS a, 2 AS a, 3 AS a", {"a": 1, "a_1": 2, "a_2": 3}),
        ("SELECT value FROM data", [1.0, 2.0, 4.0]),
        ("SELECT value FROM data WHERE value > 9", []),
        ("SELECT value AS v, 0 AS z FROM data LIMIT 2", [{"v": 1.0, "z": 0}, {"v": 2.0, "z": 0}]),
        ("SELECT NULL", None),
        ("SELECT true", True),
        ("SELECT 1.50::DECIMAL(5, 2)", 1.5),
        ("SELECT DATE '2020-02-03'", "2020-02-03"),
        ("SELECT [1.5::DECIMAL(3, 1), NULL]", [1.5, None]),
        ("SELECT {'a': 1, 'b': [DATE '2020-02-03']}", {"a": 1, "b": ["2020-02-03"]}),
        ("SELECT 'inf'::DOUBLE", np.inf),
        ("FROM data SELECT count(*)", 3),
        ("WITH t AS (SELECT 4 AS x) SELECT x FROM t", 4),
    ],
)
def test_results_become_outputs(query: str, expected: Any) -> None:
    found = result_of(query)
    assert (found, type(found)) == (expected, type(expected))


def test_many_outputs() -> None:
    query = "SELECT sum(value) + i FROM data, range({size}) AS t(i) GROUP BY i ORDER BY i"
    box = SqlBlackBox(query)
    assert (box.seeded, box.many) == (False, True)
    assert box.bind(NUMBERS).draw(default_rng(0), 3) == [7.0, 8.0, 9.0]
    with pytest.raises(BlackBoxError, match="gave 2 rows where 3 outputs"):
        result_of("SELECT i FROM range({size} - 1) AS t(i)", size=3)


def test_the_generator_decides_everything() -> None:
    box = SqlBlackBox("SELECT sum(value) + random() FROM data")
    assert (box.seeded, box.many) == (True, False)
    first, again, other, shifted = (
        box.bind(data).draw(default_rng(seed), 1)
        for data, seed in [(NUMBERS, 1), (NUMBERS, 1), (NUMBERS, 2), (NUMBERS + 1.0, 1)]
    )
    assert first == again != other
    assert shifted - first == pytest.approx(3.0)


@pytest.mark.slow
def test_uniform_over_seeds() -> None:
    box, rng = SqlBlackBox("SELECT random()"), default_rng(3)
    draws = [box.bind(NUMBERS).draw(rng, 1) for _ in range(1500)]
    assert stats.kstest(draws, "uniform").pvalue > 1e-9
    assert stats.kstest(np.square(draws), "uniform").pvalue < 1e-9


LAPLACE = "{scale} * (ln(1 - random()) - ln(1 - random()))"


# One budget epsilon, days Z, records per client and day Y, largest record X: noise goes to
# every record with scale ZYX/epsilon, to every client's day with ZX/epsilon, or to the day
# with X/epsilon.
DAYS, RECORDS, LARGEST, EPSILON = 2, 3, 10.0, 1.0
STEPS = pd.DataFrame(
    [
        (client, day, float(steps))
        for client, day, steps in [
            ("a", 1, 3), ("a", 1, 10), ("a", 1, 0), ("a", 2, 4), ("b", 1, 5), ("b", 2, 9),
            ("b", 2, 1), ("c", 1, 7), ("c", 1, 7), ("c", 2, 2),
        ]
    ],
    columns=["client", "day", "steps"],
)  # fmt: skip
DAY = "FROM data, range({size}) AS t(i) WHERE day = 1"
PER_CLIENT = f"SELECT i, sum(steps) + {LAPLACE} AS noisy {DAY} GROUP BY i, client"
PLACES = {
    "raw": (
        f"SELECT sum(steps + {LAPLACE}) {DAY} GROUP BY i ORDER BY i",
        DAYS * RECORDS * LARGEST / EPSILON,
        6,
    ),
    "local": (
        f"SELECT sum(noisy) FROM ({PER_CLIENT}) GROUP BY i ORDER BY i",
        DAYS * LARGEST / EPSILON,
        3,
    ),
    "global": (f"SELECT sum(steps) + {LAPLACE} {DAY} GROUP BY i", LARGEST / EPSILON, 1),
}


def released_total(place: str, factor: float, draws: int) -> NDArray[np.float64]:
    query, scale, _ = PLACES[place]
    rewritten = query.replace("{scale}", repr(scale * factor))
    return np.asarray(result_of(rewritten, STEPS, draws, seed=5))


@pytest.mark.parametrize("place", PLACES)
def test_three_places_to_add_noise(place: str) -> None:
    _, scale, terms = PLACES[place]
    total = STEPS.query("day == 1").steps.sum()
    rng, draws = default_rng(6), 8000
    # A sum of n Laplace variables is the difference of two gamma variables of shape n.
    gammas = rng.gamma(terms, scale, (2, 20 * draws))
    expected = total + gammas[0] - gammas[1]
    right = stats.ks_2samp(released_total(place, 1.0, draws), expected)
    assert right.pvalue > 1e-9
    for factor in (0.7, 1.3):
        wrong = stats.ks_2samp(released_total(place, factor, draws), expected)
        assert wrong.pvalue < 1e-9


def test_several_days_in_one_output() -> None:
    noise = LAPLACE.replace("{scale}", "10.0")
    query = f"SELECT day, sum(steps) + {noise} AS total FROM data GROUP BY day ORDER BY day"
    output = result_of(query, STEPS)
    assert [row["day"] for row in output] == [1, 2]
    assert all(isinstance(row["total"], float) for row in output)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "people.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE people AS SELECT range AS id FROM range(5)")
        connection.execute("CREATE TABLE data AS SELECT 99.0 AS value")
    return path


def test_database_stands_beside_the_data(database: Path) -> None:
    query = "SELECT sum(value), (SELECT count(*) FROM people) FROM data"
    box = SqlBlackBox(query, database)
    assert list(box.bind(NUMBERS).draw(default_rng(0), 1).values()) == [7.0, 5]
    assert list(box.bind(NUMBERS[:1]).draw(default_rng(0), 1).values()) == [1.0, 5]


def test_many_datasets_keep_apart() -> None:
    box = SqlBlackBox("SELECT sum(value) FROM data")
    for _ in range(2):
        for number in range(20):
            assert box.bind(np.array([1.0, number])).draw(default_rng(0), 1) == 1.0 + number


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("SELECT CAST('x' || sum(value) AS INTEGER) FROM data", duckdb.ConversionException),
        ("SELECT 9223372036854775807 + count(*) FROM data", duckdb.OutOfRangeException),
        ("SELECT CASE WHEN sum(value) > 0 THEN error('no') END FROM data",
         duckdb.InvalidInputException),
        ("SELECT (SELECT value FROM data)", duckdb.InvalidInputException),
    ],
)  # fmt: skip
def test_errors_by_value_are_outputs(query: str, kind: type[Exception]) -> None:
    box = SqlBlackBox(query)
    for _ in range(2):
        with pytest.raises(kind):
            box.bind(NUMBERS).draw(default_rng(0), 1)


@pytest.mark.parametrize(
    "query",
    ["", "SELEC 1", "SELECT 1; SELECT 2", "INSERT INTO data VALUES (1)", "DROP TABLE data",
     "SELECT ?", "SELECT $x", "SET threads = 4", "SELECT 1 FROM", "UPDATE data SET value = 1"],
)  # fmt: skip
def test_queries_that_are_none(query: str) -> None:
    with pytest.raises(InputError, match="cannot be run") as caught:
        SqlBlackBox(query)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "query",
    ["SELECT nope FROM data", "SELECT * FROM nope", "SELECT nope(1)", "SELECT sum('a')",
     "SELECT * FROM read_csv('/no/such/file')"],
)  # fmt: skip
def test_queries_that_do_not_fit_end_the_audit(query: str) -> None:
    with pytest.raises(QueryError, match="cannot be run") as caught:
        result_of(query)
    assert isinstance(caught.value, InputError)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "data",
    [np.ones((2, 2, 2)), np.empty((2, 0)), pd.DataFrame(), [{1}], np.array([1j]), ["\ud800"],
     [10**30, 1]],
)  # fmt: skip
def test_data_that_cannot_be_a_table_ends_the_audit(data: Any) -> None:
    with pytest.raises(BlackBoxError, match="table"):
        result_of("SELECT 1", data)


ENDLESS = "SELECT max(random() * a.range * b.range) FROM range(1000000) a, range(1000000) b"


def test_long_queries_time_out() -> None:
    box = SqlBlackBox(ENDLESS, timeout=0.1)
    for _ in range(2):
        with pytest.raises(RunTimeout):
            box.bind(NUMBERS).draw(default_rng(0), 1)


def test_interrupt_ends_the_audit() -> None:
    box = SqlBlackBox(ENDLESS, timeout=30.0)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        box.bind(NUMBERS).draw(default_rng(0), 1)


def test_wrong_databases(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a file"):
        SqlBlackBox("SELECT 1", tmp_path / "missing.duckdb")
    with pytest.raises(InputError, match="not a file"):
        SqlBlackBox("SELECT 1", tmp_path)
    garbage = tmp_path / "garbage.duckdb"
    garbage.write_text("hello" * 1000)
    with pytest.raises(InputError, match="cannot be opened") as caught:
        SqlBlackBox("SELECT 1", garbage)
    assert "\n" not in str(caught.value)


def test_missing_duckdb_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "duckdb", None)
    with pytest.raises(InputError, match=r'pip install "dp-audit\[sql\]"'):
        SqlBlackBox("SELECT 1")
