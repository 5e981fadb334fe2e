"""Values in the plain forms that JSON can hold."""

from __future__ import annotations

import math
from collections.abc import Mapping, Set
from dataclasses import dataclass, fields
from typing import Any

import numpy as np


def jsonable(value: Any) -> Any:
    """Any value as JSON can hold it: infinities and NaN as strings, sets sorted by their words.

    Parameters and datasets come from the caller, so everything is met here
    sooner or later; what has no JSON form is given by its words.
    """
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, Record):
        return value.as_json()
    if isinstance(value, (float, np.floating)):
        return "nan" if math.isnan(value) else finite(float(value))
    if isinstance(value, (np.ndarray, np.bool_, np.integer)):
        return jsonable(value.tolist())
    if isinstance(value, Mapping):
        return {str(key): jsonable(part) for key, part in value.items()}
    if isinstance(value, Set):
        return sorted(map(jsonable, value), key=str)
    if isinstance(value, (list, tuple)):
        return [jsonable(part) for part in value]
    return str(value)


def finite(value: float) -> float | str:
    """A number that JSON can hold: infinities become strings, NaN is refused."""
    if math.isnan(value):
        raise ValueError("NaN has no place in a result")
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return float(value)


@dataclass(frozen=True, slots=True)
class Record:
    """A part of a result that JSON holds under the names of its attributes.

    An attribute that is None by default is left out while it is None.
    """

    def as_json(self) -> dict[str, Any]:
        """The attributes as JSON can hold them; of numbers NaN is refused."""
        held = ((each, getattr(self, each.name)) for each in fields(self))
        return {
            each.name: finite(value) if isinstance(value, float) else jsonable(value)
            for each, value in held
            if value is not None or each.default is not None
        }
