"""Black boxes on datasets, for tests that draw by themselves."""

from __future__ import annotations

from typing import Any

from audit.blackbox.interface import BlackBox
from audit.outcomes.encoding import Outcomes
from audit.sampling.sampler import Sampler
from audit.sampling.source import Address, Source, Sources


def on(box: BlackBox, left: Any, right: Any) -> Sources:
    """A black box on the two datasets of a pair."""
    return Source(box, left), Source(box, right)


def pairs(
    sampler: Sampler, address: Address, left: Any, right: Any, size: int
) -> tuple[Outcomes, Outcomes]:
    """Outputs on two datasets."""
    return sampler.pairs(address, *on(sampler.box, left, right), size)
