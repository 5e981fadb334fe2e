"""One diagnosis, compared with the labels of its mechanism."""

from __future__ import annotations

from dataclasses import dataclass

from audit.diagnosis.cause import Cause
from tests.diagnosis.labels import CAUSES


@dataclass(frozen=True, slots=True)
class Diagnosed:
    """One diagnosis.

    Attributes:
        name: of the entry.
        seed: of its audit and of the fresh runs.
        cause: found; None if the audit did not refute the claim.
        sentence: of the diagnosis.
        advice: of the diagnosis.
    """

    name: str
    seed: int
    cause: Cause | None
    sentence: str = ""
    advice: str = ""

    @property
    def right(self) -> bool:
        """True if the cause is among the labels."""
        return self.cause in CAUSES[self.name]

    @property
    def wrong(self) -> bool:
        """True if another cause than the labels is named."""
        return self.cause not in (None, Cause.UNKNOWN, *CAUSES[self.name])
