"""What comes now and then on one dataset, and never on its neighbor."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from audit.outcomes.column import Column
from audit.outcomes.encoding import joined
from audit.outcomes.paired import PairedOutcomes


def one_sided(past: PairedOutcomes) -> int:
    """How many draws on one side share a key, a length, a word or a value that the other lacks.

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
