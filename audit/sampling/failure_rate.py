"""Whether runs on a dataset fail as often late as they do early.

The bets need runs that are draws of one law. A budget that runs out, a file that
fills up or a connection that is lost changes the law in the middle of an audit:
from then on both sides fail alike, and the mechanism would look better the longer
it is dead.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from audit.sampling.uneven import chance_of

_SMALLEST_CHANCE = 1e-9
"""Chance below which a change is no accident; it accuses nobody, but ends in no answer."""
_MOST_PARTS = 256


@dataclass(slots=True)
class _Course:
    """The runs on one dataset in their order.

    Attributes:
        data: the dataset; held, so that its identity stays its own.
        runs: how many, part by part.
        failed: how many of them failed.
    """

    data: Any
    runs: list[int] = field(default_factory=list)
    failed: list[int] = field(default_factory=list)

    def add(self, runs: int, failed: int) -> None:
        self.runs.append(runs)
        self.failed.append(failed)
        if len(self.runs) > _MOST_PARTS:
            # Neighbors are taken together: what is asked is early or late, not when exactly.
            self.runs = _in_twos(self.runs)
            self.failed = _in_twos(self.failed)

    def chance(self) -> float:
        """Smallest chance, over all places to cut, of so uneven a share of the failures."""
        return chance_of(self.runs, self.failed)


@dataclass(slots=True)
class FailureRate:
    """The failures of one audit by dataset, in the order of the runs."""

    courses: dict[int, _Course] = field(default_factory=dict)

    def add(self, data: Any, runs: int, failed: int) -> None:
        """Note a batch of runs on a dataset.

        Args:
            data: the dataset itself, told apart by identity.
            runs: how many there were.
            failed: how many of them gave no value.
        """
        self.courses.setdefault(id(data), _Course(data)).add(runs, failed)

    @property
    def changed(self) -> bool:
        """Whether runs on one of the datasets began or ceased to fail.

        Where all runs on every dataset have one law each, this is so with probability
        at most 1e-9 a dataset.
        """
        return any(course.chance() < _SMALLEST_CHANCE for course in self.courses.values())


def _in_twos(parts: list[int]) -> list[int]:
    return [sum(parts[place : place + 2]) for place in range(0, len(parts), 2)]
