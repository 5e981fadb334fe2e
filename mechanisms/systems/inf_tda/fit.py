"""Whole numbers of fixed sum that minimize the largest distance to noisy numbers."""

from __future__ import annotations

import numpy as np

from mechanisms.parts.noise import Integers


def nearest_with_sum(noisy: Integers, totals: Integers) -> Integers:
    """Non-negative integers that add up to the totals, nearest in the maximum norm.

    All entries move by one common step and stop at 0; what rounding leaves over
    goes, one each, to the largest. No other choice has a smaller maximum: with a
    smaller distance the entries could not come down (or up) to the total, and an
    entry below 0 has to rise to 0 anyhow.

    Args:
        noisy: shape (..., entries).
        totals: not negative, shape (...).

    Returns:
        Shape (..., entries). The cost is that of sorting each row.
    """
    order = np.argsort(-noisy, axis=-1, kind="stable")
    entries = np.take_along_axis(noisy, order, axis=-1)
    prefix = np.cumsum(entries, axis=-1)
    rank = np.arange(1, noisy.shape[-1] + 1)
    used = np.maximum(np.sum(rank * entries - prefix + totals[..., None] > 0, axis=-1), 1)
    needed = totals - np.take_along_axis(prefix, used[..., None] - 1, axis=-1)[..., 0]
    moved = np.maximum(entries + (needed // used)[..., None], 0)
    moved += rank <= (totals - moved.sum(axis=-1))[..., None]
    result: Integers = np.empty_like(moved)
    np.put_along_axis(result, order, moved, axis=-1)
    return result
