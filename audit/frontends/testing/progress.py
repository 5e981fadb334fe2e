"""A line now and then about an audit that takes long, if somebody watches."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from audit.progress import Event, Looked, StageStarted

if TYPE_CHECKING:
    import pytest

    from audit.frontends.testing.running import Running

EVERY = 20.0
"""Seconds of an audit before each line."""


@dataclass(slots=True)
class Teller:
    """Says how far an audit is.

    Attributes:
        running: the test.
        most: runs of the audit at most.
        next: moment of the next line.
        now: the clock.
    """

    running: Running
    most: int
    now: Callable[[], float] = time.monotonic
    next: float = field(init=False)

    def __post_init__(self) -> None:
        self.next = self.now() + EVERY

    def heard(self, event: Event) -> None:
        """Write a line if the audit takes long."""
        say = self.running.say
        if say is None or not isinstance(event, StageStarted | Looked) or self.now() < self.next:
            return
        self.next = self.now() + EVERY
        test = self.running.test.rpartition("::")[2]
        say(f"auditing {test}: {event.samples:,} of at most {self.most:,} runs")


def teller(config: pytest.Config) -> Callable[[str], None] | None:
    """Writer of lines while a test runs; None unless pytest runs with -v or -s."""
    reporter: Any = config.pluginmanager.get_plugin("terminalreporter")
    watched = reporter is not None and (
        reporter.verbosity > 0 or config.getoption("capture", "fd") == "no"
    )
    if not watched:
        return None
    capture: Any = config.pluginmanager.get_plugin("capturemanager")

    def say(line: str) -> None:
        if capture is None:
            reporter.write_line(line)
            return
        with capture.global_and_fixture_disabled():
            reporter.ensure_newline()
            reporter.write_line(line)

    return say
