"""The cost of fresh instances: `python -m tests.benchmarks.lives [FILE.py:FUNCTION]`.

For each way to make them: milliseconds of processor time and of wall-clock time a life, for the
server and this process together, the least of some rounds; lives a second with one server and with
two; seconds until the first life.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from audit.blackbox.python import PythonBlackBox
from audit.sampling.independence.instances import Instances
from audit.sampling.independence.life import Life

ROUNDS, LIVES = 5, 200
DATA = [np.array([0.0]), np.array([1.0])]
CODE = "import numpy as np\n\ndef noisy(data):\n    return float(data[0]) + np.random.laplace()\n"
_TICKS = os.sysconf("SC_CLK_TCK")


def noisy(data: Any) -> float:
    return float(data[0]) + np.random.laplace()  # noqa: NPY002


class Held:
    """Cannot be pickled, so that this process is forked."""

    def __init__(self) -> None:
        self.lock = threading.Lock()

    def __call__(self, data: Any) -> float:
        return noisy(data)


def processor(instances: Instances) -> float:
    """Seconds of this process, of the servers, and of the lives that they had."""
    total = time.process_time()
    for number in instances.processes:
        fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
        total += sum(map(int, fields[11:15])) / _TICKS
    return total


def measured(instances: Instances, answers: int) -> tuple[float, float]:
    """Milliseconds a life: processor, wall clock."""
    questions = tuple((place % 2, 1) for place in range(answers))
    best = [np.inf, np.inf]
    for round_ in range(ROUNDS):
        lives = [Life(number, (round_, number), questions) for number in range(LIVES)]
        cpu, wall = processor(instances), time.perf_counter()
        instances.answered(lives)
        best[0] = min(best[0], 1e3 * (processor(instances) - cpu) / LIVES)
        best[1] = min(best[1], 1e3 * (time.perf_counter() - wall) / LIVES)
    return best[0], best[1]


def forks() -> float:
    """Milliseconds of wall-clock time of a fork of this process that ends at once."""
    best = np.inf
    for _ in range(ROUNDS):
        wall = time.perf_counter()
        for _ in range(LIVES):
            if (process := os.fork()) == 0:
                os._exit(0)
            os.waitpid(process, 0)
        best = min(best, 1e3 * (time.perf_counter() - wall) / LIVES)
    return float(best)


def report(name: str, box: Callable[[], PythonBlackBox]) -> None:
    """One line for each number of answers, and one for two servers."""
    started = time.perf_counter()
    with Instances(box(), DATA) as instances:
        instances.answered([Life(0, (0,), ((0, 1),))])
        first = time.perf_counter() - started
        for answers in (1, 8, 64):
            cpu, wall = measured(instances, answers)
            print(f"{name:24s} {answers:3d} answers: {cpu:6.2f} ms cpu, {wall:6.2f} ms", flush=True)
    with Instances(box(), DATA, workers=2) as instances:
        _, two = measured(instances, 64)
    print(f"{name:24s} first life {first:.2f} s; two servers {wall / two:.2f} times the lives")


def main() -> None:
    """Measure a file beside numpy, and objects of this process beside pandas and scipy."""
    print(f"load {os.getloadavg()[0]:.1f}; a fork of this process alone {forks():.2f} ms")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "release.py")
        file.write_text(CODE)
        address = sys.argv[1] if len(sys.argv) > 1 else f"{file}:noisy"
        report("file", lambda: PythonBlackBox.at(address))
    import pandas  # noqa: F401
    import scipy.stats  # noqa: F401

    print(f"a fork of this process with pandas and scipy alone {forks():.2f} ms")
    report("function in memory", lambda: PythonBlackBox(noisy))
    report("object forked with pandas", lambda: PythonBlackBox(Held()))


if __name__ == "__main__":
    main()
