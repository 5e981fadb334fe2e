"""An audit of what stays is killed: nobody is left, and the store goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.audit.blackbox.services import serving

PROGRAM = """
import json, os, random, sys, time
with open(os.environ["PIDS_OF_TEST"], "a") as pids:
    pids.write(f"{os.getpid()}\\n")
for line in sys.stdin:
    asked = json.loads(line)
    with open(os.environ["SEEDS_OF_TEST"], "a") as seeds:
        print(asked["seed"], file=seeds)
    draw = random.Random(asked["seed"])
    time.sleep(float(sys.argv[1]))
    print([len(asked["data"]) + draw.expovariate(1) - draw.expovariate(1)], flush=True)
"""
SECONDS = 120.0
PRELIMINARY = 18
"""Outputs of the preliminary sample, which no store keeps; all others are asked for once."""


GIVEN = ("--epsilon", "1", "--data", "[1, 0]", "--neighbor", "[1]", "--format", "json")
WAYS = {
    "one program": ("0", "--max-samples", "1500"),
    "programs that are asked at once": ("0.02", "--max-samples", "500", "--workers", "4"),
}
PROGRAMS = {"one program": (1, 2), "programs that are asked at once": (1, 2, 3, 4, 5)}
"""How many of them there may be; one more may be about to end."""


def command(folder: Path, wait: str, *more: str) -> list[str]:
    (folder / "count.py").write_text(PROGRAM)
    program = (sys.executable, "-SEs", str(folder / "count.py"), wait)
    words = ["command", "--serve", *GIVEN, *more, "--", *program]
    return [sys.executable, "-m", "audit", *words]


def answer(words: list[str]) -> dict[str, Any]:
    """The answer but for its bound and what follows from the outputs themselves."""
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["epsilon_lower"] <= 1.0
    return {key: found[key] for key in ("verdict", "samples", "effort")}


def is_as_long(found: dict[str, Any], undisturbed: dict[str, Any]) -> bool:
    """True if as many outputs were drawn, up to an epoch that is rounded.

    Units that were under way when an audit was killed are missing outcomes, and what is bet on
    next follows from all outcomes before.
    """
    stages = found["effort"].keys() == undisturbed["effort"].keys()
    return bool(stages and abs(found["samples"] - undisturbed["samples"]) <= 10)


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


def killed(words: list[str], far_enough: Any) -> None:
    """Kill an audit as soon as it is far enough."""
    audit = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(far_enough)
    assert audit.poll() is None, "the audit was over before it could be killed"
    os.kill(audit.pid, signal.SIGKILL)
    audit.wait()


def written(store: Path) -> int:
    """Bytes of a store, with those that wait to be taken over into it."""
    sizes = [0]
    for file in store.parent.glob(f"{store.name}*"):
        with suppress(FileNotFoundError):  # taken over since it was listed
            sizes.append(file.stat().st_size)
    return sum(sizes)


def numbers(pids: Path) -> list[int]:
    return [int(line) for line in pids.read_text().split()]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc")
@pytest.mark.parametrize("way", WAYS)
def test_a_killed_audit_leaves_nobody_and_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    pids, store = tmp_path / "pids", tmp_path / "store"
    seeds = tmp_path / "seeds"
    monkeypatch.setenv("PIDS_OF_TEST", str(pids))
    monkeypatch.setenv("SEEDS_OF_TEST", str(seeds))
    undisturbed = answer(command(tmp_path, *WAYS[way]))
    pids.unlink()
    seeds.unlink()
    words = command(tmp_path, *WAYS[way], "--store", str(store))
    there: list[int] = []

    def far_enough() -> bool:
        """Between two lives no program is there."""
        asked = len(seeds.read_text().split()) if seeds.exists() else 0
        enough = asked > 3 * PRELIMINARY and written(store) > 40_000
        there.append(sum(map(runs, numbers(pids))) if enough else 0)
        return there[-1] > 0

    killed(words, far_enough)
    assert there[-1] in PROGRAMS[way]
    wait_for(lambda: not any(map(runs, numbers(pids))))
    before = seeds.read_text().split()
    resumed = answer(words)
    after = seeds.read_text().split()[len(before) :]
    assert len({*before} & {*after}) <= PRELIMINARY
    assert resumed["verdict"] == undisturbed["verdict"]
    assert is_as_long(resumed, undisturbed)


@pytest.mark.slow
def test_a_killed_audit_of_a_service_asks_only_what_it_had_not_kept(tmp_path: Path) -> None:
    pytest.importorskip("urllib3", reason="the extra http is not installed")
    store, asked = tmp_path / "store", []
    with serving() as server:
        words = [sys.executable, "-m", "audit", "http", server.url("count/1"), *GIVEN]
        words += ["--max-samples", "2000"]
        undisturbed = answer(words)
        asked.append(len(server.asked))
        server.asked.clear()
        words += ["--store", str(store)]
        killed(words, lambda: len(server.asked) > asked[0] // 2)
        asked.append(len(server.asked))
        server.asked.clear()
        assert answer(words) == undisturbed
        asked.append(len(server.asked))
    whole, first, then = asked
    assert 0 < first < whole
    # What was under way when it was killed is missing, and nothing is asked twice.
    assert 0.8 * whole < first + then <= whole
