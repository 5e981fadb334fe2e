"""Leaks by side channels, and the times of runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from audit.betting.events import Event
from audit.jsonable import finite


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """A side channel outside real arithmetic, found with a wealth of its own.

    Attributes:
        kind: what gives the data away, as "floating-point".
        event: the event that does.
        log_evalue: natural log of the wealth that bets on it reached.
        epsilon_lower: lower bound on epsilon (at the claim's delta) where the side channel is
            part of the output, at a level of its own; None where none was stated.
    """

    kind: str
    event: Event
    log_evalue: float
    epsilon_lower: float | None = None

    def as_json(self) -> dict[str, Any]:
        """As it stands in the result.

        Returns:
            What JSON can hold.
        """
        return {
            "kind": self.kind,
            "event": self.event.description,
            "log_evalue": finite(self.log_evalue),
            "epsilon_lower": None if self.epsilon_lower is None else finite(self.epsilon_lower),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """Timed runs of one pair, on either dataset by the toss of a coin.

    Attributes:
        pair: its name.
        runs: how many were timed on both sides together.
        left: the tenth, the middle and the ninetieth percentile of the seconds on D.
        right: the same on the neighbor.
    """

    pair: str
    runs: int
    left: tuple[float, ...]
    right: tuple[float, ...]

    def as_json(self) -> dict[str, Any]:
        """As it stands in the result, under the names of its attributes."""
        return {
            "pair": self.pair,
            "runs": self.runs,
            "left": list(self.left),
            "right": list(self.right),
        }
