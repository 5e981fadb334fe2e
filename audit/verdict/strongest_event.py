"""The event that earned most, where one that is easier to read is the witness."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from audit.betting.events import Event


@dataclass(frozen=True, slots=True)
class StrongestEvent:
    """The event that earned most, where one that is easier to read is the witness.

    Attributes:
        event: the event.
        direction: on which side it is the likelier one, as of a witness.
        counts: times it happened there, times on the other side, and pairs of runs bet on.
    """

    event: Event
    direction: str
    counts: tuple[int, int, int]

    def as_json(self) -> dict[str, Any]:
        """As it stands in the result.

        Returns:
            What JSON can hold.
        """
        return {
            "event": self.event.as_json(),
            "direction": self.direction,
            "counts": named(self.counts),
        }


def named(counts: tuple[int, int, int]) -> dict[str, int]:
    """Counts of an event, as in the result."""
    return dict(zip(("left", "right", "pairs"), counts, strict=True))
