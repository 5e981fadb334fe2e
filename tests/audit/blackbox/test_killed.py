"""An audit of a program that stays is killed: nobody is left, and the store goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

PROGRAM = """
import json, os, random, sys
with open(os.environ["PIDS_OF_TEST"], "a") as pids:
    pids.write(f"{os.getpid()}\\n")
for line in sys.stdin:
    asked = json.loads(line)
    draw = random.Random(asked["seed"])
    print([len(asked["data"]) + draw.expovariate(1) - draw.expovariate(1)], flush=True)
"""
SECONDS = 120.0


def command(folder: Path, *more: str) -> list[str]:
    (folder / "count.py").write_text(PROGRAM)
    given = ("--epsilon", "1", "--data", "[1, 0]", "--neighbor", "[1]", "--max-samples", "6000")
    program = (sys.executable, str(folder / "count.py"))
    words = ["command", "--serve", *given, "--format", "json", *more, "--", *program]
    return [sys.executable, "-m", "audit", *words]


def answer(words: list[str]) -> dict[str, Any]:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    return {key: found[key] for key in ("verdict", "epsilon_lower", "samples", "effort")}


def wait_for(holds: Any) -> None:
    deadline = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def runs(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc")
def test_a_killed_audit_leaves_nobody_and_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pids, store = tmp_path / "pids", tmp_path / "store"
    monkeypatch.setenv("PIDS_OF_TEST", str(pids))
    undisturbed = answer(command(tmp_path))
    pids.unlink()
    words = command(tmp_path, "--store", str(store))
    audit = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(lambda: store.exists() and store.stat().st_size > 40_000)
    assert audit.poll() is None, "the audit was over before it could be killed"
    os.kill(audit.pid, signal.SIGKILL)
    audit.wait()
    served = [int(line) for line in pids.read_text().split()]
    assert served
    wait_for(lambda: not any(map(runs, served)))
    assert answer(words) == undisturbed
