"""Whole audits by other processes, a cluster and a store, and the memory of long ones.

python -m tests.benchmarks.scale
"""

from __future__ import annotations

import os
import pickle
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import distributed
from numpy.random import Generator

import audit
from tests.benchmarks.cost import peak_memory

_WORKERS = 2
_MILLION = 1_000_000


def quick(data: Any, rng: Generator, size: int) -> Any:
    """A Laplace count, many outputs a call."""
    return data[0] + rng.laplace(0.0, 1.0, size)


def costly(data: Any, rng: Generator) -> float:
    """The same, one output a call, which takes 100 microseconds."""
    end = time.perf_counter() + 1e-4
    while time.perf_counter() < end:
        pass
    return float(data[0] + rng.laplace())


MECHANISMS = ((quick, 10 * _MILLION), (costly, 200_000))


@dataclass(frozen=True)
class Measured:
    """One way of drawing an audit.

    Attributes:
        runs: how many.
        seconds: wall time.
        out: bytes sent to workers.
        back: bytes that came back.
        tasks: journeys.
        bound: the lower bound it ends with, the same for every way.
    """

    runs: int
    seconds: float
    out: int
    back: int
    tasks: int
    bound: float


class Weighing:
    """An executor that weighs what travels."""

    def __init__(self, executor: Executor | None) -> None:
        self.executor, self.out, self.back, self.tasks = executor, 0, 0, 0

    def submit(self, function: Any, *arguments: Any) -> Any:
        assert self.executor is not None
        self.out += len(pickle.dumps(arguments))
        self.tasks += 1
        future = self.executor.submit(function, *arguments)
        future.add_done_callback(self._weigh)
        return future

    def _weigh(self, future: Any) -> None:
        if not future.cancelled():
            self.back += len(pickle.dumps(future.result()))


def measured(function: Any, runs: int, **more: Any) -> Measured:
    """One audit that spends its whole budget on the lower bound."""
    weighing = more.get("executor")
    start = time.perf_counter()
    result = audit.run(
        function,
        epsilon=1.0,
        relation="declared",
        data=[1.0],
        neighbors=[[0.0]],
        until="budget",
        max_samples=runs,
        assume=("independent-calls",),
        **more,
    )
    seconds = time.perf_counter() - start
    moved = weighing if isinstance(weighing, Weighing) else Weighing(None)
    return Measured(
        result.samples, seconds, moved.out, moved.back, moved.tasks, result.epsilon_lower
    )


@contextmanager
def cluster() -> Iterator[Executor]:
    """A Dask cluster on this machine."""
    start: Any = distributed.LocalCluster
    connect: Any = distributed.Client
    with (
        start(n_workers=_WORKERS, threads_per_worker=1, dashboard_address=None) as local,
        connect(local) as client,
    ):
        yield client.get_executor()


def in_processes(function: Any, runs: int) -> Measured:
    """The same in several processes, which have been started before."""
    measured(function, runs // 20, workers=_WORKERS)
    return measured(function, runs, workers=_WORKERS)


def on_cluster(function: Any, runs: int) -> Measured:
    """The same on Dask, whose processes are there for this alone."""
    with cluster() as executor:
        measured(function, runs // 20, workers=_WORKERS, executor=executor)
        return measured(function, runs, workers=_WORKERS, executor=Weighing(executor))


def stored(function: Any, runs: int) -> tuple[Measured, int, Measured]:
    """An audit with a store, how large that is, and the same audit again from it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "store")
        first = measured(function, runs, store=path)
        return first, path.stat().st_size, measured(function, runs, store=path)


def comparison(name: str, function: Any, runs: int) -> list[str]:
    """A table row for each way of drawing."""
    kept, size, again = stored(function, runs)
    ways = {
        "this process": measured(function, runs),
        f"`--workers {_WORKERS}`": in_processes(function, runs),
        f"Dask, {_WORKERS} workers": on_cluster(function, runs),
        f"`--store`, {size / 2**20:.1f} MiB": kept,
        "again from the store": again,
    }
    assert len({way.bound for way in ways.values()}) == 1, "the result depends on who draws"
    lines = []
    for label, way in ways.items():
        each = 1e9 * way.seconds / way.runs
        moved = [f"{part / way.runs:.3f}" for part in (way.out, way.back)] if way.tasks else "--"
        lines.append(
            f"| {name} | {label} | {way.runs:,} | {way.seconds:.2f} | {each:,.0f} "
            f"| {moved[0]} | {moved[1]} | {way.tasks or '-'} |"
        )
    return lines


def page() -> str:
    """The whole report."""
    rows: list[str] = []
    for function, runs in MECHANISMS:
        rows += comparison(function.__name__, function, runs)
    memory = [f"| {10**k:,} | {peak_memory(10**k):.0f} |" for k in range(5, 8)]
    return _TEXT.format(
        version=audit.__version__,
        date=date.today(),
        cores=os.cpu_count(),
        rows="\n".join(rows),
        memory="\n".join(memory),
    )


_TEXT = """# Scale

dp-audit {version}, {date}. Seconds were measured on a machine with {cores} cores that the
scheduler, its workers and the audit share.

Units have numbers, and their randomness follows from these, whoever draws them. So the result is
the same for any number of processes or machines, and after any interruption. *quick* is a Laplace
count that returns many outputs a call, *costly* the same with one output a call that takes 100 µs.
Calls are assumed to be independent.

| mechanism | drawn by | runs | seconds | ns a run | MB out per million | MB back | tasks |
|---|---|---|---|---|---|---|---|
{rows}

## Memory

| runs of *quick* | peak memory of the process, MiB |
|---|---|
{memory}
"""


if __name__ == "__main__":
    print(page())
