"""Symbols: names of values, keys and kinds, which tell them apart."""

from __future__ import annotations

import zlib
from enum import Enum
from functools import lru_cache
from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.blackbox.output_size import check_text
from audit.errors import OutcomeError
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
ZERO = "sign of a zero in "
MOST_COLUMNS = 64
"""Entries of an array of numbers with a column of their own; a matrix holds all of them."""
_LONGEST_SYMBOL = 80
_LONGEST_TEXT = 1 << 14
"""Characters of a text that are kept to be read."""
_TAKEN = frozenset({MISSING, "nan", "inf"})
"""Names that stand for something else."""


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


@lru_cache(maxsize=256)
def array_kind(dtype: np.dtype[Any], shape: tuple[int, ...], columns_first: bool = False) -> str:
    """Kind of an array as a whole; its dtype alone when it has no axes."""
    if not shape:
        return str(dtype)
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
