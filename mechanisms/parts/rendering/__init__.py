"""Renderings of a noisy count that expose the true count, or only seem to.

A style is a function of a noisy count, an exposed whole number, and random numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from numpy.typing import NDArray

from mechanisms.parts.noise import Floats, Integers

Render = Callable[[Floats, Integers, Floats], Any]
"""Of noisy counts, shape (n,), whole numbers from 0 to 9, shape (n,), and numbers between 0
and 1 that know of no data, shape (n, 8): n outputs."""
CHANCES = 8


def each(render: Callable[[float, int, list[float]], Any]) -> Render:
    """A style that makes its outputs one by one."""

    @wraps(render)
    def rendered(noisy: Floats, shown: Integers, chance: NDArray[Any]) -> list[Any]:
        rows = zip(noisy.tolist(), shown.tolist(), chance.tolist(), strict=True)
        return [render(*row) for row in rows]

    return rendered
