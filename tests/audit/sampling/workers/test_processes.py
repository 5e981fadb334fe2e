"""Workers that are replaced by fresh ones while there is work."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

LEAKING = """
import sys
import time
from functools import partial

import numpy as np

from audit.sampling.workers.processes import executor_of, in_parallel

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
