"""Workers that are replaced by fresh ones while there is work."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

LEAKING = """
import sys
import time
from functools import partial

import numpy as np

from audit.sampling.workers import executor_of, in_parallel

def leaking(number):
    sys.__dict__.setdefault("kept", []).append(np.ones(40 << 20))
    time.sleep(1.1)
    return number

if __name__ == "__main__":
    print(list(in_parallel(2, [partial(leaking, number) for number in range(6)])))
    print(list(executor_of(2).map(leaking, range(6))))
"""


@pytest.mark.slow
def test_workers_that_took_much_memory_are_replaced_where_warnings_are_errors(
    tmp_path: Path,
) -> None:
    program = tmp_path / "leaking.py"
    program.write_text(LEAKING, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "error", str(program)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.split("\n")[:2] == [str(list(range(6)))] * 2, done.stderr


SHADOWED = """
import os

from audit.sampling.workers import executor_of

def told():
    import numbers
    return hasattr(numbers, "Number"), os.environ.get("PYTHONSAFEPATH")

if __name__ == "__main__":
    print(executor_of(1).submit(told).result())
"""


@pytest.mark.slow
@pytest.mark.parametrize("chosen", [None, "1"])
def test_a_file_of_the_working_directory_is_no_module_of_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chosen: str | None
) -> None:
    """Not in processes that draw; and programs find the user's environment."""
    (tmp_path / "programs").mkdir()
    program = tmp_path / "programs" / "shadowed.py"
    program.write_text(SHADOWED, encoding="utf-8")
    (tmp_path / "numbers.py").write_text("raise RuntimeError('not the one of Python')\n")
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    if chosen is not None:
        monkeypatch.setenv("PYTHONSAFEPATH", chosen)
    done = subprocess.run(
        [sys.executable, str(program)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=tmp_path,
    )
    assert done.stdout.strip() == str((True, chosen)), done.stderr


KILLED = """
import os
import sys
import time

from audit.sampling.workers import executor_of

def working(ready):
    print(os.getpid(), file=open(ready, "w"))
    time.sleep(600)

if __name__ == "__main__":
    executor_of(1).submit(working, sys.argv[1]).result()
"""


@pytest.mark.slow
def test_a_worker_ends_with_the_process_it_works_for(tmp_path: Path) -> None:
    program, ready = tmp_path / "killed.py", tmp_path / "ready"
    program.write_text(KILLED, encoding="utf-8")
    master = subprocess.Popen([sys.executable, str(program), str(ready)], stdout=subprocess.PIPE)
    while not (ready.exists() and ready.read_text()):
        assert master.poll() is None
        time.sleep(0.05)
    master.kill()
    # Its end is the end of what it printed to, which the worker has inherited.
    master.communicate(timeout=20)
