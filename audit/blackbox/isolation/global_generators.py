"""The generators that a whole process shares: those of `random` and of `numpy.random`.

A black box that draws from them is repeatable only if somebody seeds them. They are
seeded for a batch, and where its calls are separate, for each of a few groups of
them: calls of a group are made one after the other in one process, and each takes up
where the one before it has stopped. So calls never share a random number, whichever
side of a pair they are on, also where both sides share the generator that they are
given; and what a call draws does not depend on who made the groups before.
"""

from __future__ import annotations

import contextlib
import random

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import NDArray

_WORDS = 8
"""Of 32 bits, for both generators together: an audit has far more groups of calls than 32
bits can keep apart."""


def shared_by_all(generator: object) -> bool:
    """True if a generator is one of those that the whole process shares."""
    numpys = getattr(np.random.mtrand, "_rand", None)
    ours = numpys, getattr(numpys, "_bit_generator", None), getattr(random.seed, "__self__", None)
    return any(generator is one for one in ours if one is not None)


def seed_global_generators(stream: SeedSequence) -> None:
    """Let what is drawn from the global generators from now on follow from `stream`.

    Whoever calls it puts back what was there (see `left_as_found`).
    """
    seed_with(seeds_of(stream, 1)[0])


def seeds_of(stream: SeedSequence, groups: int) -> NDArray[np.int64]:
    """Seeds for so many groups of calls, shape (groups, 8); the first are the same for any."""
    # As numpy wants them, which then takes half the time.
    return stream.generate_state(_WORDS * groups).astype(np.int64).reshape(groups, _WORDS)


def seed_with(words: NDArray[np.int64]) -> None:
    """Seed both generators with eight words of 32 bits."""
    random.seed(int.from_bytes(words[4:].astype(np.uint32).tobytes(), "little"))
    # Somebody has put a generator in its place that cannot be seeded in this way.
    with contextlib.suppress(TypeError):
        np.random.seed(words[:4])  # noqa: NPY002
