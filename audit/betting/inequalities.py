"""What a claim promises at one level, as the inequalities that bets are placed against."""

from __future__ import annotations

from dataclasses import dataclass

from audit.claim import Claim, Divergences, Lines


@dataclass(frozen=True, slots=True)
class Inequalities:
    """What a claim promises at one level.

    Attributes:
        lines: on probabilities of events, shape (lines, 2).
        divergences: on means of functions, shape (orders, 2); no row where the claim
            bounds no divergence.
    """

    lines: Lines
    divergences: Divergences

    @classmethod
    def at(cls, claim: Claim, level: float) -> Inequalities:
        """Those of a claim at a level."""
        return cls(claim.lines(level), claim.divergences(level))

    @property
    def key(self) -> bytes:
        """What tells them from those at other levels."""
        return self.lines.tobytes() + self.divergences.tobytes()
