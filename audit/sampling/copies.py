"""Draws of copies of a black box in another process, none of which was called before.

What the black box at hand has kept since its first call they have not: noise that was drawn once
for a dataset and is given out again (a permanent randomized response, a cache of noise) is drawn
anew by every copy, as is what depends on the process, such as Python's hashes of texts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from audit.blackbox.carried import generators_of
from audit.errors import AuditError
from audit.module_file import forget_files
from audit.sampling.batch import BatchPlan, Sides
from audit.sampling.sampler import Sampler
from audit.sampling.source import Source
from audit.sampling.stream import Address, Check, Stage
from audit.sampling.workers.pickled import Parcel
from audit.sampling.workers.uncalled import Uncalled


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
        address: of the batch; None for one of each copy's own.
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
        return 2 + 2 * self.size * self.times

    def drawn(self, copies: int) -> list[list[Sides]] | None:
        """What so many of them give, each as often as asked; None where they cannot be tried."""
        return self.box.elsewhere([partial(_drawn, self, number) for number in range(copies)])


def _drawn(copies: Copies, number: int) -> list[Sides]:
    """What one copy gives, after a call on each dataset with random numbers of its own.

    Raises:
        AuditError: it cannot be made or called.
    """
    forget_files(copies.box.files)
    box = copies.box.opened()
    getattr(box, "restart", lambda: None)()  # a program may stay from the copy before
    if copies.own is not None:
        box.set_own(generators_of(box.function), copies.own)
    sampler = Sampler.of(box, copies.seed, coupled=copies.coupled)
    first = Address(Stage.CHECK, Check.COPY, 2 * number)
    address = copies.address or Address(Stage.CHECK, Check.COPY, 2 * number + 1)
    if copies.singly:
        sampler.singly |= {(one.stage, one.pair) for one in (first, address)}
    left, right = (Source(box, dataset) for dataset in copies.data.opened())
    _required(BatchPlan(first, left, right, 1).drawn, sampler)
    again = BatchPlan(address, left, right, copies.size)
    return [_required(again.drawn, sampler) for _ in range(copies.times)]


def _required(draw: Callable[[Sampler], tuple[Sides | None, Any]], sampler: Sampler) -> Sides:
    sides, trace = draw(sampler)
    if sides is None:
        raise AuditError(trace.failure or "a copy could not be drawn from")
    return sides
