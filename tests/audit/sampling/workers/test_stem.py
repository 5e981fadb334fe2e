"""A process forked before the first call gives copies of what cannot be packed."""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
from functools import partial
from typing import Any

import pytest

from audit.blackbox.python import PythonBlackBox
from audit.sampling.workers.pickled import Parcel
from audit.sampling.workers.stem import Stem
from audit.sampling.workers.uncalled import Uncalled, uncalled

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no forks")


class Counting:
    """Counts its calls and holds what cannot be packed."""

    def __init__(self) -> None:
        self.calls, self.lock = 0, threading.Lock()

    def __call__(self, data: Any) -> int:
        with self.lock:
            self.calls += 1
            return self.calls


def called(box: Uncalled, times: int) -> int:
    opened = box.opened()
    return int([opened.function(None) for _ in range(times)][-1])


def number(box: Uncalled) -> int:
    return os.getpid()


def failing(box: Uncalled) -> int:
    raise ValueError("no answer")


def ended(box: Uncalled) -> int:
    os._exit(0)


def killed(box: Uncalled) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


@pytest.fixture
def counting() -> PythonBlackBox:
    return PythonBlackBox(Counting(), "counting")


def made(box: PythonBlackBox) -> Stem:
    found = uncalled(box)
    assert isinstance(found, Stem)
    return found


def test_every_call_has_a_copy_that_nobody_called(counting: PythonBlackBox) -> None:
    stem = made(counting)
    assert [counting.function(None) for _ in range(3)] == [1, 2, 3]
    assert stem.elsewhere([partial(called, stem, times) for times in (1, 5, 1)]) == [1, 5, 1]
    assert stem.elsewhere([partial(called, stem, 2)]) == [2]
    assert counting.function(None) == 4


def test_copies_are_in_processes_of_their_own(counting: PythonBlackBox) -> None:
    stem = made(counting)
    numbers = stem.elsewhere([partial(number, stem)] * 3)
    assert numbers is not None
    assert len({os.getpid(), stem.process, *numbers}) == 5


@pytest.mark.parametrize("call", [failing, ended, killed])
def test_what_gives_no_answer_cannot_be_tried_and_others_can(
    counting: PythonBlackBox, call: Any
) -> None:
    stem = made(counting)
    assert stem.elsewhere([partial(called, stem, 1), partial(call, stem)]) is None
    assert stem.elsewhere([partial(called, stem, 3)]) == [3]


def test_it_ends_with_whoever_asks_it(counting: PythonBlackBox) -> None:
    process = made(counting).process
    gc.collect()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_it_ends_where_the_process_it_is_of_is_killed(counting: PythonBlackBox) -> None:
    """Only the pipe tells it."""
    stem = made(counting)
    stem.connection.close()
    ends = time.monotonic() + 60.0
    while os.waitpid(stem.process, os.WNOHANG) == (0, 0):
        assert time.monotonic() < ends
        time.sleep(0.01)


def test_what_can_be_packed_is(counting: PythonBlackBox) -> None:
    assert isinstance(uncalled(PythonBlackBox(len, "length")), Parcel)


def test_it_is_opened_nowhere_else(counting: PythonBlackBox) -> None:
    with pytest.raises(RuntimeError, match="another process"):
        made(counting).opened()


def test_where_there_are_no_forks_nothing_can_be_asked(
    counting: PythonBlackBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "fork")
    assert uncalled(counting) is None


def test_nor_where_one_is_refused(
    counting: PythonBlackBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused() -> int:
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(os, "fork", refused)
    assert uncalled(counting) is None
