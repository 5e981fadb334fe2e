"""What an audit costs beside drawing its samples, and the memory it takes."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
import timeit
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from audit.blackbox.python import PythonBlackBox
from audit.case import Budget, Case, Settings, Until
from audit.engine import audit_case
from audit.preparation import case_for
from audit.sampling.sampler import Sampler
from audit.sampling.source import sources_of
from audit.sampling.stream import Address, Stage
from audit.sampling.workers.allocator import keep_freed_memory
from mechanisms import CATALOG
from tests.benchmarks.cases import laplace
from tests.benchmarks.play import play

_BATCH = 1 << 16
_VECTORS = 1 << 14
"""Runs in a batch of outputs with several parts, about as the auditor would have it."""


@dataclass(frozen=True)
class Seconds:
    """Fastest wall times of several rounds.

    Attributes:
        bare: the black box alone, called in batches of about the auditor's size.
        drawn: the same in addressed batches, sorted into outcomes.
        bets: bets alone, to the end of the budget.
        whole: all of an audit: bets, low bits, bounds, tables.
    """

    bare: float
    drawn: float
    bets: float
    whole: float


def seconds(name: str, runs: int, rounds: int) -> Seconds:
    """What auditing a mechanism on one pair costs, and drawing from it as often.

    Everything is measured in every round, so that all of it sees the same machine.

    Args:
        name: of the catalogue; nothing for a Laplace count in one line of numpy.
        runs: of the mechanism.
        rounds: to measure.
    """
    case = case_for(CATALOG[name], search=False) if name else laplace(0.1)
    case = replace(case, pairs=case.pairs[:1])
    settings = Settings(budget=Budget(max_samples=runs), alpha=0.05)
    keep_freed_memory()
    measured = [
        (
            _timed(lambda: _draw_bare(case, runs)),
            _timed(lambda: _draw_outcomes(case, runs)),
            _timed(lambda: play(case, alpha=0.05, samples=runs, until=Until.BUDGET)),
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
    size, bound = _batch(case), case.box.bind(case.pairs[0].dataset)
    for batch in range(runs // size):
        bound.draw(np.random.default_rng(batch), size)


def _draw_outcomes(case: Case, runs: int) -> None:
    sampler, sources = Sampler.of(case.box, 1), sources_of(case.box, case.pairs[0])
    size = _batch(case)
    for batch in range(runs // (2 * size)):
        sampler.pairs(Address(Stage.TABLE, 0, batch), *sources, size)


def _batch(case: Case) -> int:
    one = np.asarray(case.box.bind(case.pairs[0].dataset).draw(np.random.default_rng(0), 1))
    return _BATCH if one.ndim == 1 else _VECTORS


def seconds_afresh(name: str, runs: int, rounds: int) -> Seconds:
    """The same in a fresh process, which other work has left no memory in pieces."""
    printed = _afresh(f"print(*astuple(seconds({name!r}, {runs}, {rounds})))")
    return Seconds(*map(float, printed.split()))


def _constant(data: object, rng: np.random.Generator) -> float:
    return 0.0


def microseconds_of_a_call(calls: int = 20_000, rounds: int = 20) -> tuple[float, float]:
    """What one call for one output takes by itself, and through a black box; the fastest."""
    data, rng = np.zeros(3), np.random.default_rng(0)
    bound = PythonBlackBox(_constant).bind(data)
    bare = timeit.repeat(lambda: _constant(data, rng), number=calls, repeat=rounds)
    through = timeit.repeat(lambda: bound.draw(rng, 1), number=calls, repeat=rounds)
    return min(bare) / calls * 1e6, min(through) / calls * 1e6


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
    play(laplace(0.1), alpha=0.05, samples=samples, until=Until.BUDGET)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
