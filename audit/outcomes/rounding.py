"""Rounding away what only the last bits of floats tell.

Two results that are equal in real arithmetic may differ in their last bits, and
those bits depend on the dataset. That is a leak of floating-point numbers, bet
on separately, and no breach of the claim.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

quietly = np.errstate(over="ignore", invalid="ignore")
"""For calculations with the largest floats, which may leave the range of floats."""


@quietly
def rounded(values: Floats, unit: float) -> Floats:
    """Multiples of the unit; the values themselves when it is 0."""
    return np.asarray(np.round(values / unit) * unit) if unit else values


@quietly
def rounded_columns(rows: Floats, units: tuple[float, ...]) -> Floats:
    """Multiples of each column's unit; the values themselves where it is 0."""
    whole = np.array(units) == 0.0
    scale = np.where(whole, 1.0, units)
    return np.where(whole, rows, np.round(rows / scale) * scale)


def unit_for(magnitude: float) -> float:
    """A power of two about 2^-30 times the magnitude of what is calculated with."""
    if not 1e-290 < magnitude < 1e300:
        return 2.0**-30
    return float(2.0 ** np.ceil(np.log2(magnitude) - 30.0))


def rounding_for(values: Floats) -> float:
    """Rounding unit of numbers like these, 0 for whole numbers."""
    held = np.abs(values[np.isfinite(values) & (values != 0)])
    return 0.0 if np.all(held == np.round(held)) else unit_for(middle(held))


def middle(values: Floats) -> float:
    """The lower median, which is one of the values and never too large for a float."""
    place = (len(values) - 1) // 2
    return float(np.partition(values, place)[place])
