"""Setting a generator of a black box anew for every call, while it is audited."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from audit.blackbox.python import PythonBlackBox
from audit.sampling.sampler import Sampler
from audit.sampling.trial_calls import Trial

_LEAST = 200
"""Runs that an audit must have for this to be worth it."""


@contextlib.contextmanager
def own_generator_set(
    sampler: Sampler,
    datasets: Callable[[], Iterable[Any]],
    budget: int,
    coupled: bool,
    seconds: float | None = None,
) -> Iterator[Trial | None]:
    """Set a generator of a sampler's black box anew for every call, where it is all its noise.

    Args:
        sampler: that has drawn nothing yet; it counts the calls that are made to find out.
        datasets: asked for where there is anything to find out.
        budget: runs of the whole audit.
        coupled: whether both sides may share their randomness.
        seconds: that the whole audit has; None for no limit.

    Yields:
        What may be asked once more at the end; None where nothing is set. Behind it the
        generator stands where those calls have left it.
    """
    box = sampler.box
    if not isinstance(box, PythonBlackBox) or budget < _LEAST:
        yield None
        return
    trial = Trial(sampler, box, budget, datasets, math.inf if seconds is None else seconds)
    found = sampler.found("own generator", trial.told) if trial.worth_it else ""
    if not found:
        yield None
        return
    trial.begin(found)
    sampler.coupled = coupled
    try:
        yield trial
    finally:
        trial.end()
