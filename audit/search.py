"""Looking for worse neighbors than the ones given, and for the smallest that is bad enough.

First a fixed list of pairs that show the mistakes people make, then pairs at
which the kind of output changes, then pairs that Hypothesis makes up, steered
towards those on which bets would have grown. The first pair that a small gambler
refutes is shrunk. Whatever is found is only a place to bet: nothing is evidence.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from audit.blackbox.interface import BlackBox
from audit.case import Settings
from audit.claim import Claim
from audit.declaration import Relation
from audit.domain import Domain
from audit.edges import size_edges
from audit.hunt import Hunt, LeftOut, Refuted
from audit.neighbors import Pair, shown, worst_pairs
from audit.probe import Probe
from audit.result import Search
from audit.shrink import Shrinker
from audit.store import Memory
from audit.strategies import pairs as neighboring_pairs


@dataclass(frozen=True, slots=True)
class Found:
    """What a search came back with.

    Attributes:
        pairs: places to bet, called S1, S2, ..., the most promising first.
        refuted: whether the claim fell on the first of them, which then is the
            smallest such pair found and should be bet on alone before any other.
        effort: what it took.
        left_out: pairs that cannot be bet on, in the order in which they were tried.
    """

    pairs: tuple[Pair, ...]
    refuted: bool
    effort: Search
    left_out: tuple[LeftOut, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know of it, one sentence each."""
        if not self.left_out:
            return ()
        first, *more = self.left_out
        which = f"{first.pair.difference}, where D is {_words(first.pair.dataset)}"
        count = f"{1 + len(more)} pairs" if more else "a pair"
        return (f"the search left out {count} that cannot be bet on ({which}): {first.error}",)


def find_worst(
    claim: Claim, domain: Domain, relation: Relation, memory: Memory, settings: Settings
) -> Found:
    """The pairs of this domain on which a claim is most likely to fall.

    Args:
        claim: what is bet against.
        domain: what a record may be.
        relation: what makes datasets neighbors.
        memory: where draws come from; those made here have addresses of their own.
        settings: budget, level and seed of the audit.

    Returns:
        The smallest refuted pair and the one it was shrunk from; where none was
        refuted the best two, and the simplest. No pairs where none could be bet
        on. The same for the same seed.

    Raises:
        InputError: the domain and the relation allow no pair.
    """
    before = memory.sampler.samples
    appetite = _Appetite.of(memory.sampler.box, settings.max_samples)

    def tell(samples: int, score: float) -> None:
        settings.tell("searching", samples, score)

    probe = Probe(claim, settings.alpha, memory.sampler, before, memory.crew, tell)
    hunt = Hunt(probe, settings.seed)
    listed = worst_pairs(domain, relation)
    for refuted in _stages(hunt, listed, domain, relation, appetite):
        if refuted is not None:
            return _shrunk(hunt, refuted, domain, appetite, before)
    left_out = [other.pair for other in hunt.left_out]
    best = [candidate.pair for candidate in hunt.best if candidate.pair not in left_out]
    simplest = [] if hunt.blind else [pair for pair in listed if pair not in left_out][:1]
    pairs = _named([*best, *(pair for pair in simplest if pair not in best)])
    return Found(pairs, False, _effort(hunt, before), tuple(hunt.left_out))


@dataclass(frozen=True, slots=True)
class _Appetite:
    """How much to spend.

    Attributes:
        runs: for looking at listed pairs, as many again for others and for shrinking.
        examples: how many pairs to make up.
    """

    runs: int
    examples: int

    @classmethod
    def of(cls, box: BlackBox, max_samples: int) -> _Appetite:
        """Little where every output needs a run of its own, which may be slow."""
        return cls(max_samples // 10, 100) if box.many else cls(max_samples // 24, 60)


def _stages(
    hunt: Hunt, listed: Iterable[Pair], domain: Domain, relation: Relation, appetite: _Appetite
) -> Iterator[Refuted | None]:
    """What each stage of the search refuted; later ones are left out when nobody asks."""
    hunt.probe.allow(appetite.runs)
    yield hunt.among(listed)
    if hunt.blind:
        return
    hunt.probe.allow(appetite.runs)
    yield hunt.among(size_edges(hunt.probe, domain, relation))
    yield hunt.beyond(neighboring_pairs(domain, relation), appetite.examples)


def _shrunk(
    hunt: Hunt, refuted: Refuted, domain: Domain, appetite: _Appetite, before: int
) -> Found:
    hunt.probe.allow(appetite.runs)
    shrinker = Shrinker(*refuted, domain, hunt.probe)
    smallest = shrinker.shrunk()
    effort = _effort(hunt, before, len(shrinker.seen), shrinker.steps)
    pairs = _named([smallest, refuted[0]][: 1 + bool(shrinker.steps)])
    return Found(pairs, True, effort, tuple(hunt.left_out))


def _effort(hunt: Hunt, before: int, tried: int = 0, shrinks: int = 0) -> Search:
    samples = hunt.probe.sampler.samples - before
    return Search(pairs=hunt.pairs + tried, shrinks=shrinks, samples=samples)


def _named(pairs: Iterable[Pair]) -> tuple[Pair, ...]:
    return tuple(replace(pair, name=f"S{i}") for i, pair in enumerate(pairs, 1))


def _words(data: Any) -> str:
    value = shown(data)
    return value if isinstance(value, str) else json.dumps(value)
