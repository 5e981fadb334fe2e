"""Whether a black box changes with a call.

A box with a generator, a cache or a counter of its own gives draws that depend on
each other through it. Copied into several processes, the same noise is drawn many
times over; continued from a store, it starts anew. What a box carries is compared
before and after calls. Equal bytes are necessary for a box without state, not
sufficient: what lies in other modules, in files, in C or behind a connection is not
seen. So before anything is drawn elsewhere it is tried what comes of that (`own_source`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

_ALWAYS = 4
"""So many batches are compared one by one, later ones where their number is a power of two."""


def carried(box: Any) -> bytes | None:
    """A checksum of what a black box carries now; None where that cannot be told."""
    state = getattr(box, "state", None)
    found: bytes | None = None if state is None else state()
    return found


@dataclass(slots=True)
class Watch:
    """Compares what a black box carries between batches, often at first, then now and then.

    The first batch may prepare things once and for all; it is not compared.

    Attributes:
        batches: how many were looked at.
        before: what the black box carried when it was last looked at.
        bound: why one process has to draw everything, in order, as a sentence; empty where
            any may draw, None before that was tried.
        idle: whether nothing is compared, because somebody else does (see `Passage`).
    """

    batches: int = 0
    before: bytes | None = None
    bound: str | None = None
    idle: bool = False

    @property
    def settled(self) -> bool:
        """Whether enough batches were compared to send the black box elsewhere."""
        return self.batches >= _ALWAYS

    def changed(self, box: Any) -> bool:
        """Whether a batch that was just drawn has changed the black box."""
        self.batches += 1
        if self.idle or (self.batches > _ALWAYS and self.batches & (self.batches - 1)):
            return False
        now = carried(box)
        before, self.before = self.before, now
        return before is not None and now is not None and before != now

    def __reduce__(self) -> tuple[type[Watch], tuple[int, None, None, bool]]:
        """Elsewhere, all that is done there is compared as a whole."""
        return Watch, (0, None, None, True)
