"""One event: a set of outputs that was bet on or that broke a claim."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from audit.jsonable import jsonable


@dataclass(frozen=True, slots=True)
class Event:
    """A set of outputs, in words that an engineer can check by hand.

    Attributes:
        description: the words, for example "the output is at least 1.25".
        parameters: the same as plain values.
    """

    description: str
    parameters: dict[str, Any]

    def as_json(self) -> dict[str, Any]:
        return {"description": self.description, **jsonable(self.parameters)}
