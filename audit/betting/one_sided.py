"""Events that some runs on one dataset show, and none on its neighbor."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from audit.outcomes.column import Column
from audit.outcomes.encoding import joined
from audit.outcomes.paired import PairedOutcomes


def one_sided(past: PairedOutcomes) -> int:
    """Number of draws on one side that share a key, length, word or value the other side lacks.

    The most of any part of the output; numbers count only where they repeat.
    """
    pooled = joined([past.left, past.right])
    left = np.arange(pooled.size) < past.left.size
    return max((_of(column, left) for column in pooled.columns.values()), default=0)


def _of(column: Column, left: NDArray[np.bool_]) -> int:
    """The same of one part; values and symbols are told apart as pairs of numbers."""
    symbols = np.zeros(len(left)) if column.symbols is None else column.symbols
    values = np.where(symbols == 0, column.values, 0.0)
    _, codes = np.unique(values + 1j * symbols, return_inverse=True)
    most = codes.max() + 1
    counts = np.stack([np.bincount(codes[side], minlength=most) for side in (left, ~left)])
    return int(np.max(counts, where=counts[::-1] == 0, initial=0))
