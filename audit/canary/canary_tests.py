"""All tests of one audit of canaries, and their parts of alpha."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from audit.canary.design import Assignment, Design
from audit.canary.directions import Direction, directions_of, largest_bound
from audit.canary.guessing import couples_of, stream
from audit.canary.result import TwoSample
from audit.canary.scores import Scores
from audit.canary.two_sample import two_sample_bound
from audit.claims import Claim

_TO_COMPARE = 0.5
"""Part of alpha for two-sample tests, if canaries are assumed to be independent."""
_MATCHING, _CHOICE = 3, 4


@dataclass(frozen=True, slots=True, kw_only=True)
class CanaryTests:
    """Tests of guesses in both directions, and two-sample tests if the caller assumes enough.

    Attributes:
        scores: checked against the design.
        directions: that which the caller states, then the other one.
        assignment: of canaries.
        alpha: of the two-sample tests; 0 where there are none.
        seed: of all random choices.
    """

    scores: Scores
    directions: tuple[Direction, Direction]
    assignment: Assignment
    alpha: float
    seed: int

    @classmethod
    def of(
        cls,
        scores: Scores,
        design: Design,
        *,
        canaries: int,
        alpha: float,
        seed: int,
        independent: bool,
    ) -> CanaryTests:
        """The tests of some scores.

        Args:
            scores: checked against the design.
            design: of the coins.
            canaries: coins in all.
            alpha: level of all tests of one claim together.
            seed: of all random choices.
            independent: whether canaries are assumed to be independent.
        """
        to_compare = _TO_COMPARE * alpha if independent else 0.0
        return cls(
            scores=scores,
            directions=directions_of(scores, design, canaries, alpha - to_compare, seed),
            assignment=design.assignment,
            alpha=to_compare,
            seed=seed,
        )

    def bound(self, claim: Claim) -> float:
        """The largest level of the claim's kind that a test refutes, with all below it."""
        compared = self.two_sample(claim)
        found, _ = largest_bound(self.directions, claim)
        return found if compared is None else max(found, compared.bound)

    def ceiling(self, claim: Claim) -> float:
        """The bound if all guesses were right, and all scores apart."""
        stated = self.directions[0]
        guessed = stated.bench.bound(claim, stated.guesses.perfect())
        apart = replace(self.scores, values=self.scores.members.astype(np.float64))
        compared = replace(self, scores=apart).two_sample(claim)
        return guessed if compared is None else max(guessed, compared.bound)

    def two_sample(self, claim: Claim) -> TwoSample | None:
        """The two-sample test of a claim; None without the assumption, or with too few scores."""
        if self.alpha == 0.0:
            return None
        couples = couples_of(self.scores, self.assignment, self.seed, stage=_MATCHING)
        rng = stream(self.seed, _CHOICE)
        return two_sample_bound(self.scores, couples, claim, self.alpha, rng)
