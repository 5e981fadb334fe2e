"""Hypothesis strategies for records, datasets and neighboring pairs.

They shrink towards the fewest records, and then towards the simplest ones: 0,
small integers, the first choice.
"""

from __future__ import annotations

import math
from collections import Counter
from itertools import chain
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from audit.errors import InputError
from audit.neighbors import Pair, neighboring
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
from audit.neighbors.domain.record import in_words, key
from audit.neighbors.generated_pairs import constant_records
from audit.neighbors.rows import user_column
from audit.neighbors.within import allows, check_domain, distance, moved
from audit.relation import AnyRelation, Measure, Relation, Within
from audit.source_code import NO_CONSTANTS, Constants

_NAME = "S"
_OTHER_USERS = 4
_MOST_RUNS = 3
_LONGEST_TEXT = 20
_MOST_SINGLE = 20
"""Records that are drawn one by one where a dataset needs many."""


def records(domain: Domain, constants: Constants = NO_CONSTANTS) -> SearchStrategy[Any]:
    """One record; extremes of the domain come up often, and so do constants of the code.

    Raises:
        DomainError: the domain's own strategy cannot be loaded.
    """
    if isinstance(domain, StrategyDomain):
        return domain.strategy
    if isinstance(domain, TableDomain):
        columns = {name: records(column, constants) for name, column in domain.columns}
        return st.fixed_dictionaries(columns)
    if isinstance(domain, MissingDomain):
        return st.one_of(records(domain.values, constants), st.none())
    plainest = sorted(domain.extremes, key=lambda record: (len(in_words(record)), in_words(record)))
    found = constant_records(domain, constants)
    known = [st.sampled_from(listed) for listed in (plainest, found) if listed]
    return st.one_of(_plain_records(domain), *known)


def _plain_records(domain: Domain) -> SearchStrategy[Any]:
    if isinstance(domain, IntDomain):
        return st.integers(domain.low, domain.high)
    if isinstance(domain, FloatDomain):
        low = domain.low if math.isfinite(domain.low) else None
        return st.floats(low, domain.high if math.isfinite(domain.high) else None)
    if isinstance(domain, ChoiceDomain):
        return st.sampled_from(domain.choices)
    if isinstance(domain, BoolDomain):
        return st.booleans()
    if isinstance(domain, TextDomain):
        return st.text(max_size=_LONGEST_TEXT)
    if isinstance(domain, DateDomain):
        return st.dates(domain.low, domain.high).map(str)
    if isinstance(domain, UserDomain):
        return st.integers(0, _OTHER_USERS)
    raise InputError(f"no records can be made up for the domain {domain}", domain)


def datasets(domain: Domain, max_size: int = 20) -> SearchStrategy[Any]:
    """A dataset of up to `max_size` records, or more than it must have, as a black box gets it."""
    return _lists(domain, *_range(domain, 0, max_size)).map(domain.dataset)


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
    _check_sizes(domain, relation)
    if isinstance(relation, Within):
        check_domain(domain, relation)
        if relation.measure is Measure.CHANGES:
            return _with_changes(domain, relation, max_size, constants)
        return _vectors(domain, relation, max_size, constants)
    if relation is Relation.ADD_REMOVE:
        return _with_one_more(domain, max_size, constants)
    if relation is Relation.SUBSTITUTE:
        if len(domain.extremes) < 2:
            raise InputError(
                f"domain {domain} holds one record, so none can be substituted; widen it", domain
            )
        return _with_one_moved(domain, max_size, constants)
    if relation is Relation.USER and user_column(domain):
        return _with_one_user_more(domain, max_size, constants)
    raise InputError("declared neighbors cannot be made up; give `neighbors`", relation)


def _check_sizes(domain: Domain, relation: AnyRelation) -> None:
    sizes = domain.sizes
    if relation in (Relation.ADD_REMOVE, Relation.USER) and sizes.least == sizes.most:
        raise InputError(
            f"domain {domain} fixes the number of records, so that none can be added or removed; "
            f"give `relation='substitute'`, or a range such as [{sizes.least}..{sizes.least + 1}]",
            domain,
        )


def _range(domain: Domain, fewer: int, max_size: int) -> tuple[int, int]:
    """The fewest and most records of a dataset that may get so many more."""
    least, most = domain.sizes.least, domain.sizes.most
    highest = max(max_size, least + max_size) if most is None else min(most, least + max_size)
    return least, max(least, highest - fewer)


@st.composite
def _with_one_more(draw: DrawFn, domain: Domain, max_size: int, constants: Constants) -> Pair:
    base = draw(_lists(domain, *_range(domain, 1, max_size), constants))
    record = _within_limit(domain, [*base, draw(records(domain, constants))])[-1]
    at = len(base) - draw(st.integers(0, len(base)))
    return _pair(domain, base, [*base[:at], record, *base[at:]], Relation.ADD_REMOVE)


@st.composite
def _with_one_moved(draw: DrawFn, domain: Domain, max_size: int, constants: Constants) -> Pair:
    least, largest = _range(domain, 0, max_size)
    before = draw(_lists(domain, max(1, least), largest, constants))
    at = len(before) - 1 - draw(st.integers(0, len(before) - 1))
    moved = records(domain, constants).map(
        lambda record: _with_owner_of(domain, record, before[at])
    )
    record = draw(moved.filter(lambda record: key(record) != key(before[at])))
    after = [*before[:at], record, *before[at + 1 :]]
    return _pair(domain, before, after, Relation.SUBSTITUTE)


@st.composite
def _with_changes(
    draw: DrawFn, domain: Domain, relation: Within, max_size: int, constants: Constants
) -> Pair:
    least, largest = _range(domain, 0, max_size)
    before = draw(_lists(domain, max(1, least), largest, constants))
    count = draw(st.integers(1, min(len(before), int(relation.most))))
    places = draw(st.lists(st.integers(0, len(before) - 1), min_size=1, max_size=count))
    after = [*before]
    for at in places:
        after[at] = _with_owner_of(domain, draw(records(domain, constants)), before[at])
    assume(key(after) != key(before))
    return _pair(domain, before, after, relation)


@st.composite
def _vectors(
    draw: DrawFn, domain: Domain, relation: Within, max_size: int, constants: Constants
) -> Pair:
    """Numbers that move together, against each other or alone, as far as they may."""
    least, largest = _range(domain, 0, max_size)
    before = draw(_lists(domain, max(1, least), largest, constants))
    some = draw(st.lists(st.sampled_from((0, 1, -1)), min_size=1, max_size=len(before)))
    signs = [some[place % len(some)] for place in range(len(before))]
    after = moved(before, tuple(signs), relation, domain)
    assume(key(after) != key(before))
    assume(allows(relation, distance(relation.measure, before, after) or 0.0))
    return _pair(domain, before, after, relation)


@st.composite
def _with_one_user_more(draw: DrawFn, domain: Domain, max_size: int, constants: Constants) -> Pair:
    """User 0 arrives; the others are 1, 2, ..."""
    column = user_column(domain)
    most = domain.many_rows if isinstance(domain, TableDomain) else 1
    rows = [{**row, column: 0} for row in draw(_lists(domain, 1, min(max_size, most), constants))]
    base = draw(_lists(domain, *_range(domain, len(rows), max_size), constants))
    others = [{**row, column: row[column] + 1} for row in base]
    at = len(others) - draw(st.integers(0, len(others)))
    arrived = [*others[:at], *rows, *others[at:]]
    return _pair(domain, others, arrived, Relation.USER)


def _pair(domain: Domain, left: list[Any], right: list[Any], relation: AnyRelation) -> Pair:
    user = user_column(domain) if relation is Relation.USER else None
    return neighboring(_NAME, domain.dataset(left), domain.dataset(right), relation, user)


def _lists(
    domain: Domain, min_size: int, max_size: int, constants: Constants = NO_CONSTANTS
) -> SearchStrategy[list[Any]]:
    """Lists of records, often all equal or in runs, within the rows a user may have."""
    record = records(domain, constants)
    run = st.builds(lambda one, times: [one] * times, record, st.integers(1, max(1, max_size)))
    runs = st.lists(run, min_size=min(min_size, 1), max_size=_MOST_RUNS)
    single = st.lists(record, min_size=min(min_size, 1), max_size=min(max_size, _MOST_SINGLE))
    if min_size <= 1:
        single = st.lists(record, min_size=min_size, max_size=max_size)
    return st.one_of(single, run, runs.map(lambda drawn: [*chain(*drawn)])).map(
        lambda drawn: _within_limit(domain, _filled(drawn[:max_size], min_size))
    )


def _filled(drawn: list[Any], least: int) -> list[Any]:
    """At least so many records, the last of those that were drawn again and again."""
    return drawn + drawn[-1:] * (least - len(drawn))


def _within_limit(domain: Domain, rows: list[Any]) -> list[Any]:
    """The same rows, those beyond a user's limit given to users of their own."""
    if not isinstance(domain, TableDomain) or domain.user is None or domain.rows_per_user is None:
        return rows
    owned: list[Any] = []
    count: Counter[int] = Counter()
    for row in rows:
        user = row[domain.user]
        while count[user] >= domain.rows_per_user:
            user += 1
        count[user] += 1
        owned.append(domain.owned(row, user))
    return owned


def _with_owner_of(domain: Domain, record: Any, owned: Any) -> Any:
    if isinstance(domain, TableDomain) and domain.user is not None:
        return {**record, domain.user: owned[domain.user]}
    return record
