"""The draws of one pair of datasets: planned, drawn, counted, and in part remembered."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Protocol

from numpy.typing import NDArray

from audit.errors import BlackBoxError
from audit.outcomes.counting import Reader
from audit.outcomes.encoding import Outcomes, joined
from audit.outcomes.paired import PairedOutcomes
from audit.sampling.batch import Batch, BatchPlan, IndependentPlan, Job, Sides
from audit.sampling.sampler import Sampler
from audit.sampling.source import Source
from audit.sampling.stream import Address, Stage
from audit.sampling.trace import Trace
from audit.sampling.workers.interface import WorkerPool

_MOST_PAIRS = 1 << 15
_MOST_NUMBERS = 1 << 21
_BATCH_NUMBERS = 1 << 19
"""Numbers that one side of a batch may hold: 4 MiB."""
_LARGEST_BATCH = 1 << 16
_LARGEST_SLOW_BATCH = 1 << 6
"""Where a call gives one output, a batch is what is worth sending to another process."""


class Counter(Protocol):
    """What draws are counted for."""

    @property
    def readers(self) -> Sequence[Reader]:
        """What to read off an output and how to bin it, once for each table."""

    def add(self, counts: Sequence[NDArray[Any]]) -> None:
        """Add the joint counts of a batch, shape (bins, bins) for each of the readers."""


class Unreadable(Exception):
    """A batch of a pair could not be drawn or read.

    Attributes:
        pair: index of the pair.
        error: why.
    """

    def __init__(self, pair: int, error: BlackBoxError) -> None:
        super().__init__(f"{error}")
        self.pair = pair
        self.error = error


@dataclass(frozen=True, slots=True)
class Begun:
    """The first batch of a pair: what may be drawn once more, to see whether it is the same.

    Attributes:
        address: of the batch.
        sides: its outputs.
        moment: when they were there, by `perf_counter`.
    """

    address: Address
    sides: Sides
    moment: float


@dataclass(slots=True)
class PairDraws:
    """The draws of one pair.

    Attributes:
        index: the pair's place in the audit, part of every address.
        left: the black box on the dataset D.
        right: the black box on its neighbor D'.
        stage: what is drawn for, part of every address.
        drawn: pairs of runs so far.
        batches: batches planned so far.
        plans: batches planned and not yet asked for.
        planned: pairs in them.
        kept: outputs kept to learn from, on both sides.
        room: how many more pairs may be kept.
        width: numbers and symbols in one output, the most seen so far.
        largest: pairs in the largest batch so far.
        kind: how batches are drawn.
        begun: the first batch of which outputs are kept, None before.
    """

    index: int
    left: Source
    right: Source
    stage: Stage = Stage.BET
    drawn: int = 0
    batches: int = 0
    plans: deque[BatchPlan] = field(default_factory=deque)
    planned: int = 0
    kept: list[tuple[Outcomes, Outcomes]] = field(default_factory=list)
    room: int = _MOST_PAIRS
    width: int = 1
    largest: int = 0
    kind: type[BatchPlan] = BatchPlan
    begun: Begun | None = None

    @classmethod
    def beside(cls, index: int, source: Source, stage: Stage) -> PairDraws:
        """Runs on one dataset of a pair alone, two and two, all independent of each other.

        Args:
            index: the pair's.
            source: the black box on that dataset.
            stage: what they are drawn for.
        """
        return cls(index, source, source, stage, kind=IndependentPlan)

    def plan(self, pairs: int, vectorized: bool) -> None:
        """Add so many pairs to the plan, in batches that are smaller for wide outputs.

        Args:
            pairs: none are added where this is negative.
            vectorized: whether one call gives many outputs.
        """
        most = _LARGEST_BATCH if vectorized else _LARGEST_SLOW_BATCH
        most = max(1, min(most, _BATCH_NUMBERS // self.width))
        self.planned += max(0, pairs)
        while pairs > 0:
            size = min(pairs, most)
            address = Address(self.stage, self.index, self.batches)
            self.plans.append(self.kind(address, self.left, self.right, size))
            self.batches += 1
            pairs -= size

    def draw(
        self, sampler: Sampler, pool: WorkerPool, target: int, counters: Sequence[Counter]
    ) -> None:
        """Draw what was planned up to so many pairs, and count it.

        Args:
            sampler: where draws come from.
            pool: who draws.
            target: pairs.
            counters: what to count for.

        Raises:
            Misaligned: a batch must not be counted; nothing behind it was drawn.
            Unreadable: a batch could not be drawn or read.
        """
        # Later counters often read the same as earlier ones, which is counted once.
        places: dict[tuple[int, int], int] = {}
        readers: list[Reader] = []
        for reader in (reader for counter in counters for reader in counter.readers):
            if places.setdefault(_same(reader), len(readers)) == len(readers):
                readers.append(reader)
        for result in pool.run(sampler, self._jobs(target, tuple(readers)), self.plans):
            self._adopt(sampler, result.trace)
            if result.batch is not None:
                self._take(result.batch, result.trace.address)
                if self.stage is not Stage.SEARCH:
                    sampler.note(self.left, self.right, result.batch.size, result.trace.failed)
                for counter in counters:
                    held = (places[_same(reader)] for reader in counter.readers)
                    counter.add([result.batch.counts[place] for place in held])

    def _jobs(self, target: int, readers: tuple[Reader, ...]) -> Iterator[Job]:
        """What was planned up to so many pairs."""
        missing, room = target - self.drawn, self.room
        while self.plans and missing > 0:
            plan = self.plans.popleft()
            self.planned -= plan.size
            yield Job(plan, readers, room > 0)
            missing -= plan.size
            room -= plan.size

    def _adopt(self, sampler: Sampler, trace: Trace) -> None:
        try:
            sampler.adopt(trace)
        except BlackBoxError as error:
            raise Unreadable(self.index, error) from error

    def _take(self, batch: Batch, address: Address) -> None:
        """Remember the outputs of a batch to learn from, while there is room."""
        self.drawn += batch.size
        self.largest = max(self.largest, batch.size)
        if batch.outcomes is not None and self.room > 0:
            left, right = batch.outcomes
            self.kept.append((left, right))
            self.begun = self.begun or Begun(address, batch.outcomes, perf_counter())
            self.width = max(self.width, left.width, right.width)
            self.room = min(self.room, _MOST_NUMBERS // self.width) - left.size

    @property
    def parts(self) -> int:
        """Columns of values, the most seen so far."""
        return max((len(side.parts) for pair in self.kept for side in pair), default=0)

    @property
    def usable(self) -> bool:
        """Whether anything but one and the same failure came out."""
        kinds = {name for pair in self.kept for side in pair for name in side.kinds}
        values = any(side.parts for pair in self.kept for side in pair)
        return values or len(kinds) > 1

    def past(self) -> PairedOutcomes:
        """All kept outputs on both sides."""
        left, right = joined([b[0] for b in self.kept]), joined([b[1] for b in self.kept])
        self.kept = [(left, right)]
        return PairedOutcomes(left, right)

    def forget(self, failed: int | None) -> None:
        """Start again, as draws made so far may not be trusted; addresses go on.

        Args:
            failed: the batch of this pair that failed, if it was one. It is not
                drawn again: its randomness is no longer independent of what was decided.
        """
        self.kept, self.drawn, self.room, self.begun = [], 0, _MOST_PAIRS, None
        self.batches -= len(self.plans)
        self.plans.clear()
        self.planned = 0
        if failed is not None:
            self.batches = failed + 1


def _same(reader: Reader) -> tuple[int, int]:
    """What tells readers apart while what they are for is held."""
    feature, binning = reader
    return id(feature), id(binning)
