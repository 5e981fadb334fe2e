"""A sparse vector as a session: which groups are large, one question after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from numpy.random import Generator

from audit.claims import Claim, PureDP
from mechanisms.parts.parameters import require_positive

ROUNDS = 2
"""Answers "above" that a session gives."""


class NoRoundLeft(Exception):
    """All answers "above" were given."""


@dataclass(frozen=True, slots=True)
class LargeGroups:
    """Sessions that say whether a group has more than no records, twice at most.

    Two rounds of AboveThreshold, each with half of epsilon: the threshold has noise of scale
    4/epsilon, each answer of 8/epsilon (Dwork and Roth 2014, Algorithm 1 and Theorem 3.23).

    Attributes:
        epsilon: claimed epsilon.
        kept: what is drawn once and forgotten to be drawn again: nothing; the threshold's noise
            after an answer "above", which is still private (arXiv 1603.01699, Theorem 2, with
            epsilon/4 for the threshold and epsilon/2 for the answers); or the noise of answers.
    """

    epsilon: float = 1.0
    kept: Literal["nothing", "threshold", "noise"] = "nothing"

    def __post_init__(self) -> None:
        require_positive("epsilon", self.epsilon)

    @property
    def claim(self) -> Claim:
        return PureDP(self.epsilon)

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
