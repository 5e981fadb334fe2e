"""`--name`: what results and reports call the mechanism, whatever is audited."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from audit.errors import InputError
from audit.frontends.cli.flags import NameFlag

from .conftest import Audit

MODULE = """
def made(scale):
    def release(data, rng, size):
        return len(data) + rng.laplace(0, scale, size)
    return release

right, wrong = made(1.0), made(0.5)
"""
PAIR = ("--epsilon", "1", "--data", "[1]", "--neighbor", "[]", "--max-samples", "2000")
SQL = "SELECT (SELECT count(*) FROM data) + ln(random()) - ln(random()) FROM range({size})"
PROGRAM = (
    "import random, sys; random.seed(sys.argv[2]); "
    "print(len(open(sys.argv[1]).readlines()) + random.random())"
)
ARGUMENTS = ("{data}", "{seed}")
WORDS: dict[str, Sequence[str]] = {
    "laplace": ("laplace", "--max-samples", "2000", "--no-search"),
    "python": ("python", "release.py:right", *PAIR),
    "sql": ("sql", SQL, *PAIR),
    "samples": ("samples", "D.txt", "D1.txt", "--epsilon", "1"),
    "command": ("command", *PAIR[:-1], "100", "--", sys.executable, "-c", PROGRAM, *ARGUMENTS),
}
OWN = {
    "laplace": "laplace",
    "python": "release.py:right",
    "sql": "query",
    "samples": "recorded mechanism",
    "command": Path(sys.executable).name,
}


@pytest.fixture(autouse=True)
def files(here: Path) -> Path:
    (here / "release.py").write_text(MODULE)
    for name in ("D.txt", "D1.txt"):
        (here / name).write_text("1\n2\n")
    return here


@pytest.mark.slow
@pytest.mark.parametrize("kind", WORDS)
def test_a_name_stands_in_place_of_the_own_one(audit: Audit, kind: str) -> None:
    first, *rest = WORDS[kind]
    own = json.loads(audit(first, "--format", "json", *rest).out)
    named = json.loads(audit(first, "--format", "json", "--name", "our count", *rest).out)
    assert own["mechanism"] == OWN[kind]
    assert named["mechanism"] == "our count"
    assert named["samples"] == own["samples"]


@pytest.mark.slow
def test_the_command_of_a_result_gives_the_name_again(audit: Audit) -> None:
    found = json.loads(audit(*WORDS["python"], "--name", "our count", "--format", "json").out)
    again = audit(*shlex.split(found["command"])[1:], "--format", "json").out
    assert json.loads(again)["mechanism"] == "our count"


@pytest.mark.slow
def test_a_stored_result_may_be_called_otherwise(audit: Audit) -> None:
    audit(*WORDS["laplace"], "--format", "json", "--output", "result.json")
    found = audit("render", "result.json", "--name", "our count", "--format", "json")
    assert json.loads(found.out)["mechanism"] == "our count"
    assert "laplace keeps" not in audit("render", "result.json", "--name", "our count").out


@pytest.mark.parametrize("name", ["", " "])
def test_a_blank_name_is_refused(audit: Audit, name: str) -> None:
    run = audit(*WORDS["laplace"], "--name", name)
    assert (run.code, run.out) == (2, "")
    assert run.err == f"audit: --name {name!r} names nothing; leave it out, or give a name\n"
    with pytest.raises(InputError, match="names nothing"):
        NameFlag(name=name).given()


@pytest.mark.slow
def test_functions_of_one_factory_have_the_names_of_their_addresses(
    audit: Audit, files: Path
) -> None:
    for name in ("right", "wrong"):
        audit("python", f"release.py:{name}", *PAIR, "--report", "found")
    written = {path.stem for path in (files / "found").glob("*.md")}
    assert written == {"release.py-right", "release.py-wrong"}
