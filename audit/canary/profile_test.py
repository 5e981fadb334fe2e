"""The test of zCDP, Rényi and Gaussian claims: the recursion at a few prefixes that share alpha."""

from __future__ import annotations

from dataclasses import dataclass

from audit.canary.design import Design
from audit.canary.guesses import Guesses
from audit.canary.prefixes import Prefix, sparse_prefixes_of
from audit.canary.recursion import refuted
from audit.canary.trade_off import smallest_other
from audit.claim import Claim


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileTest:
    """Tests of one kind of claim for every level, on the same guesses.

    Each prefix has an equal part of alpha. Their sizes follow from the number
    of canaries; where fewer are guessed, the last prefixes hold fewer.

    Attributes:
        guesses: opened.
        design: of the coins.
        canaries: coins in all, also of those that nobody guessed.
        claim: whose level is tested.
        alpha: level of all prefixes together.
    """

    guesses: Guesses
    design: Design
    canaries: int
    claim: Claim
    alpha: float

    def refutes(self, low: float, high: float) -> bool:
        """True if every level of an interval is refuted: each is, if the weakest claim is.

        Args:
            low: smallest level.
            high: largest level, above 0.
        """
        return any(
            self.prefix_refutes(prefix, self.guesses.right(prefix), high)
            for prefix in self.prefixes()
        )

    def prefix_refutes(self, prefix: Prefix, right: int, level: float) -> bool:
        """True if one prefix refutes a level with so many right guesses, at its part of alpha."""
        return refuted(
            right=right,
            guesses=prefix.size,
            canaries=self.canaries,
            smallest=smallest_other(self.claim.at(level), self.design.steps),
            level=self.alpha / len(self.prefixes()),
            odds=self.design.larger_odds,
        )

    def prefixes(self) -> tuple[Prefix, ...]:
        """The prefixes among which alpha is divided."""
        if not self.guesses.sided:
            return sparse_prefixes_of(self.canaries, 0)
        ins = round(self.canaries * self.design.probability)
        return sparse_prefixes_of(ins, self.canaries - ins)
