"""Runs of a black box, who makes them (in parts by several processes), and what they showed.

A function that takes its time is called in one thread only, as whoever wrote it expects. So
several processes call it, each on a part of a batch. Which part holds a call decides nothing
of what it gives (see `SeparateCalls`); where it could, or something cannot travel, all of the
batch is made here, in order, and whatever was made elsewhere is not looked at.
"""

from __future__ import annotations

import math
import pickle
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import cloudpickle
import numpy as np
from numpy.random import SeedSequence

from audit.blackbox.interface import BlackBox
from audit.errors import BlackBoxError
from audit.outcomes.column import one_thread
from audit.outcomes.encoding import check_batch, encode
from audit.outcomes.failed_run import FailedRun, failure_of
from audit.outcomes.moment_of_call import now, without_moment
from audit.outcomes.outcomes import KIND, Outcomes
from audit.outcomes.part_words import failure
from audit.sampling.grouped_calls import QUICK, SLOW, AtOnce
from audit.sampling.independence.missing_outcome import Missing
from audit.sampling.independence.pickled import Pickled
from audit.sampling.independence.reachable import Ownership, own_generators
from audit.sampling.separate_calls import Made, SeparateCalls
from audit.sampling.source import Source
from audit.sampling.workers import executor_of, told_if_ended

_TASK = 0.1
"""Seconds that a part should take, so that sending it costs little beside."""
_FEW = 4
"""Calls that are made here before it is known that they take long: the first prepares things."""


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
    """

    most: int = 1
    executor: Executor | None = None
    timed: int = 0
    quickest: float = math.inf
    refused: bool = False

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

    def made(self, calls: SeparateCalls) -> Sequence[Made]:
        """What calls come to, part by part.

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

    def _here(self, calls: SeparateCalls) -> Iterator[tuple[int, int]]:
        """All of them; how long the first few take is known before the others are made."""
        few = calls.group * math.ceil(_FEW / calls.group)
        if self.timed or few >= calls.length:
            yield 0, calls.length
            return
        yield 0, few
        yield few, calls.length

    def _elsewhere(self, calls: SeparateCalls) -> list[Made] | None:
        """What calls come to in other processes; None where they have to be made here."""
        try:
            pickled = Pickled.of(calls)
        except Exception:  # whatever pickling an object of somebody's own raises
            return None
        executor = self.executor or executor_of(self.most)
        with told_if_ended():
            parts = [executor.submit(_made, pickled, *bounds) for bounds in self._bounds(calls)]
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

    def _bounds(self, calls: SeparateCalls) -> Iterator[tuple[int, int]]:
        """Where parts begin and end: enough to be worth a journey, few enough for everybody."""
        groups = math.ceil(calls.length / calls.group)
        worth = math.ceil(_TASK / self.quickest / calls.group)
        step = calls.group * min(worth, math.ceil(groups / self.most))
        for begin in range(0, calls.length, step):
            yield begin, min(begin + step, calls.length)

    def __reduce__(self) -> tuple[type[InParts], tuple[()]]:
        """Another process makes one call after the other."""
        return InParts, ()


@one_thread()
def _made(pickled: Pickled, begin: int, end: int) -> bytes | None:
    """A part of some calls; None where what it gives cannot travel, or might not be the same."""
    try:
        calls: SeparateCalls = pickled.made()
    except Exception:  # what they need is not there
        return None
    made = calls.made(begin, end)
    with suppress(AttributeError, OSError, ValueError):
        sys.stdout.flush()  # while somebody is there to read what was printed
    try:
        return bytes(cloudpickle.dumps(made))
    except Exception:  # somebody's own class may refuse in any way
        return None


@dataclass(slots=True)
class Runs:
    """What runs showed so far.

    Attributes:
        consumed: whether a generator that was given was ever drawn from.
        lost: runs on the left and on the right that gave no value.
        first: the first failed run, None before.
        crashed: True if a call ended the process of its instance, as it would end this one.
        at_once: makes runs at the same time where they wait.
        in_parts: makes them in several processes where they take long.
        told_time: whether outputs held the time at which they were made, which is not read.
    """

    consumed: bool = False
    lost: tuple[int, int] = (0, 0)
    first: FailedRun | None = None
    at_once: AtOnce = field(default_factory=AtOnce, repr=False)
    in_parts: InParts = field(default_factory=InParts, repr=False)
    told_time: bool = False
    crashed: bool = False

    def add(self, lost: Sequence[int], first: FailedRun | None) -> None:
        """Count runs on the left and on the right that gave no value."""
        self.lost = self.lost[0] + lost[0], self.lost[1] + lost[1]
        self.first = self.first or first

    def separately(self, calls: SeparateCalls) -> Mapping[bool, Outcomes]:
        """The outputs of calls, by side and in their order.

        Raises:
            BlackBoxError: the black box cannot be run at all.
        """
        begun = now()
        at_once = self.at_once.can(calls.box)
        parts = [calls.made_at_once(self.at_once)] if at_once else self.in_parts.made(calls)
        outputs: list[Any] = []
        for made in parts:
            self.consumed |= made.consumed
            self.add(made.failed, made.first)
            outputs += made.outputs
            if made.error is not None:
                raise made.error
        drawn: dict[bool, list[Any]] = {}
        for right, output in zip(calls.turns, outputs, strict=True):
            drawn.setdefault(right, []).append(output)
        moments = begun, now()
        return {right: self.of_calls(found, calls.size, moments) for right, found in drawn.items()}

    def of_calls(self, outputs: list[Any], size: int, moments: tuple[float, float]) -> Outcomes:
        """The outputs of calls for so many each, sorted into columns (see `read`).

        Raises:
            BlackBoxError: see `encode`.
        """
        if not outputs:
            return self.nothing()
        whole = outputs if size == 1 else _in_a_row(outputs)
        return self.read(whole, len(outputs) * size, moments)

    def read(self, outputs: Any, size: int, moments: tuple[float, float]) -> Outcomes:
        """So many outputs, sorted into columns, without the time at which they were made.

        Calls were made between two moments, in seconds since 1970.

        Raises:
            BlackBoxError: see `encode`.
        """
        found = encode(outputs, size)
        read = without_moment(found, *moments)
        self.told_time |= read is not found
        return read

    def nothing(self) -> Outcomes:
        """No outputs."""
        return encode([0.0], 1).take(slice(0, 0))

    def failures_in(self, outcomes: Outcomes) -> int:
        """Outputs that are failed runs; a crash among them is noted."""
        column = outcomes.columns[KIND]
        if column.symbols is None:
            return 0
        self.crashed |= Missing.CRASH in column.names
        failed = [place for place, name in enumerate(column.names) if failure(name)]
        return int(np.isin(column.symbols, failed).sum()) if failed else 0

    def together(self, source: Source, stream: SeedSequence, size: int, before: int) -> Outcomes:
        """Outputs of one call for many; if it fails, all of them are that failure.

        Raises:
            BlackBoxError: the black box cannot be run at all.
        """
        rng = np.random.default_rng(stream)
        state, begun = rng.bit_generator.state, now()
        outputs: Any
        try:
            outputs = source.bound.draw(rng, size)
            check_batch(outputs, size)
        except BlackBoxError:
            raise
        except Exception as error:
            first = FailedRun.of(
                error, source.data, before + 1, getattr(source.box, "records", None)
            )
            self.add((size, 0), first)
            outputs = [failure_of(error)] * size
        self.consumed |= rng.bit_generator.state != state
        return self.read(outputs, size, (begun, now()))


def _in_a_row(parts: list[Any]) -> Any:
    """The outputs of several calls one after the other; arrays of one kind stay an array."""
    kinds = {(p.dtype, p.shape[1:]) if isinstance(p, np.ndarray) else None for p in parts}
    if len(kinds) == 1 and None not in kinds:
        return np.concatenate(parts)
    return [output for part in parts for output in part]
