"""Sums of numbers that are given by their logs."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray


def log_sum(logs: NDArray[np.float64]) -> float:
    """Log of the sum of exp; -inf if nothing is left."""
    top = float(logs.max(initial=-np.inf))
    if top == -np.inf:
        return top
    return top + math.log(float(np.exp(logs - top).sum()))
