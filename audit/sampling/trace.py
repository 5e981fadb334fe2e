"""What drawing a batch showed about drawing."""

from __future__ import annotations

from dataclasses import dataclass

from audit.errors import BlackBoxError
from audit.outcomes.failed_run import FailedRun
from audit.sampling.stream import Address, Stage


class Misaligned(Exception):
    """A batch whose pairs cannot be trusted to be independent; it must not be bet on.

    Attributes:
        reason: why, in words for the report.
        address: the batch.
    """

    def __init__(self, reason: str, address: Address) -> None:
        super().__init__(reason, address)
        self.reason = reason
        self.address = address


@dataclass(frozen=True, slots=True)
class Trace:
    """What drawing a batch showed about drawing.

    Attributes:
        address: the batch.
        samples: runs it took.
        consumed: whether the shared generator was drawn from.
        coupled: whether sides may go on sharing their randomness.
        singly: where calls for many outputs have failed.
        failure: why the batch failed, None when it did not.
        failed: runs that gave no value, on the left and on the right.
        first: the first of them, None where there was none.
        stateful: whether the black box was seen to change with a call.
        told_time: whether outputs held the time at which they were made.
        error: why the batch could not be drawn or read at all, None when it could.
    """

    address: Address
    samples: int
    consumed: bool
    coupled: bool
    singly: frozenset[tuple[Stage, int]]
    failure: str | None
    failed: tuple[int, int] = (0, 0)
    first: FailedRun | None = None
    stateful: bool = False
    told_time: bool = False
    error: BlackBoxError | None = None
