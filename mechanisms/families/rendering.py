"""Rendered noisy counts: one that exposes the true count, and one that exposes the noisy count."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from math import inf, log

import numpy as np

from audit.declaration import Entry
from mechanisms.parts.rendering import Render
from mechanisms.parts.rendering.count import RenderedCount
from mechanisms.parts.rendering.numbers import FIGURES, VECTORS
from mechanisms.parts.rendering.structures import STRUCTURES
from mechanisms.parts.rendering.texts import TEXTS
from mechanisms.table import Row, add_remove, breaks, keeps, table

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
