"""Pairs on which nothing but one and the same failure ever comes out."""

from __future__ import annotations

from collections.abc import Sequence

from audit.outcomes.failed_run import hopeless
from audit.sampling.pair_draws import PairDraws
from audit.sampling.sampler import Sampler
from audit.sampling.stream import Stage

_HOPELESS = 20
"""Runs on every dataset that fail alike before nothing else is hoped for."""


def give_up(sampler: Sampler, pairs: Sequence[PairDraws]) -> None:
    """End an audit in which nothing but one and the same failure ever came out.

    Raises:
        BlackBoxError: so it was in the first runs on every dataset.
    """
    if pairs[0].stage is not Stage.BET:
        return
    if all(draws.drawn >= _HOPELESS and not draws.usable for draws in pairs):
        raise hopeless(sampler.box.name, sampler.first)
