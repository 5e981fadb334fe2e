"""Hypothesis strategies for records and neighboring pairs, and Hypothesis at work on them.

Strategies shrink towards the fewest records, and then towards the simplest ones: 0, small
integers, the first choice.

Hypothesis is seeded, silent, and leaves nothing behind: its state outside of its settings is put
aside meanwhile. It has no public names for this. Where a version has other private ones, less is
put aside and everything still works; the tests tell what is then lost.
"""

from __future__ import annotations

import importlib
import math
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeVar

import hypothesis
from hypothesis import HealthCheck, Phase, Verbosity, assume, configuration, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample, Unsatisfiable
from hypothesis.strategies import DrawFn, SearchStrategy

from audit.errors import InputError
from audit.neighbors import Pair
from audit.neighbors import domain as domains
from audit.neighbors.candidates import allows, check_domain, distance, moved
from audit.neighbors.domain import Domain, StrategyDomain
from audit.neighbors.domain.record import in_words, key
from audit.neighbors.generated_pairs import constant_records
from audit.neighbors.pair import made_pair
from audit.neighbors.rows import user_column
from audit.relation import AnyRelation, Measure, Relation, Within
from audit.source_code import NO_CONSTANTS, Constants

Answer = TypeVar("Answer")
_NAME = "S"
_OTHER_USERS, _MOST_RUNS, _LONGEST_TEXT = 4, 3, 20
_MOST_SINGLE = 20
"""Records that are drawn one by one where a dataset needs many."""


def records(domain: Domain, constants: Constants = NO_CONSTANTS) -> SearchStrategy[Any]:
    """One record; extremes of the domain come up often, and so do constants of the code.

    Raises:
        DomainError: the domain's own strategy cannot be loaded.
    """
    if isinstance(domain, domains.StrategyDomain):
        return domain.strategy
    if isinstance(domain, domains.TableDomain):
        columns = {name: records(column, constants) for name, column in domain.columns}
        return st.fixed_dictionaries(columns)
    if isinstance(domain, domains.MissingDomain):
        return st.one_of(records(domain.values, constants), st.none())
    plainest = sorted(domain.extremes, key=lambda record: (len(in_words(record)), in_words(record)))
    found = constant_records(domain, constants)
    known = [st.sampled_from(listed) for listed in (plainest, found) if listed]
    return st.one_of(_plain_records(domain), *known)


def _plain_records(domain: Domain) -> SearchStrategy[Any]:
    if isinstance(domain, domains.IntDomain):
        return st.integers(domain.low, domain.high)
    if isinstance(domain, domains.FloatDomain):
        ends = (end if math.isfinite(end) else None for end in (domain.low, domain.high))
        return st.floats(*ends)
    if isinstance(domain, domains.ChoiceDomain):
        return st.sampled_from(domain.choices)
    if isinstance(domain, domains.BoolDomain):
        return st.booleans()
    if isinstance(domain, domains.TextDomain):
        return st.text(max_size=_LONGEST_TEXT)
    if isinstance(domain, domains.DateDomain):
        return st.dates(domain.low, domain.high).map(str)
    if isinstance(domain, domains.UserDomain):
        return st.integers(0, _OTHER_USERS)
    raise InputError(f"no records can be made up for the domain {domain}", domain)


def pairs(
    domain: Domain, relation: AnyRelation, max_size: int = 20, constants: Constants = NO_CONSTANTS
) -> SearchStrategy[Pair]:
    """Neighboring datasets, called S, of which the larger has up to `max_size` records.

    Under add-remove and user the first dataset is the smaller one.

    Raises:
        InputError: the relation is declared, the domain names no user under
            user, it holds a single record under substitute, or it fixes the
            number of records otherwise.
    """
    space, sizes = _Space(domain, max_size, constants), domain.sizes
    if relation in (Relation.ADD_REMOVE, Relation.USER) and sizes.least == sizes.most:
        raise InputError(
            f"domain {domain} fixes the number of records, so that none can be added or removed; "
            f"give `relation='substitute'`, or a range such as [{sizes.least}..{sizes.least + 1}]",
            domain,
        )
    if isinstance(relation, Within):
        check_domain(domain, relation)
        counted = relation.measure is Measure.CHANGES
        return _with_changes(space, relation) if counted else _vectors(space, relation)
    if relation is Relation.ADD_REMOVE:
        return _with_one_more(space)
    if relation is Relation.SUBSTITUTE:
        if len(domain.extremes) < 2:
            raise InputError(
                f"domain {domain} holds one record, so none can be substituted; widen it", domain
            )
        return _with_one_moved(space)
    if relation is Relation.USER:
        return _with_one_user_more(space, user_column(domain))
    raise InputError("declared neighbors cannot be made up; give `neighbors`", relation)


@dataclass(frozen=True, slots=True)
class _Space:
    """Datasets of a domain, the larger of a pair with at most so many records."""

    domain: Domain
    max_size: int
    constants: Constants = NO_CONSTANTS

    def record(self) -> SearchStrategy[Any]:
        return records(self.domain, self.constants)

    def lists(self, least: int = 0, fewer: int = 0) -> SearchStrategy[list[Any]]:
        """Lists of at least so many records, to which so many more may come."""
        sizes = self.domain.sizes
        highest = sizes.least + self.max_size
        highest = highest if sizes.most is None else min(sizes.most, highest)
        return self.lists_of(max(least, sizes.least), max(sizes.least, highest - fewer))

    def lists_of(self, min_size: int, max_size: int) -> SearchStrategy[list[Any]]:
        """Lists of records, often all equal or in runs, within the rows a user may have."""
        record = self.record()
        run = st.builds(lambda one, times: [one] * times, record, st.integers(1, max(1, max_size)))
        runs = st.lists(run, min_size=min(min_size, 1), max_size=_MOST_RUNS)
        most = max_size if min_size <= 1 else min(max_size, _MOST_SINGLE)
        single = st.lists(record, min_size=min(min_size, 1), max_size=most)
        drawn = st.one_of(single, run, runs.map(lambda drawn: [*chain(*drawn)]))
        # The last of too few records comes again and again.
        cut = drawn.map(lambda drawn: drawn[:max_size])
        filled = cut.map(lambda drawn: drawn + drawn[-1:] * (min_size - len(drawn)))
        return filled.map(lambda drawn: _within_limit(self.domain, drawn))

    def pair(self, left: list[Any], right: list[Any], relation: AnyRelation) -> Pair:
        return made_pair(_NAME, self.domain, relation, (left, right))


@st.composite
def _with_one_more(draw: DrawFn, space: _Space) -> Pair:
    base = draw(space.lists(fewer=1))
    record = _within_limit(space.domain, [*base, draw(space.record())])[-1]
    at = len(base) - draw(st.integers(0, len(base)))
    return space.pair(base, [*base[:at], record, *base[at:]], Relation.ADD_REMOVE)


@st.composite
def _with_one_moved(draw: DrawFn, space: _Space) -> Pair:
    before = draw(space.lists(least=1))
    at = len(before) - 1 - draw(st.integers(0, len(before) - 1))
    moved = space.record().map(lambda record: _with_owner_of(space.domain, record, before[at]))
    record = draw(moved.filter(lambda record: key(record) != key(before[at])))
    after = [*before[:at], record, *before[at + 1 :]]
    return space.pair(before, after, Relation.SUBSTITUTE)


@st.composite
def _with_changes(draw: DrawFn, space: _Space, relation: Within) -> Pair:
    before = draw(space.lists(least=1))
    count = draw(st.integers(1, min(len(before), int(relation.most))))
    places = draw(st.lists(st.integers(0, len(before) - 1), min_size=1, max_size=count))
    after = [*before]
    for at in places:
        after[at] = _with_owner_of(space.domain, draw(space.record()), before[at])
    assume(key(after) != key(before))
    return space.pair(before, after, relation)


@st.composite
def _vectors(draw: DrawFn, space: _Space, relation: Within) -> Pair:
    """Numbers that move together, against each other or alone, as far as they may."""
    before = draw(space.lists(least=1))
    some = draw(st.lists(st.sampled_from((0, 1, -1)), min_size=1, max_size=len(before)))
    signs = tuple(some[place % len(some)] for place in range(len(before)))
    after = moved(before, signs, relation, space.domain)
    assume(key(after) != key(before))
    assume(allows(relation, distance(relation.measure, before, after) or 0.0))
    return space.pair(before, after, relation)


@st.composite
def _with_one_user_more(draw: DrawFn, space: _Space, column: str) -> Pair:
    """User 0 arrives; the others are 1, 2, ..."""
    most = space.domain.many_rows if isinstance(space.domain, domains.TableDomain) else 1
    drawn = draw(space.lists_of(1, min(space.max_size, most)))
    rows = [{**row, column: 0} for row in drawn]
    base = draw(space.lists(fewer=len(rows)))
    others = [{**row, column: row[column] + 1} for row in base]
    at = len(others) - draw(st.integers(0, len(others)))
    return space.pair(others, [*others[:at], *rows, *others[at:]], Relation.USER)


def _within_limit(domain: Domain, rows: list[Any]) -> list[Any]:
    """The same rows, those beyond a user's limit given to users of their own."""
    table = domain if isinstance(domain, domains.TableDomain) else None
    if table is None or table.user is None or table.rows_per_user is None:
        return rows
    owned: list[Any] = []
    count: Counter[int] = Counter()
    for row in rows:
        user = row[table.user]
        while count[user] >= table.rows_per_user:
            user += 1
        count[user] += 1
        owned.append(table.owned(row, user))
    return owned


def _with_owner_of(domain: Domain, record: Any, held: Any) -> Any:
    owner = domain.user if isinstance(domain, domains.TableDomain) else None
    return record if owner is None else {**record, owner: held[owner]}


_RECORDS_TRIED = 50


class Enough(BaseException):
    """Raised by a visitor to end an exploration; not an error, so nothing catches it."""


def explore(
    strategy: SearchStrategy[Any], visit: Callable[[Any], float], examples: int, start: int
) -> None:
    """Show examples to a visitor, later ones more often near those it scored highest.

    The visitor scores one example, or ends the exploration by raising `Enough`; with the same seed
    `start` it sees the same examples again. What else it raises is raised here.

    Raises:
        Exception: whatever the visitor raises, unchanged.
    """
    failures: list[Exception] = []

    @hypothesis.seed(start)
    @_quiet(examples, Phase.generate, Phase.target)
    @hypothesis.given(strategy)
    def show(example: Any) -> None:
        hypothesis.target(_kept_whole(visit, failures)(example))

    with _undisturbed(failures):
        show()


def simplest_example(domain: StrategyDomain, record: Any, holds: Callable[[Any], bool]) -> Any:
    """Simplest record of a strategy, found by Hypothesis; the record itself if it finds none."""
    failures: list[Exception] = []
    quiet = _quiet(_RECORDS_TRIED, Phase.generate, Phase.shrink, derandomize=True)
    with _undisturbed(failures):
        return hypothesis.find(domain.strategy, _kept_whole(holds, failures), settings=quiet)
    return record


def _kept_whole(
    function: Callable[[Any], Answer], failures: list[Exception]
) -> Callable[[Any], Answer]:
    """The function, but what it raises ends everything: Hypothesis would study and change it."""

    def watched(example: Any) -> Answer:
        try:
            return function(example)
        except Exception as error:
            failures.append(error)
            raise Enough from error

    return watched


def _quiet(examples: int, *phases: Phase, derandomize: bool = False) -> settings:
    return settings(
        max_examples=examples,
        phases=phases,
        derandomize=derandomize,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
        print_blob=False,
        backend="hypothesis",
    )


@contextmanager
def _undisturbed(failures: list[Exception]) -> Iterator[None]:
    ends = suppress(Enough, NoSuchExample, Unsatisfiable)
    with _another_folder(), _without_constants_of_modules(), ends:
        yield
    if failures:
        raise failures[0]


_HOME = "__hypothesis_home_directory"
_PROVIDERS = "hypothesis.internal.conjecture.providers"
_CONSTANTS = "hypothesis.internal.constants_ast"
_CONSTANTS_REMEMBERED = 1024


@contextmanager
def _another_folder() -> Iterator[None]:
    """Keep its notes out of the user's folder."""
    move = getattr(configuration, "set_hypothesis_home_dir", None) or (lambda folder: None)
    home = configuration.__dict__.get(_HOME)  # None until it is first used
    with tempfile.TemporaryDirectory() as place:
        move(place)
        try:
            yield
        finally:
            move(home)


@contextmanager
def _without_constants_of_modules() -> Iterator[None]:
    """Keep Hypothesis from drawing constants that it reads in the source of loaded modules.

    Which modules are loaded, and whether they count as somebody's own, depends on
    how an audit was started; what is searched must depend on the seed alone.
    """
    holder: dict[str, Any] = {}
    others: dict[str, Any] = {}
    with suppress(ImportError, KeyError, TypeError):
        holder = importlib.import_module(_PROVIDERS).__dict__
        others = {
            "_get_local_constants": importlib.import_module(_CONSTANTS).__dict__["Constants"],
            "CONSTANTS_CACHE": type(holder["CONSTANTS_CACHE"])(_CONSTANTS_REMEMBERED),
        }
    kept = {name: holder[name] for name in others} if others.keys() <= holder.keys() else {}
    holder.update({name: others[name] for name in kept})
    try:
        yield
    finally:
        holder.update(kept)
