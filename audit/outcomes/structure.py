"""Structure in which equal outputs may differ: types, order of keys, kind of index."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby, pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np

from audit.blackbox.output_size import check_parts
from audit.lazy_modules import loaded_pandas as pd
from audit.outcomes.symbols import (
    CATEGORIES,
    FIELDS,
    INDEX,
    ORDER,
    RANKED,
    TYPES,
    Leaf,
    array_kind,
    label,
    shortened,
    text_symbol,
)

_PLAIN = frozenset({"float", "str", "bytes", "NoneType", "list", "dict"})
"""Types whose values show what they are."""


def structure_of(value: Any, name: str) -> dict[str, Leaf]:
    """Structure of a value: types of entries, their order, kind of index, categories.

    What is as usual has no leaf: floats, keys in ascending order, an index from 0.
    """
    if isinstance(value, (pd.Series, pd.DataFrame)):
        return _structure_of_table(value, name)
    if isinstance(value, dict):
        return _in_order(list(value), name) | _types(value.values(), name)
    if isinstance(value, pd.Categorical):
        return _categories(value.dtype, name)
    if fields := fields_of(value):
        return {FIELDS + name: text_symbol(", ".join(fields))} | _types(fields.values(), name)
    return _types(value, name) if isinstance(value, (list, tuple)) else {}


def _types(entries: Iterable[Any], name: str) -> dict[str, Leaf]:
    """Types of entries, repeated ones once."""
    kinds = list(map(_type, entries))
    if _PLAIN.issuperset(kinds):
        return {}
    runs = [kind for kind, _ in groupby(kinds)]
    return {TYPES + name: shortened(", ".join(runs))}


def _type(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return array_kind(value.dtype, value.shape, value.flags.fnc)
    # A number of NumPy is the same number in whatever file or answer it ends up.
    return type(value.item() if isinstance(value, np.generic) else value).__name__


def _in_order(keys: list[Any], name: str) -> dict[str, Leaf]:
    """The order of keys where it is not ascending."""
    labels = list(map(label, keys))
    try:
        ascending = all(not after < before for before, after in pairwise(keys))
    except TypeError:
        ascending = labels == sorted(labels)
    return {} if ascending else {ORDER + name: text_symbol(", ".join(labels))}


def _structure_of_table(value: pd.Series | pd.DataFrame, name: str) -> dict[str, Leaf]:
    found: dict[str, Leaf] = {}
    index = value.index
    if not (isinstance(index, pd.RangeIndex) and index.equals(pd.RangeIndex(len(index)))):
        named = "" if index.name is None else f" named {index.name}"
        found[INDEX + name] = shortened(f"{type(index).__name__} of {index.dtype}{named}")
        found |= _in_order(index.tolist(), name)
    found |= _categories(index.dtype, INDEX + name)
    if isinstance(value, pd.Series):
        found |= _categories(value.dtype, name)
        return found if value.name is None else {**found, f"name of {name}": label(value.name)}
    for place, (column, kind) in enumerate(zip(value.columns, value.dtypes, strict=True)):
        found |= _categories(kind, f"column {place} {label(column)} of {name}")
    if any(kind != np.float64 for kind in value.dtypes):
        found[TYPES + name] = shortened(", ".join(map(str, value.dtypes)))
    return found


def _categories(kind: Any, name: str) -> dict[str, Leaf]:
    """All categories there may be, also those of nothing, and whether they have an order."""
    if not isinstance(kind, pd.CategoricalDtype):
        return {}
    check_parts(len(kind.categories), kind)
    shown = text_symbol(", ".join(map(label, kind.categories)))
    ranked: dict[str, Leaf] = {RANKED + name: "ascending"} if kind.ordered else {}
    return {CATEGORIES + name: shown, **ranked}


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
