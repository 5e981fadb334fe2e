"""Rendered noisy counts: one that exposes the true count, and one that exposes the noisy count."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, log
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from audit.claims import Claim, PureDP
from audit.declaration import Entry
from audit.errors import InputError
from mechanisms.parts.noise import laplace
from mechanisms.parts.rendering import CHANCES, Render
from mechanisms.parts.rendering.numbers import FIGURES, VECTORS
from mechanisms.parts.rendering.structures import STRUCTURES
from mechanisms.parts.rendering.texts import TEXTS
from mechanisms.table import Row, add_remove, breaks, keeps, table

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


_THREE_AND_TWO = add_remove(np.ones(3), np.ones(2))
_EPSILON = {"scattered-values": log(6.0)}
"""True epsilon of styles that expose the true count only with some probability."""


def _rows(style: str, render: Render) -> tuple[Row, Row]:
    """A wrong and a right mechanism of one style, described by its docstring."""
    how = (inspect.getdoc(render) or style).splitlines()[0].rstrip(".")
    described = f"noisy count: {how[0].lower()}{how[1:]} exposes the"
    return (
        (
            f"{style}-of-true-count",
            RenderedCount(style, True),
            _THREE_AND_TWO,
            breaks("calculation: 3 and 2 are told apart", _EPSILON.get(style, inf)),
            f"{described} true count",
        ),
        (
            f"{style}-of-noisy-count",
            RenderedCount(style, False),
            _THREE_AND_TWO,
            keeps("post-processing of a Laplace count"),
            f"{described} noisy count",
        ),
    )


def _entries(group: str, styles: Mapping[str, Render]) -> tuple[Entry, ...]:
    return table(group, (row for style in styles.items() for row in _rows(*style)))


ENTRIES = (
    _entries("Rendering: texts", TEXTS)
    + _entries("Rendering: structure", STRUCTURES)
    + _entries("Rendering: numbers", FIGURES)
    + _entries("Rendering: several numbers", VECTORS)
)
