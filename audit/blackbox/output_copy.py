"""An output as it leaves a run: of bearable size, and a copy that later runs cannot change."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from audit.blackbox.output_size import (
    DEEPEST,
    MOST_PARTS,
    check_numbers,
    check_parts,
    check_text,
    illegible,
)
from audit.errors import AuditError
from audit.lazy_modules import loaded_pandas as pd

_UNCHANGING = frozenset(
    {type(None), bool, int, float, complex, np.bool_, np.float64, np.float32, np.int64, np.int32}
)
_TEXTS = (str, bytes)


def taken(output: Any) -> Any:
    """A copy of one output.

    A black box may return the same list, or arrays that share one buffer, from
    every run. Sizes are looked at before anything is copied.

    Raises:
        OutcomeError: the output is too large, or looking at it fails.
    """
    kind = type(output)
    if kind in _UNCHANGING:
        return output
    # Most containers hold numbers alone; they pass without further ado.
    if kind is dict and len(output) < MOST_PARTS and _unchanging(output.values()):
        return output.copy()
    try:
        return _Taking().copy(output, 0)
    except (AuditError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise illegible(error) from error


def _unchanging(values: Iterable[Any]) -> bool:
    return _UNCHANGING.issuperset(map(type, values))


class _Taking:
    """One output on its way.

    Attributes:
        parts: how many parts it was seen to have so far.
    """

    __slots__ = ("parts",)

    def __init__(self) -> None:
        self.parts = 0

    def copy(self, value: Any, depth: int) -> Any:
        kind = type(value)
        if kind in _UNCHANGING or depth > DEEPEST:
            return value
        if kind is dict:
            self._count(len(value))
            if _unchanging(value.values()):
                return value.copy()
            return dict(zip(value, self._copies(value.values(), depth), strict=True))
        if kind is list or kind is tuple:
            self._count(len(value))
            if _unchanging(value):
                return value.copy() if kind is list else value
            return kind(self._copies(value, depth))
        return self._other(value, depth)

    def _copies(self, values: Iterable[Any], depth: int) -> Iterable[Any]:
        return [self.copy(value, depth + 1) for value in values]

    def _other(self, value: Any, depth: int) -> Any:
        if isinstance(value, _TEXTS):
            check_text(value)
            return value
        if isinstance(value, np.ndarray):
            if depth == 0 and value.dtype.kind in "fiub":
                check_numbers(value.size, value)
            else:
                self._count(value.size)
            return copy.deepcopy(value) if value.dtype.hasobject else value.copy("K")
        if isinstance(value, (pd.Series, pd.DataFrame)):
            self._count(value.size)
            return value.copy(deep=True)
        if isinstance(value, (list, tuple, dict, set, frozenset)):
            self._count(len(value))
            return copy.deepcopy(value)
        return value

    def _count(self, parts: int) -> None:
        self.parts += parts
        check_parts(self.parts)


def _table_copier(data: pd.DataFrame | pd.Series) -> Callable[[], Any]:
    """Pandas never copies the lists and dicts that its cells may hold."""
    cells = data.to_frame() if isinstance(data, pd.Series) else data
    objects = cells.loc[:, [str(kind) == "object" for kind in cells.dtypes]].to_numpy().ravel()
    if all(isinstance(cell, (str, int, float, bool, type(None))) for cell in objects):
        return lambda: data.copy(deep=True)
    pickled = pickle.dumps(data, protocol=pickle.HIGHEST_PROTOCOL)
    return lambda: pickle.loads(pickled)


def copier(data: Any) -> Callable[[], Any]:
    """A function giving a fresh copy of the dataset for each run.

    To find out how to copy it, every record may have to be looked at: once is enough.
    """
    if isinstance(data, np.ndarray) and data.dtype != object:
        return data.copy
    if isinstance(data, (pd.DataFrame, pd.Series)):
        return _table_copier(data)
    if data is None or isinstance(data, (int, float, str, bool)):
        return lambda: data
    if type(data) is list and all(isinstance(x, (int, float, str, bool)) for x in data):
        return data.copy
    return lambda: copy.deepcopy(data)
