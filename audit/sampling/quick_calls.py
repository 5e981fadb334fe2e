"""Many quick calls of a function under one time limit, without a copy of the data for each.

A timer, a copy of the dataset and a look at the process for every call cost ten times as much as a
quick function does. So they are made once for a batch: whether the function changed its dataset is
looked at behind the batch, and where it did, or a call took too long or ended the process, the
batch is made again call by call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from audit.blackbox.interface import Exited, RunTimeout
from audit.blackbox.python import PythonBlackBox
from audit.lazy_modules import loaded_pandas as pd

QUICK = 1e-3
"""Seconds of a call below which calls are made together."""
_SLACK = 50.0
"""Factor in the expected time after which a batch is given up."""
_PLAIN = (int, float, str, bool, type(None))


def comparable(data: Any) -> bool:
    """True if a change of a dataset is seen by comparing it with a copy."""
    if isinstance(data, np.ndarray):
        return bool(data.dtype != object)
    if isinstance(data, pd.DataFrame):
        return all(str(kind) != "object" for kind in data.dtypes)
    return isinstance(data, _PLAIN) or (
        type(data) is list and all(isinstance(value, _PLAIN) for value in data)
    )


def unchanged(data: Any, copy: Any) -> bool:
    """True if a dataset is equal to its copy."""
    if isinstance(data, np.ndarray):
        return bool(
            isinstance(copy, np.ndarray)
            and data.shape == copy.shape
            and data.tobytes() == copy.tobytes()
        )
    if isinstance(data, pd.DataFrame):
        return bool(data.equals(copy))
    return bool(repr(data) == repr(copy))


def together(
    box: Any, datasets: Sequence[tuple[Any, Any]], work: Callable[[], None], expected: float
) -> bool:
    """Make quick calls; False if they have to be made one by one.

    Args:
        box: a Python black box.
        datasets: those that the calls are given, each with a copy that no call sees.
        work: makes the calls.
        expected: seconds that they should take.
    """
    if not isinstance(box, PythonBlackBox):
        return False
    try:
        box.in_a_row(work, 1.0 + _SLACK * expected)
    except (RunTimeout, Exited):
        return False
    return all(unchanged(data, copy) for data, copy in datasets)
