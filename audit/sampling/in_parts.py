"""Calls of a slow function, made in parts by several processes.

A function that takes its time is called in one thread only, as whoever wrote it expects. So
several processes call it, each on a part of a batch. Which part holds a call decides nothing
of what it gives (see `SeparateCalls`); where it could, or something cannot travel, all of the
batch is made here, in order, and whatever was made elsewhere is not looked at.
"""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Protocol

import cloudpickle

from audit.blackbox.interface import BlackBox
from audit.errors import BlackBoxError
from audit.independence.reachable import Ownership, own_generators
from audit.outcomes.blas_threads import in_one_thread
from audit.sampling.grouped_calls import QUICK, SLOW, AtOnce
from audit.sampling.separate_calls import Made
from audit.sampling.workers import Parcel, executor_of, flush_printed, told_if_ended

_TASK = 0.1
"""Seconds that a part should take, so that sending it costs little beside."""
_FEW = 4
"""Calls that are made here before it is known that they take long: the first prepares things."""


class Calls(Protocol):
    """Calls that can be made in parts."""

    @property
    def box(self) -> BlackBox:
        """What is called."""

    @property
    def length(self) -> int:
        """How many they are."""

    @property
    def group(self) -> int:
        """Calls that are made one after the other in one process."""

    def made(self, begin: int = 0, end: int | None = None) -> Made:
        """Make those from one place, where a group begins, to another one."""

    def made_quickly(self, expected: float, begin: int = 0, end: int | None = None) -> Made | None:
        """The same under one time limit for all; None if that cannot be done."""

    def made_at_once(self, at_once: AtOnce) -> Made:
        """Make all of them, several at the same time where that waits."""


@dataclass(slots=True)
class InParts:
    """Makes calls in several processes, once it has seen that they take long.

    How long calls take decides only who makes them, never what they give.

    Attributes:
        most: processes at most.
        executor: makes calls instead of processes of this machine; None for those.
        timed: calls that were made here.
        quickest: seconds that the quickest of them took.
        refused: whether the black box was seen not to travel.
        once_slow: to be done as soon as calls are known to take long, before more are made.
    """

    most: int = 1
    executor: Executor | None = None
    timed: int = 0
    quickest: float = math.inf
    refused: bool = False
    once_slow: Callable[[], None] | None = field(default=None, repr=False)

    @property
    def slow(self) -> bool:
        """Whether calls take long."""
        if self.executor is not None:
            return self.timed >= _FEW
        return self.most > 1 and self.timed >= _FEW and SLOW <= self.quickest < math.inf

    def can(self, box: BlackBox) -> bool:
        """Whether calls of a black box go on in several processes from now on.

        A function with generators of its own stays here: in every other process they would begin
        in the same state, and give the same noise.
        """
        if not self.slow or self.refused or not getattr(box, "elsewhere", False):
            return False
        return next(own_generators(getattr(box, "function", box), Ownership()), None) is None

    def note(self, calls: int, quickest: float) -> None:
        """So many calls were made here, and the quickest of them took so many seconds."""
        self.timed += calls
        self.quickest = min(self.quickest, quickest)
        if self.slow and self.once_slow is not None:
            self.once_slow()
            self.once_slow = None

    def made(self, calls: Calls) -> Sequence[Made]:
        """What calls come to, part by part.

        Args:
            calls: what to make.

        Raises:
            BlackBoxError: the black box has ended the process it ran in.
        """
        if calls.length > calls.group and self.can(calls.box):
            found = self._elsewhere(calls)
            if found is not None:
                return found
            self.refused = True
        made = []
        for begin, end in self._here(calls):
            quick = None
            if self.quickest < QUICK:
                quick = calls.made_quickly(self.quickest, begin, end)
            made.append(calls.made(begin, end) if quick is None else quick)
            self.note(len(made[-1].outputs), made[-1].quickest)
            if made[-1].error is not None:
                break
        return made

    def _here(self, calls: Calls) -> Iterator[tuple[int, int]]:
        """All of them; how long the first few take is known before the others are made."""
        few = calls.group * math.ceil(_FEW / calls.group)
        if self.timed or few >= calls.length:
            yield 0, calls.length
            return
        yield 0, few
        yield few, calls.length

    def _elsewhere(self, calls: Calls) -> list[Made] | None:
        """What calls come to in other processes; None where they have to be made here."""
        try:
            parcel = Parcel.of(calls)
        except BlackBoxError:
            return None
        executor = self.executor or executor_of(self.most)
        with told_if_ended():
            parts = [executor.submit(_made, parcel, *bounds) for bounds in self._bounds(calls)]
        found: list[Made] = []
        try:
            for part in parts:
                with told_if_ended():
                    packed = part.result()
                if packed is None:
                    return None
                found.append(pickle.loads(packed))
                if found[-1].error is not None:
                    break
        finally:
            for part in parts:
                part.cancel()
        return found

    def _bounds(self, calls: Calls) -> Iterator[tuple[int, int]]:
        """Where parts begin and end: enough to be worth a journey, few enough for everybody."""
        groups = math.ceil(calls.length / calls.group)
        worth = math.ceil(_TASK / self.quickest / calls.group)
        step = calls.group * min(worth, math.ceil(groups / self.most))
        for begin in range(0, calls.length, step):
            yield begin, min(begin + step, calls.length)

    def __reduce__(self) -> tuple[type[InParts], tuple[()]]:
        """Another process makes one call after the other."""
        return InParts, ()


@in_one_thread
def _made(parcel: Parcel, begin: int, end: int) -> bytes | None:
    """A part of some calls; None where what it gives cannot travel, or might not be the same."""
    try:
        calls: Calls = parcel.opened()
    except BlackBoxError:
        return None
    made = calls.made(begin, end)
    flush_printed()
    try:
        return bytes(cloudpickle.dumps(made))
    except Exception:  # somebody's own class may refuse in any way
        return None
