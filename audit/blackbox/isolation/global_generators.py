"""The generators that a whole process shares: those of `random` and of `numpy.random`.

A black box that draws from them is repeatable only if somebody seeds them. They
are seeded once for each batch of runs, not for each run: runs of a batch are made
one after the other in one process, and each takes up where the one before it has
stopped. So runs never share a random number, whichever side of a pair they are on,
also where both sides share the generator that they are given.
"""

from __future__ import annotations

import contextlib
import random

import numpy as np
from numpy.random import SeedSequence


def seed_global_generators(stream: SeedSequence) -> None:
    """Let what is drawn from the global generators from now on follow from `stream`.

    Whoever calls it puts back what was there (see `left_as_found`).
    """
    words = stream.generate_state(8)
    # 128 bits each, as an audit has far more batches than 32 bits can keep apart.
    random.seed(int.from_bytes(words[4:].tobytes(), "little"))
    # Somebody has put a generator in its place that cannot be seeded in this way.
    with contextlib.suppress(TypeError):
        np.random.seed(words[:4])  # noqa: NPY002
