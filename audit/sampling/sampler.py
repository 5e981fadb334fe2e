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

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np

from audit.blackbox.interface import BlackBox
from audit.blackbox.isolation.global_generators import seed_global_generators
from audit.errors import BlackBoxError
from audit.outcomes.encoding import Outcomes
from audit.outcomes.moment_of_call import now
from audit.sampling.both_sides import BothSides
from audit.sampling.ending import Ending
from audit.sampling.experience import Experience
from audit.sampling.runs import turns_of
from audit.sampling.separate_calls import CallFailed, SeparateCalls
from audit.sampling.source import Source, Sources
from audit.sampling.stream import Address
from audit.sampling.trace import Misaligned, Trace

T = TypeVar("T")
_COINS = 2
"""In place of a side: the stream that says who is drawn first."""
_AROUND = 3
"""In place of a side: the stream of the generators that the whole process shares."""


@dataclass(slots=True)
class Sampler(Experience):
    """Draws batches from one black box and keeps to the way of drawing that works."""

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
            runs=self.runs.anew(self.runs.consumed),
            watch=self.watch,
            stateful=self.stateful,
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
            alike.runs.consumed,
            alike.coupled,
            frozenset(alike.singly),
            failure,
            alike.runs.lost,
            alike.runs.first,
            alike.watch.changed(alike.box),
            alike.runs.told_time,
            refusal,
        )

    def pairs(
        self, address: Address, left: Source, right: Source, size: int
    ) -> tuple[Outcomes, Outcomes]:
        """Draw `size` pairs: outputs on both datasets, draw i beside draw i.

        Raises:
            Misaligned: this way of drawing failed; the sampler has switched to
                a safer one, and whatever was bet on the old one is lost.
        """
        if self.turns and not self.many_at(address):
            return self._in_turns(address, (left, right), size, 1)
        if not (self.coupled or self.many_at(address)):
            sides = [
                self._alone(address, source, size, side, _AROUND + 1 + side)
                for side, source in enumerate((left, right))
            ]
            begun = now()
            outputs = self.runs.outputs(BothSides(*sides), self.travels)
            read = partial(self.runs.read, size=size, begun=begun)
            return read(outputs[:size]), read(outputs[size:])
        seed_global_generators(address.stream(self.seed, _AROUND))
        first, ending = self._draw(address, left, size, 0, _AROUND + 1)
        second, other = self._draw(address, right, size, 0 if self.coupled else 1, _AROUND + 2)
        if self.coupled:
            self._check_alignment(address, ending, other)
        return first, second

    def _check_alignment(self, address: Address, left: Ending, right: Ending) -> None:
        """End the coupling unless both sides used the shared stream, and used it alike.

        Raises:
            Misaligned: a batch was drawn that must not be bet on. A box that ignores its
                generator from the first batch on loses nothing: that one never is.
        """
        reason = left.misaligned(right)
        self.coupled = not reason
        ignored = left.unused and right.unused and not self.runs.consumed
        if reason and not ignored:
            raise Misaligned(reason, address)

    def calls(
        self, address: Address, left: Source, right: Source, calls: int, size: int
    ) -> tuple[Outcomes, Outcomes]:
        """Draw pairs of calls for `size` outputs each, either side first by the toss of a coin.

        The calls of a pair share their randomness as other draws do; how they use it
        does not matter to whoever bets once per pair of calls.

        Returns:
            `calls * size` outputs on both datasets, call after call.

        Raises:
            Misaligned: a call for many outputs failed, or was refused.
        """
        with self._careful(address):
            return self._in_turns(address, (left, right), calls, size)

    def _in_turns(
        self, address: Address, sources: Sources, calls: int, size: int
    ) -> tuple[Outcomes, Outcomes]:
        """Pair by pair of calls, either side first by the toss of a coin.

        What a black box keeps of its calls can then favour neither.
        """
        # Apart from each other only where nothing is shared.
        streams = [address.stream(self.seed, 0 if self.coupled else side) for side in (0, 1)]
        asked = {False: (sources[0], streams[0]), True: (sources[1], streams[1])}
        turns = turns_of(np.random.default_rng(address.stream(self.seed, _COINS)), calls)
        root, before = address.stream(self.seed, _AROUND), self.samples
        self.samples += len(turns) * size
        separate = SeparateCalls(asked, turns, root, before, size)
        drawn = self.runs.separately(separate, self.travels)
        return drawn[False], drawn[True]

    def _alone(
        self, address: Address, source: Source, size: int, side: int, around: int
    ) -> SeparateCalls:
        """Calls on one dataset; `around` is where they find the global generators."""
        right, before = side != 0, self.samples
        asked = {right: (source, address.stream(self.seed, side))}
        self.samples += size
        return SeparateCalls(asked, (right,) * size, address.stream(self.seed, around), before)

    @contextmanager
    def _careful(self, address: Address) -> Iterator[None]:
        """Ask for outputs one by one from now on where a call for many fails.

        Raises:
            Misaligned: it did.
        """
        try:
            yield
        except CallFailed as failed:
            self.singly.add((address.stage, address.pair))
            raise Misaligned(f"{failed}", address) from None

    def side(self, address: Address, source: Source, size: int, side: int) -> Outcomes:
        """Draw `size` outputs on one dataset, with a stream of its own; raises as `pairs` does."""
        seed_global_generators(address.stream(self.seed, _AROUND + 1 + side))
        return self._draw(address, source, size, side, _AROUND + 1 + side)[0]

    def _draw(
        self, address: Address, source: Source, size: int, side: int, around: int
    ) -> tuple[Outcomes, Ending]:
        """Outputs on one dataset; `around` is where separate calls find the global generators."""
        if not self.many_at(address):
            calls, begun = self._alone(address, source, size, side, around), now()
            outputs = self.runs.outputs(calls, self.travels)
            return self.runs.read(outputs, size, begun), Ending()
        self.samples += size
        begun = now()
        with self._careful(address):
            stream = address.stream(self.seed, side)
            outputs, ending = self.runs.together(source, stream, size)
        return self.runs.read(outputs, size, begun), ending

    def found(self, what: str, find: Callable[[], str]) -> str:
        """What is found out by further runs, which `find` counts; `what` names it in the audit."""
        return find()
