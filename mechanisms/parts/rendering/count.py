"""A noisy count in a rendering style that exposes the true count or the noisy count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from audit.claims import Claim, PureDP
from audit.errors import InputError
from mechanisms.parts.noise import laplace
from mechanisms.parts.rendering import CHANCES, Render
from mechanisms.parts.rendering.numbers import FIGURES, VECTORS
from mechanisms.parts.rendering.structures import STRUCTURES
from mechanisms.parts.rendering.texts import TEXTS

STYLES: Mapping[str, Render] = {**TEXTS, **STRUCTURES, **FIGURES, **VECTORS}
_LARGEST = 9


@dataclass(frozen=True, slots=True)
class RenderedCount:
    """A count with Laplace noise in a rendering that exposes a whole number.

    Attributes:
        style: rendering style, a key of `STYLES`.
        exact: whether the whole number is the true count; else it is the noisy count,
            rounded, and the output is made of that alone.
        epsilon: claimed epsilon.
    """

    style: str
    exact: bool = False
    epsilon: float = 1.0

    def __post_init__(self) -> None:
        if self.style not in STYLES:
            raise InputError(
                f"style {self.style!r} is not known; use one of {', '.join(STYLES)}", self.style
            )

    @property
    def claim(self) -> Claim:
        return PureDP(self.epsilon)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Any:
        """`size` outputs, of the kind that belongs to the style."""
        count = np.asarray(data).size
        noisy = count + laplace(rng, 1.0 / self.epsilon, size)
        held = np.full(size, float(count)) if self.exact else noisy
        shown = np.clip(np.rint(held), 0, _LARGEST).astype(np.int64)
        return STYLES[self.style](noisy, shown, rng.random((size, CHANCES)))
