"""`--store`: an audit that was interrupted goes on, and one that is finished can be enlarged."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.timeless import timeless

from .conftest import Audit

SLOW = """
import os
import time

def slow(data, rng):
    time.sleep(0.002 if os.path.exists("quick") else 0.02)
    return float(len(data) + rng.laplace())
"""
WORDS = ("python", "slow.py:slow", "--epsilon", "1", "--domain", "bool")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "slow.py").write_text(SLOW)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_shows_the_evidence_so_far_and_the_store_goes_on(here: Path, workers: str) -> None:
    words = [*WORDS, "--data", "[true]", "--no-search", "--store", "s.db", "--format", "json"]
    words += ["--max-samples", "1500"]
    process = subprocess.Popen(
        [sys.executable, "-m", "audit", *words, "--progress", "on", "--workers", workers],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stderr is not None
    while "log e-value" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "audit: interrupted; this is the evidence so far" in err.splitlines()
    assert "Traceback" not in err
    partial = json.loads(out)
    assert partial["verdict"] in ("not-refuted", "inconclusive")
    assert "interrupted after" in partial["notes"][-1]
    (here / "quick").touch()
    again = subprocess.run(
        [sys.executable, "-m", "audit", *words], capture_output=True, text=True, check=True
    )
    whole = json.loads(again.stdout)
    assert whole["samples"] > partial["samples"]


@pytest.mark.slow
def test_the_same_command_gives_the_same_result_from_the_store(audit: Audit, here: Path) -> None:
    words = ("laplace", "--epsilon", "1", "--format", "json", "--max-samples", "20000")
    plain, first, second = audit(*words), *(audit(*words, "--store", "s.db") for _ in range(2))
    assert plain.code == first.code == second.code == 0
    assert timeless(plain.out) == timeless(first.out) == timeless(second.out)
    more = audit(*words[:-1], "60000", "--store", "s.db")
    assert json.loads(more.out)["samples"] > json.loads(plain.out)["samples"]


@pytest.mark.slow
def test_noise_of_an_earlier_process_does_not_come_again(tmp_path: Path) -> None:
    (tmp_path / "seeded.py").write_text("import numpy\nrng = numpy.random.default_rng(3)\n")
    (tmp_path / "own.py").write_text(
        "import seeded\n"
        "def own(data):\n"
        "    noise = seeded.rng.laplace()\n"
        "    with open('drawn', 'a') as file:\n"
        "        print(noise, file=file)\n"
        "    return len(data) + noise\n"
    )
    words = [sys.executable, "-m", "audit", "python", "own.py:own", "--epsilon", "1"]
    words += ["--data", "[1]", "--neighbor", "[]", "--assume", "independent-calls"]
    for runs, store in (("300", "s.db"), ("600", "s.db"), ("300", "other.db")):
        more = ["--store", store, "--max-samples", runs]
        subprocess.run([*words, *more], cwd=tmp_path, capture_output=True, check=True)
        if store == "s.db":
            drawn = (tmp_path / "drawn").read_text().split()
            assert len(drawn) > 200
            assert len(set(drawn)) == len(drawn)
    # Another audit begins as the first one did.
    again = (tmp_path / "drawn").read_text().split()
    assert again[len(drawn)] == drawn[0]


@pytest.mark.slow
def test_a_changed_function_is_another_audit(audit: Audit, here: Path) -> None:
    (here / "quick").touch()
    words = (*WORDS, "--data", "[true]", "--no-search", "--max-samples", "200", "--store", "s.db")
    assert audit(*words).code in (0, 3)
    (here / "slow.py").write_text(SLOW.replace("0.002", "0.001"))
    run = audit(*words)
    assert run.code == 2
    assert "holds another audit: its code is" in run.err
    assert run.err.count("\n") == 1


def untimed(page: Path) -> list[str]:
    """The lines of a page but for its time."""
    lines = page.read_text("utf-8").splitlines()
    return [line for line in lines if not line.startswith("- Finished: ")]


@pytest.mark.slow
def test_a_survey_shares_a_store(audit: Audit, here: Path) -> None:
    words = ("all", "--group", "Noisy average", "--max-samples", "5000", "--store", "s.db")
    first, second = (audit(*words, "--report", name) for name in ("one", "two"))
    assert first.code == second.code
    one, two = ({p.name: untimed(p) for p in Path(n).rglob("*.md")} for n in ("one", "two"))
    assert one == two
    assert one


def test_a_store_that_is_none_is_one_line(audit: Audit, here: Path) -> None:
    (here / "s.db").write_text("not a database, but long enough to look at" * 20)
    run = audit("laplace", "--store", "s.db")
    assert run.code == 2
    assert run.err.count("\n") == 1
    assert "'s.db' cannot be used" in run.err
