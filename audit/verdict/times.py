"""Times of the runs on both sides of a pair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


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
