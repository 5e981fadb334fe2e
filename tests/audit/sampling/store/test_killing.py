"""An audit that is killed again and again ends, and units that were lost count as missing."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from tests.audit.sampling.store.slow_count import audited

RUNS = 3_000
KILLS = 8


def started(store: Path) -> subprocess.Popen[bytes]:
    """The audit in a process of its own, once it has opened its store."""
    words = [sys.executable, "-m", "tests.audit.sampling.store.slow_count", str(store), str(RUNS)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, cwd=Path(__file__).parents[4])


def killed(store: Path, after: float) -> bool:
    """Kill an audit some seconds after it began to write; whether it was still running."""
    written = store.with_name(store.name + "-wal")
    before = written.stat().st_mtime_ns if written.exists() else 0
    process = started(store)
    while process.poll() is None:
        if written.exists() and written.stat().st_mtime_ns > before:
            time.sleep(after)
            break
        time.sleep(0.005)
    alive = process.poll() is None
    process.kill()
    process.communicate()
    return alive


@pytest.mark.slow
def test_kills_accuse_nobody_and_cost_no_runs(tmp_path: Path) -> None:
    store = tmp_path / "store"
    random = np.random.default_rng(0)
    hit = [killed(store, after) for after in random.uniform(0.0, 0.3, KILLS)]
    process = started(store)
    answer, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    assert sum(hit) >= KILLS / 2, "it ended before it was killed, so nothing was shown"
    found, alone = json.loads(answer), json.loads(audited(None, RUNS))
    assert found["verdict"] == alone["verdict"] == "not-refuted"
    assert found["epsilon_lower"] <= 1.0
    assert found["samples"] <= RUNS
    again = started(store)
    assert again.communicate(timeout=120)[0] == answer
