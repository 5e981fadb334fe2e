"""How a call for many outputs left its generator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.random import SeedSequence

from audit.sampling.stream import words_between


@dataclass(frozen=True, slots=True)
class Ending:
    """How a call for many outputs left its generator.

    Attributes:
        state: of the generator.
        misleading: why equal states would not show that outputs stand beside each
            other as they should; empty where they would.
        unused: whether the generator is as it was.
    """

    state: Any = None
    misleading: str = ""
    unused: bool = False

    @classmethod
    def of(cls, before: Any, after: Any, stream: SeedSequence, size: int) -> Ending:
        """The ending of a call that was to give `size` outputs."""
        if stream.n_children_spawned:
            return cls(after, "the black box spawned generators of its own")
        if 2 * words_between(before, after) < size:
            # Half a word is what numpy takes for a small integer.
            reason = "the black box drew less than one random word for an output"
            return cls(after, reason, before == after)
        return cls(after)

    def misaligned(self, other: Ending) -> str:
        """Why outputs of two calls with equal generators do not stand beside each other.

        Empty where they do.
        """
        if self == other and not self.misleading:
            return ""
        reason = self.misleading or other.misleading
        return reason or "the two sides consumed different amounts of randomness"
