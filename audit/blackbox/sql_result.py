"""Rows of a query's result as outputs."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

_AS_TEXT = (datetime.date, datetime.time, datetime.timedelta, UUID)


def outputs_of(names: list[str], rows: list[tuple[Any, ...]]) -> list[Any]:
    """One output per row: its only cell, or a dict by the names of the columns."""
    keys = _distinct(names)
    return [_output(keys, row) for row in rows]


def _output(names: list[str], row: tuple[Any, ...]) -> Any:
    values = [_value_of(value) for value in row]
    return values[0] if len(values) == 1 else dict(zip(names, values, strict=True))


def _value_of(value: Any) -> Any:
    """A cell as a kind of value that outputs are made of."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, _AS_TEXT):
        return str(value)
    if isinstance(value, (list, tuple)):
        return [_value_of(entry) for entry in value]
    if isinstance(value, dict):
        return {_value_of(key): _value_of(entry) for key, entry in value.items()}
    return value


def _distinct(names: list[str]) -> list[str]:
    """Column names with a number behind those that repeat."""
    return [
        name if name not in names[:i] else f"{name}_{names[:i].count(name)}"
        for i, name in enumerate(names)
    ]
