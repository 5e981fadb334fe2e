"""Arguments from Python that are no numbers: of the kind they must be, or refused in one line."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

import numpy as np

from audit.errors import InputError, shown
from audit.frames import loaded_pandas as pd
from audit.validation import is_number


def check_kind(name: str, value: object, kind: type, example: str) -> None:
    """Refuse what is of another class than an argument is; None is accepted.

    Args:
        name: of the argument.
        value: what was given.
        kind: the class.
        example: what may be given.

    Raises:
        InputError: it is of another.
    """
    if not (value is None or isinstance(value, kind)):
        refuse(name, value, f"of type {type(value).__name__}", example)


def check_truth(**given: object) -> None:
    """Refuse what is neither true nor false.

    Raises:
        InputError: the message names the first of them.
    """
    for name, value in given.items():
        if not isinstance(value, bool | np.bool_):
            refuse(name, value, "neither true nor false", "True")


def check_path(name: str, value: object) -> None:
    """Refuse what names no file; None for no file is accepted.

    Raises:
        InputError: it is neither text nor a path.
    """
    path = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not (path is None or isinstance(path, str)):
        refuse(name, value, "no path of a file", f'"{name}.sqlite"')


def datasets_in(name: str, value: Any, beside: object = None) -> tuple[Any, ...]:
    """The datasets of a list of them.

    Args:
        name: of the argument.
        value: the list.
        beside: another dataset; where that has records, no number is one.

    Raises:
        InputError: it is no list of datasets, but one of them, say.
    """
    one = isinstance(value, str | bytes | Mapping | pd.DataFrame) or not isinstance(value, Iterable)
    found = () if one else tuple(value)
    if one or (isinstance(beside, list | tuple | np.ndarray) and any(map(is_number, found))):
        refuse(name, value, "no list of datasets", "[D1]")
    return found


def refuse(name: str, value: object, what: str, example: str) -> NoReturn:
    """Say that an argument is not what it must be.

    Raises:
        InputError: always.
    """
    raise InputError(f"{name} {shown(value)} is {what}; give for example {name}={example}", value)
