"""Design of canaries: how members were chosen; declared by the user, never inferred."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from audit.relation import Relation


class Assignment(StrEnum):
    """The three ways that have a guarantee.

    COIN: each canary is put in by a coin of its own.
    PAIRS: of the two canaries of each pair, a fair coin puts one in.
    HALVES: a fixed number of canaries, drawn uniformly at random, is put in.
    """

    COIN = "coin"
    PAIRS = "pairs"
    HALVES = "halves"


_ONE_STEP = (Relation.SUBSTITUTE, Relation.DECLARED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """Coins of a design, and the distance between their two sides.

    A canary that is put in or left out makes two neighboring datasets: by
    adding or removing it, or by substituting it where something else stands in
    its place. Where one of two canaries is put in, the two datasets differ by
    one substitution: by an addition and a removal.

    Attributes:
        assignment: who is put in.
        probability: of being put in, for coins; 0.5 for pairs and halves.
        relation: of the claim.
    """

    assignment: Assignment = Assignment.COIN
    probability: float = 0.5
    relation: Relation = Relation.ADD_REMOVE

    @property
    def steps(self) -> int:
        """Number of steps between neighboring datasets from one side of a coin to the other."""
        coin = self.assignment is Assignment.COIN
        return 1 if coin or self.relation in _ONE_STEP else 2

    @property
    def coins(self) -> str:
        """Things that one coin decides about, in words."""
        return "canaries" if self.assignment is Assignment.COIN else "pairs of canaries"

    @property
    def larger_odds(self) -> float:
        """Odds of the likelier side of a coin."""
        return max(self.probability, 1.0 - self.probability) / min(
            self.probability, 1.0 - self.probability
        )

    def rates(self, epsilon: float) -> tuple[float, float]:
        """The largest probability of a right guess "in", and of a right guess "out".

        For a pure claim, whatever the output and the other coins. By Bayes'
        rule the posterior odds are at most e^epsilon times those of the coin
        (arXiv 2305.08846, Proposition 5.1 for fair coins), e^(2 epsilon) where
        two neighboring datasets in a row lead from one side to the other.
        """
        odds = math.log(self.probability / (1.0 - self.probability))
        loss = self.steps * epsilon
        return _logistic(loss + odds), _logistic(loss - odds)

    def delta(self, epsilon: float, delta: float) -> float:
        """The delta between the two sides of a coin: (1 + e^epsilon) delta for two steps.

        Group privacy: P <= e^epsilon (e^epsilon P'' + delta) + delta.
        """
        return delta if self.steps == 1 else min(1.0, (1.0 + math.exp(epsilon)) * delta)


def _logistic(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-x)) if x >= 0 else math.exp(x) / (1.0 + math.exp(x))
