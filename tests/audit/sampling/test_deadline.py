"""What can be done in time is foreseen from how long it took so far."""

from __future__ import annotations

import math

from audit.progress import Deadline


class Clock:
    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


def test_without_an_end_there_is_time_for_everything() -> None:
    deadline = Deadline()
    assert deadline.never
    assert deadline.affordable(0, 0.0) == math.inf
    assert deadline.affords(1e300, 1, 0.0)
    assert not deadline.met


def test_what_took_long_is_foreseen_to_take_as_long_again() -> None:
    clock = Clock()
    deadline = Deadline(160.0, clock)
    # Nothing to judge by yet.
    assert deadline.affords(1e9, 0, 100.0)
    clock.time = 120.0
    assert deadline.affordable(10, 100.0) == 20.0
    assert deadline.affords(20, 10, 100.0) and not deadline.met
    assert not deadline.affords(21, 10, 100.0)
    assert deadline.met


def test_after_the_end_there_is_time_for_nothing() -> None:
    clock = Clock()
    deadline = Deadline(100.0, clock)
    assert deadline.affordable(0, 0.0) == 0.0
    assert not deadline.affords(1, 0, 0.0)
    assert deadline.affords(0, 0, 0.0)
