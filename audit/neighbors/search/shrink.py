"""From a refuted pair to a minimal one: the fewest records, then the simplest ones.

A record is replaced only by one for which `holds` says that what matters still
holds, so the answer depends on nothing but the record and those answers.

Every candidate is a valid pair, and is kept only if the claim is refuted on it as
well. Where answers are seeded, the same pair always shrinks the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import takewhile
from typing import Any, TypeVar

from audit.errors import InputError
from audit.neighbors import Pair, check_pair
from audit.neighbors import domain as domains
from audit.neighbors.domain import Domain
from audit.neighbors.domain.record import distinct, is_missing, key
from audit.neighbors.search.local_search import Run, Runs, pair_of, runs_of
from audit.neighbors.search.oracle import Oracle, Unreadable
from audit.neighbors.search.search_result import name_of
from audit.neighbors.search.strategies import simplest_example

Holds = Callable[[Any], bool]
Item = TypeVar("Item")

_DIGITS = (0, 1, 2, 3)
_FEW_USERS = 5
_LARGEST_WHOLE = 1e9


def simplest(domain: Domain, record: Any, holds: Holds) -> Any:
    """The simplest record found for which `holds`, given that it holds for this one."""
    if isinstance(domain, domains.TableDomain):
        return _simplest_row(domain, record, holds)
    if isinstance(domain, domains.MissingDomain):
        if is_missing(record):
            return _first(distinct(domain.ends), record, holds)
        return simplest(domain.values, record, holds)
    if isinstance(domain, domains.IntDomain):
        return _simplest_whole(domain, int(record), holds)
    if isinstance(domain, domains.FloatDomain):
        return _simplest_number(domain, float(record), holds)
    if isinstance(domain, domains.StrategyDomain):
        return simplest_example(domain, record, holds)
    return _first(_before(domain, record), record, holds)


def _before(domain: Domain, record: Any) -> list[Any]:
    """Values before a record in a domain that is a list of values."""
    listed: Iterable[Any] = ()
    if isinstance(domain, domains.ChoiceDomain):
        listed = domain.choices
    elif isinstance(domain, (domains.BoolDomain, domains.TextDomain)):
        listed = domain.ends
    elif isinstance(domain, domains.DateDomain):
        listed = domain.ends[:1]
    elif isinstance(domain, domains.UserDomain) and not isinstance(record, str):
        listed = range(_FEW_USERS)
    return list(takewhile(lambda value: key(value) != key(record), listed))


def _first(candidates: Iterable[Any], record: Any, holds: Holds) -> Any:
    return next((simpler for simpler in candidates if holds(simpler)), record)


def _simplest_row(domain: domains.TableDomain, row: Any, holds: Holds) -> dict[str, Any]:
    """Each column in turn, the others as they are."""
    simpler = dict(row)
    for name, column in domain.columns:

        def changed(value: Any, name: str = name) -> bool:
            return holds({**simpler, name: value})

        simpler[name] = simplest(column, simpler[name], changed)
    return simpler


def _simplest_whole(domain: domains.IntDomain, value: int, holds: Holds) -> int:
    target = min(max(0, domain.low), domain.high)
    if value == target or holds(target):
        return target
    near = [x for x in (target + 1, abs(value)) if x != value and domain.contains(x)]
    return _bisected(target, _first(near, value, holds), holds)


def _bisected(target: int, value: int, holds: Holds) -> int:
    """The number nearest to the target, which does not hold, if all beyond it do."""
    while abs(value - target) > 1:
        middle = (target + value) // 2
        if holds(middle):
            value = middle
        else:
            target = middle
    return value


def _simplest_number(domain: domains.FloatDomain, value: float, holds: Holds) -> float:
    """Whole numbers first, then short fractions; among those what is nearest to 0."""
    target = min(max(0.0, domain.low), domain.high)
    rounded = [round(value, digits) for digits in _DIGITS] if math.isfinite(value) else []
    tried = filter(domain.contains, (target, 1.0, -value, *domain.ends, *rounded))
    least, rank = _complexity(value, target), partial(_complexity, target=target)
    simpler = takewhile(lambda x: rank(x) < least, sorted(distinct(tried), key=rank))
    value = _first(simpler, value, holds)
    whole = value.is_integer() and target.is_integer() and abs(value) <= _LARGEST_WHOLE
    if value == target or not whole:
        return value
    return float(_bisected(int(target), int(value), lambda number: holds(float(number))))


def _complexity(value: float, target: float) -> tuple[bool, int, bool, float]:
    if not math.isfinite(value):
        return True, 0, value < 0, 0.0
    digits = 0 if value.is_integer() else len(repr(abs(value)))
    return False, digits, value < 0, abs(value - target)


_FEWEST_PAIRS = 16
_ROUNDS = 3
_FINEST = 32


@dataclass(slots=True)
class Trial:
    """Trial of other pairs: does the claim fall at about the same cost?

    Attributes:
        runs: what it took to refute the first one.
        oracle: what is asked about others; what it allows is the budget.
        costlier: another pair may take so many times these runs.
        hopeless: one whose first look shows less than this part of the first pair's is given up.
        asking: makes of a pair the one that the oracle knows, a new object at each call.
        expected: what a look at the first pair shows.
        last: what it took to refute the last pair that was.
        seen: pairs that were tried, and whether they were refuted.
    """

    runs: int
    oracle: Oracle
    costlier: int = 4
    hopeless: float = 1 / 3
    asking: Callable[[Pair], Pair] = replace
    expected: float = 0.0
    last: int = 0
    seen: dict[Hashable, bool] = field(default_factory=dict)

    @property
    def steps(self) -> int:
        """Number of pairs that were refuted."""
        return sum(self.seen.values())

    def starts_at(self, pair: Pair) -> bool:
        """Look at the first pair as at smaller ones later on; True if the budget allowed it."""
        first = self._score(self.asking(pair))
        self.expected = first or 0.0
        return first is not None

    def refuted(self, pair: Pair) -> bool:
        """True if the claim is refuted on another pair, too; each is tried once."""
        name = name_of(pair)
        if name not in self.seen:
            self.seen[name] = self._refuted(self.asking(pair))
        return self.seen[name]

    def _refuted(self, pair: Pair) -> bool:
        score = self._score(pair)
        if score is None or score < self.hopeless * min(self.expected, self.oracle.scale.goal):
            return False
        try:
            took = self.oracle.refutes(pair, self.costlier * self.runs)
        except Unreadable:
            return False
        self.last = self.last if took is None else took
        return took is not None

    def _score(self, pair: Pair) -> float | None:
        """Score of a look; None if the budget ends or nothing can be read."""
        try:
            return self.oracle.score(pair, 2 * max(_FEWEST_PAIRS, self.runs // 2))
        except Unreadable:
            return None


def fewest(items: tuple[Item, ...], holds: Holds, finest: int = _FINEST) -> tuple[Item, ...]:
    """As few items as hold, without halves of them, quarters, down to one in `finest` of them."""
    size = len(items)
    while size >= max(1, len(items) // finest):
        at = 0
        while at < len(items):
            fewer = items[:at] + items[at + size :]
            if fewer != items and holds(fewer):
                items = fewer
            else:
                at += size
        size //= 2
    return items


def changed_at(items: tuple[Item, ...], at: int, item: Item) -> tuple[Item, ...]:
    """The same items, but for the one at a place."""
    return (*items[:at], item, *items[at + 1 :])


@dataclass(frozen=True, slots=True)
class Shrinker:
    """Makes one refuted pair smaller."""

    pair: Pair
    domain: Domain
    trial: Trial

    def shrunk(self) -> Pair:
        """The smallest refuted pair found; the pair itself when nothing smaller is refuted."""
        runs = runs_of(self.pair, self.domain)
        if not self.trial.starts_at(self.pair):
            return self.pair
        for _ in range(_ROUNDS):
            before = runs
            runs = self._with_simpler_records(self._with_fewer_records(runs))
            if runs == before:
                break
        return pair_of(runs, self.pair, self.domain)

    def _holds(self, runs: Runs) -> bool:
        """True if these are neighbors on which the claim is refuted too."""
        try:
            pair = pair_of(runs, self.pair, self.domain)
            check_pair(pair, self.domain)
        except InputError:
            return False
        return self.trial.refuted(pair)

    def _with_fewer_records(self, runs: Runs) -> Runs:
        different = tuple(run for run in runs if not run.common)
        if different != runs and self._holds(different):
            runs = different
        runs = fewest(runs, self._holds)
        for at in range(len(runs)):
            runs = self._with_shorter_run(runs, at)
        return runs

    def _with_shorter_run(self, runs: Runs, at: int) -> Runs:
        """By bisection; a run of length 0 was tried before."""

        def holds(length: int) -> bool:
            return self._holds(changed_at(runs, at, replace(runs[at], length=length)))

        return changed_at(runs, at, replace(runs[at], length=_bisected(0, runs[at].length, holds)))

    def _with_simpler_records(self, runs: Runs) -> Runs:
        for at in range(len(runs)):
            for sides in ((True, True),) if runs[at].common else ((True, False), (False, True)):
                runs = self._with_simpler_run(runs, at, *sides)
        return runs

    def _with_simpler_run(self, runs: Runs, at: int, left: bool, right: bool) -> Runs:
        """Another record in D, in its neighbor, or in both."""
        run = runs[at]
        held = run.left if left else run.right
        if not held:
            return runs

        def changed(record: Any) -> Runs:
            sides = (record,) if left else run.left, (record,) if right else run.right
            return changed_at(runs, at, Run(*sides, run.length))

        record = simplest(self.domain, held[0], lambda record: self._holds(changed(record)))
        return runs if key(record) == key(held[0]) else changed(record)
