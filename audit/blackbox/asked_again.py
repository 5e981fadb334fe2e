"""Whether what stays alive answers an early question again as it did, now and later.

Nobody outside can see what a program or a service carries from one call to the next.
Where the same data and the same seed give another answer, it has randomness or state
of its own; where they never do, its answers follow from the seed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

_QUESTIONS = 4
"""So many of the first questions are kept."""
_ENOUGH = 4
"""So often they are asked again before equal answers are believed in."""


class AskedAgain:
    """The first questions and what was answered.

    Attributes:
        differed: whether an answer was ever another than the first one.
        times: how often all of them were asked again.
    """

    __slots__ = ("_first", "differed", "times")

    def __init__(self) -> None:
        self._first: dict[bytes, bytes] = {}
        self.differed = False
        self.times = 0

    @property
    def full(self) -> bool:
        """Whether enough questions were asked for the first time."""
        return len(self._first) >= _QUESTIONS

    def note(self, question: bytes, answer: bytes) -> None:
        """Keep a question, if it is one of the first."""
        if len(self._first) < _QUESTIONS:
            self._first.setdefault(question, answer)

    def answers(self, ask: Callable[[bytes], bytes]) -> bytes | None:
        """A checksum of what is answered now; None while there are too few questions.

        Args:
            ask: asks once more; what it raises is an answer by its type.
        """
        if not self.full:
            return None
        hashed = hashlib.blake2b(digest_size=16)
        for question, answer in self._first.items():
            try:
                now = ask(question)
            except Exception as error:
                now = type(error).__name__.encode()
            self.differed |= now != answer
            hashed.update(len(now).to_bytes(8, "little") + now)
        self.times += 1
        return hashed.digest()

    def trusted(self, ask: Callable[[bytes], bytes]) -> bool:
        """Whether answers were the same often enough; asks once more where that is not known."""
        if self.full and self.times < _ENOUGH and not self.differed:
            self.answers(ask)
        return self.times >= _ENOUGH and not self.differed
