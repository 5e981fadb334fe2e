"""Record domains as they are written on the command line.

- `int:0:100`, `int:0:`, `int`: integers; a missing bound is that of int64.
- `float:-1:1`, `float:0:inf`, `float`: numbers; an infinite bound is a record,
  and so is NaN when both are infinite. With `float:-1:1:special` NaN and both
  infinities are records within any bounds.
- `choice:a,b,c`: strings, or numbers when all are numbers in JSON. With a string of
  JSON among them, as in `choice:"Paris, France",Rome`, all are strings.
- `bool`: true and false.
- `text`: strings. `date:2020-01-01:2020-12-31`: days, as ISO strings.
- `int:0:9:missing`: any of these, or a missing value.
- `age=int:0:120,sex=choice:f,m`: columns; a new one starts at `name=`.
- `user=user:5,spent=float:0:9`: a column saying whose record it is, here with
  at most 5 records for each user (`user=user` sets no limit).
- `FILE.py:STRATEGY`: a Hypothesis strategy for one record.

Behind any of them, `[37]` fixes the number of records of a dataset, `[2..40]` and
`[2..]` bound it.
"""

from __future__ import annotations

import json
import math
import os.path
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from itertools import pairwise
from typing import Any

from audit.errors import DomainError, shown
from audit.neighbors.domain.columns import (
    COLUMN,
    INT64_HIGH,
    INT64_LOW,
    MISSING,
    NUMBER,
    RANGE,
    BoolDomain,
    ChoiceDomain,
    DateDomain,
    FloatDomain,
    IntDomain,
    MissingDomain,
    TextDomain,
)
from audit.neighbors.domain.record import ColumnDomain, Domain, split_sizes
from audit.neighbors.domain.strategy import StrategyDomain
from audit.neighbors.domain.table import TableDomain, UserDomain

_FORMS = (
    "int:0:100, float:-1:1, choice:a,b, bool, text, date:2020-01-01:2020-12-31, "
    "age=int:0:120,sex=choice:f,m or FILE.py:STRATEGY"
)
_STRATEGY = re.compile(r"(.+\.py):(\w+)", re.DOTALL)
_QUOTED = re.compile(r'(?:(?<=[:,])|^)\s*("(?:[^"\\]|\\.)*")\s*(?=,|:missing|\[|$)')
"""A choice in quotes."""
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,17})")
_MOST_DIGITS = 18
_SPECIAL = ":special"

DomainLike = str | Domain | Mapping[str, Any]
"""A domain, its notation, or a dict of columns: names with a domain or its notation."""


def domain_of(given: DomainLike) -> Domain:
    """The domain that a caller gives, as itself, as in `--domain`, or as a dict of columns.

    Such a dict is {"age": "int:0:120", "sex": "choice:f,m"}. DomainError at anything else.
    """
    if isinstance(given, str):
        return parse_domain(given)
    if isinstance(given, Mapping):
        return _columns(given)
    if not hasattr(given, "sizes"):
        raise DomainError(
            f"domain {shown(given)} does not describe a record; write for example "
            "`domain='int:0:100'`, or give an audit.domains.Domain or a dict of columns",
            given,
        )
    return given


def _columns(given: Mapping[str, Any]) -> TableDomain:
    if not given:
        raise DomainError(
            'domain {} has no columns; give for example domain={"age": "int:0:120"}', given
        )
    columns = []
    for name, column in given.items():
        found = _value(column) if isinstance(column, str) else column
        if not (isinstance(name, str) and hasattr(found, "dtype")):
            raise DomainError(
                f"column {shown(name)} of the domain is {shown(column)}, not the domain of one "
                'column; give for example {"age": "int:0:120"}',
                given,
            )
        columns.append((name, found))
    return TableDomain(tuple(columns))


def parse_domain(spec: str) -> Domain:
    """The domain written as `spec`.

    Args:
        spec: in the notation of `--domain`, as `int:0:100` or `a=float:0:1,b=bool[5]`.

    Returns:
        The domain; its `str` is that notation again.

    Raises:
        DomainError: it cannot be read; the message says how to write it.
    """
    record, sizes = split_sizes(spec)
    found: Domain = replace(_of_any_size(record), sizes=sizes)
    return found


def _of_any_size(spec: str) -> Any:
    if found := _STRATEGY.fullmatch(spec.strip()):
        path, name = found.groups()
        if not os.path.isfile(path):
            raise DomainError(f"domain: there is no file {path!r}; give FILE.py:STRATEGY", path)
        return StrategyDomain(path, name)
    if COLUMN.fullmatch(spec):
        return _table(spec)
    domain = _value(spec)
    if isinstance(domain, UserDomain):
        raise DomainError(
            f"domain {spec!r} names users without a column; write for example who=user:5 (at most "
            "5 records of one user), and further columns after it: who=user:5,value=int:0:10",
            spec,
        )
    return domain


def _table(spec: str) -> TableDomain:
    columns: list[tuple[str, str]] = []
    for part in _parts(spec):
        if found := COLUMN.fullmatch(part):
            columns.append((found[1], found[2]))
            continue
        name, text = columns[-1]
        if part.strip() and not text.lstrip().startswith("choice:"):
            _value(text)  # a misspelled choice is the cause
            raise DomainError(
                f"column {part.strip()!r} of domain {spec!r} has no kind; write for example "
                f"{part.strip()}=text",
                spec,
            )
        columns[-1] = (name, f"{text},{part}")
    return TableDomain(tuple((name, _value(text)) for name, text in columns))


def _parts(text: str) -> list[str]:
    """What stands between commas; those in quotes are none."""
    masked = _QUOTED.sub(lambda found: "_" * len(found[0]), text)
    places = [-1, *(place for place, letter in enumerate(masked) if letter == ","), len(text)]
    return [text[start + 1 : end] for start, end in pairwise(places)]


def _value(spec: str) -> ColumnDomain:
    if spec.strip().endswith(MISSING):
        return _with_missing(spec)
    kind, _, rest = spec.strip().partition(":")
    if spec.strip() in _ALONE:
        return _ALONE[spec.strip()]()
    if kind in _READERS:
        return _READERS[kind](rest, spec)
    raise DomainError(f"domain {spec!r} cannot be read; write one like {_FORMS}", spec)


def _with_missing(spec: str) -> MissingDomain:
    found = _value(spec.strip().removesuffix(MISSING))
    if isinstance(found, (UserDomain, MissingDomain)):
        raise DomainError(
            f"domain {spec!r} has no values that could be missing; leave {MISSING} out", spec
        )
    return MissingDomain(found)


def _whole_numbers(rest: str, spec: str) -> IntDomain:
    low, high = _bounds(rest, spec)
    return IntDomain(_whole(low, INT64_LOW, spec), _whole(high, INT64_HIGH, spec))


def _floats(rest: str, spec: str) -> FloatDomain:
    low, high = _bounds(rest.removesuffix(_SPECIAL), spec)
    lowest, highest = _number(low, -math.inf, spec), _number(high, math.inf, spec)
    return FloatDomain(lowest, highest, special=rest.endswith(_SPECIAL))


def _days(rest: str, spec: str) -> DateDomain:
    first, last = _bounds(rest, spec)
    return DateDomain(_day(first, spec), _day(last, spec))


def _day(text: str, spec: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise _wrong_bound(text, spec, "a date", "date:2020-01-01:2020-12-31") from None


def _choices(text: str, spec: str) -> ChoiceDomain:
    """The choices, read as JSON and CSV readers would: numbers only when all of them are."""
    words = [word.strip() for word in _parts(text)]
    if not all(words):
        raise DomainError(
            f"domain {spec!r} has an empty choice; write for example choice:a,b", spec
        )
    if ranges := [word for word in words if RANGE.fullmatch(word)]:
        raise DomainError(
            f"choice {ranges[0]} of domain {spec!r} reads like another column; name all columns, "
            f"for example a=choice:x,y,b={ranges[0]}, or write it in quotes",
            spec,
        )
    if any(map(_QUOTED.fullmatch, words)):
        return ChoiceDomain(tuple(_unquoted(word, spec) for word in words))
    if all(map(_WHOLE.fullmatch, words)):
        return ChoiceDomain(tuple(map(int, words)))
    numbers = [float(word) if NUMBER.fullmatch(word) else math.inf for word in words]
    return ChoiceDomain(tuple(numbers if all(map(math.isfinite, numbers)) else words))


def _unquoted(word: str, spec: str) -> str:
    if not _QUOTED.fullmatch(word):
        return word
    try:
        return str(json.loads(word))
    except ValueError:
        raise DomainError(
            f"choice {word} of domain {spec!r} is no string in JSON; write \\\\ for a backslash",
            spec,
        ) from None


def _users(text: str, spec: str) -> UserDomain:
    if not text and ":" not in spec:
        return UserDomain()
    if not text.strip().isdecimal() or len(text) > _MOST_DIGITS:
        raise DomainError(
            f"records per user {shown(text)} in domain {spec!r} is not a whole number of at most "
            f"{_MOST_DIGITS} digits; write user:5",
            spec,
        )
    return UserDomain(int(text))


def _bounds(text: str, spec: str) -> tuple[str, str]:
    if not text and ":" not in spec:
        return "", ""
    low, separator, high = text.partition(":")
    if not separator or ":" in high:
        raise DomainError(f"domain {spec!r} needs two bounds; write {_kind(spec)}:LOW:HIGH", spec)
    return low.strip(), high.strip()


def _kind(spec: str) -> str:
    return spec.strip().partition(":")[0]


def _wrong_bound(text: str, spec: str, expected: str, example: str) -> DomainError:
    return DomainError(
        f"bound {shown(text)} of domain {spec!r} is not {expected}; write for example {example}",
        spec,
    )


def _number(text: str, default: float, spec: str) -> float:
    try:
        return float(text) if text else default
    except ValueError:
        raise _wrong_bound(text, spec, "a number", f"{_kind(spec)}:0:100") from None


def _whole(text: str, default: int, spec: str) -> int:
    """An integer, also written as 1e6; "inf" is the end of int64."""
    try:
        return int(text) if text else default
    except ValueError:
        value = _number(text, default, spec)
    if math.isinf(value) and value * default > 0 and "inf" in text.lower():
        return default
    if not value.is_integer():
        expected = "beyond int64; write inf" if math.isinf(value) else "not a whole number"
        raise DomainError(f"bound {shown(text)} of domain {spec!r} is {expected}", spec)
    return int(value)


_ALONE: Mapping[str, Callable[[], ColumnDomain]] = {"bool": BoolDomain, "text": TextDomain}
_READERS: Mapping[str, Callable[[str, str], ColumnDomain]] = {
    "int": _whole_numbers,
    "float": _floats,
    "choice": _choices,
    "date": _days,
    "user": _users,
}
"""From what stands behind the kind of a domain, and all of its notation, to the domain."""


def with_special(domain: Domain) -> Domain:
    """The same domain, whose floating-point numbers may be NaN or infinite as well.

    Raises:
        DomainError: it has none.
    """
    found: Domain
    found, numeric = _with_special(domain)
    if not numeric:
        raise DomainError(
            f"domain {domain} has no floating-point numbers that could be NaN or infinite; leave "
            "`special` out, or write float:LOW:HIGH",
            domain,
        )
    return found


def _with_special(domain: Any) -> tuple[Any, bool]:
    """The domain with special numbers, and whether any part of it can have them."""
    if isinstance(domain, FloatDomain):
        return replace(domain, special=True), True
    if isinstance(domain, MissingDomain):
        values, changed = _with_special(domain.values)
        return replace(domain, values=values), changed
    if isinstance(domain, TableDomain):
        found = [(name, *_with_special(column)) for name, column in domain.columns]
        columns = tuple((name, column) for name, column, _ in found)
        return replace(domain, columns=columns), any(changed for _, _, changed in found)
    return domain, False
