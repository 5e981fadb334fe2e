"""Whether a black box has randomness of its own, and whether that begins alike everywhere.

A library that makes a generator when it is imported, `rng = default_rng(3)`, makes the same
one in every process: draws of two processes, or of two sittings of one audit, would be the
same noise counted twice. Nothing of that need be seen in what the black box itself carries.
So it is tried. The same batches are drawn twice, one after the other, with the audit's
randomness put back in between:

- Nothing differs: all that was seen follows from the audit's seed. Draw anywhere.
- Something differs: it is the box's own. Processes that have drawn nothing yet are asked for
  the same batches, twice as well. Where two of them give the same outputs although each
  of them differs from its own repetition, that randomness begins alike everywhere: only one
  process may draw, in order. Otherwise it comes from the operating system. Draw anywhere.

What is sure. Own randomness that begins alike gives equal outputs in both processes, always,
so that it is missed only where no repetition differs: if it shows in a share r of the runs,
with probability (1 - r)^n of n repeated runs. n is more than a thousand where runs take no time,
and at least 16 where one takes less than a third of a second: what shows in one run of a
hundred may pass where runs are slow.

Let randomness come from the operating system, draws be independent given the audit's seed,
and a draw have values a before b, a not b, in one process. Another one has the same two with
probability P[a] P[b] <= ((P[a] + P[b]) / 2)^2 <= 1/4. So a part of the output which differs
in k draws and agrees with another process in all of them does so with probability <= 4^-k;
k is such that this is <= 1e-6 over all parts. Where whole outputs agree, any k >= 1 counts: then
let s be the probability of all values but the likeliest (in each draw). A draw agrees with
probability <= 1 - s and does so although it differs with <= 2 s^2, so that both happen
with <= 2 n s^2 (1 - s)^(2n - 2) <= (2 / n) (1 - 1/n)^(2n - 2), .02 for n = 16 and .0003 for
1,000. Whoever is wronged so is drawn in one process, which costs time and no truth.

Randomness of both kinds may be added up in one number. Then nothing is equal, but the sign of
(first - repeated) is a fair coin given its size, in every process by itself; two processes
whose signs agree more often than fair coins do, at the level 1e-6 over all parts, begin alike.
Only runs by themselves are compared so: outputs of one call may share their noise.

Three processes are asked at a time: what is seeded from a clock in seconds when it is imported
begins alike in two of them, unless they take more than a second to get there.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Sequence
from concurrent.futures import Executor, Future
from contextlib import ExitStack
from dataclasses import dataclass
from enum import Enum
from itertools import combinations, count

import numpy as np
from numpy.typing import NDArray

from audit.outcomes.blas_threads import in_one_thread
from audit.outcomes.encoding import Outcomes, joined
from audit.sampling.heads import heads_too_often
from audit.sampling.sampler import Sampler
from audit.sampling.source import Source
from audit.sampling.stream import Address, Check, Stage
from audit.sampling.trace import Misaligned
from audit.sampling.workers.pickled import Parcel
from audit.sampling.workers.processes import fresh_process

_BORN = os.getpid()
"""The process that has imported this; a process forked later has this number of its parent's."""
_FRESH = 3
_LEAST, _MOST = 8, 512
"""Runs on every dataset that are repeated at least, and at most."""
_ENOUGH, _TOO_LONG = 0.5, 20.0
"""Seconds after which no more than the least is repeated, and not even that."""
_NUMBERS = 1 << 20
"""Numbers after which no more than the least is repeated."""
_LEVEL = 1e-6
_PATIENCE = 120.0
_ALIKE = (
    "{name} has randomness or state of its own that begins alike in every process (a generator "
    "that a library seeds when it is imported, for example), so that one process draws everything"
)


class OwnSource(Enum):
    """What was found out about randomness that is not the audit's."""

    NONE = "none"
    APART = "begins differently in every process"
    ALIKE = "begins alike in every process"


@dataclass(frozen=True, slots=True)
class Drawn:
    """A batch drawn twice.

    Attributes:
        alone: whether each output was a run by itself.
        first: the outputs; None where they could not be drawn.
        again: those of the repetition.
    """

    alone: bool
    first: Outcomes | None
    again: Outcomes | None

    @property
    def differs(self) -> bool:
        """Whether the repetition is another one."""
        if self.first is None or self.again is None:
            return self.first is not self.again
        return not self.first.equals(self.again)


@dataclass(frozen=True, slots=True)
class Drawings:
    """What one process drew.

    Attributes:
        batches: in their order.
        forked: whether the process was forked from one that had all this in its memory.
    """

    batches: tuple[Drawn, ...]
    forked: bool

    @property
    def differ(self) -> bool:
        """Whether any repetition is another one."""
        return any(batch.differs for batch in self.batches)


Asked = Sequence["Future[Drawings]"]
"""What came of drawing twice on each dataset, or will."""


def bound_by(
    sampler: Sampler, sources: Sequence[Source], executor: Executor, begun: Asked | None = None
) -> str:
    """Why a black box must be drawn in one process, as a sentence; empty where it need not be.

    What runs abroad goes on there, whoever asks: nothing of it begins anew.

    Args:
        sampler: that is about to draw elsewhere.
        sources: the black box on the datasets it is going to draw on.
        executor: draws first; new processes are started only where something differs.
        begun: what it was asked for before this (see `begun`); None for nothing.

    Raises:
        BlackBoxError: the black box cannot travel, or not be run elsewhere.
        BrokenExecutor: it has ended the process it ran in.
        TimeoutError: it took too long.
    """
    if getattr(sampler.box, "abroad", False):
        return ""
    found = own_source(sampler, sources, executor, begun)
    return _ALIKE.format(name=sampler.box.name) if found is OwnSource.ALIKE else ""


def begun(sampler: Sampler, sources: Sequence[Source], executor: Executor) -> Asked:
    """Ask whether anything differs: of each dataset by itself, at the same time.

    Raises:
        BlackBoxError: the black box cannot travel.
    """
    return [executor.submit(_drawn_twice, _parcel(sampler, [source])) for source in sources]


def own_source(
    sampler: Sampler, sources: Sequence[Source], executor: Executor, asked: Asked | None = None
) -> OwnSource:
    """Find out whether a black box has randomness of its own, and where that begins.

    Nothing is drawn in this process: what the box keeps here stays as it is. See `bound_by`.

    Raises:
        BlackBoxError: the black box cannot travel, or not be run elsewhere.
        BrokenExecutor: it has ended the process it ran in.
        TimeoutError: it took too long.
    """
    asked = begun(sampler, sources, executor) if asked is None else asked
    there = [future.result(_PATIENCE) for future in asked]
    if not any(drawings.differ for drawings in there):
        return OwnSource.NONE
    if any(drawings.forked for drawings in there):
        # Whatever the operating system gave to begin with was given once, before the fork.
        return OwnSource.ALIKE
    parcel = _parcel(sampler, sources)
    with ExitStack() as stack:
        executors = [stack.enter_context(fresh_process()) for _ in range(_FRESH)]
        futures = [fresh.submit(_drawn_twice, parcel) for fresh in executors]
        found = [future.result(_PATIENCE) for future in futures]
    pairs = combinations([drawings.batches for drawings in found], 2)
    alike = any(begin_alike(here, there) for here, there in pairs)
    return OwnSource.ALIKE if alike else OwnSource.APART


def _parcel(sampler: Sampler, sources: Sequence[Source]) -> Parcel:
    return Parcel.of((sampler.alike(), list(sources)))


@in_one_thread
def _drawn_twice(parcel: Parcel) -> Drawings:
    """Batches drawn twice, larger and larger ones: more of them where that takes no time."""
    sampler, sources = parcel.opened()
    start, batches, runs, numbers = time.perf_counter(), list[Drawn](), 0, 0
    for number in count():
        alone = number % 2 == 0 or not sampler.box.many
        size = 1 << number // 2
        once, twice = (_sides(sampler, sources, alone, number, size) for _ in range(2))
        for first, again in zip(once, twice, strict=True):
            batches.append(Drawn(alone, first, again))
            numbers += 0 if first is None else 2 * size * first.width
        runs += size
        seconds = time.perf_counter() - start
        spent = seconds > _ENOUGH or numbers > _NUMBERS
        if runs >= (_LEAST if spent else _MOST) or seconds > _TOO_LONG:
            return Drawings(tuple(batches), os.getpid() != _BORN)
    raise AssertionError


def _sides(
    sampler: Sampler, sources: Sequence[Source], alone: bool, number: int, size: int
) -> list[Outcomes | None]:
    address = Address(Stage.CHECK, Check.ALONE if alone else Check.TOGETHER, number)
    if alone:
        sampler.singly.add((address.stage, address.pair))
    return [_side(sampler, address, source, size, side) for side, source in enumerate(sources)]


def _side(
    sampler: Sampler, address: Address, source: Source, size: int, side: int
) -> Outcomes | None:
    try:
        return sampler.side(address, source, size, side)
    except Misaligned:
        return None


def begin_alike(here: Sequence[Drawn], there: Sequence[Drawn]) -> bool:
    """Whether what two new processes drew shows that their own randomness began alike."""
    common = [
        (one, other)
        for one, other in zip(here, there, strict=False)
        if None not in (one.first, one.again, other.first, other.again)
    ]
    if not common:
        return False
    sizes = [one.first.size for one, _ in common if one.first is not None]
    alone = np.repeat([one.alone for one, _ in common], sizes)
    rows = _rows([side for one, other in common for side in _four(one, other)])
    return _equal(rows) or _signs_agree(rows[:, alone])


def _four(one: Drawn, other: Drawn) -> list[Outcomes]:
    drawn = (one.first, one.again, other.first, other.again)
    return [outcomes for outcomes in drawn if outcomes is not None]


def _rows(batches: Sequence[Outcomes]) -> NDArray[np.float64]:
    """All parts of all outputs as numbers, shape (4, draws, parts).

    Args:
        batches: first and repeated ones of one process and of the other, batch by batch.
    """
    whole = joined(batches)
    place = np.repeat(np.arange(len(batches)) % 4, [batch.size for batch in batches])
    table = whole.table()
    return np.stack([table[place == which] for which in range(4)])


def _equal(rows: NDArray[np.float64]) -> bool:
    """Whether outputs of one process are those of the other where they are no repetition."""
    first, again, other_first, other_again = rows
    differs = (first != again) | (other_first != other_again)
    same = (first == other_first) & (again == other_again)
    if differs.any() and same.all():
        return True
    differs = first != again
    enough = math.log(differs.shape[1] / _LEVEL, 4)
    return bool(((differs.sum(axis=0) >= enough) & (same | ~differs).all(axis=0)).any())


def _signs_agree(rows: NDArray[np.float64]) -> bool:
    """Whether runs by themselves differ from their repetitions in one direction in both."""
    first, again, other_first, other_again = rows
    product = np.sign(first - again) * np.sign(other_first - other_again)
    return heads_too_often((product > 0).sum(axis=0), (product < 0).sum(axis=0), _LEVEL)
