"""One record, whatever it is made of: when two are the same, and how to name one."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import numpy as np

from audit.lazy_modules import loaded_pandas as pd
from audit.validation import native

_MISSING: Hashable = ("missing value", float)
_NEGATIVE_ZERO: Hashable = ("negative zero", float)
_WIDTH = 60


def key(record: object) -> Hashable:
    """A value that is equal for equal records and can be counted.

    NaN equals NaN, 0.0 does not equal -0.0, arrays equal the lists of their
    numbers, 1 equals 1.0, and objects of unknown types are told apart by how
    they print.
    """
    value = native(record)
    if value is None or isinstance(value, (bool, int, str, bytes)):
        return value
    if value is pd.NA or value is pd.NaT or (isinstance(value, float) and math.isnan(value)):
        return _MISSING
    if isinstance(value, float):
        return value if value or math.copysign(1.0, value) > 0 else _NEGATIVE_ZERO
    return _key_of_entries(value)


def _key_of_entries(value: object) -> Hashable:
    """The key of a container, or of an object of an unknown type."""
    if isinstance(value, np.ndarray):
        return key(value.tolist())
    if isinstance(value, (list, tuple)):
        return tuple(map(key, value))
    if isinstance(value, (set, frozenset)):
        return frozenset(map(key, value))
    if isinstance(value, Mapping):
        return frozenset((str(name), key(entry)) for name, entry in value.items())
    return (type(value).__name__, printed(value))


def distinct(records: Iterable[Any]) -> tuple[Any, ...]:
    """The records without repetitions, in the order of their first appearance."""
    first: dict[Hashable, Any] = {}
    for record in records:
        first.setdefault(key(record), record)
    return tuple(first.values())


def in_words(record: object) -> str:
    """One record as a reader writes it, at most 60 characters long."""
    value = native(record)
    if isinstance(value, Mapping):
        text = "(" + ", ".join(f"{name}={in_words(entry)}" for name, entry in value.items()) + ")"
    elif isinstance(value, np.ndarray):
        text = printed(value.tolist())
    else:
        text = printed(value)
    text = " ".join(text.split())
    return text if len(text) <= _WIDTH else text[: _WIDTH - 1] + "…"


def printed(value: object) -> str:
    """`repr`, also of objects whose own `repr` fails."""
    try:
        return repr(value)
    except Exception:
        return object.__repr__(value)
