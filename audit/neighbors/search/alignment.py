"""A pair of neighboring datasets as one row of places, to be changed in both at once."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from audit.neighbors import Pair, neighboring
from audit.neighbors.domain import Domain
from audit.neighbors.domain.record import key
from audit.neighbors.rows import keys_of, owners, records_of, user_column
from audit.relation import Relation


@dataclass(frozen=True, slots=True)
class Run:
    """Equal records that stand next to each other.

    Attributes:
        left: the record in D, in a tuple; empty where D has none there.
        right: the same in its neighbor.
        length: how many of them.
    """

    left: tuple[Any, ...]
    right: tuple[Any, ...]
    length: int = 1

    @property
    def common(self) -> bool:
        """True if both datasets have the same record here."""
        return bool(self.left and self.right) and key(self.left[0]) == key(self.right[0])

    @property
    def names(self) -> tuple[Hashable, Hashable]:
        """Keys of both sides."""
        return key(self.left), key(self.right)


Runs = tuple[Run, ...]


def runs_of(pair: Pair, domain: Domain) -> Runs:
    """The places of a pair, equal neighbors taken together."""
    runs: list[Run] = []
    for place in _places(pair, domain):
        if runs and runs[-1].names == place.names:
            runs[-1] = replace(runs[-1], length=runs[-1].length + 1)
        else:
            runs.append(place)
    return tuple(runs)


def pair_of(runs: Sequence[Run], like: Pair, domain: Domain) -> Pair:
    """The datasets that consist of these runs, with name and relation of another pair."""
    left = [record for run in runs for record in run.left * run.length]
    right = [record for run in runs for record in run.right * run.length]
    user = user_column(domain) if like.relation is Relation.USER else None
    return neighboring(like.name, domain.dataset(left), domain.dataset(right), like.relation, user)


def _places(pair: Pair, domain: Domain) -> Iterator[Run]:
    """One run for each record, those of one side only where the other side lacks them."""
    left, right = records_of(pair.dataset), records_of(pair.neighbor)
    lacking = _lacking(pair, domain)
    i = j = 0
    while i < len(left) or j < len(right):
        if i < len(left) and i in lacking[1]:
            yield Run((left[i],), ())
            i += 1
        elif j < len(right) and j in lacking[0]:
            yield Run((), (right[j],))
            j += 1
        else:
            yield Run(tuple(left[i : i + 1]), tuple(right[j : j + 1]))
            i, j = i + 1, j + 1


def _lacking(pair: Pair, domain: Domain) -> tuple[set[int], set[int]]:
    """Positions in D' of what D lacks, and in D of what D' lacks."""
    if pair.relation is Relation.USER:
        column = user_column(domain, pair.dataset)
        before, after = owners(pair.dataset, column), owners(pair.neighbor, column)
        alone = set(before) ^ set(after)
        return _at(after, alone), _at(before, alone)
    left, right = keys_of(pair.dataset), keys_of(pair.neighbor)
    if len(left) == len(right):
        return set(), set()
    shorter = min(len(left), len(right))
    first = next((at for at in range(shorter) if left[at] != right[at]), shorter)
    return ({first}, set()) if len(right) > len(left) else (set(), {first})


def _at(names: list[Hashable], wanted: set[Hashable]) -> set[int]:
    return {position for position, name in enumerate(names) if name in wanted}
