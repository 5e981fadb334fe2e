"""Pairs of the search's making that cannot be bet on: which, why, and which need no trial."""

from __future__ import annotations

import json
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from audit.errors import BlackBoxError
from audit.neighbors import Pair, shown
from audit.neighbors.domain.record import key
from audit.neighbors.rows import has_records, keys_of

_SIZES_TRIED = 12
"""Sizes at which nothing could be read after which no others are tried."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A pair of the search's making that cannot be bet on.

    Attributes:
        pair: the datasets.
        error: why.
        late: whether all that is wrong is that no run ended in time.
    """

    pair: Pair
    error: BlackBoxError
    late: bool


def name_of(pair: Pair) -> Hashable:
    """The same for pairs of the same datasets."""
    return _name(pair.dataset), _name(pair.neighbor)


def _name(data: Any) -> Hashable:
    return tuple(keys_of(data)) if has_records(data) else key(data)


def was_left_out(pair: Pair, left_out: Sequence[LeftOut]) -> bool:
    """True if a pair of the same datasets was left out."""
    return bool(left_out) and name_of(pair) in {name_of(other.pair) for other in left_out}


def takes_too_long(pair: Pair, left_out: Sequence[LeftOut]) -> bool:
    """True if runs took too long on a pair with no more records than this one."""
    return any(other.late and _least(pair) >= _least(other.pair) for other in left_out)


def as_hopeless(pair: Pair, left_out: Sequence[LeftOut]) -> bool:
    """True if every pair so far was left out, and enough of this size or of others.

    A black box that nothing can be made of may be slow to say so.
    """
    sizes = {_most(other.pair) for other in left_out}
    return len(sizes) >= _SIZES_TRIED or _most(pair) in sizes


def notes_on(left_out: Sequence[LeftOut]) -> tuple[str, ...]:
    """Notes on them, one sentence each."""
    if not left_out:
        return ()
    first, *more = left_out
    which = f"{first.pair.difference}, where D is {in_json(first.pair.dataset)}"
    count = f"{1 + len(more)} pairs" if more else "a pair"
    return (f"the search left out {count} that cannot be bet on ({which}): {first.error}",)


def in_json(data: Any) -> str:
    """A dataset in one line of JSON, or in words where it is large."""
    value = shown(data)
    return value if isinstance(value, str) else json.dumps(value)


def _least(pair: Pair) -> int:
    """Records of the smaller dataset."""
    return min(_size(pair.dataset), _size(pair.neighbor))


def _most(pair: Pair) -> int:
    """Records of the larger dataset."""
    return max(_size(pair.dataset), _size(pair.neighbor))


def _size(data: Any) -> int:
    """Records; of a dataset with questions these as well."""
    return sum(map(len, data.values())) if isinstance(data, dict) else len(data)
