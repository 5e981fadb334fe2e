"""Contents of files as bytes, text, numbers and arrays, with one clear line for what is wrong."""

from __future__ import annotations

import contextlib
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.errors import InputError, reason_of

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?(nan|inf(inity)?)", re.IGNORECASE)
_WHOLE = re.compile(r"[+-]?\d{1,400}")
_LONGEST_SHOWN = 60


def content_of(path: Path) -> bytes:
    """All bytes of a file.

    Raises:
        InputError: it is not there, is a folder, or may not be read.
    """
    if path.is_dir():
        raise InputError(f"{str(path)!r} is a folder; name a file", str(path))
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"file {str(path)!r} does not exist; check its path", str(path)) from None
    except (OSError, ValueError) as error:
        raise InputError(f"file {str(path)!r} cannot be read: {reason_of(error)}", path) from error


def text_of(content: bytes, path: Path) -> str:
    """The content as UTF-8 text, without a byte order mark.

    Raises:
        InputError: it is something else.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"file {str(path)!r} is not UTF-8 text (at byte {error.start}); "
            "convert it, or use .npy or .parquet for binary files",
            path,
        ) from error


def array_of(content: bytes, path: Path) -> NDArray[Any]:
    """The array in a .npy file: numbers, truth values or text of one or two dimensions.

    Raises:
        InputError: it is no such file, holds Python objects, or another kind of array.
    """
    with failures_named(path, "as .npy (arrays of Python objects are never loaded)"):
        array = np.lib.format.read_array(io.BytesIO(content), allow_pickle=False)
    if array.ndim not in (1, 2) or array.dtype.kind not in "biufU":
        shape = " x ".join(map(str, array.shape)) or "scalar"
        raise InputError(
            f"file {str(path)!r} holds a {shape} array of {array.dtype}; "
            "use numbers or text in one or two dimensions",
            path,
        )
    return array


def json_of(text: str, where: str) -> Any:
    """The JSON value in a text; NaN and Infinity are numbers.

    Raises:
        InputError: it is not JSON.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where} is not JSON: {reason_of(error)}; mend it", text) from error


def number_in(text: str) -> float | int | None:
    """The number that a text is, None where it is none; digits alone make an integer."""
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) else None


@contextlib.contextmanager
def failures_named(path: Path, how: str) -> Iterator[None]:
    """Turn whatever a library raises while it reads a file into one line."""
    try:
        yield
    except InputError:
        raise
    # Readers fail on hostile bytes with errors of any kind, MemoryError included.
    except Exception as error:
        raise InputError(
            f"file {str(path)!r} cannot be read {how}: {reason_of(error)}", path
        ) from error


def shown(text: str) -> str:
    """A text in quotes, short enough for a message."""
    return repr(text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…")
