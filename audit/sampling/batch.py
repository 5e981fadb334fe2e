"""Batches of pairs of runs: planned, drawn, counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.outcomes.counting import Counts, Reader, joint_of
from audit.outcomes.encoding import Outcomes
from audit.sampling.sampler import Sampler
from audit.sampling.source import Source
from audit.sampling.stream import Address
from audit.sampling.trace import Trace

Sides = tuple[Outcomes, Outcomes]
"""Outputs on D and on its neighbor, draw i beside draw i."""


@dataclass(frozen=True, slots=True)
class BatchPlan:
    """A batch that is going to be drawn.

    Attributes:
        address: its randomness and its place in the order.
        left: the black box on the dataset D.
        right: the black box on its neighbor D'.
        size: pairs.
    """

    address: Address
    left: Source
    right: Source
    size: int

    def separate(self, sampler: Sampler) -> bool:
        """Whether it consists of many calls, of which each is addressed."""
        return not sampler.many_at(self.address)

    def drawn(self, sampler: Sampler) -> tuple[Sides | None, Trace]:
        """The outputs, None where drawing them failed, and what drawing them showed."""
        return sampler.apart(
            self.address, lambda alike: alike.pairs(self.address, self.left, self.right, self.size)
        )


@dataclass(frozen=True, slots=True)
class IndependentPlan(BatchPlan):
    """A batch whose two sides never share their randomness."""

    def drawn(self, sampler: Sampler) -> tuple[Sides | None, Trace]:
        """See `BatchPlan.drawn`."""
        sides = self.left, self.right

        def draw(alike: Sampler) -> Sides:
            first, second = (
                alike.side(self.address, source, self.size, side)
                for side, source in enumerate(sides)
            )
            return first, second

        return sampler.apart(self.address, draw)


@dataclass(frozen=True, slots=True)
class Job:
    """A batch to draw and count.

    Attributes:
        plan: what to draw.
        readers: what to count.
        kept: whether the outputs themselves are wanted as well.
    """

    plan: BatchPlan
    readers: tuple[Reader, ...]
    kept: bool

    def counted(self, sides: Sides) -> Batch:
        """The batch once it has been drawn."""
        return self.batch([self.count(reader, sides) for reader in self.readers], sides)

    def count(self, reader: Reader, sides: Sides) -> Counts:
        """What one of the readers counts."""
        return joint_of(reader, *sides)

    def batch(self, counts: list[Counts], sides: Sides) -> Batch:
        """The batch once every reader has counted."""
        return Batch(self.plan.size, counts, sides if self.kept else None)


@dataclass(frozen=True, slots=True)
class Batch:
    """What became of a job.

    Attributes:
        size: pairs.
        counts: one (bins, bins) array of whole numbers for each reader.
        outcomes: the outputs on both sides where they were wanted.
    """

    size: int
    counts: list[NDArray[Any]]
    outcomes: Sides | None

    def narrow(self) -> Batch:
        """The same with counts of the smallest type that holds them, for travelling."""
        return Batch(self.size, [narrow(counts) for counts in self.counts], self.outcomes)


def narrow(counts: NDArray[Any]) -> NDArray[Any]:
    """The same whole numbers, none negative, in the smallest type that holds them."""
    return counts.astype(np.min_scalar_type(int(counts.max(initial=0))))


@dataclass(frozen=True, slots=True)
class BatchResult:
    """What a job came to.

    Attributes:
        batch: None when it failed.
        trace: what drawing it showed, for the sampler to adopt.
    """

    batch: Batch | None
    trace: Trace
