"""What an audit costs beside drawing its samples, and the memory it takes."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from audit.case import Case, Settings
from audit.engine import audit_case
from audit.sampling import Address, Sampler, Stage
from tests.benchmarks.cases import laplace
from tests.benchmarks.play import play

_BATCH = 1 << 16


@dataclass(frozen=True)
class Seconds:
    """Fastest wall times of several rounds.

    Attributes:
        bare: the black box alone, called in batches of the auditor's size.
        drawn: the same in addressed batches, sorted into outcomes.
        bets: bets alone, to the end of the budget.
        whole: all of an audit: bets, low bits, bounds, tables.
    """

    bare: float
    drawn: float
    bets: float
    whole: float


def seconds(runs: int, rounds: int) -> Seconds:
    """What auditing a Laplace count costs, and drawing from it as often.

    Everything is measured in every round, so that all of it sees the same machine.
    """
    case = laplace(0.1)
    settings = Settings(max_samples=runs, alpha=0.05)
    measured = [
        (
            _timed(lambda: _draw_bare(case, runs)),
            _timed(lambda: _draw_outcomes(case, runs)),
            _timed(lambda: play(case, alpha=0.05, samples=runs, stop=False)),
            _timed(lambda: audit_case(case, settings)),
        )
        for _ in range(rounds)
    ]
    return Seconds(*(min(column) for column in zip(*measured, strict=True)))


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _draw_bare(case: Case, runs: int) -> None:
    for batch in range(runs // _BATCH):
        case.box.call(case.pairs[0].dataset, np.random.default_rng(batch), _BATCH)


def _draw_outcomes(case: Case, runs: int) -> None:
    sampler, pair = Sampler.of(case.box, 1), case.pairs[0]
    for batch in range(runs // (2 * _BATCH)):
        sampler.pairs(Address(Stage.TABLE, 0, batch), pair.dataset, pair.neighbor, _BATCH)


def seconds_afresh(runs: int, rounds: int) -> Seconds:
    """The same in a fresh process, which other work has left no memory in pieces."""
    return Seconds(*map(float, _afresh(f"print(*astuple(seconds({runs}, {rounds})))").split()))


def peak_memory(samples: int) -> float:
    """Peak resident memory of a fresh process that audits with this many runs, in MiB."""
    return float(_afresh(f"spend({samples})"))


def _afresh(call: str) -> str:
    """What a call of something here prints in a process of its own."""
    code = f"from tests.benchmarks.cost import *; from dataclasses import astuple; {call}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout


def spend(samples: int) -> None:
    """Audit and print the peak memory of this process in MiB."""
    play(laplace(0.1), alpha=0.05, samples=samples, stop=False)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
