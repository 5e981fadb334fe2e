"""Noisy counts of groups, with a reading of what they have cost so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from numpy.random import Generator

from audit.claims import Claim, PureDP
from mechanisms.parts.parameters import require_positive


@dataclass(frozen=True, slots=True)
class GroupCounts:
    """Sessions that count a group on demand and say what was spent.

    Each group is paid for once, with half of epsilon, and two groups can be paid for. Asked
    about the same group again, a session gives the same answer, which costs nothing; or a
    fresh one, which should.

    Attributes:
        epsilon: what all answers of a session may cost together.
        repeated: what is given for a group that was asked about before.
    """

    epsilon: float = 1.0
    repeated: Literal["same", "fresh"] = "same"

    def __post_init__(self) -> None:
        require_positive("epsilon", self.epsilon)

    @property
    def claim(self) -> Claim:
        return PureDP(self.epsilon)

    def release(self, data: Iterable[int], rng: Generator) -> GroupCount:
        """A new session, whose `ask(group)` gives a count and the reading."""
        return GroupCount(self, Counter(int(record) for record in data), rng)


class GroupCount:
    """One session.

    Attributes:
        answered: answers by group.
    """

    def __init__(self, terms: GroupCounts, counts: Counter[int], rng: Generator) -> None:
        self._terms, self._counts, self._rng = terms, counts, rng
        self.answered: dict[int, float] = {}

    def ask(self, group: int) -> tuple[float | None, float]:
        """The group's noisy count, None where it cannot be afforded, and what was spent."""
        known = group in self.answered
        if known and self._terms.repeated == "same":
            return self.answered[group], self._reading()
        if not known and len(self.answered) == 2:
            return None, self._reading()
        noise = self._rng.laplace(0.0, 2.0 / self._terms.epsilon)
        self.answered[group] = float(self._counts[group] + noise)
        return self.answered[group], self._reading()

    def _reading(self) -> float:
        return len(self.answered) * self._terms.epsilon / 2.0
