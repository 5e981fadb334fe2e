"""Local search: steps from a pair to others of nearly the same records, which may lose more.

A first weak hit is not the end: records are added, repeated and moved as long as the
loss grows. How large a loss looks is asked of the oracle also where the claim still
allows it, so that the way up to a violation is seen as well as the way beyond one.

Records that both datasets have come, go, come several times or become others; the
record that makes the difference becomes another one or stands elsewhere.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import Any

from audit.errors import InputError
from audit.neighbors import Pair, check_pair
from audit.neighbors.candidates import owned
from audit.neighbors.domain import ChoiceDomain, Domain, FloatDomain, IntDomain, TableDomain
from audit.neighbors.domain.record import distinct, key
from audit.neighbors.pair import made_pair
from audit.neighbors.rows import common_start, keys_of, owners, records_of, user_column
from audit.neighbors.search.search_result import name_of, takes_too_long
from audit.neighbors.search.tournament import Hunt
from audit.relation import Relation

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
        places = tuple(_places(pair, self.domain))
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
    return made_pair(like.name, domain, like.relation, (left, right))


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
        gone, new = ({at for at, name in enumerate(n) if name in alone} for n in (before, after))
        return new, gone
    left, right = keys_of(pair.dataset), keys_of(pair.neighbor)
    if len(left) == len(right):
        return set(), set()
    first = common_start(left, right)
    return ({first}, set()) if len(right) > len(left) else (set(), {first})


MOST_RECORDS = 48
"""Records of the larger dataset up to which steps are made."""

_MOST_KINDS = 8
_MOST_GONE = 6


def moves(places: Runs, domain: Domain) -> Iterator[Runs]:
    """Pairs a step away, those that more often show more first.

    Every record has a place by itself, and one of these at least is not common.
    """
    changed = [at for at, place in enumerate(places) if not place.common]
    start, stop = changed[0], changed[-1] + 1
    kinds = _kinds(places, domain)
    yield from _more(places, start, stop)
    for ahead, behind in _around(places, domain):
        yield (*places[:start], ahead, *places[start:stop], behind, *places[stop:])
        yield (ahead, *places, behind)
    for record in kinds:
        common = _common(record, domain, places)
        for at in dict.fromkeys((len(places), 0, start, stop)):
            yield (*places[:at], common, *places[at:])
    rest = (*places[:start], *places[stop:])
    for at in dict.fromkeys((0, len(rest) // 2, len(rest))):
        yield (*rest[:at], *places[start:stop], *rest[at:])
    yield from _others_changed(places, start, stop, kinds)
    yield from _fewer(places)


def _more(places: Runs, start: int, stop: int) -> Iterator[Runs]:
    """Frequent values twice, and copies of what changes on both sides."""
    common = tuple(place for place in places if place.common)
    if common:
        yield tuple(chain.from_iterable((p, p) if p.common else (p,) for p in places))
        yield (*common, *places)
    for record in chain.from_iterable(_records((place,)) for place in places[start:stop]):
        copies = [Run((record,), (record,))] * (1 + len(common))
        yield (*places[:start], *copies, *places[start:])


def _around(places: Runs, domain: Domain) -> Iterator[tuple[Run, Run]]:
    """One record more in front and one behind, which continue what is there on both sides."""
    if isinstance(domain, TableDomain):
        yield from _edges_around(places, domain)
    elif isinstance(domain, (IntDomain, FloatDomain)):
        held = _records(places)
        low, high = min(held), max(held)
        for step in dict.fromkeys((1, high - low)):
            around = low - step, high + step
            if step and all(map(domain.contains, around)):
                before, after = (Run((record,), (record,)) for record in around)
                yield before, after


def _edges_around(places: Runs, domain: TableDomain) -> Iterator[tuple[Run, Run]]:
    """Two rows more: where rows are edges, a page more of a book, or a leaf more at each end."""
    values = [name for name, column in domain.columns if name != domain.user]
    if len(values) < 2:
        return
    row, (one, two) = _changed_records(places)[0], values[:2]
    columns = dict(domain.columns)
    first = _unused(places, columns[two])
    for second in (_unused(places, columns[one]), _unused(places, columns[one], skipped=1)):
        if first is not None and second is not None:
            rows = ({**row, two: first}, {**row, one: second})
            before, after = (_common(made, domain, places) for made in rows)
            yield before, after


def _unused(places: Runs, column: Domain, skipped: int = 0) -> Any:
    """A value of a column that no row has in any column, None where there is none."""
    used = {key(value) for row in _records(places) for value in row.values()}
    tried: Any = column.extremes
    if isinstance(column, IntDomain):
        low = column.ends[0]
        tried = range(low, min(column.ends[1], low + MOST_RECORDS) + 1)
    elif isinstance(column, ChoiceDomain):
        tried = column.choices
    free = (value for value in tried if key(value) not in used)
    return next(islice(free, skipped, None), None)


def _kinds(places: Runs, domain: Domain) -> tuple[Any, ...]:
    """Records worth adding: what changes, what is there, one beside, what is far."""
    changed, held = _changed_records(places), _records(places)
    beside: list[Any] = []
    if isinstance(domain, (IntDomain, FloatDomain)):
        beside = [changed[0] + 1, changed[0] - 1, max(held) + 1, min(held) - 1]
    elif isinstance(domain, TableDomain):
        beside = [*_mixed(places, domain)]
    elif isinstance(domain, ChoiceDomain):
        beside = list(domain.choices[:_MOST_KINDS])
    tried = [*changed, domain.opposite(changed[0]), *beside, *domain.ends, *held]
    return distinct(record for record in tried if domain.contains(record))[: 2 * _MOST_KINDS]


def _mixed(places: Runs, domain: TableDomain) -> Iterator[Any]:
    """Rows that share all but one column with what changes."""
    row = _changed_records(places)[0]
    for name, column in domain.columns:
        if name != domain.user:
            others = [_unused(places, column), *column.ends]
            others += [held[name] for held in _records(places)]
            for value in islice(distinct(v for v in others if v is not None), 4):
                yield {**row, name: value}


def _records(places: Iterable[Run]) -> tuple[Any, ...]:
    return distinct(record for place in places for record in (*place.left, *place.right))


def _changed_records(places: Runs) -> tuple[Any, ...]:
    return _records(place for place in places if not place.common)


def _common(record: Any, domain: Domain, places: Runs) -> Run:
    """A record of both sides, which belongs to somebody else where records have owners."""
    made = owned(domain, record, 1 + sum(max(1, len(place.left)) for place in places))
    return Run((made,), (made,))


def _others_changed(places: Runs, start: int, stop: int, kinds: tuple[Any, ...]) -> Iterator[Runs]:
    """Another record in the place that changes, where it is one place."""
    place = places[start]
    for record in kinds if stop - start == 1 else ():
        if place.right:
            yield (*places[:start], replace(place, right=(record,)), *places[stop:])
        if place.left:
            yield (*places[:start], replace(place, left=(record,)), *places[stop:])


def _fewer(places: Runs) -> Iterator[Runs]:
    common = [at for at, place in enumerate(places) if place.common]
    step = max(1, len(common) // _MOST_GONE)
    for at in common[::step]:
        yield (*places[:at], *places[at + 1 :])
