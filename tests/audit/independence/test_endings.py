"""Nothing is left of servers and lives, however the audit ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

AUDIT = """
import sys, threading
import numpy as np
from audit.blackbox.python import PythonBlackBox
from audit.sampling.independence.instances import Instances
from audit.sampling.independence.life import Life

class Held:
    def __init__(self):
        self.lock = threading.Lock()
    def __call__(self, data):
        return 1.0

sys.path.insert(0, {folder!r})
box = PythonBlackBox(Held()) if {held} else PythonBlackBox.at({folder!r} + "/slow.py:slow")
with Instances(box, [[1.0]], workers=2, timeout=60.0) as instances:
    box = None
    print(*instances.processes, flush=True)
    data = instances.add_dataset([2.0])
    instances.answered([Life(number, (number,), ((data, 1),) * 9) for number in range(4)])
"""
SLOW = """
import os, time
def slow(data):
    if data[0] > 1.0:
        print(os.getpid(), flush=True, file=open({pids!r}, "a"))
        time.sleep(30)
    return 1.0
"""


def alive(number: int) -> bool:
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.parametrize("way", [signal.SIGKILL, signal.SIGINT])
def test_servers_and_lives_end_with_the_audit(way: signal.Signals, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    (tmp_path / "slow.py").write_text(SLOW.format(pids=str(pids)))
    program = AUDIT.format(folder=str(tmp_path), held=False)
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as audit:
        assert audit.stdout is not None
        servers = list(map(int, audit.stdout.readline().split()))
        wait_until(lambda: pids.exists() and len(pids.read_text().split()) == 2)
        lives = list(map(int, pids.read_text().split()))
        assert len(servers) == 2
        assert all(map(alive, [*servers, *lives]))
        os.kill(audit.pid, way)
        wait_until(lambda: not any(map(alive, [*servers, *lives])))


def test_servers_that_were_forked_do_not_hold_each_other(tmp_path: Path) -> None:
    program = AUDIT.format(folder=str(tmp_path), held=True)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    wait_until(lambda: not any(map(alive, map(int, done.stdout.split()))))


def wait_until(true: object) -> None:
    """Within 20 seconds."""
    assert callable(true)
    until = time.monotonic() + 20.0
    while not true():
        assert time.monotonic() < until
        time.sleep(0.02)
