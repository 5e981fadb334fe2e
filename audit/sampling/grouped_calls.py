"""Calls made together: at the same time, or many quick ones under one time limit.

A program or a service that takes its time does not take ours. Every run has a
generator of its own, so what it gives depends neither on the runs that go on beside
it nor on how many they are; and what runs give is taken in the order in which they
were begun.

A timer, a copy of the dataset and a look at the process for every call cost ten times as much as a
quick function does. So they are made once for a batch: whether the function changed its dataset is
looked at behind the batch, and where it did, or a call took too long or ended the process, the
batch is made again call by call.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from audit.blackbox.interface import BlackBox, Exited, RunTimeout
from audit.blackbox.python import PythonBlackBox
from audit.errors import BlackBoxError
from audit.lazy_modules import loaded_pandas as pd
from audit.sampling.independence.pickled import is_flat

Call = Callable[[], Any]
SLOW = 0.01
"""Seconds that a run must take for others to be begun meanwhile."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Result of one run.

    Attributes:
        output: what it gave, None where it failed.
        error: what it ended in, None where it gave something.
    """

    output: Any = None
    error: Exception | None = None

    @classmethod
    def of(cls, call: Call) -> Answer:
        """Make the run."""
        try:
            return cls(call())
        except Exception as error:
            return cls(error=error)


@dataclass(slots=True)
class AtOnce:
    """Makes runs at the same time, once it has seen that they take long.

    How long runs take decides only how many go on together, never what they give.

    Attributes:
        most: runs at the same time at most.
        seconds: that the quickest run took of those that were made alone.
        executor: its threads, None before they are wanted.
    """

    most: int = 1
    seconds: float = 0.0
    executor: ThreadPoolExecutor | None = field(default=None, repr=False)

    @property
    def waits(self) -> bool:
        """True if runs are made at the same time."""
        return self.most > 1 and self.seconds >= SLOW

    def can(self, box: BlackBox) -> bool:
        """True if runs of a black box could be made at the same time."""
        # Of its kind: the box itself may have to ask something before it can tell.
        return self.most > 1 and not box.many and hasattr(type(box), "at_once")

    def answers(self, box: Any, calls: Sequence[Call]) -> Iterator[Answer]:
        """Results of runs, in their order.

        Args:
            box: the black box; its attribute `at_once` tells when it lets runs go on together.
            calls: one for each run.

        Raises:
            KeyboardInterrupt: Ctrl-C; what nobody has begun is not begun any more.
        """
        left = deque(calls)
        while left and not (self.waits and box.at_once):
            answer = self._alone(left.popleft())
            yield answer
            if isinstance(answer.error, BlackBoxError):
                return
        yield from self._together(left)

    def _alone(self, call: Call) -> Answer:
        begun = time.perf_counter()
        answer = Answer.of(call)
        taken = time.perf_counter() - begun
        self.seconds = min(self.seconds, taken) if self.seconds else taken
        return answer

    def _together(self, calls: Iterable[Call]) -> Iterator[Answer]:
        if self.executor is None:
            self.executor = ThreadPoolExecutor(self.most, "audit-run")
        over = threading.Event()

        def unless_over(call: Call) -> Answer:
            return Answer() if over.is_set() else Answer.of(call)

        try:
            yield from self.executor.map(unless_over, calls)
        finally:
            over.set()


QUICK = 1e-3
"""Seconds of a call below which calls are made together."""
_SLACK = 50.0
"""Factor in the expected time after which a batch is given up."""


def comparable(data: Any) -> bool:
    """True if a change of a dataset is seen by comparing it with a copy."""
    if isinstance(data, pd.DataFrame):
        return all(str(kind) != "object" for kind in data.dtypes)
    return is_flat(data)


def unchanged(data: Any, copy: Any) -> bool:
    """True if a dataset is equal to its copy."""
    if isinstance(data, np.ndarray):
        return bool(
            isinstance(copy, np.ndarray)
            and data.shape == copy.shape
            and data.tobytes() == copy.tobytes()
        )
    if isinstance(data, pd.DataFrame):
        return bool(data.equals(copy))
    return bool(repr(data) == repr(copy))


def together(
    box: PythonBlackBox,
    datasets: Sequence[tuple[Any, Any]],
    work: Callable[[], None],
    expected: float,
) -> bool:
    """Make quick calls; False if they have to be made one by one.

    Args:
        box: the black box.
        datasets: those that the calls are given, each with a copy that no call sees.
        work: makes the calls.
        expected: seconds that they should take.
    """
    try:
        box.in_a_row(work, 1.0 + _SLACK * expected)
    except (RunTimeout, Exited):
        return False
    return all(unchanged(data, copy) for data, copy in datasets)
