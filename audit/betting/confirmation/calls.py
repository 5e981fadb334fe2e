"""Pairs of calls for many outputs each: planned, drawn, and counted call by call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, pairwise
from typing import Any

from audit.betting.confirmation.plan import Plan
from audit.outcomes.counting import Counts
from audit.outcomes.encoding import Outcomes
from audit.sampling.batch import BatchPlan, Job, Sides
from audit.sampling.heads import so_many
from audit.sampling.sampler import Sampler
from audit.sampling.source import Sources
from audit.sampling.stream import Address, Stage
from audit.sampling.trace import Trace

_LARGEST_BATCH = 1 << 14
_NO_ACCIDENT = 1e-9


@dataclass(frozen=True, slots=True)
class CallPlan(BatchPlan):
    """Pairs of calls that are going to be drawn.

    Attributes:
        outputs: of each call; `size` of them in all on each side.
    """

    outputs: int

    def separate(self, sampler: Sampler) -> bool:
        """See `BatchPlan.separate`."""
        return True

    def drawn(self, sampler: Sampler) -> tuple[Sides | None, Trace]:
        """See `BatchPlan.drawn`."""
        calls = self.size // self.outputs
        return sampler.apart(
            self.address,
            lambda alike: alike.calls(self.address, self.left, self.right, calls, self.outputs),
        )


@dataclass(frozen=True, slots=True)
class CallJob(Job):
    """Calls to draw, and to count by what `LeadingBet.sums` tells of every block of them.

    Attributes:
        block: outputs of one block.
    """

    block: int

    def count(self, reader: Any, sides: Sides) -> Counts:
        """See `Job.count`; the readers are bets."""
        sums: Counts = reader.sums(*sides, self.block)
        return sums


def repeats(outcomes: Outcomes, size: int, commonest: float) -> bool:
    """Whether calls gave what the call before gave more often than by accident.

    Let no output be more frequent than the commonest. Then an independent call agrees with the
    one before, whatever that one was, with at most its share p, however outputs of one call
    depend on each other: the first of them have to agree. So the number of calls that do is at
    most binomial of that p, stochastically.

    Args:
        outcomes: `size` outputs of each call, call after call.
        size: outputs of a call.
        commonest: share of the commonest output.
    """
    calls = outcomes.size // size
    told = [outcomes.take(slice(call * size, (call + 1) * size)) for call in range(calls)]
    again = sum(one.equals(before) for before, one in pairwise(told))
    return bool(so_many(again, calls - 1, commonest) < _NO_ACCIDENT)


def plans_of(
    plan: Plan, pair: Sources, place: int, stage: Stage = Stage.CONFIRM
) -> Callable[[int], Iterator[CallPlan]]:
    """A function that gives batches of the next so many blocks."""
    batches = count()
    most = max(1, _LARGEST_BATCH // plan.block)

    def of(blocks: int) -> Iterator[CallPlan]:
        while blocks > 0:
            some = min(blocks, most)
            address = Address(stage, place, next(batches))
            yield CallPlan(address, *pair, some * plan.block, plan.outputs)
            blocks -= some

    return of
