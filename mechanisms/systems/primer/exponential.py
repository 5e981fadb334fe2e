"""The exponential mechanism over candidates that share scores in groups."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mechanisms.parts.noise import Floats, Integers


def group_probabilities(
    scores: NDArray[np.float64], sizes: NDArray[np.float64], epsilon: float
) -> Floats:
    """Probability that the chosen candidate lies in each group.

    A candidate is chosen with probability proportional to e^(epsilon·score/2), where
    one record moves each score by at most 1 (McSherry and Talwar 2007). The weights
    are kept as logarithms until the largest is divided out: none of them all
    underflows.

    Args:
        scores: shape (groups,).
        sizes: candidates of each group, positive, shape (groups,).
        epsilon: budget of the choice.

    Returns:
        Shape (groups,), adding up to 1.
    """
    logarithms = 0.5 * epsilon * scores + np.log(sizes)
    weights = np.exp(logarithms - logarithms.max())
    return np.asarray(weights / weights.sum())


def choose(probabilities: Floats, rng: Generator, size: int) -> Integers:
    """Indices with these probabilities by inversion of one uniform each, shape (size,)."""
    cumulative = np.cumsum(probabilities)
    drawn = np.searchsorted(cumulative, rng.random(size) * cumulative[-1], side="right")
    return np.asarray(np.minimum(drawn, probabilities.size - 1))
