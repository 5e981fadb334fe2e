"""The sign of a zero: -0.0 equals 0.0, but whoever prints an output, or divides by it, sees it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from audit.outcomes.column import Column
from audit.outcomes.symbols import MISSING, ZERO

_NEGATIVE = np.iinfo(np.int64).min
"""The bits of a negative zero as an integer: there is no smaller one."""
_NAMES = ("", MISSING, "negative")


def signs_of_zeros(columns: Mapping[str, Column]) -> dict[str, Column]:
    """A column of signs beside each that holds a negative zero; its other entries have none."""
    return {
        ZERO + name: column
        for name, held in columns.items()
        if (column := _signs(held)) is not None
    }


def _signs(column: Column) -> Column | None:
    bits = column.values.view(np.int64)
    if bits.min(initial=0) != _NEGATIVE:
        return None
    return Column(np.zeros(len(bits)), 1 + (bits == _NEGATIVE).astype(np.int64), _NAMES)
