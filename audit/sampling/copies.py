"""Draws of copies of a black box in another process, none of which was called before.

What the black box at hand has kept since its first call they have not: noise that was drawn once
for a dataset and is given out again (a permanent randomized response, a cache of noise) is drawn
anew by every copy, as is what depends on the process, such as Python's hashes of texts. Generators
that the black box carries would begin alike in all of them, and are begun elsewhere in each.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from audit.blackbox.carried import generators_of
from audit.blackbox.own_generator import begin_elsewhere
from audit.blackbox.python import PythonBlackBox
from audit.errors import AuditError
from audit.sampling.batch import BatchPlan, Sides
from audit.sampling.sampler import Sampler
from audit.sampling.source import Source
from audit.sampling.stream import Address, Check, Stage
from audit.sampling.workers.pickled import Parcel
from audit.sampling.workers.uncalled import Uncalled, anew

_OWN = 16
"""In place of a side: the stream that a copy's own generators begin at."""


@dataclass(frozen=True, slots=True)
class Copies:
    """Copies of a black box that draw the same batch.

    Attributes:
        box: the black box as it was before its first call.
        data: two datasets.
        seed: of the audit.
        coupled: whether both sides share their randomness.
        singly: whether outputs are asked for one by one.
        own: place of the generator that is set before every call; None for none.
        address: of a batch that was drawn elsewhere, before which each copy is called with random
            numbers of its own; None for a batch of its own.
        size: runs on either side.
        times: how often each copy draws it.
    """

    box: Uncalled
    data: Parcel
    seed: int
    coupled: bool
    singly: bool
    own: int | None
    address: Address | None
    size: int
    times: int

    @property
    def runs(self) -> int:
        """That one copy makes."""
        return 2 * (self.size * self.times + (self.address is not None))

    def drawn(self, copies: int, first: int = 0) -> list[list[Sides]] | None:
        """What so many of them give, each as often as asked; None where they cannot be tried.

        Args:
            copies: how many.
            first: number of the first of them; each number has random numbers of its own.
        """
        numbers = range(first, first + copies)
        return self.box.elsewhere([partial(_drawn, self, number) for number in numbers])


def _drawn(copies: Copies, number: int) -> list[Sides]:
    """What one copy gives.

    Raises:
        AuditError: it cannot be made or called.
    """
    box = anew(copies.box)
    first = Address(Stage.CHECK, Check.COPY, 2 * number)
    if copies.own is not None:
        box.set_own(generators_of(box.function), copies.own)
    elif isinstance(box, PythonBlackBox):
        begin_elsewhere(box.function, first.stream(copies.seed, _OWN))
    sampler = Sampler.of(box, copies.seed, coupled=copies.coupled)
    address = copies.address or Address(Stage.CHECK, Check.COPY, 2 * number + 1)
    if copies.singly:
        sampler.singly |= {(one.stage, one.pair) for one in (first, address)}
    left, right = (Source(box, dataset) for dataset in copies.data.opened())
    if copies.address is not None:
        # What it keeps then comes from other random numbers than elsewhere.
        _required(BatchPlan(first, left, right, 1).drawn, sampler)
    again = BatchPlan(address, left, right, copies.size)
    return [_required(again.drawn, sampler) for _ in range(copies.times)]


def _required(draw: Callable[[Sampler], tuple[Sides | None, Any]], sampler: Sampler) -> Sides:
    sides, trace = draw(sampler)
    if sides is None:
        raise AuditError(trace.failure or "a copy could not be drawn from")
    return sides
