"""Peaks of numbers: narrow ones, and single values that recur among others that do not."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from audit.outcomes.column import Floats

_FEWEST = 256
_LEAST = 8
_SCALES = ((256, 8), (32, 3))
"""One in so many values makes a peak, beside times as many on either side."""
_EXCESS = 8.0
"""How many times as dense as its surroundings a peak is."""
_MOST = 4
_REPEATS, _MOST_REPEATED = 3, 16


def edges_of_peaks(ordered: Floats) -> Floats:
    """The ends of a few narrow intervals in which numbers are far denser than around.

    Args:
        ordered: ascending.
    """
    if len(ordered) < _FEWEST:
        return np.empty(0)
    found = [_peaks(ordered, max(_LEAST, len(ordered) // part), n) for part, n in _SCALES]
    return np.concatenate(found)


def _peaks(ordered: Floats, size: int, around: int) -> Floats:
    """The ends of at most four intervals of so many numbers, beside times as many around."""
    reach = around * size
    last = len(ordered) - size - reach
    if last <= reach:
        return np.empty(0)
    ends = ordered[reach + size :]
    with np.errstate(over="ignore", invalid="ignore"):
        widths = ends[: last - reach] - ordered[reach:last]
        before = ordered[reach:last] - ordered[: last - reach]
        behind = ends[reach:last] - ends[: last - reach]
        # Tails thin out: what is denser than one side alone is no peak.
        dense = (widths > 0.0) & (widths * around * _EXCESS < np.minimum(before, behind))
    found: list[int] = []
    for place in np.flatnonzero(dense)[np.argsort(widths[dense], kind="stable")].tolist():
        if all(abs(place - other) > size for other in found):
            found.append(place)
        if len(found) == _MOST:
            break
    starts = np.array(found, np.intp) + reach
    return np.concatenate([ordered[starts], ordered[starts + size]])


def repeated_values(distinct: Floats, times: NDArray[np.intp]) -> Floats:
    """Values that come again, where few do: nearly all others come once.

    Args:
        distinct: values.
        times: how often each came.
    """
    again = times >= _REPEATS
    if not 0 < again.sum() <= _MOST_REPEATED or (times == 1).sum() < len(distinct) / 2:
        return np.empty(0)
    return distinct[again]
