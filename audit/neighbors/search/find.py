"""Looking for worse neighbors than the ones given, and for the smallest that is bad enough.

First a fixed list of pairs that show the mistakes people make, then pairs at
which the kind of output changes, then random ones of which a glimpse may tell, then
pairs that Hypothesis makes up, steered towards those on which bets would have grown.
The first pair that is refuted is shrunk. All that is known of a pair comes from an
oracle; whatever is found is only a place to bet: nothing is evidence.

A mechanism that answers only from some size on, fails beyond one, or adds less noise
from there on, shows that size to anybody who tries sizes far apart and then halves the
gap, always going on with the half in which more changes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, zip_longest
from shlex import quote
from typing import TYPE_CHECKING, Any

import numpy as np

from audit.neighbors import Pair, worst_pairs
from audit.neighbors.candidates import each_owned
from audit.neighbors.data_neighbors import neighbors_of, reach_in_words
from audit.neighbors.domain import Domain, Sizes
from audit.neighbors.generated_pairs import constant_pairs, random_pairs
from audit.neighbors.pair import made_pair
from audit.neighbors.rows import keys_of
from audit.neighbors.search.local_search import MOST_RECORDS, Climber
from audit.neighbors.search.oracle import Law, Oracle, Unreadable
from audit.neighbors.search.search_result import (
    DERIVED,
    Appetite,
    Found,
    Misfit,
    bet_on_anyway,
    distinct,
    misfit_of,
    name_of,
    named,
    was_left_out,
)
from audit.neighbors.search.shrink import Shrinker, Trial
from audit.neighbors.search.strategies import pairs as neighboring_pairs
from audit.neighbors.search.tournament import Hunt, Refuted
from audit.relation import AnyRelation, Relation
from audit.source_code import NO_CONSTANTS, Constants

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


_TINY, _ENOUGH, _RARITIES = 3, 1000, 2000
"""Pairs that are looked at for what is rare, and runs on each, at least and at most."""
_TELLING = 4
"""Runs that share what the other dataset never shows, from which on it is worth bets."""
_SHORT, _WORST, _CLIMBED = 16, 3, 2
"""Runs of the shortest look at a pair that may be the worst, how many are bet on, and from how many
of them steps up are tried."""


def search_pairs(
    oracle: Oracle,
    domain: Domain,
    relation: AnyRelation,
    appetite: Appetite,
    seed: int,
    constants: Constants = NO_CONSTANTS,
) -> Found:
    """The pairs of this domain on which a claim is most likely to fall.

    Constants of the code are tried as records, as sizes and as sums.

    Returns:
        The smallest refuted pair and the worst that steps up from it lead to, or else
        the one it was shrunk from; where none was refuted the best two, and those
        that are bet on anyway. No pairs where none could be bet on, or where the domain
        does not fit. The same for the same seed and the same answers.

    Raises:
        InputError: the domain and the relation allow no pair.
    """
    listed = listed_pairs(domain, relation, constants)
    oracle.known += _diverse(listed)
    made_up = neighboring_pairs(domain, relation, constants=constants)
    search = _Search(Hunt(oracle, seed, appetite.kept), domain, relation, appetite, listed)
    refuted = next(filter(None, search.stages(made_up)), None)
    return search.unrefuted() if refuted is None else search.settled(*refuted)


def search_neighbors(
    oracle: Oracle, known: Sequence[Pair], appetite: Appetite, domain: Domain | None = None
) -> Found:
    """The worst neighbors of some datasets, where nothing says what else a record may be.

    The known pairs, at least one of each dataset, are bet on anyway; a domain names the user
    column, under user. The result is the pair that was refuted, or the best two: the same for the
    same answers.
    """
    relation = known[0].relation
    datasets = {tuple(keys_of(pair.dataset)): pair.dataset for pair in known}
    hunt = Hunt(oracle, 0, appetite.kept)
    made = (neighbors_of(data, relation, domain) for data in datasets.values())
    refuted = hunt.among(_others(known, made), appetite.listed)
    best = [refuted[0]] if refuted else [candidate.pair for candidate in hunt.best]
    left_out = tuple(hunt.left_out)
    pairs = named(pair for pair in best if not was_left_out(pair, left_out))
    reach = reach_in_words([*datasets.values()], relation, len(known) + hunt.pairs, domain)
    return Found(pairs, refuted is not None, hunt.pairs, left_out=left_out, reach=(reach,))


def _others(known: Sequence[Pair], made: Iterable[Iterable[Pair]]) -> Iterator[Pair]:
    """Pairs that are not known, one of each dataset after the other."""
    names = {name_of(pair) for pair in known}
    for row in zip_longest(*made):
        yield from (pair for pair in row if pair is not None and name_of(pair) not in names)


def search_derived(
    oracle: Oracle,
    known: Sequence[Pair],
    domain: Domain,
    appetite: Appetite,
    seed: int,
    constants: Constants = NO_CONSTANTS,
) -> Found:
    """The worst pairs of a domain that was derived from tables, or else neighbors of these tables.

    The appetite is that for the domain and again for the tables; see `search_pairs` and
    `search_neighbors` for the arguments.

    Returns:
        What the domain has where a pair of it was refuted; else what is best of both. A domain
        that does not fit only leaves its pairs out. The same for the same seed and answers.
    """
    made = search_pairs(oracle, domain, known[0].relation, appetite, seed, constants)
    source = f"{DERIVED}{quote(str(domain))}"
    if made.refuted:
        return replace(made, reach=(source,))
    others = search_neighbors(oracle, known, appetite, domain)
    pairs = others.pairs if others.refuted else (*made.pairs, *others.pairs)
    return replace(
        made,
        pairs=named(distinct(pairs)),
        refuted=others.refuted,
        tried=made.tried + others.tried,
        left_out=made.left_out + others.left_out,
        reach=(*others.reach, source),
    )


def listed_pairs(domain: Domain, relation: AnyRelation, constants: Constants) -> tuple[Pair, ...]:
    """The pairs that show the mistakes people make, and those that step over constants."""
    listed = worst_pairs(domain, relation)
    if not constants:
        return listed
    known = {name_of(pair) for pair in listed}
    others = constant_pairs(domain, relation, constants)
    return (*listed, *(pair for pair in others if name_of(pair) not in known))


def _diverse(pairs: Iterable[Pair]) -> list[Pair]:
    """The two pairs of few records with the most different ones: few groups of them are empty."""
    few = (pair for pair in pairs if len(pair.dataset) <= MOST_RECORDS)
    return sorted(few, key=lambda pair: len(set(keys_of(pair.dataset))))[-2:]


@dataclass(slots=True)
class _Search:
    """A search of a domain, which tries listed pairs first."""

    hunt: Hunt
    domain: Domain
    relation: AnyRelation
    appetite: Appetite
    listed: Sequence[Pair]

    def stages(self, made_up: SearchStrategy[Pair]) -> Iterator[Refuted | None]:
        """Results of the stages of the search; later ones are left out when nobody asks."""
        hunt, runs = self.hunt, self.appetite.runs
        yield hunt.among(self.listed, self.appetite.listed)
        if hunt.blind:
            return
        hunt.oracle.allow(runs // 4)
        yield hunt.among(size_edges(hunt.oracle, self.domain, self.relation))
        rng = np.random.default_rng(hunt.seed)
        yield hunt.telling(random_pairs(self.domain, self.relation, rng))
        climber = Climber(self.domain, hunt, self.appetite.step)
        yield self._climbed(climber)
        hunt.oracle.allow(runs // 2)
        yield hunt.beyond(made_up, self.appetite.examples)
        yield self._climbed(climber)

    def settled(self, pair: Pair, runs: int) -> Found:
        """The smallest refuted pair, and those that lose most."""
        hunt = self.hunt
        if misfit := self._misfit([pair]):
            return self._found(misfit=misfit)
        hunt.oracle.allow(self.appetite.runs)
        trial = Trial(runs, hunt.oracle)
        smallest = Shrinker(pair, self.domain, trial).shrunk()
        worst = self._worst([pair, *self.listed])
        others = [other for other in worst if name_of(other) != name_of(smallest)]
        tried = len(hunt.looked_at | trial.seen.keys())
        found = self._found([smallest, *others])
        return replace(found, refuted=True, tried=tried, shrinks=trial.steps)

    def unrefuted(self) -> Found:
        """The best pairs, and those that are bet on anyway."""
        hunt = self.hunt
        best = [candidate.pair for candidate in hunt.best]
        if hunt.pairs and (misfit := self._misfit(best)):
            return self._found(misfit=misfit)
        best = [*self._with_rarities(), *best]
        left_out = hunt.left_out
        best = [pair for pair in best if not was_left_out(pair, left_out)]
        anyway = [] if hunt.blind else bet_on_anyway(self.listed, self.relation, left_out)
        return self._found(distinct([*best, *anyway]))

    def _found(self, pairs: Iterable[Pair] = (), misfit: Misfit | None = None) -> Found:
        tried, left_out = len(self.hunt.looked_at), tuple(self.hunt.left_out)
        return Found(named(pairs), False, tried, left_out=left_out, misfit=misfit)

    def _misfit(self, pairs: Iterable[Pair]) -> Misfit | None:
        return misfit_of(self.hunt.oracle, self.domain, pairs, self.listed)

    def _climbed(self, climber: Climber) -> Refuted | None:
        """Result of steps up from the pairs with the largest losses."""
        self.hunt.oracle.allow(self.appetite.runs // 4)
        starts = [candidate.pair for candidate in self.hunt.widest]
        tops = [climber.climbed(pair) for pair in starts]
        higher = [top for top, start in zip(tops, starts, strict=True) if top is not start]
        self.hunt.oracle.allow(self.appetite.runs // 8)
        return self.hunt.among(higher) if higher else None

    def _with_rarities(self) -> list[Pair]:
        """The pair of one record or none that shows most of what its neighbor never does.

        A key or a word that comes once in a hundred runs is too seldom for short looks, and a claim
        with a delta hides it from scores; how often it may come is for bets to say.
        """
        hunt, allowed = self.hunt, self.appetite.rare
        if hunt.blind:
            return []
        tiny = (p for p in self.listed if max(len(p.dataset), len(p.neighbor)) == 1)
        usable = (pair for pair in tiny if not was_left_out(pair, hunt.left_out))
        count = _TINY if allowed >= _TINY * _ENOUGH else 1
        runs = min(_RARITIES, allowed // count)
        if runs < _ENOUGH:
            return []
        looked_at = [*islice(usable, count)]
        hunt.oracle.allow(allowed)
        counts = [hunt.one_sided(pair, runs) for pair in looked_at]
        return [looked_at[k] for k in np.argsort(counts)[::-1][:1] if counts[k] >= _TELLING]

    def _worst(self, pairs: Sequence[Pair]) -> list[Pair]:
        """The pairs with the largest loss, as far as looks show: among some, and by steps up.

        Looks at all pairs are short; the larger quarter gets one four times as long, and so on. If
        the runs end before, the order of the last looks counts.
        """
        hunt = self.hunt
        climber = Climber(self.domain, hunt, self.appetite.step)
        hunt.oracle.allow(self.appetite.runs)
        left = distinct([*pairs, *(candidate.pair for candidate in hunt.widest)])
        runs = _SHORT
        while len(left) > _WORST and (found := climber.largest(left, runs)):
            left = found[: max(_WORST, len(left) // 4)]
            runs *= 4
        hunt.oracle.allow(self.appetite.runs // 2)
        tops = [climber.climbed(pair) for pair in left[:_CLIMBED]]
        both = distinct([*tops, *left])
        hunt.oracle.allow(self.appetite.runs // 4)
        return (climber.largest(both, runs) or both)[:_WORST]


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
    small, *others = dict.fromkeys(sizes.nearest(alone + size) - alone for size in _SIZES)
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
