"""The result as JSON text, for programs and for storing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Protocol

from audit.errors import visible


class Stored(Protocol):
    """Interface of results of every kind for storage."""

    @property
    def mechanism(self) -> str:
        """Name of the mechanism."""

    @property
    def levels(self) -> Mapping[str, float]:
        """Lower bounds by name."""

    def to_json(self) -> dict[str, Any]:
        """The result as one JSON object."""


def render_json(result: Stored) -> str:
    """One JSON object in UTF-8, which `restore` reads back.

    Strings from a black box may hold what steers a terminal, and halves of
    surrogate pairs, which UTF-8 cannot; they are written as JSON's own escapes.
    """
    text = json.dumps(result.to_json(), ensure_ascii=False, allow_nan=False, indent=2)
    return "\n".join(visible(line, json.dumps) for line in text.split("\n")) + "\n"
