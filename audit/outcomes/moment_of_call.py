"""The time at which a call was made, put out of what it gave.

Logs, pages and records carry the time at which they were written. It is no property of a
dataset, and it moves on while an audit runs, so that draws which hold it are no draws of
one law: bets on them would be worth nothing, whatever the rest of an output says. Where a
number, a date or a piece of a text lies between the moments before and after the calls of
a batch, it is that time and is read as a symbol, the same for all. What dates from before,
such as a time in the data, is read as it is. So are durations; `--timing` bets on those.
Addresses in memory, as Python prints them of objects (`<object at 0x7f3a5c0d2e10>`), say as
little about a dataset; other numbers in hexadecimal are read.
"""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from audit.outcomes.call_window import CallWindow
from audit.outcomes.column import Column
from audit.outcomes.moments import PARTS
from audit.outcomes.outcomes import Outcomes
from audit.outcomes.symbols import MODULO

NOW = "the time of the call"
_BEFORE = time.time() - time.monotonic()
"""What a clock that is never set is behind. Asked for once: whether a black box asks for the time
is seen by who asks."""


def now() -> float:
    """Seconds since 1970."""
    return _BEFORE + time.monotonic()


def without_moment(outcomes: Outcomes, begun: float, ended: float) -> Outcomes:
    """Outputs without the times of the calls that gave them; the same object where none has any.

    Args:
        outcomes: what the calls gave.
        begun: seconds since 1970 when the first of them was about to be made.
        ended: the same when the last of them had been made.
    """
    window = CallWindow(begun, ended)
    matrix = outcomes.matrix
    entries = None if matrix is None else window.told(matrix)
    told = {
        name: rows
        for name, column in outcomes.columns.items()
        # Columns without symbols are those of the matrix, where there is one.
        if (matrix is None or entries is not None or column.symbols is not None)
        and (rows := window.told(column.values)) is not None
    }
    columns = {
        name: _renamed(_put_out(column, told.get(_whole(name))), window)
        for name, column in outcomes.columns.items()
    }
    if matrix is not None and entries is not None:
        matrix = np.where(entries, np.nan, matrix)
    same = all(columns[name] is column for name, column in outcomes.columns.items())
    return outcomes if same and entries is None else Outcomes(outcomes.size, columns, matrix)


def _whole(name: str) -> str:
    """The column of a time that a column is a part or a remainder of; else itself."""
    for part in (*PARTS, "nanosecond"):
        if name.startswith(f"{part} of "):
            return name.removeprefix(f"{part} of ")
    return name.removesuffix(MODULO)


def _put_out(column: Column, rows: NDArray[np.bool_] | None) -> Column:
    """A column in which these rows tell no more than that they told the time."""
    if rows is None:
        return column
    symbols = np.zeros(len(column.values), np.int64) if column.symbols is None else column.symbols
    names = (*column.names, NOW)
    return Column(
        np.where(rows, 0.0, column.values), np.where(rows, len(names) - 1, symbols), names
    )


def _renamed(column: Column, window: CallWindow) -> Column:
    """A column whose texts do not tell the time."""
    names = window.timeless(column.names)
    return column if names == column.names else column.renamed(names)
