"""What an audit costs beside drawing its samples, and the memory it takes."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
import timeit
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from unittest.mock import patch

import numpy as np

from audit.blackbox.callables import shape_of
from audit.blackbox.python import PythonBlackBox
from audit.case import Budget, Case, Options, Settings, Until
from audit.engine.preparation import case_for
from audit.engine.steps import audit_case
from audit.sampling.draws import INDEPENDENT_CALLS
from mechanisms import CATALOG
from tests.benchmarks.cases import laplace, many_counts
from tests.benchmarks.play import play

ONE_LINE = {
    "a Laplace count": laplace(0.1),
    "seven Laplace counts": many_counts(0.1, 7, claimed=0.7),
}
"""Mechanisms of one line of numpy, by name."""


@dataclass(frozen=True)
class Seconds:
    """Fastest wall times of several rounds.

    Attributes:
        called: the function alone, called for as many outputs at once as the audit called it.
        whole: all of an audit: bets, low bits, bounds, tables.
    """

    called: float
    whole: float


def seconds(name: str, runs: int, rounds: int) -> Seconds:
    """What auditing a mechanism on one pair costs, and drawing from it as often.

    Everything is measured in every round, so that all of it sees the same machine.

    Args:
        name: of the catalogue, or of `ONE_LINE`.
        runs: of the mechanism.
        rounds: to measure.
    """
    given = Options(search=False)
    case = ONE_LINE[name] if name in ONE_LINE else case_for(CATALOG[name], options=given)
    case = replace(case, pairs=case.pairs[:1])
    budget = Budget(max_samples=runs, until=Until.BUDGET)
    settings = Settings(budget=budget, alpha=0.05, assume=(INDEPENDENT_CALLS,))
    sizes = _sizes(case, settings)
    measured = [
        (
            _timed(lambda: _draw(case, sizes)),
            _timed(lambda: audit_case(case, settings)),
        )
        for _ in range(rounds)
    ]
    return Seconds(*(min(column) for column in zip(*measured, strict=True)))


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _sizes(case: Case, settings: Settings) -> Counter[int]:
    """How often an audit calls for so many outputs at once."""
    sizes, called = Counter[int](), PythonBlackBox.output

    def output(box: PythonBlackBox, data: Any, rng: np.random.Generator, size: int) -> Any:
        sizes[size] += 1
        return called(box, data, rng, size)

    with patch.object(PythonBlackBox, "output", output):
        audit_case(case, settings)
    return sizes


def _draw(case: Case, sizes: Mapping[int, int]) -> None:
    """Call the function, with nothing around it, so often for so many outputs."""
    function, data = getattr(case.box, "function"), case.pairs[0].dataset  # noqa: B009
    shape, rng = shape_of(function, case.name), np.random.default_rng(0)
    for size, times in sizes.items():
        for _ in range(times):
            function(data, **shape.named(rng, size))


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
