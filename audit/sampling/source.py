"""Sources of draws: a black box on one dataset, and generators by the address of a batch.

A batch is known by its address; its randomness follows from the audit's seed
and that address alone, so any batch can be drawn again, alone, in any order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from numpy.random import Generator, Philox, SeedSequence

from audit.blackbox.interface import BlackBox, BoundBox
from audit.neighbors import Pair

_APART = 1
"""Behind an address: what single draws spawn, which no child of the address itself has."""


class Stage(IntEnum):
    """The purpose of a batch; stages never share randomness."""

    BET = 0
    TABLE = 1
    WITNESS = 2
    SEARCH = 3
    DIAGNOSIS = 5
    TIME = 6
    LEAK = 10


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
        source = int(self.pair if self.twin is None else self.twin)
        return SeedSequence(seed, spawn_key=(int(self.stage), source, side, self.batch))


class _Root(SeedSequence):
    """The root of a batch's single draws, which spawns for the one whose turn it is.

    Children of a root are numbered by how many were spawned before them, so that a draw would
    have others where an earlier one spawned more.

    Attributes:
        draw: whose turn it is.
        spawned: children that it has by now.
    """

    draw = 0
    spawned = 0

    def turn_to(self, draw: int) -> None:
        """It is this draw's turn."""
        self.draw, self.spawned = draw, 0

    def spawn(self, n_children: int) -> list[SeedSequence]:  # type: ignore[override]
        """See `SeedSequence.spawn`."""
        first, self.spawned = self.spawned, self.spawned + n_children
        key = (*self.spawn_key, _APART, self.draw)
        return [
            SeedSequence(self.entropy, spawn_key=(*key, child))
            for child in range(first, self.spawned)
        ]


def separate_generators(stream: SeedSequence, places: Iterable[int]) -> Iterator[Generator]:
    """A generator for each of some draws; each is used up before the next is asked for.

    What it gives, and what it spawns, depends on nothing but the draw's place. One generator
    is set to a far-apart position of its cipher for each draw, which takes a tenth of making
    a new one.

    Args:
        stream: the root of the randomness of a batch.
        places: of the draws in that batch.
    """
    root = _Root(stream.entropy, spawn_key=stream.spawn_key)
    cipher = Philox(root)
    rng = Generator(cipher)
    state = cipher.state
    for place in places:
        root.turn_to(place)
        state["state"]["counter"][:] = (0, place, 0, 0)
        state["buffer_pos"], state["has_uint32"] = 4, 0
        cipher.state = state
        yield rng


def drawn_from(rng: Generator) -> bool:
    """Whether anything was drawn from a generator that `separate_generators` gave."""
    state: Mapping[str, Any] = rng.bit_generator.state
    return bool(state["state"]["counter"][0] > 0)


class Source:
    """A black box on one dataset, bound when it is first drawn from.

    It travels as black box and dataset, and is bound anew where it arrives.
    """

    __slots__ = ("_bound", "box", "data")

    def __init__(self, box: BlackBox, data: Any) -> None:
        self.box, self.data = box, data
        self._bound: BoundBox | None = None

    @property
    def bound(self) -> BoundBox:
        """The black box with this dataset.

        Raises:
            BlackBoxError: it cannot be given this dataset.
        """
        if self._bound is None:
            self._bound = self.box.bind(self.data)
        return self._bound

    def __reduce__(self) -> tuple[type[Source], tuple[Any, ...]]:
        return Source, (self.box, self.data)


Sources = tuple[Source, Source]
"""A black box on the two datasets of a pair."""


def sources_of(box: BlackBox, pair: Pair) -> Sources:
    """A black box on both datasets of a pair."""
    return Source(box, pair.dataset), Source(box, pair.neighbor)
