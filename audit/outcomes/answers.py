"""Outputs that never vary, and texts that never come twice."""

from __future__ import annotations

from typing import Any

import numpy as np

from audit.outcomes.column import Column
from audit.outcomes.encoding import OUTPUT, Outcomes
from audit.outcomes.paired import PairedOutcomes
from audit.outcomes.symbols import is_text

Answer = tuple[Any, ...]
"""All parts of one output: equal answers are equal outputs."""
_SEVERAL = 32
"""Outputs of which none comes twice, if that is no accident."""


def only_answer(outcomes: Outcomes) -> Answer | None:
    """The one output there ever was; None where outputs vary."""
    columns = outcomes.columns.items()
    if not all(_all_alike(column) for _, column in columns):
        return None
    rows = outcomes.matrix
    if rows is not None and not _repeated(rows):
        return None
    named = sorted(
        (name, float(c.values[0]), "" if c.symbols is None else c.names[int(c.symbols[0])])
        for name, c in columns
    )
    return (*named, None if rows is None else rows[0].tobytes())


def certain(past: PairedOutcomes) -> bool:
    """True if outputs never varied on either side, and are not the same on both."""
    left, right = only_answer(past.left), only_answer(past.right)
    return left is not None and right is not None and left != right


def only_unique_texts(outcomes: Outcomes) -> bool:
    """True if every output is a text, or bytes, and none ever came twice."""
    column = outcomes.column(OUTPUT)
    symbols = column.symbols
    if symbols is None or not symbols.all() or not all(map(is_text, column.names[1:])):
        return False
    return len(np.unique(symbols)) == outcomes.size >= _SEVERAL


def _all_alike(column: Column) -> bool:
    symbols = column.symbols
    return bool(
        (column.values == column.values[0]).all()
        and (symbols is None or (symbols == symbols[0]).all())
    )


def _repeated(rows: Any) -> bool:
    return bool(np.array_equal(rows, np.broadcast_to(rows[0], rows.shape), equal_nan=True))
