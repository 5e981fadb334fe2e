"""Separate calls on one dataset, and behind them as many on the other one."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from audit.blackbox.at_once import AtOnce
from audit.blackbox.interface import BlackBox
from audit.sampling.separate_calls import Made, SeparateCalls


@dataclass(frozen=True, slots=True)
class BothSides:
    """Calls on the left, and behind all of them those on the right.

    Nobody has to wait for the last on the left before the first on the right is made, where
    several make them. Groups stay those of either side: the places of the right begin where
    a group would, so that some in between may belong to no call.

    Attributes:
        left: calls on one dataset.
        right: as many on the other one.
    """

    left: SeparateCalls
    right: SeparateCalls

    @property
    def box(self) -> BlackBox:
        """See `Calls.box`."""
        return self.left.box

    @property
    def group(self) -> int:
        """See `Calls.group`."""
        return self.left.group

    @property
    def length(self) -> int:
        """Places, of which the last is that of a call."""
        return self._behind + self.right.length

    @property
    def _behind(self) -> int:
        """Where the right begins."""
        return self.group * math.ceil(self.left.length / self.group)

    def made(self, begin: int = 0, end: int | None = None) -> Made:
        """See `Calls.made`."""
        end = self.length if end is None else end

        def part(calls: SeparateCalls, first: int) -> Made:
            start, stop = max(0, begin - first), min(end - first, calls.length)
            return calls.made(start, stop) if start < stop else Made()

        return _joined(lambda: part(self.left, 0), lambda: part(self.right, self._behind))

    def made_at_once(self, at_once: AtOnce) -> Made:
        """See `Calls.made_at_once`."""
        return _joined(
            lambda: self.left.made_at_once(at_once), lambda: self.right.made_at_once(at_once)
        )


def _joined(left: Callable[[], Made], right: Callable[[], Made]) -> Made:
    """What both come to; nothing is made behind what keeps calls from being made."""
    made = left()
    if made.error is None:
        made.add(right())
    return made
