"""Fresh copies of a dataset, so that no run sees what another one did to it."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np

from audit.frames import loaded_pandas as pd


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
