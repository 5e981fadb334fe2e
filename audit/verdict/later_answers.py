"""What never varied, or changed no more often than a clock ticks, asked for again a second later.

Code that NumPy or pandas compiled reads a clock where no watcher sees it, and quick bets may all
lie within one of its ticks, so this is asked of everybody. Who has no noise at all, or a seed that
does not change, gives the same again, and loses a second at most: as bets, and what looked for the
output in another process, often took longer, there is mostly less to wait for, or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

from audit.blackbox.clock_reading import ClockReading
from audit.outcomes.outcomes import Outcomes
from audit.sampling.deadline import Deadline
from audit.sampling.repetition import Answer, only_answer

_TICK = 1.05
"""Seconds after which a clock that ticks every second tells another one."""


@dataclass(frozen=True, slots=True)
class LaterAnswers:
    """Outputs that came for a while on two datasets, and who gives them.

    Attributes:
        given: see `PairRecord.stretches`.
        first: when there were all of them, by `perf_counter`.
        drawn: one more output on either side.
        clock: that was asked for.
        deadline: when it has to be over.
    """

    given: Sequence[frozenset[Answer]]
    first: float
    drawn: Callable[[int], Outcomes]
    clock: ClockReading
    deadline: Deadline

    def same(self, seconds: int) -> bool | None:
        """Whether so many later seconds give no others; None where there is no time for them."""
        wait = max(0.0, self.first + _TICK - perf_counter())
        for _ in range(seconds):
            if self.deadline.now() + wait > self.deadline.ends:
                return None
            self.clock.wait(wait)
            if not self._still():
                return False
            wait = _TICK
        return True

    def _still(self) -> bool:
        return all(
            not given or only_answer(self.drawn(side)) in given
            for side, given in enumerate(self.given)
        )
