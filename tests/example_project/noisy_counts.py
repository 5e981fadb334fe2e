"""Two ways to release how many records a dataset has, the second with a mistake."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Released = NDArray[np.float64]


def noisy_count(data: Any, rng: Generator, size: int) -> Released:
    """The number of records with Laplace noise of scale 1, which makes epsilon 1."""
    return len(data) + rng.laplace(0.0, 1.0, size)


def hasty_count(data: Any, rng: Generator, size: int) -> Released:
    """The same with noise of scale 1/2, by somebody who took the scale for a variance."""
    return len(data) + rng.laplace(0.0, 0.5, size)
