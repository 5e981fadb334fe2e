"""Moduli beyond those that are always read, by which most numbers of one side leave the same."""

from __future__ import annotations

import numpy as np

from audit.outcomes.column import Floats

_MODULI = range(17, 257)
_FEWEST, _MOST = 16, 512
"""Numbers that are looked at."""
_RANGE = 4
"""Times the modulus that numbers have to spread over."""
_SHARE, _TIMES = 0.3, 4.0
"""Share of the numbers that must leave the same, and how many times what is even."""
_NEARLY = 0.95
_LARGEST = 2.0**53


def uneven_modulus(values: Floats) -> float | None:
    """The largest modulus by which the most numbers of one side leave the same remainder.

    Its divisors do as well, and say less. None where no remainder stands out. What is found
    on few numbers may be chance: it is looked at on others before it is bet on.

    Args:
        values: whole numbers.
    """
    values = values[np.abs(values) < _LARGEST][:_MOST]
    if len(values) < _FEWEST:
        return None
    spread = float(np.ptp(values))
    moduli = [m for m in _MODULI if spread >= _RANGE * m]
    whole = values.astype(np.int64)
    most = np.array([np.bincount(whole % m, minlength=m).max() for m in moduli], np.float64)
    if not len(most) or most.max() < _SHARE * len(values):
        return None
    best = int(np.flatnonzero(most >= _NEARLY * most.max())[-1])
    even = len(values) / moduli[best]
    return float(moduli[best]) if most[best] > _TIMES * even + _TIMES else None
