"""Data frames that load pandas on first use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from audit.declaration import Later


def frame(columns: Mapping[str, Sequence[Any]], rows: int | None = None) -> Later:
    """A data frame of these columns, and of so many of their rows; of all where it is None."""
    return Later(partial(_frame, columns, rows))


def _frame(columns: Mapping[str, Sequence[Any]], rows: int | None) -> Any:
    import pandas as pd

    return pd.DataFrame(columns)[:rows]
