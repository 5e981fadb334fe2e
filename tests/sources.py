"""Black boxes on datasets, for tests that draw by themselves."""

from __future__ import annotations

from typing import Any

from audit.betting.probe import find_pairs
from audit.blackbox.interface import BlackBox
from audit.case import Case, Settings
from audit.claims import PureDP
from audit.neighbors.domain import parse_domain
from audit.neighbors.search.search_result import Found
from audit.outcomes.encoding import Outcomes
from audit.progress import Deadline
from audit.relation import Relation
from audit.sampling.draws import Draws
from audit.sampling.sampler import Sampler
from audit.sampling.source import Address, Source, Sources
from audit.sampling.unit_sources import CallUnits
from audit.sampling.units import UnitKind


def on(box: BlackBox, left: Any, right: Any) -> Sources:
    """A black box on the two datasets of a pair."""
    return Source(box, left), Source(box, right)


def pairs(
    sampler: Sampler, address: Address, left: Any, right: Any, size: int
) -> tuple[Outcomes, Outcomes]:
    """Outputs on two datasets."""
    return sampler.pairs(address, *on(sampler.box, left, right), size)


def find_worst(sampler: Sampler, domain: str, relation: str, settings: Settings) -> Found:
    """The pairs of a domain on which a black box is most likely to lose more than ε = 1."""
    draws = Draws(sampler, CallUnits(sampler, UnitKind.CALL), (settings.max_samples,))
    case = Case(
        box=sampler.box,
        claim=PureDP(1.0),
        relation=Relation(relation),
        pairs=(),
        domain=parse_domain(domain),
        name="box",
        parameters={},
        command="",
    )
    return find_pairs(case, draws, settings, Deadline())[0]
