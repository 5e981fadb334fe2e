"""Equal values that are built in different ways, by a whole number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from mechanisms.parts.rendering.style import Render, each


@each
def key_order(noisy: float, shown: int, chance: list[float]) -> dict[str, float]:
    """The order of keys."""
    keys = ["b", "a", "c"] if shown % 2 else ["c", "a", "b"]
    return {key: noisy + ord(key) for key in keys}


@each
def number_type(noisy: float, shown: int, chance: list[float]) -> dict[str, float]:
    """Whether a rounded value is an integer."""
    value = round(noisy)
    return {"value": value if shown % 2 else float(value)}


@each
def container(noisy: float, shown: int, chance: list[float]) -> list[Any]:
    """Whether a pair within a list is a tuple."""
    pair = (noisy, chance[0])
    return [pair if shown % 2 else list(pair)]


@each
def index_kind(noisy: float, shown: int, chance: list[float]) -> pd.Series:
    """The kind of an index."""
    index = pd.Index([0, 1]) if shown % 2 else pd.RangeIndex(2)
    return pd.Series([noisy, chance[0]], index=index)


@each
def column_type(noisy: float, shown: int, chance: list[float]) -> pd.DataFrame:
    """The dtype of a column of a table."""
    kind = np.float32 if shown % 2 else np.float64
    return pd.DataFrame({"value": [noisy], "rounded": np.array([round(noisy)], kind)})


@each
def memory_layout(noisy: float, shown: int, chance: list[float]) -> Any:
    """Whether an array lies in memory row by row or column by column."""
    rows = noisy + np.array(chance).reshape(2, 4)
    return np.asfortranarray(rows) if shown % 2 else rows


STRUCTURES: Mapping[str, Render] = {
    "key-order": key_order,
    "number-type": number_type,
    "container-type": container,
    "index-kind": index_kind,
    "column-type": column_type,
    "memory-layout": memory_layout,
}
