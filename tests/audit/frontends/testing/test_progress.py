"""Lines about audits that take long."""

from __future__ import annotations

from audit.frontends.testing.budget import Budget
from audit.frontends.testing.running import EVERY, running, telling
from audit.progress import Looked, StageStarted, Warned


def test_a_line_every_twenty_seconds() -> None:
    said: list[str] = []
    clock = [0.0]
    with running("test_a.py::test_x", Budget(), say=said.append) as test:
        heard = telling(test, 50_000, now=lambda: clock[0])
        for moment in (1.0, EVERY + 1.0, EVERY + 2.0, 2 * EVERY + 1.5):
            clock[0] = moment
            heard(Looked("bets", 1000 * int(moment), 0.0))
        clock[0] = 9 * EVERY
        heard(Warned("no line of its own"))
        heard(StageStarted("tables", 49_000))
    assert said == [
        "auditing test_x: 21,000 of at most 50,000 runs",
        "auditing test_x: 41,000 of at most 50,000 runs",
        "auditing test_x: 49,000 of at most 50,000 runs",
    ]


def test_nothing_is_said_if_nobody_watches() -> None:
    clock = [0.0]
    with running("test_a.py::test_x", Budget()) as test:
        heard = telling(test, 50_000, now=lambda: clock[0])
        clock[0] = 2 * EVERY
        heard(Looked("bets", 1000, 0.0))
