"""Drawing ahead and counting beside change nothing but the time it takes."""

from __future__ import annotations

import sys
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

import audit
from audit import engine
from audit.audit_session import AuditSession
from audit.betting.gambler import Gambler
from audit.sampling.batch import Job
from audit.sampling.workers import interface as pool
from audit.sampling.workers import local as here
from audit.sampling.workers.allocator import keep_freed_memory
from tests.timeless import timeless

PAIR: dict[str, Any] = {
    "data": [0.0],
    "neighbors": [[1.0]],
    "search": False,
    "relation": "substitute",
}
COUNT, LOOK = Job.count, Gambler._look


def slow_counting(job: Job, reader: Any, sides: Any) -> Any:
    time.sleep(0.002)
    return COUNT(job, reader, sides)


class AtOnce(Executor):
    """The other thread is always done before this one goes on."""

    def submit(self, work: Any, /, *arguments: Any, **more: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(work(*arguments, **more))
        return future


def slow_looking(gambler: Gambler) -> bool:
    time.sleep(0.004)
    return LOOK(gambler)


class Box:
    """Laplace noise of a scale, or what `broken` makes of it, and a list of its calls."""

    def __init__(self, scale: float, broken: int = 1 << 60) -> None:
        self.scale, self.broken = scale, broken
        self.calls: list[tuple[float, int]] = []

    def __call__(self, data: list[float], rng: Generator, size: int) -> Any:
        self.calls.append((data[0], size))
        if len(self.calls) == self.broken and size > 1:
            raise ValueError("no more than one at a time")
        return rng.laplace(data[0], self.scale, size)


def played(
    monkeypatch: pytest.MonkeyPatch, slow: str, box: Box, **more: Any
) -> tuple[dict[str, Any], list[tuple[float, int]]]:
    """The result of an audit and all calls of its black box, with something slowed down."""
    with monkeypatch.context() as patch:
        if slow == "counting":
            patch.setattr(Job, "count", slow_counting)
        if slow == "looking":
            patch.setattr(Gambler, "_look", slow_looking)
        if slow == "drawing":
            patch.setattr(here, "ThreadPoolExecutor", lambda threads: AtOnce())
        result = timeless(audit.run(box, **PAIR, **more))
    return result, box.calls


AUDITS: dict[str, tuple[float, int, dict[str, Any]]] = {
    "refuted late": (1 / 1.03, 1 << 60, {"epsilon": 1.0, "max_samples": 2_000_000}),
    "not refuted": (1.0, 1 << 60, {"epsilon": 1.0, "max_samples": 400_000}),
    "does not stop": (0.5, 1 << 60, {"epsilon": 1.0, "max_samples": 400_000, "until": "budget"}),
    "fails in the middle": (1.0, 60, {"epsilon": 1.0, "max_samples": 100_000, "until": "budget"}),
}


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("name", AUDITS)
def test_a_black_box_sees_the_same_calls_whoever_is_faster(
    monkeypatch: pytest.MonkeyPatch, name: str, workers: int
) -> None:
    # However slow they are made, these are too quick to be sent to other processes.
    monkeypatch.setattr(pool, "_QUICK", 1e9)
    # What copies of the box are asked for elsewhere, its own calls do not tell.
    monkeypatch.setattr(engine, "other_law", lambda session, record: "")
    monkeypatch.setattr(AuditSession, "may_hold_noise", False)
    scale, broken, settings = AUDITS[name]
    usual = played(monkeypatch, "", Box(scale, broken), **settings)
    result, calls = usual
    assert result["verdict"] == ("violation" if scale < 1 else "not-refuted")
    assert sum(size for _, size in calls) == result["samples"]
    for slow in ("counting", "looking", "drawing"):
        assert played(monkeypatch, slow, Box(scale, broken), workers=workers, **settings) == usual


@pytest.mark.slow
def test_nothing_is_called_that_is_not_called_without_another_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = {"epsilon": 1.0, "max_samples": 400_000}
    usual = played(monkeypatch, "", Box(1 / 1.03), **settings)
    monkeypatch.setattr(here, "WORTH_A_THREAD", 1 << 60)
    monkeypatch.setattr(here, "_WORTH_HANDING_OVER", 1e9)
    assert played(monkeypatch, "", Box(1 / 1.03), **settings) == usual


def test_what_nobody_has_begun_to_count_is_counted_by_whoever_is_idle() -> None:
    class Quick:
        readers = ("a", "b")

        def count(self, reader: str, sides: Any) -> Any:
            return f"{reader} of {sides}"

    with ThreadPoolExecutor(1) as executor:
        busy: Future[None] = executor.submit(time.sleep, 0.05)
        counting = here._Counting(Quick(), "these", None, executor)  # type: ignore[arg-type]
        assert not counting.done()
        counting.help()
        assert not busy.done()
        assert counting.done()
        counting.help()
        assert [one.result() for one in counting.counts] == ["a of these", "b of these"]


@pytest.mark.skipif(sys.platform != "linux", reason="page faults are read from /proc")
def test_freed_memory_is_not_handed_back_page_by_page() -> None:
    keep_freed_memory()

    def faults() -> int:
        with open("/proc/self/stat") as stat:
            return int(stat.read().rsplit(")", 1)[1].split()[7])

    def batch() -> None:
        np.ones(1 << 18)

    batch()
    before = faults()
    for _ in range(50):
        batch()
    # 2 MiB are 512 pages; each batch would touch all of them anew.
    assert faults() - before < 50 * 512 / 4
