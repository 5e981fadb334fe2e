"""What is a data frame is known before pandas is loaded: nothing is."""

from __future__ import annotations

import subprocess
import sys

import pandas as pd
import pytest

from audit.lazy_modules import loaded_pandas

BEFORE_AND_AFTER = """
from audit.lazy_modules import loaded_pandas as pd
before = isinstance([], pd.DataFrame), None is pd.NaT
pretended = [name for name in ("cache_info", "state", "__len__") if hasattr(pd, name)]
import pandas
after = isinstance(pandas.DataFrame(), pd.DataFrame), isinstance([], pd.DataFrame)
print(before, after, pretended, pd.DataFrame is pandas.DataFrame, pd.NaT is pandas.NaT)
"""


def test_nothing_is_a_frame_before_pandas_is_loaded_and_frames_are_behind() -> None:
    run = subprocess.run(
        [sys.executable, "-c", BEFORE_AND_AFTER], capture_output=True, text=True, check=True
    )
    assert run.stdout == "(False, False) (True, False) [] True True\n"


@pytest.mark.parametrize("name", ["DataFrame", "Series", "NaT", "NA", "Interval", "concat"])
def test_names_are_those_of_pandas(name: str) -> None:
    assert getattr(loaded_pandas, name) is getattr(pd, name)
