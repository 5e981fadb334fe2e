"""Where calls of a black box are made: in this process, or in one that they may end."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Protocol, TypeVar

from audit.sampling.grouped_calls import QUICK
from audit.sampling.independence.missing_outcome import Crashed
from audit.sampling.separate_calls import Made, SeparateCalls

T = TypeVar("T")


class Place(Protocol):
    """A process in which calls are made."""

    def __call__(self, work: Callable[[], T]) -> T:
        """Do some work there, and give what it returns.

        Raises:
            Crashed: the work ended that process.
        """


def in_this_process(work: Callable[[], T]) -> T:
    """The place where a crash ends the audit."""
    return work()


def made_at(place: Place, calls: SeparateCalls, expected: float, begin: int, end: int) -> Made:
    """Make some calls; after a crash they are made again, one by one.

    Args:
        place: where they are made.
        calls: all calls of a batch.
        expected: seconds of a call.
        begin: number of the first in that batch, where a group begins.
        end: number after the last.
    """
    with suppress(Crashed):
        return place(partial(_in_a_row, calls, expected, begin, end))
    made = Made()
    for number, turn in enumerate(calls.by_turns(begin, end), begin):
        try:
            made.add(place(partial(calls.made, number, number + 1)))
        except Crashed as error:
            calls.failed(error, turn, made)
        if made.error is not None:
            break
    return made


def _in_a_row(calls: SeparateCalls, expected: float, begin: int, end: int) -> Made:
    quick = calls.made_quickly(expected, begin, end) if expected < QUICK else None
    return calls.made(begin, end) if quick is None else quick
