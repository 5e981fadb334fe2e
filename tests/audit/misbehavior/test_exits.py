"""Black boxes that want to end the audit, or to have two of it."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import sys
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from numpy.random import Generator, default_rng

from audit.blackbox.environment import contained
from audit.blackbox.interface import Exited
from audit.blackbox.python import PythonBlackBox
from audit.errors import BlackBoxError
from audit.outcomes.failed_run import failure_of

from .conftest import Audited


class Panic(BaseException):
    """As raised by extension modules that crash on purpose."""


class Unprintable(BaseException):
    def __str__(self) -> str:
        raise ValueError("no words")


def raising(error: type[BaseException], *words: str) -> Callable[[], None]:
    def leave() -> None:
        raise error(*words)

    return leave


WAYS_OUT: dict[str, tuple[Callable[[], Any], str]] = {
    "sys.exit": (lambda: sys.exit(3), "raised SystemExit 3"),
    "sys.exit with words": (lambda: sys.exit("no"), "raised SystemExit"),
    "os._exit": (lambda: os._exit(0), "exit code 0"),
    "GeneratorExit": (raising(GeneratorExit), "raised GeneratorExit"),
    "StopIteration": (raising(StopIteration), "raised StopIteration"),
    "panic": (raising(Panic, "0.123"), "raised Panic"),
    "unprintable": (raising(Unprintable), "raised Unprintable"),
    "recursion": (lambda: exec("def f(): f()\nf()", {}), "raised RecursionError"),
    "memory": (lambda: bytearray(1 << 60), "raised MemoryError"),
}


@pytest.mark.parametrize("way", WAYS_OUT)
def test_leaving_on_every_dataset_says_nothing(audited: Audited, way: str) -> None:
    with pytest.raises(BlackBoxError, match="on every dataset tried, such as"):
        audited(lambda data, rng: WAYS_OUT[way][0](), max_samples=2000)
    # Too few runs to give up hope: no answer.
    result = audited(lambda data, rng: WAYS_OUT[way][0](), max_samples=40)
    assert result.verdict == "inconclusive"
    assert "failed in the same way" in result.reason


@pytest.mark.parametrize("way", WAYS_OUT)
def test_leaving_on_one_dataset_is_a_difference_like_any_other(audited: Audited, way: str) -> None:
    leave, name = WAYS_OUT[way]

    def one_sided(data: Any, rng: Generator) -> Any:
        return leave() if data[0] else 1.0

    result = audited(one_sided)
    assert result.verdict == "violation", result.reason
    assert name_of_failure(one_sided) == name


def name_of_failure(function: Any) -> str:
    try:
        PythonBlackBox(function).bind([1.0]).draw(default_rng(0), 1)
    except Exception as error:
        return failure_of(error).name
    return "none"


def test_the_process_can_still_be_ended_by_others(audited: Audited) -> None:
    before = os._exit
    audited(lambda data, rng: os._exit(0), max_samples=40)
    assert os._exit is before


def test_an_interrupt_is_somebody_s_ctrl_c_whoever_raises_it(audited: Audited) -> None:
    def interrupts(data: Any, rng: Generator) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        audited(interrupts)


def fork() -> int:
    with warnings.catch_warnings():
        # Later versions of Python warn where there are threads.
        warnings.simplefilter("ignore")
        return os.fork()


CHILDREN: dict[str, tuple[Callable[[], Any], int]] = {
    "returns": (lambda: None, 0),
    "raises": (raising(ValueError), 0),
    "panics": (raising(Panic), 0),
    "calls sys.exit": (lambda: sys.exit(5), 0),
    "calls os._exit": (lambda: os._exit(7), 7),
}


@pytest.mark.parametrize("way", CHILDREN)
def test_a_forked_child_ends_quietly(audited: Audited, way: str, tmp_path: Path) -> None:
    child, expected = CHILDREN[way]
    codes: list[int] = []

    def forks(data: Any, rng: Generator) -> float:
        if len(codes) < 3:
            number = fork()
            if number == 0:
                child()
                return 2.0
            codes.append(os.waitstatus_to_exitcode(os.waitpid(number, 0)[1]))
        return float(rng.random())

    results = tmp_path / "results"
    result = audited(forks)
    with results.open("a") as file:
        file.write(f"{result.verdict}\n")
    assert results.read_text() == "not-refuted\n"
    assert codes == [expected] * 3


def test_a_child_forked_in_another_thread_ends_as_well(tmp_path: Path) -> None:
    told = tmp_path / "told"

    def forks(data: Any) -> int:
        return fork()

    def run() -> None:
        number = PythonBlackBox(forks).bind(None).draw(default_rng(0), 1)
        with told.open("a") as file:
            file.write("one ")
        os.waitpid(number, 0)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert told.read_text() == "one "


def test_processes_that_a_function_needs_work_as_usual() -> None:
    context = multiprocessing.get_context("fork")

    def asks_another(data: Any) -> Any:
        queue = context.SimpleQueue()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            process = context.Process(target=queue.put, args=(4.0,))
            process.start()
        output = queue.get()
        process.join()
        return output, process.exitcode

    assert PythonBlackBox(asks_another).bind(None).draw(default_rng(0), 1) == (4.0, 0)


def test_a_nested_run_leaves_the_outer_one_guarded() -> None:
    inner = PythonBlackBox(lambda data: 1.0)

    def outer(data: Any) -> Any:
        inner.bind(None).draw(default_rng(0), 1)
        with contextlib.suppress(Exited):
            PythonBlackBox(lambda data: os._exit(0)).bind(None).draw(default_rng(0), 1)
        os._exit(3)

    with pytest.raises(Exited) as caught:
        PythonBlackBox(outer).bind(None).draw(default_rng(0), 1)
    assert caught.value.outcome_name == "exit code 3"
    assert str(caught.value) == "os._exit(3) was called"


def test_arguments_and_results_pass_as_they_are() -> None:
    assert contained(max, 1, 2) == 2
    with pytest.raises(ZeroDivisionError):
        contained(lambda: 1 // 0)
