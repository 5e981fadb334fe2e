"""Contents of files as bytes, text, numbers and arrays, with one clear line for what is wrong."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.errors import InputError, reason_of

_LONGEST_SHOWN = 60
_DEEPEST = 20
"""Levels of JSON: more than any record or output has, and fewer than what numpy still sorts out."""


def content_of(path: Path) -> bytes:
    """All bytes of a file.

    Raises:
        InputError: it is not there, is a folder, or may not be read.
    """
    try:
        return path.read_bytes()
    except IsADirectoryError:
        raise InputError(f"{str(path)!r} is a folder; name a file", str(path)) from None
    except FileNotFoundError:
        raise InputError(f"file {str(path)!r} does not exist; check its path", str(path)) from None
    # ValueError: a name that no file can have.
    except (OSError, ValueError) as error:
        raise InputError(
            f"file {str(path)!r} cannot be read ({reason_of(error)}); check its path", path
        ) from error


def text_of(content: bytes, path: Path) -> str:
    """The content as UTF-8 text, without a byte order mark.

    Raises:
        InputError: it is something else; also where it holds NUL, as UTF-16 does.
    """
    try:
        text = content.decode("utf-8-sig")
        wrong = content.find(b"\0")
    except UnicodeDecodeError as error:
        wrong = error.start
    if wrong >= 0:
        raise InputError(
            f"file {str(path)!r} is not UTF-8 text (at byte {wrong}); "
            "convert it, or use .npy or .parquet for binary files",
            path,
        )
    return text


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
        InputError: it is not JSON, or nested too deep to be a dataset or an output.
    """
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{where} is not JSON: {reason_of(error)}; mend it", text) from error
    except ValueError as error:
        raise InputError(
            f"{where} holds an integer of thousands of digits; write it as a float, such as 1e30",
            text,
        ) from error
    except RecursionError:
        raise _too_deep(text, where) from None
    if _is_deep(value):
        raise _too_deep(text, where)
    return value


def _too_deep(text: str, where: str) -> InputError:
    return InputError(f"{where} is nested more than {_DEEPEST} deep; make it flatter", text)


def _is_deep(value: Any) -> bool:
    layer = [value]
    for _ in range(_DEEPEST + 1):
        layer = [held for held in layer if isinstance(held, (list, dict))]
        if not layer:
            return False
        layer = [part for held in layer for part in _parts(held)]
    return True


def _parts(held: list[Any] | dict[str, Any]) -> Iterable[Any]:
    return held.values() if isinstance(held, dict) else held


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
