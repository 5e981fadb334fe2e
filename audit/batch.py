"""Batches of pairs of runs: planned, drawn, counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from audit.book import Reader, joint_of
from audit.events import Counts
from audit.outcomes import Outcomes
from audit.sampling import Address

Sides = tuple[Outcomes, Outcomes]
"""Outputs on D and on its neighbor, draw i beside draw i."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A batch that is going to be drawn.

    Attributes:
        address: its randomness and its place in the order.
        left: the dataset D.
        right: its neighbor D'.
        size: pairs.
    """

    address: Address
    left: Any
    right: Any
    size: int


@dataclass(frozen=True, slots=True)
class Job:
    """A batch to draw and count.

    Attributes:
        draft: what to draw.
        readers: what to count.
        kept: whether the outputs themselves are wanted as well.
    """

    draft: Draft
    readers: tuple[Reader, ...]
    kept: bool

    def counted(self, sides: Sides) -> Batch:
        """The batch once it has been drawn."""
        counts = [joint_of(reader, *sides) for reader in self.readers]
        return Batch(self.draft.size, counts, sides if self.kept else None)


@dataclass(frozen=True, slots=True)
class Batch:
    """What became of a job.

    Attributes:
        size: pairs.
        counts: one (bins, bins) array for each reader.
        outcomes: the outputs on both sides where they were wanted.
    """

    size: int
    counts: list[Counts]
    outcomes: Sides | None
