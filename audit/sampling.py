"""Addressed streams of randomness, shared by both sides of a pair where possible.

A batch is known by its address; its randomness follows from the audit's seed
and that address alone, so any batch can be drawn again, alone, in any order.

Coupling: both sides of a pair may use the same stream, because a claim speaks
only of the two marginal distributions. What a bet needs is that pairs are
independent of each other. Black boxes that return one output per call get a
stream for every draw, so this holds whatever they consume. Those that return
many per call get equally seeded generators, whose states must agree after the
batch: unequal consumption would misalign the draws.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from numpy.random import Generator, Philox, SeedSequence

from audit.blackbox.global_generators import seed_global_generators
from audit.blackbox.interface import BlackBox, RunTimeout
from audit.copies import Copies
from audit.errors import BlackBoxError
from audit.leaves import Failure
from audit.outcomes import Outcomes, check_batch, encode

T = TypeVar("T")
_COINS = 2
"""In place of a side: the stream that says who is drawn first."""
_AROUND = 3
"""In place of a side: the stream of the generators that the whole process shares."""
_CONTAINERS = (np.ndarray, list, dict, set, pd.Series, pd.DataFrame)


class Stage(IntEnum):
    """What a batch is drawn for; stages never share randomness."""

    BET = 0
    TABLE = 1
    WITNESS = 2
    SEARCH = 3
    CHECK = 4


@dataclass(frozen=True, slots=True)
class Address:
    """Where in the audit a batch belongs.

    Attributes:
        stage: what it is drawn for.
        pair: number of the pair.
        batch: number of the batch.
        twin: number of the pair whose randomness it shares, None for its own;
            pairs that are only compared with each other are told apart better so.
    """

    stage: Stage
    pair: int
    batch: int
    twin: int | None = None

    def stream(self, seed: int, side: int) -> SeedSequence:
        """The root of this batch's randomness; side 0 is also the shared stream."""
        source = self.pair if self.twin is None else self.twin
        return SeedSequence(seed, spawn_key=(int(self.stage), source, side, self.batch))


class Misaligned(Exception):
    """A batch whose pairs cannot be trusted to be independent; it must not be bet on.

    Attributes:
        reason: why, in words for the report.
        address: the batch.
    """

    def __init__(self, reason: str, address: Address) -> None:
        super().__init__(reason, address)
        self.reason = reason
        self.address = address


@dataclass(frozen=True, slots=True)
class Trace:
    """What drawing a batch showed about drawing.

    Attributes:
        address: the batch.
        samples: runs it took.
        consumed: whether the shared generator was drawn from.
        coupled: whether sides may go on sharing their randomness.
        singly: where calls for many outputs have failed.
        failure: why the batch failed, None when it did not.
    """

    address: Address
    samples: int
    consumed: bool
    coupled: bool
    singly: frozenset[tuple[Stage, int]]
    failure: str | None


@dataclass(slots=True)
class Sampler:
    """Draws batches from one black box and keeps to the way of drawing that works.

    Attributes:
        box: the black box.
        seed: the audit's seed.
        coupled: whether both sides still share their randomness.
        turns: whether single runs on both sides take turns. Where they do not, all
            on one side come first, which shows best what runs keep from each other.
        singly: stages and pairs on which a call for many outputs has failed.
        consumed: whether the shared generator was ever drawn from.
        samples: runs so far.
        copies: of datasets.
    """

    box: BlackBox
    seed: int
    coupled: bool
    turns: bool = True
    singly: set[tuple[Stage, int]] = field(default_factory=set)
    consumed: bool = False
    samples: int = 0
    copies: Copies = field(default_factory=Copies, repr=False)

    @classmethod
    def of(cls, box: BlackBox, seed: int, *, coupled: bool = True, turns: bool = True) -> Sampler:
        """A sampler that has not drawn anything yet."""
        return cls(box, seed, box.seeded and coupled, turns)

    def alike(self) -> Sampler:
        """One that draws as this one does now, and has not drawn anything yet."""
        return Sampler(
            self.box, self.seed, self.coupled, self.turns, set(self.singly), copies=self.copies
        )

    def apart(self, address: Address, draw: Callable[[Sampler], T]) -> tuple[T | None, Trace]:
        """Draw a batch so that it leaves no mark on this sampler before its trace is adopted.

        Args:
            address: of the batch.
            draw: draws it from a sampler like this one.

        Returns:
            What was drawn, None when it failed, and what drawing it showed.
        """
        alike, drawn, failure = self.alike(), None, None
        try:
            drawn = draw(alike)
        except Misaligned as misaligned:
            failure = misaligned.reason
        singly = frozenset(alike.singly)
        return drawn, Trace(address, alike.samples, alike.consumed, alike.coupled, singly, failure)

    def adopt(self, trace: Trace) -> None:
        """Take over what drawing a batch showed.

        Raises:
            Misaligned: the batch failed.
        """
        self.samples += trace.samples
        self.consumed |= trace.consumed
        self.coupled = self.coupled and trace.coupled
        self.singly |= trace.singly
        if trace.failure is not None:
            raise Misaligned(trace.failure, trace.address)

    @property
    def shares_randomness(self) -> bool:
        """Whether coupled draws really had common randomness."""
        return self.coupled and self.consumed

    def pairs(
        self, address: Address, left: Any, right: Any, size: int
    ) -> tuple[Outcomes, Outcomes]:
        """Draw `size` pairs: outputs on both datasets, draw i beside draw i.

        Raises:
            Misaligned: this way of drawing failed; the sampler has switched to
                a safer one, and whatever was bet on the old one is lost.
        """
        seed_global_generators(address.stream(self.seed, _AROUND))
        if self.turns and not self.many_at(address):
            return self._pairs_singly(address, left, right, size)
        first, states = self._draw(address, left, size, 0)
        second, others = self._draw(address, right, size, 0 if self.coupled else 1)
        if self.coupled and states != others:
            self.coupled = False
            raise Misaligned("the two sides consumed different amounts of randomness", address)
        return first, second

    def _pairs_singly(
        self, address: Address, left: Any, right: Any, size: int
    ) -> tuple[Outcomes, Outcomes]:
        """Pair by pair, either side first by the toss of a coin.

        What a black box keeps between its calls can then favour neither side:
        nobody but the coin says which call is whose.
        """
        self.samples += 2 * size
        sides = [
            self._draws(address.stream(self.seed, 0), left, size),
            self._draws(address.stream(self.seed, 0 if self.coupled else 1), right, size),
        ]
        coins = np.random.default_rng(address.stream(self.seed, _COINS)).integers(0, 2, size)
        drawn: tuple[list[Any], list[Any]] = [], []
        for coin in coins.tolist():
            for side in (coin, 1 - coin):
                drawn[side].append(next(sides[side]))
        for rest in sides:
            next(rest, None)  # whether the last draw consumed anything is noticed behind it
        return encode(drawn[0], size), encode(drawn[1], size)

    def side(self, address: Address, data: Any, size: int, side: int) -> Outcomes:
        """Draw `size` outputs on one dataset with a stream of its own.

        Raises:
            Misaligned: as for `pairs`.
        """
        seed_global_generators(address.stream(self.seed, _AROUND + 1 + side))
        return self._draw(address, data, size, side)[0]

    def _draw(self, address: Address, data: Any, size: int, side: int) -> tuple[Outcomes, Any]:
        self.samples += size
        stream = address.stream(self.seed, side)
        if self.many_at(address):
            return self._draw_many(address, stream, data, size)
        return self._draw_singly(stream, data, size), None

    def many_at(self, address: Address) -> bool:
        """Whether one call gives many outputs there."""
        return self.box.many and (address.stage, address.pair) not in self.singly

    def _draw_many(
        self, address: Address, stream: SeedSequence, data: Any, size: int
    ) -> tuple[Outcomes, Any]:
        rng = np.random.default_rng(stream)
        before = rng.bit_generator.state
        try:
            outputs = self.box.call(self.copies.of(data)(), rng, size)
        except BlackBoxError:
            raise
        except Exception as error:
            self.singly.add((address.stage, address.pair))
            reason = f"a call for many outputs ended in {failure_of(error).name}"
            raise Misaligned(reason, address) from None
        after = rng.bit_generator.state
        self.consumed |= after != before
        return encode(outputs, size), after

    def _draw_singly(self, stream: SeedSequence, data: Any, size: int) -> Outcomes:
        return encode(list(self._draws(stream, data, size)), size)

    def _draws(self, stream: SeedSequence, data: Any, size: int) -> Iterator[Any]:
        fresh = self.copies.of(data)
        many = self.box.many
        for rng in self._streams(stream, size):
            one = self._one(fresh(), rng, many)
            # A black box may return one and the same object every time, filled anew.
            yield copy.copy(one) if isinstance(one, _CONTAINERS) else one

    def _streams(self, stream: SeedSequence, size: int) -> Any:
        """One generator, set to a far-apart position of its cipher for each draw."""
        if not self.box.seeded:
            rng = np.random.default_rng(stream)
            yield from (rng for _ in range(size))
            return
        cipher = Philox(stream)
        rng = Generator(cipher)
        state = cipher.state
        for draw in range(size):
            state["state"]["counter"][:] = (0, draw, 0, 0)
            state["buffer_pos"], state["has_uint32"] = 4, 0
            cipher.state = state
            yield rng
            self.consumed = self.consumed or bool(cipher.state["state"]["counter"][0] > 0)

    def _one(self, data: Any, rng: Generator, many: bool) -> Any:
        try:
            output = self.box.call(data, rng, 1)
        except BlackBoxError:
            raise
        except Exception as error:
            return failure_of(error)
        if not many:
            return output
        check_batch(output, 1)
        return output[0]


def failure_of(error: Exception) -> Failure:
    """An exception as an output: by its type, never by its message."""
    if isinstance(error, RunTimeout):
        return Failure("timed out")
    try:
        name = getattr(error, "outcome_name", None)
    except Exception:  # an exception of somebody's own may fail when it is looked at
        name = None
    return Failure(name if name and isinstance(name, str) else f"raised {type(error).__name__}")
