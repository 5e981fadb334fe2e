"""Equal values that are built in different ways, by a whole number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mechanisms.parts.rendering import Render, each

if TYPE_CHECKING:
    import pandas as pd

_MONDAY = datetime(2026, 11, 16)
_DAY = 86_400


class _Released(NamedTuple):
    first: float
    second: float


class _Turned(NamedTuple):
    second: float
    first: float


@dataclass(frozen=True, slots=True)
class _Count:
    value: float


@dataclass(frozen=True, slots=True)
class _Total:
    value: float


@each
def key_order(noisy: float, shown: int, chance: list[float]) -> dict[str, float]:
    """The order of keys."""
    keys = ["b", "a", "c"] if shown % 2 else ["c", "a", "b"]
    return {key: noisy + ord(key) for key in keys}


@each
def number_type(noisy: float, shown: int, chance: list[float]) -> dict[str, float]:
    """The type of a rounded value, integer or float."""
    value = round(noisy)
    return {"value": value if shown % 2 else float(value)}


@each
def container(noisy: float, shown: int, chance: list[float]) -> list[Any]:
    """The type of a pair within a list, tuple or list."""
    pair = (noisy, chance[0])
    return [pair if shown % 2 else list(pair)]


@each
def index_kind(noisy: float, shown: int, chance: list[float]) -> pd.Series:
    """The kind of an index."""
    import pandas as pd

    index = pd.Index([0, 1]) if shown % 2 else pd.RangeIndex(2)
    return pd.Series([noisy, chance[0]], index=index)


@each
def column_type(noisy: float, shown: int, chance: list[float]) -> pd.DataFrame:
    """The dtype of a column of a table."""
    import pandas as pd

    kind = np.float32 if shown % 2 else np.float64
    return pd.DataFrame({"value": [noisy], "rounded": np.array([round(noisy)], kind)})


@each
def memory_layout(noisy: float, shown: int, chance: list[float]) -> Any:
    """The memory layout of an array, by rows or by columns."""
    rows = noisy + np.array(chance).reshape(2, 4)
    return np.asfortranarray(rows) if shown % 2 else rows


@each
def field_order(noisy: float, shown: int, chance: list[float]) -> tuple[float, float]:
    """The order of the fields of a named tuple."""
    values = {"first": noisy, "second": chance[0]}
    return _Released(**values) if shown % 2 else _Turned(**values)


@each
def record_type(noisy: float, shown: int, chance: list[float]) -> list[Any]:
    """The type of a dataclass in a list."""
    return [_Count(noisy) if shown % 2 else _Total(noisy)]


@each
def category(noisy: float, shown: int, chance: list[float]) -> pd.Series:
    """An unused category."""
    import pandas as pd

    known = ["few", "many", "none"][: 2 + shown % 2]
    return pd.Series(pd.Categorical(["many" if noisy > 2.5 else "few"], known))


@each
def trailing_zeros(noisy: float, shown: int, chance: list[float]) -> Decimal:
    """The number of trailing zeros of a decimal."""
    return Decimal(f"{noisy:.2f}" + "0" * (shown % 3))


@each
def weekday(noisy: float, shown: int, chance: list[float]) -> datetime:
    """The weekday of a time in a random week."""
    days = 7 * int(10 * noisy + 1000 * chance[0]) + shown % 7
    return _MONDAY + timedelta(days, int(_DAY * chance[1]))


STRUCTURES: Mapping[str, Render] = {
    "key-order": key_order,
    "number-type": number_type,
    "container-type": container,
    "index-kind": index_kind,
    "column-type": column_type,
    "memory-layout": memory_layout,
    "field-order": field_order,
    "record-type": record_type,
    "unused-category": category,
    "trailing-zeros": trailing_zeros,
    "weekday": weekday,
}
