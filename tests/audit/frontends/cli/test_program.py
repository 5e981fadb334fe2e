"""`audit command`: programs in any language."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from .conftest import Audit

PROGRAM = """
import argparse, random
p = argparse.ArgumentParser()
p.add_argument("file")
p.add_argument("--epsilon", type=float)
p.add_argument("--size", type=int)
p.add_argument("--format")
a = p.parse_args()
n = len(open(a.file).readlines())
assert a.format == "plain"
for _ in range(a.size):
    print(n + random.expovariate(a.epsilon) - random.expovariate(a.epsilon))
"""


def words(claimed: str, spent: str) -> list[str]:
    return [
        *("command", "--epsilon", claimed, "--data", "[1, 2, 3]", "--max-samples", "3000"),
        *("--format", "json", "--", sys.executable, "release.py", "{data}"),
        *("--epsilon", spent, "--size", "{size}", "--format", "plain"),
    ]


@pytest.mark.slow
def test_a_program_that_keeps_its_claim(audit: Audit, here: Path) -> None:
    (here / "release.py").write_text(PROGRAM)
    run = audit(*words("0.5", "{epsilon}"))
    found = json.loads(run.out)
    assert run.code == 0
    assert found["coupled"] is False
    kept = [word for word in words("0.5", "{epsilon}") if word not in ("json",)]
    kept.remove("--format")
    assert shlex.split(found["command"])[1:] == kept


@pytest.mark.slow
def test_a_program_that_breaks_its_claim(audit: Audit, here: Path) -> None:
    (here / "release.py").write_text(PROGRAM)
    run = audit(*words("0.5", "1.5"))
    assert run.code == 1
    assert json.loads(run.out)["epsilon_lower"] > 0.5


def test_placeholders_are_missed(audit: Audit) -> None:
    run = audit("command", "--epsilon", "1", "--data", "[1]", "--", "cat")
    assert run.code == 2
    assert "has no {data}" in run.err
    run = audit("command", "--rho", "1", "--data", "[1]", "--", "cat", "{data}", "{epsilon}")
    assert run.code == 2
    assert "add --epsilon" in run.err


ADULTS = """
import json, random, sys
records = [json.loads(line) for line in open(sys.argv[1])]
n = sum(record["age"] >= 18 for record in records)
for _ in range(int(sys.argv[2])):
    print(n + random.expovariate(1) - random.expovariate(1))
"""


@pytest.mark.slow
def test_records_as_json(audit: Audit, here: Path) -> None:
    (here / "release.py").write_text(ADULTS)
    (here / "ages.csv").write_text("age,sex\n12,f\n30,m\n40,m\n")
    (here / "less.csv").write_text("age,sex\n12,f\n30,m\n")
    # One pair: a search leaves each of several hardly enough runs to refute anything.
    asked = ["--epsilon", "1", "--max-samples", "4000", "--format", "json"]
    asked += ["--data", "ages.csv", "--neighbor", "less.csv"]
    program = ("--", sys.executable, "release.py", "{data}", "{size}")
    run = audit("command", *asked, "--records", "json", *program)
    assert run.code == 0
    assert "--records json" in json.loads(run.out)["command"]
    run = audit("command", *asked, "--records", "dict", *program)
    assert (run.code, run.out) == (2, "")
    assert "write --records json" in run.err


SERVER = """
import json, random, sys
for line in sys.stdin:
    asked = json.loads(line)
    draw, n = random.Random(asked["seed"]), len(asked["data"])
    noise = [draw.expovariate(1) - draw.expovariate(1) for _ in range(asked["size"])]
    print(json.dumps([n + float(sys.argv[1]) * z for z in noise]), flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("scale", "code"), [("1", 0), ("0.4", 1)])
def test_a_program_that_stays(audit: Audit, here: Path, scale: str, code: int) -> None:
    (here / "server.py").write_text(SERVER)
    given = ("--epsilon", "1", "--data", "[1, 2, 3]", "--max-samples", "3000")
    run = audit(
        *("command", "--serve", *given, "--format", "json"),
        *("--", sys.executable, "server.py", scale),
    )
    assert run.code == code
    found = json.loads(run.out)
    assert found["coupled"]
    assert "--serve" in shlex.split(found["command"])


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--", "cat", "{data}"), "with every line it reads"),
        (("--records", "json", "--", "cat"), "so leave it out"),
        (("--", "true"), "ended without an answer"),
        (("--", "echo", "hello"), "is no JSON"),
    ],
)
def test_programs_that_do_not_serve(audit: Audit, more: tuple[str, ...], said: str) -> None:
    run = audit("command", "--serve", "--epsilon", "1", "--data", "[1, 2]", *more)
    assert run.code == 2
    assert said in run.err
