"""Simpler records: towards 0, small whole numbers, the first choice.

A record is replaced only by one for which `holds` says that what matters still
holds, so the answer depends on nothing but the record and those answers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

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
from audit.neighbors.domain.missing import is_missing
from audit.neighbors.domain.record import distinct, key
from audit.neighbors.search.hypothesis_search import simplest_example

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
