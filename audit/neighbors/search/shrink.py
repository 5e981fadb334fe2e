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
from typing import Any

from audit.errors import InputError
from audit.neighbors import Pair, check_pair
from audit.neighbors.domain import (
    BoolDomain,
    ChoiceDomain,
    DateDomain,
    Domain,
    FloatDomain,
    IntDomain,
    MissingDomain,
    StrategyDomain,
    TableDomain,
    TextDomain,
    UserDomain,
)
from audit.neighbors.domain.choice import is_missing
from audit.neighbors.domain.record import distinct, key
from audit.neighbors.rows import keys_of
from audit.neighbors.search.hypothesis_search import simplest_example
from audit.neighbors.search.moves import Run, Runs, pair_of, runs_of
from audit.neighbors.search.oracle import Oracle, Unreadable

Holds = Callable[[Any], bool]

_DIGITS = (0, 1, 2, 3)
_FEW_USERS = 5
_LARGEST_WHOLE = 1e9


def simplest(domain: Domain, record: Any, holds: Holds) -> Any:
    """The simplest record found for which `holds`, given that it holds for this one."""
    if isinstance(domain, TableDomain):
        return _simplest_row(domain, record, holds)
    if isinstance(domain, MissingDomain):
        return _simplest_present(domain, record, holds)
    if isinstance(domain, IntDomain):
        return _simplest_whole(domain, int(record), holds)
    if isinstance(domain, FloatDomain):
        return _simplest_number(domain, float(record), holds)
    if isinstance(domain, StrategyDomain):
        return simplest_example(domain, record, holds)
    return _first(_before(domain, record), record, holds)


def _before(domain: Domain, record: Any) -> list[Any]:
    """Values before a record in a domain that is a list of values."""
    listed: Iterable[Any] = ()
    if isinstance(domain, ChoiceDomain):
        listed = domain.choices
    elif isinstance(domain, BoolDomain):
        listed = (False, True)
    elif isinstance(domain, TextDomain):
        listed = domain.ends
    elif isinstance(domain, DateDomain):
        listed = domain.ends[:1]
    elif isinstance(domain, UserDomain) and not isinstance(record, str):
        listed = range(_FEW_USERS)
    values = list(listed)
    keys = [key(value) for value in values]
    return values[: keys.index(key(record))] if key(record) in keys else values


def _first(candidates: Iterable[Any], record: Any, holds: Holds) -> Any:
    return next((simpler for simpler in candidates if holds(simpler)), record)


def _simplest_present(domain: MissingDomain, record: Any, holds: Holds) -> Any:
    """A value that is present where one holds, the simplest of them."""
    if is_missing(record):
        return _first(distinct(domain.ends), record, holds)
    return simplest(domain.values, record, holds)


def _simplest_row(domain: TableDomain, row: Any, holds: Holds) -> dict[str, Any]:
    """Each column in turn, the others as they are."""
    simpler = dict(row)
    for name, column in domain.columns:
        rest = dict(simpler)

        def holds_with(value: Any, name: str = name, rest: dict[str, Any] = rest) -> bool:
            return holds({**rest, name: value})

        simpler[name] = simplest(column, simpler[name], holds_with)
    return simpler


def _simplest_whole(domain: IntDomain, value: int, holds: Holds) -> int:
    target = min(max(0, domain.low), domain.high)
    if value == target or holds(target):
        return target
    for near in (target + 1, -value if value < 0 else value):
        if near != value and domain.contains(near) and holds(near):
            value = near
            break
    return _bisected(target, value, holds)


def _bisected(target: int, value: int, holds: Holds) -> int:
    """The number nearest to the target, which does not hold, if all beyond it do."""
    while abs(value - target) > 1:
        middle = (target + value) // 2
        if holds(middle):
            value = middle
        else:
            target = middle
    return value


def _simplest_number(domain: FloatDomain, value: float, holds: Holds) -> float:
    """Whole numbers first, then short fractions; among those what is nearest to 0."""
    target = min(max(0.0, domain.low), domain.high)
    tried = [target, 1.0, -value, *domain.ends, *_rounded(value)]
    simpler = [
        x
        for x in distinct(tried)
        if domain.contains(x) and _complexity(x, target) < _complexity(value, target)
    ]
    simpler.sort(key=lambda x: _complexity(x, target))
    value = _first(simpler, value, holds)
    whole = value.is_integer() and target.is_integer() and abs(value) <= _LARGEST_WHOLE
    if value == target or not whole:
        return value
    return float(_bisected(int(target), int(value), lambda number: holds(float(number))))


def _rounded(value: float) -> list[float]:
    return [round(value, digits) for digits in _DIGITS] if math.isfinite(value) else []


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
        runs: what it took to refute that one.
        oracle: what is asked about others; what it allows is the budget.
        costlier: another pair may take so many times these runs.
        hopeless: one whose first look shows less than this part of the first pair's is given up.
        expected: what a look at the first pair shows.
        last: what it took to refute the last pair that was.
    """

    runs: int
    oracle: Oracle
    costlier: int = 4
    hopeless: float = 1 / 3
    expected: float = 0.0
    last: int = 0

    def starts_at(self, pair: Pair) -> bool:
        """Look at the first pair anew and at once, as smaller ones are going to be looked at.

        Returns:
            Whether the budget allowed it: scores can be compared then.
        """
        first = self._score(replace(pair))
        self.expected = first or 0.0
        return first is not None

    def refuted(self, pair: Pair) -> bool:
        """True if the claim is refuted on another pair, too."""
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


@dataclass(slots=True)
class Shrinker:
    """Makes one refuted pair smaller.

    Attributes:
        pair: the pair.
        runs: what it took to refute it.
        domain: what a record may be.
        oracle: what is asked about candidates; what it allows is the budget.
        seen: candidates that were tried, and whether they were refuted.
        steps: how many were.
        trial: tries them.
    """

    pair: Pair
    runs: int
    domain: Domain
    oracle: Oracle
    seen: dict[Hashable, bool] = field(default_factory=dict)
    steps: int = 0
    trial: Trial = field(init=False)

    def __post_init__(self) -> None:
        self.trial = Trial(self.runs, self.oracle)

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
        name = (tuple(keys_of(pair.dataset)), tuple(keys_of(pair.neighbor)))
        if name not in self.seen:
            self.seen[name] = self.trial.refuted(pair)
            self.steps += self.seen[name]
        return self.seen[name]

    def _with_fewer_records(self, runs: Runs) -> Runs:
        runs = self._kept(tuple(run for run in runs if not run.common), runs)
        size = len(runs)
        while size >= max(1, len(runs) // _FINEST):
            at = 0
            while at < len(runs):
                fewer = self._kept(runs[:at] + runs[at + size :], runs)
                at += size if fewer is runs else 0
                runs = fewer
            size //= 2
        for at in range(len(runs)):
            runs = self._with_shorter_run(runs, at)
        return runs

    def _kept(self, fewer: Runs, runs: Runs) -> Runs:
        return fewer if fewer != runs and self._holds(fewer) else runs

    def _with_shorter_run(self, runs: Runs, at: int) -> Runs:
        """By bisection; a run of length 0 was tried before."""
        too_short = 0
        while runs[at].length - too_short > 1:
            length = (runs[at].length + too_short) // 2
            shorter = _changed(runs, at, replace(runs[at], length=length))
            if self._holds(shorter):
                runs = shorter
            else:
                too_short = length
        return runs

    def _with_simpler_records(self, runs: Runs) -> Runs:
        for at in range(len(runs)):
            for side in ("both",) if runs[at].common else ("left", "right"):
                runs = self._with_simpler_run(runs, at, side)
        return runs

    def _with_simpler_run(self, runs: Runs, at: int, side: str) -> Runs:
        held = runs[at].right if side == "right" else runs[at].left
        if not held:
            return runs

        def holds(record: Any) -> bool:
            return self._holds(_changed(runs, at, _with_record(runs[at], side, record)))

        record = simplest(self.domain, held[0], holds)
        if key(record) == key(held[0]):
            return runs
        return _changed(runs, at, _with_record(runs[at], side, record))


def _changed(runs: Runs, at: int, run: Run) -> Runs:
    return (*runs[:at], run, *runs[at + 1 :])


def _with_record(run: Run, side: str, record: Any) -> Run:
    left = (record,) if side != "right" else run.left
    right = (record,) if side != "left" else run.right
    return replace(run, left=left, right=right)
