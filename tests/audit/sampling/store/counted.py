"""A black box that can be told when to be interrupted."""

from __future__ import annotations

from typing import Any

from numpy.random import Generator


class Counted:
    """A noisy number that counts its calls, and is interrupted at one of them.

    Attributes:
        scale: of the noise.
        stop: the call at which Ctrl-C is pressed, 0 for never.
        calls: so far.
    """

    def __init__(self, scale: float, stop: int = 0) -> None:
        self.scale, self.stop, self.calls = scale, stop, 0

    def many(self, data: Any, rng: Generator, size: int) -> Any:
        self._count()
        return data[0] + rng.laplace(0.0, self.scale, size)

    def one(self, data: Any, rng: Generator) -> Any:
        self._count()
        return {"answer": float(data[0] + rng.laplace(0.0, self.scale)), "label": "µ\ud800"}

    def unseeded(self, data: Any) -> float:
        self._count()
        return float(data[0] + self.calls * 0.618 % 1.0)

    def _count(self) -> None:
        self.calls += 1
        if self.calls == self.stop:
            raise KeyboardInterrupt

    def __reduce__(self) -> Any:
        return Counted, (self.scale,)
