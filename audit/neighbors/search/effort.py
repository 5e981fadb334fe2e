"""Effort of the search for worse neighbors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """Effort of the search for worse neighbors: pairs, shrinking steps, runs."""

    pairs: int
    shrinks: int
    samples: int

    def as_json(self) -> dict[str, Any]:
        return {"pairs": self.pairs, "shrinks": self.shrinks, "samples": self.samples}
