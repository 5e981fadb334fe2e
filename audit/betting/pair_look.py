"""Look at a pair of datasets: what its pilot runs showed before any bet."""

from __future__ import annotations

from dataclasses import dataclass

from audit.outcomes.answers import certain
from audit.outcomes.paired import PairedOutcomes
from audit.sampling.source import Sources

_ANSWERED = 16
"""Pairs of runs after which outputs that have never varied are taken for answers."""


@dataclass(slots=True)
class PairLook:
    """Pilot runs of a pair so far, and their score.

    Attributes:
        place: its number, part of the address of its draws.
        sources: the black box on both datasets.
        past: its draws, None before the first.
        batches: how often it was drawn.
        score: log-wealth that the best bet would have had on these draws.
    """

    place: int
    sources: Sources
    past: PairedOutcomes | None = None
    batches: int = 0
    score: float = 0.0

    @property
    def drawn(self) -> int:
        """Pairs of runs so far."""
        return 0 if self.past is None else self.past.left.size

    @property
    def answered(self) -> bool:
        """True if outputs differ and have never varied, often enough to count as deterministic."""
        return self.past is not None and self.drawn >= _ANSWERED and certain(self.past)
