"""Looking for worse neighbors than the ones given."""

from __future__ import annotations

from dataclasses import dataclass

from audit.case import Settings
from audit.claim import Claim
from audit.declaration import Relation
from audit.domain import Domain
from audit.neighbors import Pair, worst_pairs
from audit.probe import Probe
from audit.result import Search
from audit.sampling import Sampler

_SHARE = 8
_BEST = 2


@dataclass(frozen=True, slots=True)
class Found:
    """What a search came back with.

    Attributes:
        pairs: the most promising pairs, best first; only places to bet.
        effort: what it took.
    """

    pairs: tuple[Pair, ...]
    effort: Search


def find_worst(
    claim: Claim, domain: Domain, relation: Relation, sampler: Sampler, settings: Settings
) -> Found:
    """Probe the deterministic list of pairs and keep those on which bets would have grown most."""
    probe = Probe(claim, settings.alpha, sampler)
    before = sampler.samples
    most = before + settings.max_samples // _SHARE
    scored: list[tuple[float, Pair]] = []
    for place, pair in enumerate(worst_pairs(domain, relation)):
        if sampler.samples + probe.cost > most:
            break
        scored.append((probe.growth(pair, place), pair))
        settings.tell("searching", sampler.samples, scored[-1][0])
    best = sorted(scored, key=lambda item: -item[0])[:_BEST]
    pairs = tuple(pair for growth, pair in best if growth > 0)
    effort = Search(pairs=len(scored), shrinks=0, samples=sampler.samples - before)
    return Found(pairs, effort)
