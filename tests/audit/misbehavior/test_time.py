"""Black boxes that take their time: late once, late on one dataset, late for ever."""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator, default_rng

from audit.blackbox import time_limit as limits
from audit.blackbox.command import CommandBlackBox
from audit.blackbox.interface import BlackBox, RunTimeout
from audit.blackbox.python import PythonBlackBox
from audit.blackbox.sql import SqlBlackBox
from audit.blackbox.time_limit import Patience
from audit.engine.run import run
from audit.errors import BlackBoxError

from .conftest import Audited

pytestmark = pytest.mark.slow

SHORT = 0.01
ENDLESS = "SELECT max(random() * a.range * b.range) FROM range(1000000) a, range(1000000) b"


def loops(data: Any, rng: Generator) -> float:
    while True:
        rng.random()


def sleeps(data: Any, rng: Generator) -> float:
    time.sleep(60)
    return 1.0


def catches_everything(data: Any, rng: Generator) -> float:
    try:
        time.sleep(60)
    except BaseException:
        return 1.0
    return 2.0


@pytest.mark.parametrize("function", [loops, sleeps, catches_everything])
def test_always_too_late_says_nothing(audited: Audited, function: Any) -> None:
    with pytest.raises(BlackBoxError, match="on every dataset tried, such as"):
        audited(function, timeout=SHORT, max_samples=1000)
    result = audited(function, timeout=SHORT, max_samples=40)
    assert result.verdict == "inconclusive"
    assert "failed in the same way" in result.reason


def test_too_late_on_all_that_a_search_makes_up_is_told_with_name_dataset_and_limit() -> None:
    with pytest.raises(BlackBoxError) as error:
        run(sleeps, epsilon=1.0, domain="int:0:9", timeout=SHORT, max_samples=200)
    told = str(error.value)
    assert told.startswith("no pair that the search made up can be bet on, such as D = [")
    assert "no run of sleeps on it ended in time (no output within 0.01 s)" in told
    assert told.endswith("--timeout allows more")


def test_too_late_on_one_dataset_is_a_difference_like_any_other(audited: Audited) -> None:
    def late(data: Any, rng: Generator) -> float:
        return sleeps(data, rng) if data[0] else float(rng.random())

    assert audited(late, timeout=SHORT, max_samples=200).verdict == "violation"


def test_too_late_now_and_then_is_an_output(audited: Audited) -> None:
    def sometimes(data: Any, rng: Generator) -> float:
        return sleeps(data, rng) if rng.random() < 0.1 else float(rng.random())

    assert audited(sometimes, timeout=SHORT, max_samples=500).verdict == "not-refuted"


def test_alarms_of_its_own_change_nothing_for_the_next_run(audited: Audited) -> None:
    def alarming(data: Any, rng: Generator) -> float:
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        signal.alarm(1)
        return float(rng.random())

    before = signal.getsignal(signal.SIGALRM)
    assert audited(alarming).verdict == "not-refuted"
    assert signal.getsignal(signal.SIGALRM) == before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@pytest.fixture
def little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_LONGEST_WAIT", 20 * SHORT)


BOXES: dict[str, Callable[[], BlackBox]] = {
    "function": lambda: PythonBlackBox(sleeps, timeout=SHORT),
    "program": lambda: CommandBlackBox(["sh", "-c", "sleep 60", "sh", "{data}"], timeout=SHORT),
    "query": lambda: SqlBlackBox(ENDLESS, timeout=SHORT),
}


@pytest.mark.usefixtures("little_patience")
@pytest.mark.parametrize("kind", BOXES)
def test_what_never_ends_is_given_up(kind: str) -> None:
    box = BOXES[kind]()
    for _ in range(19):
        with pytest.raises(RunTimeout):
            box.bind(np.array([1.0])).draw(default_rng(0), 1)
    expected = (
        f"none of the first 20 runs of {box.name} ended within 0.01 s; give a longer `timeout`"
    )
    with pytest.raises(BlackBoxError, match=expected):
        box.bind(np.array([1.0])).draw(default_rng(0), 1)


@pytest.mark.usefixtures("little_patience")
def test_the_audit_ends_when_the_black_box_is_given_up(audited: Audited) -> None:
    with pytest.raises(BlackBoxError, match="none of the first 20 runs of sleeps"):
        audited(sleeps, timeout=SHORT, max_samples=400_000)


@pytest.mark.usefixtures("little_patience")
@pytest.mark.parametrize("error", [None, ValueError])
def test_what_has_ended_once_is_not_given_up(error: type[Exception] | None) -> None:
    patience = Patience("box", SHORT)

    with contextlib.nullcontext() if error is None else pytest.raises(error), patience:
        if error is not None:
            raise error
    for _ in range(100):
        with pytest.raises(RunTimeout), patience:
            raise RunTimeout


def test_few_runs_are_never_enough_to_give_up() -> None:
    patience = Patience("box", 1e6)
    for _ in range(15):
        with pytest.raises(RunTimeout), patience:
            raise RunTimeout
    with pytest.raises(BlackBoxError), patience:
        raise RunTimeout
