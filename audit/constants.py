"""Numbers and texts that stand in code: places where it may behave in another way."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Constants:
    """Constants in the code of a black box, each once, in the order of first appearance.

    Attributes:
        numbers: finite ones.
        texts: short ones.
    """

    numbers: tuple[int | float, ...] = ()
    texts: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.numbers or self.texts)


NONE = Constants()
