"""Black boxes on datasets, written shortly: tests hand over the data, samplers want sources."""

from __future__ import annotations

from typing import Any

from audit.blackbox.interface import BlackBox
from audit.outcomes.encoding import Outcomes
from audit.sampling.pair_draws import PairDraws
from audit.sampling.sampler import Sampler
from audit.sampling.source import Source, Sources
from audit.sampling.stream import Address


def on(box: BlackBox, left: Any, right: Any) -> Sources:
    """A black box on two datasets."""
    return Source(box, left), Source(box, right)


def pairs(
    sampler: Sampler, address: Address, left: Any, right: Any, size: int
) -> tuple[Outcomes, Outcomes]:
    """See `Sampler.pairs`."""
    return sampler.pairs(address, *on(sampler.box, left, right), size)


def pair_draws(box: BlackBox, left: Any, right: Any, index: int = 0) -> PairDraws:
    """A pair on which bets can be placed."""
    return PairDraws(index, *on(box, left, right))
