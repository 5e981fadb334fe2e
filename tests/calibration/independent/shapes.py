"""Shapes of outputs that follow the data as randomized response does."""

from __future__ import annotations

import math
from typing import Any

from numpy.random import Generator

from tests.calibration.kind import Kind, pure
from tests.shapes import SHAPED, Shape

_TRUE = math.e / (1.0 + math.e)
"""Chance of a true answer that keeps epsilon = 1 tightly."""


def _following(shape: Shape) -> Any:
    def release(data: Any, rng: Generator) -> Any:
        return shape(rng, bool((rng.random() < _TRUE) == (data[0] > 0.0)))

    return release


SHAPES: tuple[Kind, ...] = tuple(
    pure(shape.__name__.replace("_", " "), _following(shape), samples=1500) for shape in SHAPED
)
