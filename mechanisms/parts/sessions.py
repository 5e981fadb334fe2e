"""Sessions: mechanisms that answer one question after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sized
from dataclasses import dataclass
from typing import Literal

from numpy.random import Generator

from mechanisms.parts.calibration import Pure
from mechanisms.parts.parameters import require_positive

REFUSED = "refused"


class BudgetExceeded(Exception):
    """A question costs more than is left."""


@dataclass(frozen=True, slots=True)
class BudgetedCounts(Pure):
    """Sessions with a budget; each question names the share of it that the answer may cost.

    Attributes:
        epsilon: the budget, which is what is claimed.
        checked: whether an answer is given when its price is left, or, one too many, as
            long as not more than the budget was spent before.
        refusal: what a question ends in that cannot be afforded.
        afterwards: whether such a question leaves the budget as it was, or makes a new one.
    """

    checked: Literal["price", "spent"] = "price"
    refusal: Literal["answer", "exception"] = "answer"
    afterwards: Literal["same", "new"] = "same"

    def __post_init__(self) -> None:
        require_positive("epsilon", self.epsilon)

    def release(self, data: Sized, rng: Generator) -> BudgetedCount:
        """A new session, whose `ask(share)` counts the records."""
        return BudgetedCount(self, len(data), rng)


class BudgetedCount:
    """One session.

    Attributes:
        spent: what answers have cost, in shares of the budget.
    """

    def __init__(self, terms: BudgetedCounts, count: int, rng: Generator) -> None:
        self._terms, self._count, self._rng = terms, count, rng
        self.spent = 0.0

    def ask(self, share: float) -> float | str:
        """The count with Laplace noise, at this share of the budget.

        Raises:
            BudgetExceeded: it cannot be afforded, and refusals are exceptions.
        """
        price = share if self._terms.checked == "price" else 0.0
        if self.spent + price > 1.0:
            return self._refused()
        self.spent += share
        return float(self._count + self._rng.laplace(0.0, 1.0 / (share * self._terms.epsilon)))

    def _refused(self) -> str:
        if self._terms.afterwards == "new":
            self.spent = 0.0
        if self._terms.refusal == "exception":
            raise BudgetExceeded
        return REFUSED


@dataclass(frozen=True, slots=True)
class GroupCounts(Pure):
    """Sessions that count a group on demand and say what was spent.

    Each group is paid for once, with half of epsilon, and two groups can be paid for. Asked
    about the same group again, a session gives the same answer, which costs nothing; or a
    fresh one, which should.

    Attributes:
        epsilon: what all answers of a session may cost together.
        repeated: what is given for a group that was asked about before.
    """

    repeated: Literal["same", "fresh"] = "same"

    def __post_init__(self) -> None:
        require_positive("epsilon", self.epsilon)

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


ROUNDS = 2
"""Answers "above" that a session gives."""


class NoRoundLeft(Exception):
    """All answers "above" were given."""


@dataclass(frozen=True, slots=True)
class LargeGroups(Pure):
    """Sessions that say whether a group has more than no records, twice at most.

    Two rounds of AboveThreshold, each with half of epsilon: the threshold has noise of scale
    4/epsilon, each answer of 8/epsilon (Dwork and Roth 2014, Algorithm 1 and Theorem 3.23).

    Attributes:
        epsilon: claimed epsilon.
        kept: what is drawn once and forgotten to be drawn again: nothing; the threshold's noise
            after an answer "above", which is still private (arXiv 1603.01699, Theorem 2, with
            epsilon/4 for the threshold and epsilon/2 for the answers); or the noise of answers.
    """

    kept: Literal["nothing", "threshold", "noise"] = "nothing"

    def __post_init__(self) -> None:
        require_positive("epsilon", self.epsilon)

    def release(self, data: Iterable[int], rng: Generator) -> LargeGroup:
        """A new session, whose `ask(group)` says whether the group is above the threshold."""
        return LargeGroup(self, Counter(int(record) for record in data), rng)


class LargeGroup:
    """One session.

    Attributes:
        left: answers "above" that may still be given.
    """

    def __init__(self, terms: LargeGroups, counts: Counter[int], rng: Generator) -> None:
        self._terms, self._counts, self._rng = terms, counts, rng
        self.left = ROUNDS
        self._threshold, self._noise = self._drawn(2.0), self._drawn(4.0)

    def ask(self, group: int) -> bool:
        """Comparison of the group's size with the threshold.

        Raises:
            NoRoundLeft: that was said often enough.
        """
        if not self.left:
            raise NoRoundLeft
        if self._terms.kept != "noise":
            self._noise = self._drawn(4.0)
        above = bool(self._counts[group] + self._noise >= self._threshold)
        if above:
            self.left -= 1
            if self._terms.kept != "threshold":
                self._threshold = self._drawn(2.0)
        return above

    def _drawn(self, factor: float) -> float:
        return float(self._rng.laplace(0.0, factor * ROUNDS / self._terms.epsilon))
