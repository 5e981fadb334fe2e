"""Containers whose parts have names of their own: named tuples, dataclasses, records."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np


def fields_of(value: Any) -> dict[str, Any] | None:
    """Its fields by name, in their order; None where it is no such container.

    A field that holds nothing yet is left out.
    """
    if isinstance(value, SimpleNamespace):
        return dict(vars(value))
    if isinstance(value, np.void):
        return {name: value[name] for name in value.dtype.names or ()} or None
    kind = type(value)
    names = getattr(kind, "_fields", None) if isinstance(value, tuple) else _declared(kind)
    if not isinstance(names, tuple) or not all(isinstance(name, str) for name in names):
        return None
    return {name: getattr(value, name) for name in names if hasattr(value, name)}


def _declared(kind: type[Any]) -> tuple[str, ...] | None:
    """The fields of a dataclass, or of a class of attrs."""
    declared = getattr(kind, "__dataclass_fields__", None)
    if isinstance(declared, dict):
        # Variables of the class stand among them, the same for all its values.
        return tuple(declared)
    found = getattr(kind, "__attrs_attrs__", None)
    return tuple(field.name for field in found) if isinstance(found, tuple) else None
