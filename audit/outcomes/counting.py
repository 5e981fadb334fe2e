"""Pairs of outputs, and their counts by the bins they fall into."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audit.outcomes.binning import Binning, Codes
from audit.outcomes.encoding import Outcomes
from audit.outcomes.features import Feature

Counts = NDArray[np.int64]
Masks = NDArray[np.bool_]
Reader = tuple[Feature, Binning]
"""What to read off an output and how to bin it: all that counting needs."""


def joint_of(reader: Reader, left: Outcomes, right: Outcomes) -> Counts:
    """Joint counts of a batch of pairs in the bins of one feature."""
    feature, binning = reader
    codes = binning.code(feature.read(left)), binning.code(feature.read(right))
    return joint_counts(*codes, binning.count)


def joint_counts(left: Codes, right: Codes, bins: int) -> Counts:
    """Count the pairs in each pair of bins, shape (bins, bins)."""
    # Counting is a matter of memory: the smaller the numbers, the faster.
    kind = np.int32 if bins * bins < 1 << 31 else np.intp
    cells = np.bincount(np.multiply(left, bins, dtype=kind) + right, minlength=bins * bins)
    return cells.reshape(bins, bins).astype(np.int64)


@dataclass(frozen=True, slots=True)
class PairedOutcomes:
    """Past draws of one pair.

    Attributes:
        left: outputs on D.
        right: outputs on D', paired with `left`.
    """

    left: Outcomes
    right: Outcomes

    @property
    def chooser(self) -> tuple[Outcomes, Outcomes]:
        """The half of the pairs on which choices may be made that the other half judges."""
        return self.left.take(slice(0, None, 2)), self.right.take(slice(0, None, 2))
