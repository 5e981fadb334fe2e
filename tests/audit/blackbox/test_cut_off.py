"""Who waits in a thread is cut off when the time is up, and nobody else."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from audit.blackbox.interface import RunTimeout
from audit.blackbox.time_limit import CutOff


def elsewhere(work: Callable[[], None]) -> None:
    with ThreadPoolExecutor(1) as pool:
        pool.submit(work).result(30)


def test_a_connection_is_ended_when_the_time_is_up() -> None:
    ended, cut = threading.Event(), CutOff(0.05)

    def work() -> None:
        with cut.watched():
            cut.opened(ended.set)
            assert ended.wait(10)

    elsewhere(work)
    with pytest.raises(RunTimeout, match=r"within 0\.05 s"):
        cut.check(0.05)


def test_one_that_is_opened_too_late_is_ended_at_once() -> None:
    ended, cut = threading.Event(), CutOff(0.01)

    def work() -> None:
        with cut.watched():
            while not cut.late:
                time.sleep(0.005)
            cut.opened(ended.set)

    elsewhere(work)
    assert ended.is_set()


def test_who_is_in_time_is_not_cut_off() -> None:
    ended, cut = threading.Event(), CutOff(0.05)

    def work() -> None:
        cut.opened(ended.set)
        with cut.watched():
            pass
        time.sleep(0.2)

    elsewhere(work)
    cut.check(0.05)
    assert not ended.is_set()


def test_the_next_wait_begins_anew() -> None:
    cut = CutOff(0.01)

    def work() -> None:
        with cut.watched():
            while not cut.late:
                time.sleep(0.005)
        with cut.watched():
            pass

    elsewhere(work)
    cut.check(0.01)
