"""Symbols: names of values, keys and kinds, which tell them apart, and of structure."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from enum import Enum
from functools import lru_cache
from itertools import groupby, pairwise
from numbers import Number
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.blackbox.output import check_parts, check_text
from audit.errors import OutcomeError
from audit.lazy_modules import loaded_pandas as pd
from audit.validation import native

Leaf = float | str
"""A finite number, or a symbol."""

MODULUS = 720_720 * 10**6
"""A multiple of 2 to 16 and of powers of ten and two, below what floats hold exactly."""
MODULO = f" modulo {MODULUS}"
"""Behind the name of an integer too large for floats: what is left of it, exactly."""
_LARGE = 1 << 53
_WIDE = 8
"""Bytes of the integers among which there are such."""
MISSING = "missing"
LENGTH = "length of "
MESSAGE = "message of the failure"
ORDER = "order of keys in "
INDEX = "index of "
TYPES = "types in "
FIELDS = "fields of "
CATEGORIES = "categories of "
RANKED = "order of categories of "
EXPONENT = "exponent of "
DENOMINATOR = "denominator of "
NAME = "name of "
ZERO = "sign of a zero in "
_BUILT = (
    *(LENGTH, ORDER, INDEX, TYPES, FIELDS, CATEGORIES, RANKED),
    *(EXPONENT, DENOMINATOR, NAME, ZERO),
)
"""Beginnings of the names of columns that describe how an output is built."""
MOST_COLUMNS = 64
"""Entries of an array of numbers with a column of their own; a matrix holds all of them."""
_LONGEST_SYMBOL = 80
_LONGEST_TEXT = 1 << 14
"""Characters of a text that are kept to be read."""
_TAKEN = frozenset({MISSING, "nan", "inf"})
"""Names that stand for something else."""


def is_structure(name: str) -> bool:
    """True for a column that describes how an output is built, and holds no value of it."""
    return name.startswith(_BUILT) or name.endswith(MODULO)


def names_itself(kind: type[Any]) -> bool:
    """True if outputs of this kind are read by name: members of enumerations, not numbers.

    Those of an `IntEnum` are numbers, of which larger and smaller can be told.
    """
    return issubclass(kind, Enum) and not issubclass(kind, Number)


def member_name(member: Enum) -> str:
    """A member of an enumeration by its name."""
    # Several flags together can be without a name.
    name = member.name
    return shortened(name if name and name not in _TAKEN else repr(member))


def label(value: Any) -> str:
    """Text, or the key of an entry, as in source code."""
    if names_itself(type(value)):
        return member_name(value)
    plain = native(value)
    if isinstance(plain, (str, bytes)):
        check_text(plain)
    if isinstance(plain, frozenset):
        text = f"{{{', '.join(sorted(map(label, plain)))}}}"
    else:
        text = repr(plain)
    if " at 0x" in text and not isinstance(plain, (str, bytes)):
        raise unsorted(value, "a key")
    return shortened(text)


def text_symbol(text: str | bytes) -> str:
    """A text as in source code, with all that is read of it."""
    check_text(text)
    return shortened(repr(text), _LONGEST_TEXT)


def is_text(symbol: str) -> bool:
    """True if a symbol stands for a text, or bytes."""
    return symbol.startswith(("'", '"', "b'", 'b"'))


def shortened(text: str, most: int = _LONGEST_SYMBOL) -> str:
    """A long text ends in a checksum, so that what differs late still differs."""
    if len(text) <= most:
        return text
    return f"{text[: most - 9]}…{zlib.crc32(text.encode('utf-8', 'replace')):08x}"


def unsorted(value: Any, name: str) -> OutcomeError:
    kind = type(value)
    return OutcomeError(
        f"{name} is of type {kind.__module__}.{kind.__name__}, which cannot be sorted into events; "
        "return numbers, text, None, or lists, dicts, sets, arrays, Series or DataFrames of them",
        value,
    )


def holds_numbers(array: NDArray[Any]) -> bool:
    """True if it is an array of one or more axes with real numbers or truth values."""
    return array.ndim > 0 and array.dtype.kind in "fiub"


_IN_PYTHON = (
    (np.bool_, "bool"),
    (np.integer, "int"),
    (np.floating, "float"),
    (np.str_, "str"),
    (np.bytes_, "bytes"),
)


def type_name(kind: type[Any]) -> str:
    """Name of a type; a scalar of NumPy has the name of the same value in Python.

    It is the same value in whatever file or answer it ends up: a sum of no numbers is an int, that
    of an array a scalar of NumPy, and so is either with noise.
    """
    return next((name for base, name in _IN_PYTHON if issubclass(kind, base)), kind.__name__)


@lru_cache(maxsize=256)
def array_kind(dtype: np.dtype[Any], shape: tuple[int, ...], columns_first: bool = False) -> str:
    """Kind of an array as a whole; that of its entries when it has no axes."""
    if not shape:
        return type_name(dtype.type)
    order = " in Fortran order" * columns_first
    return f"{dtype} array of {' x '.join(map(str, shape))}{order}"


def is_large(value: Any) -> bool:
    """True if it is an integer that a float may not hold exactly."""
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    return whole and not -_LARGE < value < _LARGE


def any_large(array: NDArray[Any]) -> bool:
    """True if an array of numbers holds integers that floats may not hold exactly."""
    if array.dtype.kind not in "iu" or array.dtype.itemsize < _WIDE or not array.size:
        return False
    return is_large(array.max()) or is_large(array.min())


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
    kinds = [
        array_kind(value.dtype, value.shape, value.flags.fnc)
        if isinstance(value, np.ndarray)
        else type_name(type(value))
        for value in entries
    ]
    if _PLAIN.issuperset(kinds):
        return {}
    runs = [kind for kind, _ in groupby(kinds)]
    return {TYPES + name: shortened(", ".join(runs))}


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
        return found if value.name is None else {**found, NAME + name: label(value.name)}
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
