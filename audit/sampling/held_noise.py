"""Whether what a black box holds since its first call may be noise.

A counter, a log of sizes and a buffer hold something that no noise is in: what they hold after
some calls is the same whatever the noise was, and whatever the dataset. Noise that is kept for a
dataset, or for all, shows as a difference between copies that made the same calls with other
random numbers; so does what is remembered of a dataset, which may be its noisy answer.

What nobody can look into may hold anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from audit.blackbox.carried import contents_of, held_by
from audit.blackbox.own_generator import begin_elsewhere
from audit.blackbox.python import PythonBlackBox
from audit.blackbox.served import ServedBlackBox
from audit.errors import BlackBoxError
from audit.sampling.sampler import Sampler
from audit.sampling.source import Source
from audit.sampling.stream import Address, Check, Stage
from audit.sampling.workers.pickled import Parcel
from audit.sampling.workers.stem import Stem
from audit.sampling.workers.uncalled import Uncalled, anew

_CALLS, _TIMES = 4, 2
"""Calls of a copy, and copies for each of two datasets."""
_RUNS = 2 * _CALLS * _TIMES
_OWN, _FIRST = 17, 1 << 20
"""In place of a side, and of a batch: random numbers of these copies."""


def may_hold_noise(
    box: Any,
    fresh: Uncalled | None,
    held: bytes | None,
    seed: int,
    datasets: Sequence[Any],
    left: int,
) -> tuple[bool, int]:
    """Whether it holds more than before its first call, and that may be noise.

    Args:
        box: the black box by now.
        fresh: as it was; None where no copy of it can be made.
        held: checksum of what it held then beside generators.
        seed: of the audit.
        datasets: two neighbors.
        left: runs that may be made to find out.

    Returns:
        The answer, and the runs that were made for it.
    """
    if isinstance(fresh, Stem) or isinstance(box, ServedBlackBox):
        return True, 0
    if not isinstance(box, PythonBlackBox) or held == held_by(box):
        return False, 0
    if fresh is None or left < _RUNS:
        return True, 0
    try:
        data = Parcel.of(list(datasets))
    except BlackBoxError:
        return True, 0
    calls = [partial(_held_after, fresh, data, seed, n) for n in range(2 * _TIMES)]
    found = fresh.elsewhere(calls)
    return found is None or None in found or len(set(found)) > 1, _RUNS


def _held_after(fresh: Uncalled, data: Parcel, seed: int, number: int) -> bytes | None:
    """Checksum of what a copy holds after some calls on one of the datasets.

    None where nobody can look at all of it.
    """
    box = anew(fresh)
    address = Address(Stage.CHECK, Check.COPY, _FIRST + number)
    begin_elsewhere(box.function, address.stream(seed, _OWN))
    dataset = data.opened()[number % 2]
    Sampler.of(box, seed, coupled=False).side(address, Source(box, dataset), _CALLS, 0)
    held = contents_of(box.function, but=None)
    return held.checksum if held.whole and not held.cached else None
