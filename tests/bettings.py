"""Bins and past counts in them, of every shape."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from audit.outcomes.binning import Binning

EDGES = st.lists(st.integers(-4, 4).map(float), max_size=6, unique=True)
SYMBOLS = st.lists(st.sampled_from(["nan", "inf", "-inf", "'a'", "None"]), max_size=3, unique=True)


@st.composite
def bettings(draw: st.DrawFn) -> tuple[Binning, NDArray[np.int64], NDArray[np.int64]]:
    binning = Binning.of(draw(EDGES), draw(SYMBOLS))
    counts = st.lists(st.integers(0, 20), min_size=binning.count, max_size=binning.count)
    return binning, np.array(draw(counts)), np.array(draw(counts))
