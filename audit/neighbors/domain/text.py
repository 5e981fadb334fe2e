"""Domains of free text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from audit.neighbors.domain.record import key
from audit.neighbors.domain.sizes import ANY, Sizes

_LONG = 100


@dataclass(frozen=True, slots=True)
class TextDomain:
    """Strings of any length and alphabet.

    Attributes:
        sizes: the number of records a dataset may have.
    """

    sizes: Sizes = ANY
    dtype: ClassVar[str] = "str"
    ends: ClassVar[tuple[str, str]] = ("a", "b")
    extremes: ClassVar[tuple[str, ...]] = ("a", "b", "", "A", "ab", "0", "é", " a", "a" * _LONG)

    def contains(self, record: object) -> bool:
        """True for strings."""
        return isinstance(key(record), str)

    def opposite(self, record: str) -> str:
        """Return "b", or "a" for "b"."""
        first, last = self.ends
        return first if key(record) == last else last

    def dataset(self, records: Sequence[str]) -> list[str]:
        """Return a list of n strings."""
        return list(records)

    def __str__(self) -> str:
        return f"text{self.sizes}"
