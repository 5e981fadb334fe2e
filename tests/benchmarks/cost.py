"""What an audit costs beside drawing its samples, and the memory it takes."""

from __future__ import annotations

import resource
import subprocess
import sys
import time

import numpy as np

from audit.sampling import Address, Sampler, Stage
from tests.benchmarks.cases import laplace
from tests.benchmarks.play import play

_BATCH = 1 << 16


def drawing(samples: int) -> tuple[float, float]:
    """Seconds to draw that many Laplace counts: by the bare function, and as outcomes."""
    case = laplace(0.1)
    pair = case.pairs[0]
    start = time.perf_counter()
    for batch in range(samples // _BATCH):
        case.box.call(pair.dataset, np.random.default_rng(batch), _BATCH)
    bare = time.perf_counter() - start
    sampler = Sampler.of(case.box, 1)
    start = time.perf_counter()
    for batch in range(samples // (2 * _BATCH)):
        sampler.pairs(Address(Stage.TABLE, 0, batch), pair.dataset, pair.neighbor, _BATCH)
    return bare, time.perf_counter() - start


def ratio(samples: int, times: int = 5) -> tuple[float, float, float]:
    """Fastest of several: seconds of the bare draws, of draws as outcomes, of the audit."""
    rounds = []
    for _ in range(times):
        audit = play(laplace(0.1), alpha=0.05, samples=samples, stop=False).seconds
        rounds.append((*drawing(samples), audit))
    bare, drawn, audited = (min(column) for column in zip(*rounds, strict=True))
    return bare, drawn, audited


def peak_memory(samples: int) -> float:
    """Peak resident memory of a fresh process that audits with this many runs, in MiB."""
    code = f"from tests.benchmarks.cost import spend; spend({samples})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(done.stdout)


def spend(samples: int) -> None:
    """Audit and print the peak memory of this process in MiB."""
    play(laplace(0.1), alpha=0.05, samples=samples, stop=False)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
