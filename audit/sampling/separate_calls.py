"""Calls of a black box that have nothing to do with each other: each is addressed by its place.

What a call gives follows from its place in the batch and from nothing before it: its
generator is its own, and the generators that the whole process shares are seeded for
each group of calls. So the groups of a batch may be made by anybody, in any order.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, cast

import numpy as np
from numpy.random import Generator, SeedSequence

from audit.blackbox.environment import seed_with, seeds_of
from audit.blackbox.interface import BlackBox
from audit.blackbox.python import BoundFunction, PythonBlackBox
from audit.errors import BlackBoxError
from audit.lazy_modules import loaded_pandas as pd
from audit.outcomes.encoding import check_batch
from audit.outcomes.failed_run import FailedRun, failure_of
from audit.sampling.grouped_calls import AtOnce, Call, comparable, together
from audit.sampling.source import Source, drawn_from, separate_generators

_GROUPS = 8
"""Into which the calls of a batch are divided at most."""
_CONTAINERS = (np.ndarray, list, dict, set)
_UNCHANGING = frozenset({float, np.float64, int, bool, str, bytes, type(None)})
"""What most outputs are, and nobody can fill anew."""

Asked = tuple[Source, SeedSequence]
"""A black box on a dataset, and the root of the randomness of its calls."""


@dataclass(slots=True)
class Made:
    """What some calls came to.

    Attributes:
        outputs: of each call, in their order.
        consumed: whether a generator that was given was drawn from.
        failed: calls on the left and on the right that gave no value.
        first: the first of them, None where there was none.
        error: what kept the calls behind from being made, None where all were.
        quickest: seconds that the quickest call took.
    """

    outputs: list[Any] = field(default_factory=list)
    consumed: bool = False
    failed: list[int] = field(default_factory=lambda: [0, 0])
    first: FailedRun | None = None
    error: BlackBoxError | None = None
    quickest: float = math.inf


@dataclass(frozen=True, slots=True)
class SeparateCalls:
    """Calls of one black box.

    Attributes:
        asked: by side, True for the right one, who is asked.
        turns: the side of each call.
        around: root of what is drawn from the generators of the whole process.
        start: runs of the audit before these.
        size: outputs of each call.
        first: place of the first call on each side: what a call gives follows from its place.
        apart: True if no two calls share a place, on whatever side they are.
    """

    asked: Mapping[bool, Asked]
    turns: tuple[bool, ...]
    around: SeedSequence
    start: int
    size: int = 1
    first: int = 0
    apart: bool = False

    @property
    def box(self) -> BlackBox:
        """What is called."""
        return next(iter(self.asked.values()))[0].box

    @property
    def group(self) -> int:
        """Calls that are made one after the other in one process."""
        groups = _GROUPS if hasattr(type(self.box), "elsewhere") else 1
        return max(1, math.ceil(self.length / groups))

    @property
    def length(self) -> int:
        """How many they are."""
        return len(self.turns)

    def made(self, begin: int = 0, end: int | None = None) -> Made:
        """Make calls one after the other, until nothing more can be made.

        Args:
            begin: place of the first, where a group begins.
            end: place behind the last; None for all.
        """
        made, box, size = Made(), self.box, self.size
        for right, number, rng in self.by_turns(begin, end):
            source = self.asked[right][0]
            begun = perf_counter()
            try:
                output = source.bound.draw(rng, size)
                check_batch(output, size) if box.many else None
                made.outputs.append(_held(output, size, box.many))
            except Exception as error:
                self.failed(error, right, number, made)
            made.quickest = min(made.quickest, perf_counter() - begun)
            if made.error is not None:
                break
            made.consumed = made.consumed or (box.seeded and drawn_from(rng))
        return made

    def made_quickly(self, expected: float, begin: int = 0, end: int | None = None) -> Made | None:
        """The same as `made` for calls that take little time; None if they have to be made there.

        Args:
            expected: seconds of a call.
            begin: place of the first.
            end: place behind the last; None for all.
        """
        if not isinstance(self.box, PythonBlackBox):
            return None
        made, box, size = Made(), self.box, self.size
        bound = {r: cast(BoundFunction, source.bound) for r, (source, _) in self.asked.items()}
        copies = {right: held.fresh() for right, held in bound.items()}
        given = {right: held.fresh() for right, held in bound.items()}
        if not all(map(comparable, given.values())):
            return None
        last: list[Generator] = []

        def work() -> None:
            for right, number, rng in self.by_turns(begin, end):
                try:
                    output = box.output(given[right], rng, size)
                    check_batch(output, size) if box.many else None
                    made.outputs.append(_held(output, size, box.many))
                except BlackBoxError:
                    raise
                except Exception as error:
                    self.failed(error, right, number, made)
                last[:] = [rng]

        datasets = [(given[right], copies[right]) for right in given]
        calls = (self.length if end is None else end) - begin
        begun = perf_counter()
        if not together(box, datasets, work, calls * expected):
            return None
        made.quickest = (perf_counter() - begun) / max(1, calls)
        made.consumed = box.seeded and bool(last) and drawn_from(last[0])
        return made

    def made_at_once(self, at_once: AtOnce) -> Made:
        """Make all of them, several at the same time where that waits."""
        made, turns, begun = Made(), list[tuple[bool, int]](), list[Call]()
        for right, number, rng in self.by_turns():
            bound = self.asked[right][0].bound
            begun.append(getattr(bound, "later")(rng))  # noqa: B009  boxes need not have it
            turns.append((right, number))
            made.consumed = made.consumed or (self.box.seeded and drawn_from(rng))
        answers = at_once.answers(self.box, begun)
        for (right, number), answer in zip(turns, answers, strict=False):
            try:
                if answer.error is not None:
                    raise answer.error
                made.outputs.append(kept(answer.output))
            except Exception as error:
                self.failed(error, right, number, made)
            if made.error is not None:
                break
        return made

    def by_turns(
        self, begin: int = 0, end: int | None = None
    ) -> Iterator[tuple[bool, int, Generator]]:
        """Each call before it is made.

        Yields:
            Whether it is on the right side; its place among all runs of the audit, from 1; and
            its randomness, until the next one is asked for.
        """
        places = {right: self.turns[:begin].count(right) for right in self.asked}
        generators = {
            right: _generators(source, stream, self._places(right)[places[right] :])
            for right, (source, stream) in self.asked.items()
        }
        group = self.group
        seeds = seeds_of(self.around, math.ceil(len(self.turns) / group))
        for place, right in enumerate(self.turns[begin:end], begin):
            if place % group == 0:
                seed_with(seeds[place // group])
            number = self.start + 1 + len(self.asked) * places[right]
            places[right] += 1
            yield right, number, next(generators[right])

    def _places(self, right: bool) -> Sequence[int]:
        """Places of all calls on one side."""
        if self.apart:
            return [self.first + turn for turn, side in enumerate(self.turns) if side is right]
        return range(self.first, self.first + self.turns.count(right))

    def failed(self, error: Exception, right: bool, number: int, made: Made) -> None:
        """Add a failed call: all of its outputs are that failure, unless it ends the audit."""
        if isinstance(error, BlackBoxError):
            made.error = error
            return
        made.failed[right] += self.size
        if made.first is None:
            source = self.asked[right][0]
            records = getattr(source.box, "records", None)
            made.first = FailedRun.of(error, source.data, number, records)
        outcome = failure_of(error)
        made.outputs.append(outcome if self.size == 1 else [outcome] * self.size)


def _generators(source: Source, stream: SeedSequence, places: Sequence[int]) -> Iterator[Generator]:
    """A generator for the calls at each of these places."""
    if source.box.seeded or not isinstance(source.box, PythonBlackBox):
        return separate_generators(stream, places)
    # A function that takes no generator is given none.
    rng = np.random.default_rng(stream)
    return (rng for _ in places)


def _held(output: Any, size: int, many: bool) -> Any:
    """The output of one call, or its outputs, as copies: the next call may fill them anew."""
    if not many:
        return kept(output)
    if size == 1:
        return kept(output[0])
    return output.copy() if isinstance(output, np.ndarray) else [*map(kept, output)]


def kept(output: Any) -> Any:
    """An output that stays as it is: a black box may return the same object every time."""
    if type(output) in _UNCHANGING:
        return output
    refilled = isinstance(output, (*_CONTAINERS, pd.Series, pd.DataFrame))
    return copy.copy(output) if refilled else output
