"""Runs of a black box one after the other, and what they showed."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.random import Generator, SeedSequence

from audit.blackbox.at_once import AtOnce
from audit.errors import BlackBoxError
from audit.outcomes.encoding import check_batch
from audit.outcomes.failed_run import FailedRun, failure_of
from audit.outcomes.leaves import Failure
from audit.sampling.ending import Ending
from audit.sampling.source import Source, Sources
from audit.sampling.stream import drawn_from, separate_generators

_CONTAINERS = (np.ndarray, list, dict, set, pd.Series, pd.DataFrame)


class CallFailed(Exception):
    """A call for many outputs ended in an exception of the black box."""


@dataclass(slots=True)
class Runs:
    """What runs showed so far.

    Attributes:
        consumed: whether a generator that was given was ever drawn from.
        failed: runs on the left and on the right that gave no value.
        first: the first failed run, None before.
        at_once: makes runs at the same time where they wait.
    """

    consumed: bool = False
    failed: list[int] = field(default_factory=lambda: [0, 0])
    first: FailedRun | None = None
    at_once: AtOnce = field(default_factory=AtOnce, repr=False)

    @property
    def lost(self) -> tuple[int, int]:
        """Runs on the left and on the right that gave no value, as they are now."""
        return self.failed[0], self.failed[1]

    def add(self, failed: tuple[int, int], first: FailedRun | None) -> None:
        """Count runs that were made elsewhere."""
        self.failed = [here + there for here, there in zip(self.failed, failed, strict=True)]
        self.first = self.first or first

    def singly(
        self, source: Source, stream: SeedSequence, size: int, right: bool, start: int
    ) -> list[Any]:
        """Outputs one by one, the first of them run number `start + 1` of the audit."""
        if self.at_once.can(source.box):
            return self._together({right: (source, stream)}, [right] * size, start)[right]
        return list(self._drawn(source, stream, size, right, start, 1))

    def in_turns(
        self,
        sources: Sources,
        streams: tuple[SeedSequence, SeedSequence],
        size: int,
        coins: Generator,
        start: int,
    ) -> tuple[list[Any], list[Any]]:
        """Outputs on both sides, one of each in turn; a coin says which is asked first.

        The first of them is run number `start + 1` of the audit.
        """
        asked = {False: (sources[0], streams[0]), True: (sources[1], streams[1])}
        if self.at_once.can(sources[0].box):
            turns = [bool(side) for side in _turns(coins, size)]
            drawn = self._together(asked, turns, start)
            return drawn[False], drawn[True]
        left, right = (self._drawn(*asked[side], size, side, start, 2) for side in asked)
        return in_turns(coins, (left, right), size)

    def _drawn(
        self, source: Source, stream: SeedSequence, size: int, right: bool, start: int, step: int
    ) -> Iterator[Any]:
        for place, rng in enumerate(self._streams(source, stream, size)):
            yield kept(self._one(source, rng, right, start + 1 + step * place))

    def _together(
        self, asked: Mapping[bool, tuple[Source, SeedSequence]], turns: list[bool], start: int
    ) -> dict[bool, list[Any]]:
        """Outputs of runs that may go on beside each other, begun in these turns."""
        begun = {side: self._begun(*asked[side], turns.count(side)) for side in asked}
        calls = [next(begun[side]) for side in turns]
        for rest in begun.values():
            next(rest, None)  # as in `in_turns`
        drawn: dict[bool, list[Any]] = {side: [] for side in asked}
        box = asked[turns[0]][0].box
        for side, answer in zip(turns, self.at_once.answers(box, calls), strict=True):
            number = start + 1 + len(asked) * len(drawn[side])
            drawn[side].append(kept(self._told(answer.told, asked[side][0], side, number)))
        return drawn

    def _begun(
        self, source: Source, stream: SeedSequence, size: int
    ) -> Iterator[Callable[[], Any]]:
        """What is left of each run once it has taken what it needs from its generator."""
        later = getattr(source.bound, "later")  # noqa: B009  boxes need not have it
        for rng in self._streams(source, stream, size):
            yield later(rng)

    def together(self, source: Source, stream: SeedSequence, size: int) -> tuple[Any, Ending]:
        """What one call for many outputs gives.

        Raises:
            CallFailed: it failed.
        """
        rng = np.random.default_rng(stream)
        before = rng.bit_generator.state
        outputs = _many(source, rng, size)
        after = rng.bit_generator.state
        self.consumed |= after != before
        return outputs, Ending.of(before, after, stream, size)

    def calls(self, source: Source, stream: SeedSequence, calls: int, size: int) -> Iterator[Any]:
        """What calls for `size` outputs give.

        Raises:
            CallFailed: one of them failed.
        """
        for rng in self._streams(source, stream, calls):
            outputs = _many(source, rng, size)
            check_batch(outputs, size)
            # The next call may fill the same objects anew.
            yield outputs.copy() if isinstance(outputs, np.ndarray) else [*map(kept, outputs)]

    def _streams(self, source: Source, stream: SeedSequence, size: int) -> Iterator[Generator]:
        """A generator for each draw; whether anything is drawn from them is noticed."""
        if not source.box.seeded:
            rng = np.random.default_rng(stream)
            yield from (rng for _ in range(size))
            return
        for rng in separate_generators(stream, size):
            yield rng
            self.consumed = self.consumed or drawn_from(rng)

    def _one(self, source: Source, rng: Generator, right: bool, call: int) -> Any:
        output = self._told(partial(source.bound.draw, rng, 1), source, right, call)
        if isinstance(output, Failure) or not source.box.many:
            return output
        check_batch(output, 1)
        return output[0]

    def _told(self, run: Callable[[], Any], source: Source, right: bool, call: int) -> Any:
        """What a run gives, or what it is as an output that it failed."""
        try:
            return run()
        except BlackBoxError:
            raise
        except Exception as error:
            self.failed[right] += 1
            if self.first is None:
                records = getattr(source.box, "records", None)
                self.first = FailedRun.of(error, source.data, call, records)
            return failure_of(error)


def _turns(coins: np.random.Generator, size: int) -> Iterator[int]:
    """Whose turn it is, run after run."""
    for coin in coins.integers(0, 2, size).tolist():
        yield from (coin, 1 - coin)


def in_turns(
    coins: np.random.Generator, draws: tuple[Iterator[Any], Iterator[Any]], size: int
) -> tuple[list[Any], list[Any]]:
    """What both sides give, one of each in turn; a coin says which is asked first."""
    drawn: tuple[list[Any], list[Any]] = [], []
    for side in _turns(coins, size):
        drawn[side].append(next(draws[side]))
    for rest in draws:
        next(rest, None)  # whether the last draw consumed anything is noticed behind it
    return drawn


def in_a_row(parts: list[Any]) -> Any:
    """The outputs of several calls one after the other; arrays of one kind stay an array."""
    kinds = {(p.dtype, p.shape[1:]) if isinstance(p, np.ndarray) else None for p in parts}
    if len(kinds) == 1 and None not in kinds:
        return np.concatenate(parts)
    return [output for part in parts for output in part]


def _many(source: Source, rng: Generator, size: int) -> Any:
    try:
        return source.bound.draw(rng, size)
    except BlackBoxError:
        raise
    except Exception as error:
        raise CallFailed(f"a call for many outputs ended in {failure_of(error).name}") from None


def kept(output: Any) -> Any:
    """An output that stays as it is: a black box may return the same object every time."""
    return copy.copy(output) if isinstance(output, _CONTAINERS) else output
