"""Addressed streams of randomness, shared by both sides of a pair where possible.

Coupling: both sides of a pair may use the same stream, because a claim speaks
only of the two marginal distributions. What a bet needs is that pairs are
independent of each other. Black boxes that return one output per call get a
stream for every draw, so this holds whatever they consume. Those that return
many per call get equally seeded generators, whose states must agree after the
batch: unequal consumption would misalign the draws. Where a generator of its own
was spawned or seeded inside, those states say nothing: nothing is shared then.

None of this proves that draws of one call are independent of each other. It makes
bets cheap; what they win is confirmed call by call (`confirmation`).
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from numpy.random import Generator, SeedSequence

from audit.blackbox.dataset_copies import Copies
from audit.blackbox.interface import BlackBox
from audit.blackbox.isolation.global_generators import seed_global_generators
from audit.blackbox.repeatability import repetition_of
from audit.blackbox.state import Watch
from audit.errors import BlackBoxError
from audit.outcomes.encoding import Outcomes, check_batch, encode
from audit.outcomes.failed_run import FailedRun, failure_of
from audit.sampling.failure_rate import FailureRate
from audit.sampling.stream import Address, Stage, drawn_from, separate_generators, words_between
from audit.sampling.trace import Misaligned, Trace

T = TypeVar("T")
_COINS = 2
"""In place of a side: the stream that says who is drawn first."""
_AROUND = 3
"""In place of a side: the stream of the generators that the whole process shares."""
_CONTAINERS = (np.ndarray, list, dict, set, pd.Series, pd.DataFrame)


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
        watch: sees whether the black box changes with a call.
        stateful: whether it was seen to.
        failed: runs on the left and on the right that gave no value.
        first: the first failed run so far, None before.
        rate: how failures were spread over the audit.
    """

    box: BlackBox
    seed: int
    coupled: bool
    turns: bool = True
    singly: set[tuple[Stage, int]] = field(default_factory=set)
    consumed: bool = False
    samples: int = 0
    copies: Copies = field(default_factory=Copies, repr=False)
    watch: Watch = field(default_factory=Watch, repr=False)
    stateful: bool = False
    failed: list[int] = field(default_factory=lambda: [0, 0])
    first: FailedRun | None = None
    rate: FailureRate = field(default_factory=FailureRate, repr=False)

    @classmethod
    def of(cls, box: BlackBox, seed: int, *, coupled: bool = True, turns: bool = True) -> Sampler:
        """A sampler that has not drawn anything yet."""
        return cls(box, seed, box.seeded and coupled, turns)

    def alike(self) -> Sampler:
        """One that draws as this one does now, and has not drawn anything yet."""
        return Sampler(
            self.box,
            self.seed,
            self.coupled,
            self.turns,
            set(self.singly),
            self.consumed,
            copies=self.copies,
            watch=self.watch,
        )

    def apart(self, address: Address, draw: Callable[[Sampler], T]) -> tuple[T | None, Trace]:
        """Draw a batch so that it leaves no mark on this sampler before its trace is adopted.

        Args:
            address: of the batch.
            draw: draws it from a sampler like this one.

        Returns:
            What was drawn, None when it failed, and what drawing it showed.
        """
        alike, drawn, failure, refusal = self.alike(), None, None, None
        try:
            drawn = draw(alike)
        except Misaligned as misaligned:
            failure = misaligned.reason
        except BlackBoxError as error:
            refusal = error
        return drawn, Trace(
            address,
            alike.samples,
            alike.consumed,
            alike.coupled,
            frozenset(alike.singly),
            failure,
            (alike.failed[0], alike.failed[1]),
            alike.first,
            alike.watch.changed(alike.box),
            refusal,
        )

    def adopt(self, trace: Trace) -> None:
        """Take over what drawing a batch showed.

        Raises:
            Misaligned: the batch failed.
            BlackBoxError: it could not be drawn or read at all.
        """
        if self.first is None and trace.first is not None:
            self.first = trace.first.after(self.samples)
        self.failed = [here + there for here, there in zip(self.failed, trace.failed, strict=True)]
        self.samples += trace.samples
        self.consumed |= trace.consumed
        self.coupled = self.coupled and trace.coupled
        self.singly |= trace.singly
        self.stateful |= trace.stateful
        if trace.error is not None:
            raise trace.error
        if trace.failure is not None:
            raise Misaligned(trace.failure, trace.address)

    def note(self, left: Any, right: Any, size: int, failed: tuple[int, int]) -> None:
        """Note how many of so many runs on each dataset gave no value."""
        for data, lost in zip((left, right), failed, strict=True):
            self.rate.add(data, size, lost)

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
        first, ending = self._draw(address, left, size, 0)
        second, other = self._draw(address, right, size, 0 if self.coupled else 1)
        if self.coupled:
            self._check_alignment(address, ending, other)
        return first, second

    def _check_alignment(self, address: Address, left: _Ending, right: _Ending) -> None:
        """End the coupling unless both sides used the shared stream, and used it alike.

        Raises:
            Misaligned: a batch was drawn that must not be bet on. A box that ignores its
                generator from the first batch on loses nothing: that one never is.
        """
        self.coupled = left == right and not left.misleading
        ignored = left.unused and right.unused and not self.consumed
        if not self.coupled and not ignored:
            reason = left.misleading or right.misleading
            raise Misaligned(
                reason or "the two sides consumed different amounts of randomness", address
            )

    def _pairs_singly(
        self, address: Address, left: Any, right: Any, size: int
    ) -> tuple[Outcomes, Outcomes]:
        """Pair by pair, either side first by the toss of a coin.

        What a black box keeps between its calls can then favour neither side:
        nobody but the coin says which call is whose.
        """
        start = self.samples
        self.samples += 2 * size
        draws = [
            self._draws(self._stream(address, side), data, size, bool(side), start, 2)
            for side, data in enumerate((left, right))
        ]
        drawn = self._in_turns(address, draws, size)
        return encode(drawn[0], size), encode(drawn[1], size)

    def calls(
        self, address: Address, left: Any, right: Any, calls: int, size: int
    ) -> tuple[Outcomes, Outcomes]:
        """Draw pairs of calls for `size` outputs each, either side first by the toss of a coin.

        The calls of a pair share their randomness as other draws do; how they use it
        does not matter to whoever bets once per pair of calls.

        Returns:
            `calls * size` outputs on both datasets, call after call.

        Raises:
            Misaligned: a call for many outputs failed, or was refused.
        """
        seed_global_generators(address.stream(self.seed, _AROUND))
        if size == 1:
            return self._pairs_singly(address, left, right, calls)
        self.samples += 2 * calls * size
        draws = [
            self._many_calls(address, self._stream(address, side), data, calls, size)
            for side, data in enumerate((left, right))
        ]
        drawn = self._in_turns(address, draws, calls)
        return encode(_in_a_row(drawn[0]), calls * size), encode(_in_a_row(drawn[1]), calls * size)

    def _stream(self, address: Address, side: int) -> SeedSequence:
        return address.stream(self.seed, 0 if self.coupled else side)

    def _in_turns(
        self, address: Address, draws: list[Iterator[Any]], size: int
    ) -> tuple[list[Any], list[Any]]:
        """What both sides give, one of each in turn; a coin says which is asked first."""
        coins = np.random.default_rng(address.stream(self.seed, _COINS)).integers(0, 2, size)
        drawn: tuple[list[Any], list[Any]] = [], []
        for coin in coins.tolist():
            for side in (coin, 1 - coin):
                drawn[side].append(next(draws[side]))
        for rest in draws:
            next(rest, None)  # whether the last draw consumed anything is noticed behind it
        return drawn

    def _many_calls(
        self, address: Address, stream: SeedSequence, data: Any, calls: int, size: int
    ) -> Iterator[Any]:
        fresh = self.copies.of(data)
        for rng in self._streams(stream, calls):
            outputs = self._many(address, fresh(), rng, size)
            check_batch(outputs, size)
            # The next call may fill the same objects anew.
            yield outputs.copy() if isinstance(outputs, np.ndarray) else [*map(_kept, outputs)]

    def _many(self, address: Address, data: Any, rng: Generator, size: int) -> Any:
        """What one call for many outputs gives.

        Raises:
            Misaligned: it failed; where it did, outputs are asked for one by one.
        """
        try:
            return self.box.call(data, rng, size)
        except BlackBoxError:
            raise
        except Exception as error:
            self.singly.add((address.stage, address.pair))
            reason = f"a call for many outputs ended in {failure_of(error).name}"
            raise Misaligned(reason, address) from None

    def side(self, address: Address, data: Any, size: int, side: int) -> Outcomes:
        """Draw `size` outputs on one dataset with a stream of its own.

        Raises:
            Misaligned: as for `pairs`.
        """
        seed_global_generators(address.stream(self.seed, _AROUND + 1 + side))
        return self._draw(address, data, size, side)[0]

    def _draw(self, address: Address, data: Any, size: int, side: int) -> tuple[Outcomes, _Ending]:
        start = self.samples
        self.samples += size
        stream = address.stream(self.seed, side)
        if self.many_at(address):
            return self._draw_many(address, stream, data, size)
        draws = self._draws(stream, data, size, side != 0, start, 1)
        return encode(list(draws), size), _Ending()

    def repeatable(self, datasets: Sequence[Any]) -> str:
        """What to say where equal seeds give other outputs; see `repetition_of`."""
        found = repetition_of(self.box, datasets, self.seed, self.samples)
        self.samples += found.runs
        return found.note

    def many_at(self, address: Address) -> bool:
        """Whether one call gives many outputs there."""
        return self.box.many and (address.stage, address.pair) not in self.singly

    def many_on(self, pair: int) -> bool:
        """Whether calls for many outputs were bet on for this pair."""
        return self.many_at(Address(Stage.BET, pair, 0))

    def _draw_many(
        self, address: Address, stream: SeedSequence, data: Any, size: int
    ) -> tuple[Outcomes, _Ending]:
        rng = np.random.default_rng(stream)
        before = rng.bit_generator.state
        outputs = self._many(address, self.copies.of(data)(), rng, size)
        after = rng.bit_generator.state
        self.consumed |= after != before
        return encode(outputs, size), _Ending.of(before, after, stream, size)

    def _draws(
        self, stream: SeedSequence, data: Any, size: int, right: bool, start: int, step: int
    ) -> Iterator[Any]:
        """Outputs one by one, the first of them run number `start + 1` of the audit."""
        fresh = self.copies.of(data)
        for place, rng in enumerate(self._streams(stream, size)):
            yield _kept(self._one(fresh(), rng, right, start + 1 + step * place))

    def _streams(self, stream: SeedSequence, size: int) -> Iterator[Generator]:
        """A generator for each draw; whether anything is drawn from them is noticed."""
        if not self.box.seeded:
            rng = np.random.default_rng(stream)
            yield from (rng for _ in range(size))
            return
        for rng in separate_generators(stream, size):
            yield rng
            self.consumed = self.consumed or drawn_from(rng)

    def _one(self, data: Any, rng: Generator, right: bool, call: int) -> Any:
        try:
            output = self.box.call(data, rng, 1)
        except BlackBoxError:
            raise
        except Exception as error:
            self.failed[right] += 1
            if self.first is None:
                self.first = FailedRun.of(
                    error, data, call, getattr(self.box, "records", None)
                )
            return failure_of(error)
        if not self.box.many:
            return output
        check_batch(output, 1)
        return output[0]


@dataclass(frozen=True, slots=True)
class _Ending:
    """How a call for many outputs left its generator.

    Attributes:
        state: of the generator.
        misleading: why equal states would not show that outputs stand beside each
            other as they should; empty where they would.
        unused: whether the generator is as it was.
    """

    state: Any = None
    misleading: str = ""
    unused: bool = False

    @classmethod
    def of(cls, before: Any, after: Any, stream: SeedSequence, size: int) -> _Ending:
        """The ending of a call that was to give `size` outputs."""
        if stream.n_children_spawned:
            return cls(after, "the black box spawned generators of its own")
        if 2 * words_between(before, after) < size:
            # Half a word is what numpy takes for a small integer.
            reason = "the black box drew less than one random word for an output"
            return cls(after, reason, before == after)
        return cls(after)


def _kept(output: Any) -> Any:
    """An output that stays as it is: a black box may return the same object every time."""
    return copy.copy(output) if isinstance(output, _CONTAINERS) else output


def _in_a_row(parts: list[Any]) -> Any:
    """The outputs of several calls one after the other; arrays of one kind stay an array."""
    kinds = {(p.dtype, p.shape[1:]) if isinstance(p, np.ndarray) else None for p in parts}
    if len(kinds) == 1 and None not in kinds:
        return np.concatenate(parts)
    return [output for part in parts for output in part]
