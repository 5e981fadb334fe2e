"""Black boxes with bad habits, seen from the command line: one result, one line, one exit code."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Audit

pytestmark = pytest.mark.slow

MODULE = """
import os
import warnings

import numpy as np

FIRST = os.getpid()


def leaves(data, rng):
    os._exit(0)


def leaves_now_and_then(data, rng):
    if rng.random() < 0.1:
        os._exit(0)
    return float(rng.laplace())


def forks(data, rng):
    if os.getpid() == FIRST and rng.random() < 0.1:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            number = os.fork()
        if number:
            os.waitpid(number, 0)
        return float(rng.laplace())
    return float(rng.laplace())


def prints(data, rng):
    print("x" * 100_000)
    os.write(1, b"y" * 100_000)
    return float(rng.laplace())


def strict(data, rng):
    np.seterr(all="raise")
    warnings.simplefilter("error")
    return float(rng.laplace())


def huge(data, rng):
    return np.broadcast_to(0.0, (10**10,))


def lazy(data, rng):
    return iter([1.0])


def crashes(data, rng):
    if data[0]:
        os.abort()
    return 0.0


def interrupts(data, rng):
    raise KeyboardInterrupt
"""
ASKED = ("--epsilon", "1", "--relation", "declared", "--data", "[1.0]", "--neighbor", "[0.0]")


def words(function: str, *more: str) -> tuple[str, ...]:
    return ("python", f"habits.py:{function}", *ASKED, "--format", "json", *more)


@pytest.fixture(autouse=True)
def _habits(here: Path) -> None:
    (here / "habits.py").write_text(MODULE)


@pytest.mark.parametrize(
    ("function", "code", "verdict"),
    [
        ("leaves_now_and_then", 0, "not-refuted"),
        ("prints", 0, "not-refuted"),
        ("strict", 0, "not-refuted"),
    ],
)
def test_there_is_one_result(audit: Audit, function: str, code: int, verdict: str) -> None:
    run = audit(*words(function, "--max-samples", "600"))
    assert run.code == code
    assert json.loads(run.out)["verdict"] == verdict


@pytest.mark.parametrize(
    ("function", "line"),
    [
        ("huge", "more than 250,000 numbers (at least 10,000,000,000); return a part of them"),
        ("lazy", "output is of type builtins.list_iterator"),
        ("leaves", "audit: exit code 0: os._exit(0) was called"),
    ],
)
def test_there_is_one_line(audit: Audit, function: str, line: str) -> None:
    run = audit(*words(function, "--max-samples", "1000"))
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert line in run.err


def test_an_interrupt_ends_the_audit(audit: Audit) -> None:
    run = audit(*words("interrupts", "--max-samples", "200"))
    assert run.code == 130
    assert "interrupted" in run.err


def test_an_interrupted_search_says_how_far_it_was(audit: Audit) -> None:
    calls = "--assume", "independent-calls", "--max-samples", "200"
    run = audit("python", "habits.py:interrupts", "--epsilon", "1", "--domain", "bool", *calls)
    assert (run.code, run.out) == (130, "")
    last = run.err.splitlines()[-1]
    assert re.fullmatch(r"audit: interrupted in the search after \d+ of at most 200 runs", last)


def alone(*arguments: str) -> subprocess.CompletedProcess[str]:
    """A process of its own, whose children would be free to print a second result."""
    call = [sys.executable, "-m", "audit", *arguments]
    return subprocess.run(call, capture_output=True, text=True, timeout=60, check=False)


def test_a_function_that_forks_gives_one_result() -> None:
    run = alone(*words("forks", "--max-samples", "600"))
    assert run.returncode == 0
    assert json.loads(run.stdout)["verdict"] == "not-refuted"
    assert run.stderr == ""


@pytest.mark.parametrize("again", [False, True], ids=["first", "from the store"])
def test_a_crash_on_one_dataset_is_a_violation(again: bool, tmp_path: Path) -> None:
    kept = "--store", str(tmp_path / "store"), "--max-samples", "400", "--until", "violation"
    run = [alone(*words("crashes", *kept)) for _ in range(1 + again)][-1]
    assert run.returncode == 1
    result = json.loads(run.stdout)
    assert (result["verdict"], result["diagnosis"]["cause"]) == ("violation", "unknown")
    # What an instance is still asked after a crash counts as crashes too, whatever the dataset.
    assert result["witness"]["event"]["description"] == "the output is exactly 0"


def program(script: str, *more: str) -> tuple[str, ...]:
    few = ("--max-samples", "600", "--format", "json")
    return ("command", *ASKED, *few, *more, "--", "sh", "-c", script, "sh", "{data}")


@pytest.mark.parametrize(
    ("script", "code", "verdict"),
    [
        ("sleep 60 & echo 1", 3, "inconclusive"),
        ("trap '' TERM INT; cd /; echo 1 >&2; echo 1", 3, "inconclusive"),
        ('grep -q 1 "$1" && exit 3; echo 1', 1, "violation"),
        ('grep -q 1 "$1" && kill -KILL $$; echo 1', 1, "violation"),
        ('grep -q 1 "$1" && sleep 60; echo 1', 1, "violation"),
    ],
)
def test_programs_give_one_result(audit: Audit, script: str, code: int, verdict: str) -> None:
    late = ("--timeout", "0.02") if "sleep 60;" in script else ()
    run = audit(*program(script, *late))
    assert (run.code, json.loads(run.out)["verdict"]) == (code, verdict)


@pytest.mark.parametrize(
    ("script", "line"),
    [
        ("exit 3", "audit: exit code 3"),
        ("kill -SEGV $$", "audit: killed by SIGSEGV"),
        ("yes 1 | head -n 300000", "more than 250,000 numbers"),
        ("yes a | head -n 300000 | tr -d '\\n'; yes a | head -n 800000 | tr -d '\\n'", "a text of"),
    ],
)
def test_programs_without_an_output_are_refused(audit: Audit, script: str, line: str) -> None:
    run = audit(*program(script))
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert line in run.err


ENDLESS = "SELECT max(random() * a.range * b.range) FROM range(1000000) a, range(1000000) b"


@pytest.mark.parametrize(
    ("query", "code", "words"),
    [
        (ENDLESS, 2, "on every dataset"),
        ("SELECT error('no')", 2, "on every dataset"),
        ("SELECT NULL", 3, "inconclusive"),
        ("SELECT range FROM range(10000000000)", 2, "more than 4096 parts"),
        ("SELECT repeat('x', 2000000)", 2, "a text of 2,000,000 characters"),
    ],
)
def test_queries_give_one_answer(audit: Audit, query: str, code: int, words: str) -> None:
    few = ("--max-samples", "1000", "--format", "json")
    run = audit("sql", query, *ASKED, *few, "--timeout", "0.02" if query == ENDLESS else "10")
    assert run.code == code
    assert words in run.out + run.err
