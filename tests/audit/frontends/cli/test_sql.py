"""`audit sql`: queries."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest

from .conftest import Audit

COUNT = "SELECT count(*) + ln(random()) - ln(random()) FROM data"
MANY = "SELECT (SELECT count(*) FROM data) + ln(random()) - ln(random()) FROM range({size})"


@pytest.mark.slow
@pytest.mark.parametrize(("epsilon", "code"), [("1", 0), ("0.3", 1)])
def test_a_query_is_audited(audit: Audit, epsilon: str, code: int) -> None:
    run = audit(
        *("sql", MANY, "--epsilon", epsilon, "--domain", "int:0:9"),
        *("--max-samples", "20000", "--format", "json"),
    )
    assert run.code == code
    assert json.loads(run.out)["mechanism"] == "query"


@pytest.mark.slow
def test_tables_of_a_database_stand_beside_the_data(audit: Audit, here: Path) -> None:
    with duckdb.connect("more.duckdb") as database:
        database.execute("CREATE TABLE prices AS SELECT 5.0 AS price")
    query = MANY.replace("count(*) FROM data", "count(*) * max(price) FROM data, prices")
    run = audit(
        *("sql", "--database", "more.duckdb", "--epsilon", "1", query, "--data", "[1, 2]"),
        *("--max-samples", "4000", "--format", "json"),
    )
    assert run.code == 1


def test_a_wrong_query_is_one_line(audit: Audit) -> None:
    run = audit("sql", "SELEC 1", "--epsilon", "1", "--data", "[1]")
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    run = audit("sql", COUNT, "--database", "gone.duckdb", "--epsilon", "1", "--data", "[1]")
    assert run.err == "audit: database 'gone.duckdb' is not a file; check its path\n"


def test_records_arrive_as_a_table_alone(audit: Audit) -> None:
    run = audit("sql", COUNT, "--epsilon", "1", "--data", "[1]", "--records", "json")
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert "--records json is for functions (dict) and programs (json)" in run.err


@pytest.mark.slow
def test_a_query_may_start_with_a_comment(audit: Audit) -> None:
    query = f"-- how many = rows\n{MANY}"
    run = audit("sql", query, "--epsilon", "1", "--domain", "int:0:9", "--max-samples", "2000")
    assert run.code in (0, 3), run.err
    assert "unknown" not in run.err.lower()


@pytest.mark.slow
def test_no_rows_have_the_columns_of_the_others(audit: Audit) -> None:
    query = "SELECT city, count(*) + ln(random()) - ln(random()) AS n FROM data GROUP BY city"
    words = ["--epsilon", "1", "--max-samples", "2000", "--until", "violation"]
    run = audit("sql", *words, "--data", '[{"city": "Rome"}]', "--neighbor", "[]", query)
    assert run.code == 1
    assert 'D  = [{"city": "Rome"}]' in run.out
    wrong = audit("sql", *words, "--data", "[1]", "--neighbor", "[]", query)
    assert (wrong.code, "city" in wrong.err) == (2, True)
