"""A clock for tests of time."""

from __future__ import annotations


class Clock:
    """Moves only where somebody says so."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time
