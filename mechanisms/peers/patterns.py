"""The input pairs of StatDP and dp-sniper: vectors around all ones.

Both tools look for violations on these pairs only (arXiv 1805.10277, Table 1).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from mechanisms.parts.noise import Floats
from mechanisms.table import Inputs, declared

InputPair = tuple[Floats, Floats]


def input_patterns(length: int) -> Mapping[str, InputPair]:
    """Pairs of vectors that differ by at most 1 in each entry, by name, in a fixed order.

    The name says how the second vector lies towards the first. In the first two
    pairs a single entry differs; vectors of length 1 have only these.

    Args:
        length: number of entries.
    """
    ones, half = np.ones(length), length // 2
    first = np.arange(length) == 0
    left = np.arange(length) < half
    pairs: dict[str, InputPair] = {
        "one above": (ones, _moved(ones, first)),
        "one below": (ones, _moved(ones, -first.astype(int))),
    }
    if length == 1:
        return pairs
    return pairs | {
        "one above, rest below": (ones, _moved(ones, np.where(first, 1, -1))),
        "one below, rest above": (ones, _moved(ones, np.where(first, -1, 1))),
        "half above, half below": (ones, _moved(ones, np.where(left, 1, -1))),
        "all above": (ones, _moved(ones, 1)),
        "all below": (ones, _moved(ones, -1)),
        "crossed": (left.astype(np.float64), (~left).astype(np.float64)),
    }


def declared_patterns(length: int) -> Mapping[str, Inputs]:
    """The same pairs as inputs that are neighbors by declaration, by name."""
    return {name: declared(*pair) for name, pair in input_patterns(length).items()}


def _moved(vector: Floats, by: ArrayLike) -> Floats:
    return vector + np.asarray(by, dtype=np.float64)
