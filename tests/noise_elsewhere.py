"""Noise from generators that live in a module of their own, as those of libraries do.

Whoever calls these functions as attributes of this module carries nothing of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

SEEDED = np.random.default_rng(3)
UNSEEDED = np.random.default_rng()


def seeded(scale: float, size: int | None = None) -> Any:
    """Laplace noise that begins alike in every process."""
    return SEEDED.laplace(0.0, scale, size)


def unseeded(scale: float, size: int | None = None) -> Any:
    """Laplace noise that begins anew in every process, unless that is a fork."""
    return UNSEEDED.laplace(0.0, scale, size)


def begin(seed: int) -> None:
    """Put back in this process what an audit before may have moved on."""
    global SEEDED
    SEEDED = np.random.default_rng(seed)
