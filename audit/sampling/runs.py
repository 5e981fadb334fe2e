"""Runs of a black box, who makes them, and what they showed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np
from numpy.random import Generator, SeedSequence

from audit.errors import BlackBoxError
from audit.outcomes.encoding import KIND, Outcomes, check_batch, encode
from audit.outcomes.failed_run import FailedRun, failure_of
from audit.outcomes.moment_of_call import now, without_moment
from audit.outcomes.part_words import failure
from audit.sampling.grouped_calls import AtOnce
from audit.sampling.in_parts import Calls, InParts
from audit.sampling.separate_calls import Made, SeparateCalls
from audit.sampling.source import Source


@dataclass(slots=True)
class Runs:
    """What runs showed so far.

    Attributes:
        consumed: whether a generator that was given was ever drawn from.
        failed: runs on the left and on the right that gave no value.
        first: the first failed run, None before.
        at_once: makes runs at the same time where they wait.
        in_parts: makes them in several processes where they take long.
        told_time: whether outputs held the time at which they were made, which is not read.
    """

    consumed: bool = False
    failed: list[int] = field(default_factory=lambda: [0, 0])
    first: FailedRun | None = None
    at_once: AtOnce = field(default_factory=AtOnce, repr=False)
    in_parts: InParts = field(default_factory=InParts, repr=False)
    told_time: bool = False

    def anew(self, consumed: bool = False) -> Runs:
        """One that has seen no more than this; whoever makes runs is the same."""
        return Runs(consumed, at_once=self.at_once, in_parts=self.in_parts)

    @property
    def lost(self) -> tuple[int, int]:
        """Runs on the left and on the right that gave no value, as they are now."""
        return self.failed[0], self.failed[1]

    def add(self, failed: tuple[int, int], first: FailedRun | None) -> None:
        """Count runs that were made elsewhere."""
        self.failed = [here + there for here, there in zip(self.failed, failed, strict=True)]
        self.first = self.first or first

    def separately(self, calls: SeparateCalls) -> Mapping[bool, Outcomes]:
        """The outputs of calls, by side and in their order.

        Raises:
            BlackBoxError: the black box cannot be run at all.
        """
        begun = now()
        drawn: dict[bool, list[Any]] = {}
        for right, output in zip(calls.turns, self.outputs(calls), strict=True):
            drawn.setdefault(right, []).append(output)
        return {
            right: self.read(_of_calls(outputs, calls.size), len(outputs) * calls.size, begun)
            for right, outputs in drawn.items()
        }

    def read(self, outputs: Any, size: int, begun: float) -> Outcomes:
        """So many outputs, sorted into columns, without the time at which they were made.

        Raises:
            BlackBoxError: see `encode`.
        """
        found = encode(outputs, size)
        read = without_moment(found, begun, now())
        self.told_time |= read is not found
        return read

    def nothing(self) -> Outcomes:
        """No outputs."""
        return encode([0.0], 1).take(slice(0, 0))

    def failures_in(self, outcomes: Outcomes) -> int:
        """Outputs that are failed runs."""
        column = outcomes.columns[KIND]
        if column.symbols is None:
            return 0
        failed = [place for place, name in enumerate(column.names) if failure(name)]
        return int(np.isin(column.symbols, failed).sum()) if failed else 0

    def outputs(self, calls: Calls) -> list[Any]:
        """Outputs of calls, in their order; see `separately`."""
        outputs: list[Any] = []
        for made in self._made(calls):
            self.consumed |= made.consumed
            self.add((made.failed[0], made.failed[1]), made.first)
            outputs += made.outputs
            if made.error is not None:
                raise made.error
        return outputs

    def _made(self, calls: Calls) -> Sequence[Made]:
        """Results of calls, part by part."""
        if self.at_once.can(calls.box):
            return [calls.made_at_once(self.at_once)]
        return self.in_parts.made(calls)

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
        return self.read(outputs, size, begun)


def turns_of(coins: Generator, pairs: int) -> tuple[bool, ...]:
    """Whose turn it is, call after call, so many on each side: a coin says who is first."""
    first = coins.integers(0, 2, pairs).tolist()
    return tuple(chain.from_iterable((bool(coin), not coin) for coin in first))


def _of_calls(outputs: list[Any], size: int) -> Any:
    """What calls for so many outputs each gave."""
    return outputs if size == 1 else _in_a_row(outputs)


def _in_a_row(parts: list[Any]) -> Any:
    """The outputs of several calls one after the other; arrays of one kind stay an array."""
    kinds = {(p.dtype, p.shape[1:]) if isinstance(p, np.ndarray) else None for p in parts}
    if len(kinds) == 1 and None not in kinds:
        return np.concatenate(parts)
    return [output for part in parts for output in part]
