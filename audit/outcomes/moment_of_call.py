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

import math
import re
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cached_property
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from audit.outcomes.column import Column, Floats
from audit.outcomes.leaves import PARTS
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

    Calls were made between two times in seconds since 1970.
    """
    window = CallWindow(begun, ended)
    matrix = outcomes.matrix
    entries = None if matrix is None else window.told(matrix)
    # Columns without symbols are those of the matrix, where there is one.
    every = matrix is None or entries is not None
    columns = _columns_without(outcomes.columns, window, every)
    if matrix is not None and entries is not None:
        matrix = np.where(entries, np.nan, matrix)
    same = all(columns[name] is column for name, column in outcomes.columns.items())
    return outcomes if same and entries is None else Outcomes(outcomes.size, columns, matrix)


def _columns_without(
    columns: Mapping[str, Column], window: CallWindow, every: bool
) -> dict[str, Column]:
    """Columns that do not tell the time; those without symbols are looked at if `every` one is."""
    read = {name: c.values for name, c in columns.items() if every or c.symbols is not None}
    told = {name: window.told(values) for name, values in read.items()}
    return {name: _without(c, told.get(_whole(name)), window) for name, c in columns.items()}


def _whole(name: str) -> str:
    """The column of a time that a column is a part or a remainder of; else itself."""
    for part in (*PARTS, "nanosecond"):
        if name.startswith(f"{part} of "):
            return name.removeprefix(f"{part} of ")
    return name.removesuffix(MODULO)


def _without(column: Column, rows: NDArray[np.bool_] | None, window: CallWindow) -> Column:
    """A column in which these rows and its texts do not tell the time."""
    if rows is not None:
        symbols = np.where(rows, len(column.names), column.codes)
        column = Column(np.where(rows, 0.0, column.values), symbols, (*column.names, NOW))
    names = window.timeless(column.names)
    return column if names == column.names else column.renamed(names)


_SCALES = (1.0, 1e3, 1e6, 1e9)
"""Seconds, and what clocks tell in whole numbers."""
_NEAR = re.compile(
    r"(?P<date>\d{4}-\d\d-\d\d[T ])?(?P<clock>\d\d:\d\d:\d\d)(?:[.,]\d+)?"
    r"|(?<![\w.])(?P<number>\d{10,19}(?:\.\d+)?)(?![\w.])"
    r"|(?<= at )0x[0-9a-fA-F]{6,16}(?=>)"
)
_SHORTENED = re.compile(r"…[0-9a-f]{8}$")
_DAY = 86400.0
_UNEVEN = 1e-3
"""Seconds that two clocks of one machine may differ by."""
_MANY = 4
"""Minutes that are looked for one by one."""


class CallWindow:
    """The moments from one to another one, in seconds since 1970."""

    def __init__(self, begun: float, ended: float) -> None:
        local = datetime.fromtimestamp(begun, UTC).astimezone().utcoffset()
        offsets = {0.0, 0.0 if local is None else local.total_seconds()}
        self._spans = sorted(
            (begun + offset - _UNEVEN, ended + offset + _UNEVEN) for offset in offsets
        )

    def told(self, values: Floats) -> NDArray[np.bool_] | None:
        """Mask of numbers that tell the time; None if none does."""
        if not values.size or values.strides == (0,):
            return None
        largest = values.max()
        if math.isnan(largest):
            largest = np.fmax.reduce(values, axis=None)
        # Nearly all outputs are numbers much smaller than that.
        if not largest >= math.floor(self._spans[0][0]):
            return None
        found = np.zeros(values.shape, bool)
        for begun, ended in self._spans:
            for scale in _SCALES:
                near = (values >= math.floor(begun * scale)) & (values <= math.ceil(ended * scale))
                if near.any():
                    held = values[near]
                    exact = (held >= begun * scale) & (held <= ended * scale)
                    found[near] |= exact | (held == np.floor(held))
        return found if found.any() else None

    def timeless(self, texts: tuple[str, ...]) -> tuple[str, ...]:
        """Texts without what tells the time in them."""
        whole = "\n".join(texts)
        if not any(key in whole for key in self._keys):
            return texts
        shorter = ((text, _NEAR.sub(self._instead, text)) for text in texts)
        return tuple(text if text == new else _SHORTENED.sub("…", new) for text, new in shorter)

    @cached_property
    def _keys(self) -> set[str]:
        """Of these, texts that tell the time, or an address, have one; they are found at once."""
        keys = {" at 0x"}
        for begun, ended in self._spans:
            digits = zip(str(math.floor(begun)), str(math.ceil(ended)), strict=False)
            keys.add("".join(digit for digit, _ in takewhile(lambda two: two[0] == two[1], digits)))
            minutes = range(math.floor(begun / 60), math.floor(ended / 60) + 1)
            clocks = {f"{minute // 60 % 24:02}:{minute % 60:02}:" for minute in minutes[:_MANY]}
            keys |= clocks if len(minutes) <= _MANY else {":"}
        return keys

    def _instead(self, found: re.Match[str]) -> str:
        """Replacement for the time in a text; JSON stays JSON."""
        text = found[0]
        if found["number"]:
            return text if self.told(np.array([float(text)])) is None else "0"
        if not found["clock"]:
            return "0x0"
        return re.sub(r"[.,]\d+$", "", re.sub(r"\d", "0", text)) if self._shown(found) else text

    def _shown(self, found: re.Match[str]) -> bool:
        """True if a clock, with a date or without, shows a time between the two moments."""
        try:
            if found["date"]:
                shown = datetime.fromisoformat(f"{found['date'][:10]}T{found['clock']}+00:00")
                at = shown.timestamp()
                return any(math.floor(begun) <= at <= ended for begun, ended in self._spans)
            hours, minutes, seconds = map(int, found["clock"].split(":"))
        except ValueError:  # no day, no time
            return False
        of_day = 3600 * hours + 60 * minutes + seconds
        # If calls lie days apart, any time of day is one at which some may have been made.
        return any(
            (of_day - math.floor(begun)) % _DAY <= ended - math.floor(begun) < _DAY
            for begun, ended in self._spans
        )
