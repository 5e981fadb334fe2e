"""Means of what lies between 0 and 1, with intervals that hold for every law."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from audit.verdict.estimate import Estimate
from audit.verdict.intervals import proportion


def mean_of(counts: NDArray[np.int64], values: NDArray[np.float64], alpha: float) -> Estimate:
    """The mean of a function of bins, with a two-sided interval at 1 - alpha.

    A probability where the function is 0 or 1, with its Clopper-Pearson interval; else
    the empirical Bernstein bound (arXiv 0907.3740, Theorem 4) for both ends at alpha/2.

    Args:
        counts: draws in each bin, shape (bins,); at least one in all.
        values: of the function, from 0 to 1, shape (bins,).
        alpha: chance that the interval misses the mean.
    """
    draws = int(counts.sum())
    if ((values == 0.0) | (values == 1.0)).all():
        return proportion(int(counts[values == 1.0].sum()), draws, alpha)
    mean = float(counts @ values) / draws
    if draws < 2:
        return Estimate(mean, 0.0, 1.0)
    variance = float(counts @ (values - mean) ** 2) / (draws - 1)
    needed = math.log(4.0 / alpha)
    reach = math.sqrt(2.0 * variance * needed / draws) + 7.0 * needed / (3.0 * (draws - 1))
    return Estimate(mean, max(0.0, mean - reach), min(1.0, mean + reach))
