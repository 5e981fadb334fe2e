"""The same audit with calls made by a Dask cluster: the result is the local one."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

import distributed
import pytest
from numpy.random import Generator

import audit
from audit.frontends.cli.main import main
from audit.sampling.runs import _made
from tests.timeless import timeless

pytestmark = pytest.mark.slow
PAIR: dict[str, Any] = {"relation": "declared", "data": [1.0], "neighbors": [[0.0]]}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    options: dict[str, Any] = {"dashboard_address": None, "silence_logs": "CRITICAL"}
    start: Any = distributed.LocalCluster
    with start(n_workers=2, threads_per_worker=1, **options) as local:
        yield local


@pytest.fixture
def executor(cluster: Any) -> Iterator[Executor]:
    connect: Any = distributed.Client
    with connect(cluster) as client:
        yield client.get_executor()


def slow_number(data: Any, rng: Generator) -> float:
    """One output a call, each of which takes a while."""
    end = time.perf_counter() + 2e-4
    while time.perf_counter() < end:
        pass
    return float(data[0] + rng.laplace())


def audited(function: Any, samples: int, **more: Any) -> str:
    options: dict[str, Any] = {"epsilon": 1.0, "max_samples": samples, **PAIR, **more}
    return json.dumps(timeless(audit.run(function, **options)))


def test_the_result_is_the_local_one(executor: Executor) -> None:
    sent = Sent(executor)
    assert audited(slow_number, 4_000, executor=sent) == audited(slow_number, 4_000)
    assert sent.tasks, "nothing was sent, so nothing was shown"


class Sent:
    """An executor that notes what it is given."""

    def __init__(self, executor: Executor) -> None:
        self.executor, self.tasks = executor, 0

    def submit(self, function: Any, *arguments: Any) -> Any:
        self.tasks += function is _made
        return self.executor.submit(function, *arguments)


def test_a_function_that_cannot_be_sent_is_called_here(executor: Executor) -> None:
    lock = threading.Lock()

    def guarded(data: Any, rng: Generator) -> float:
        with lock:
            return slow_number(data, rng)

    sent = Sent(executor)
    assert audited(guarded, 1_000, executor=sent) == audited(guarded, 1_000)
    assert not sent.tasks


def test_the_command_line_takes_an_address(
    cluster: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "release.py"
    file.write_text(
        "import time\n"
        "def count(data, rng):\n"
        "    time.sleep(2e-4)\n"
        "    return float(len(data) + rng.laplace())\n"
    )
    words = ["python", f"{file}:count", "--epsilon", "1", "--data", "[1, 2]", "--format", "json"]
    words += ["--max-samples", "3000", "--progress", "off"]
    answers = []
    for more in ([], ["--cluster", cluster.scheduler_address]):
        assert main([*words, *more]) == 0
        answers.append(timeless(capfd.readouterr().out))
    assert answers[0] == answers[1]


def test_a_cluster_that_does_not_answer(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("audit.frontends.cli.carrying_out._PATIENCE", 0.5)
    words = ["laplace", "--cluster", "tcp://127.0.0.1:1", "--progress", "off"]
    assert main(words) == 2
    error = capfd.readouterr().err
    assert error.count("\n") == 1
    assert "does not answer" in error
