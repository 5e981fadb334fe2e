"""Local search: steps to pairs that lose more, and sizes at which outputs change.

A first weak hit is not the end: records are added, repeated and moved as long as the
loss grows. How large a loss looks is asked of the oracle also where the claim still
allows it, so that the way up to a violation is seen as well as the way beyond one.

A mechanism that answers only from some size on, fails beyond one, or adds less noise
from there on, shows that size to anybody who tries sizes far apart and then halves the
gap, always going on with the half in which more changes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from audit.errors import InputError
from audit.neighbors import Pair, check_pair
from audit.neighbors.candidates import each_owned
from audit.neighbors.domain import Domain, Sizes
from audit.neighbors.domain.record import distinct
from audit.neighbors.pair import made_pair
from audit.neighbors.search.moves import MOST_RECORDS, Runs, moves, pair_of, runs_of, single
from audit.neighbors.search.oracle import Law, Oracle, Unreadable
from audit.neighbors.search.search_result import name_of, takes_too_long
from audit.neighbors.search.tournament import Hunt
from audit.relation import AnyRelation, Relation

_MOST_ROUNDS = 12
_MOST_MOVES = 48
_GROWS = 1.04
"""How many times as large a loss has to look to be a larger one."""
_STEEP = 1.3
"""A step up by that factor is taken at once."""
_AGAIN = 4
"""How many times as long the longer look is that a step up has to stand."""


@dataclass(slots=True)
class Climber:
    """Climbs from pair to pair.

    Attributes:
        domain: what a record may be.
        hunt: looks at pairs, and knows what was seen of others.
        runs: of a look at a pair.
        seen: pairs that were made.
    """

    domain: Domain
    hunt: Hunt
    runs: int
    seen: set[Hashable] = field(default_factory=set)

    def climbed(self, start: Pair) -> Pair:
        """The pair with the largest loss that steps up lead to; the first where none does."""
        best, size = start, self.hunt.extent(start, self.runs)
        for _ in range(_MOST_ROUNDS):
            if (found := self._step(best, size)) is None:
                break
            best, size = found
        return best

    def largest(self, pairs: Sequence[Pair], runs: int) -> list[Pair]:
        """Pairs by how large their loss looks, the largest first; those not looked at left out."""
        found = [(self.hunt.extent(pair, runs), pair) for pair in pairs]
        seen = [(size, pair) for size, pair in found if size is not None]
        return [pair for _, pair in sorted(seen, key=lambda one: -one[0])]

    def _step(self, pair: Pair, size: float | None) -> tuple[Pair, float] | None:
        """The steepest step up, None where there is none."""
        if size is None or _GROWS * size > self.hunt.oracle.scale.widest:
            return None
        if max(len(pair.dataset), len(pair.neighbor)) > MOST_RECORDS:
            return None
        places = single(runs_of(pair, self.domain))
        if all(place.common for place in places):
            return None
        best, largest = self._steepest(self._made(pair, places), size)
        return None if best is None or not self._stands(pair, best) else (best, largest)

    def _stands(self, pair: Pair, best: Pair) -> bool:
        """True if the loss grows by the step in a longer look, too."""
        before, after = (self.hunt.extent(p, _AGAIN * self.runs) for p in (pair, best))
        return before is not None and after is not None and after > _GROWS * before

    def _steepest(self, pairs: Iterable[Pair], size: float) -> tuple[Pair | None, float]:
        """The pair of the largest loss, or the first that is large enough; None if none grows."""
        best, largest = None, _GROWS * size
        for pair in pairs:
            found = self.hunt.extent(pair, self.runs)
            if found is not None and found > largest:
                best, largest = pair, found
                if found > _STEEP * size:
                    break
        return best, largest

    def _made(self, pair: Pair, places: Runs) -> list[Pair]:
        """Pairs a step away that nobody has looked at."""
        found: list[Pair] = []
        for moved in moves(places, self.domain):
            try:
                made = pair_of(moved, pair, self.domain)
                check_pair(made, self.domain)
            except InputError:
                continue
            name = name_of(made)
            if name not in self.seen and not takes_too_long(made, self.hunt.left_out):
                self.seen.add(name)
                found.append(made)
            if len(found) >= _MOST_MOVES:
                break
        return found


_SIZES = (0, *(2**power for power in range(13)))
_NAME = "E"
_STILL = 0.1
"""Distance of laws that is none."""
_EVEN = 1e-3
"""Part by which two halves differ at least where one of them holds a step."""
_MORE = 2.0
"""How many times as much as from any size to the next a step is."""

LawOf = Callable[[int], Law]
"""The law of the outputs on the dataset of a size, which is a neighbor of the next."""


def size_edges(oracle: Oracle, domain: Domain, relation: AnyRelation) -> Iterator[Pair]:
    """Pairs of n and n + 1 records between which outputs change more than they do elsewhere.

    The records are equal, but for one in front of them or not.
    """
    if relation not in (Relation.ADD_REMOVE, Relation.USER):
        return
    low, high = domain.ends
    for many, first in ((low, []), (high, []), (low, [high]), (high, [low])):
        records = partial(_records, domain, first, many)
        law_of = partial(_law, oracle, domain, records)
        for size in _edges(law_of, len(first), domain.sizes):
            yield made_pair(_NAME, domain, relation, (records(size), records(size + 1)))


def _records(domain: Domain, first: list[Any], many: Any, size: int) -> list[Any]:
    return each_owned(domain, [*first, *[many] * size])


def _law(oracle: Oracle, domain: Domain, records: Callable[[int], list[Any]], size: int) -> Law:
    """Law of the outputs on a dataset; no kinds if they cannot be read in time."""
    try:
        return oracle.law(domain.dataset(records(size)))
    except Unreadable:
        return Law()


def _edges(law_of: LawOf, alone: int, sizes: Sizes) -> Iterator[int]:
    """Sizes after which outputs are others, more so than from any size to the next."""
    small, *others = distinct(sizes.nearest(alone + size) - alone for size in _SIZES)
    law = law_of(small)
    for large in others:
        beyond = law_of(large)
        if not beyond.kinds:
            return  # what cannot be read, or takes too long, does so beyond as well
        if law.kinds:
            yield from _halved(law_of, (small, law), (large, beyond))
        small, law = large, beyond


def _halved(law_of: LawOf, low: tuple[int, Law], high: tuple[int, Law]) -> Iterator[int]:
    """The size in between after which outputs change by far the most, if there is one."""
    whole = low[1].distance(high[1])
    usual = whole / (high[0] - low[0])
    if whole <= _STILL:
        return
    while high[0] - low[0] > 1:
        size = (low[0] + high[0]) // 2
        law = law_of(size)
        before, after = low[1].distance(law), law.distance(high[1])
        if not law.kinds or math.isclose(before, after, rel_tol=_EVEN, abs_tol=_STILL):
            return
        low, high = (low, (size, law)) if before > after else ((size, law), high)
    last = low[1].distance(high[1])
    if math.isinf(last) or last > _MORE * usual + _STILL:
        yield low[0]
