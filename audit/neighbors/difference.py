"""Difference between two datasets, and datasets as reports show them."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sized
from dataclasses import dataclass
from typing import Any

import numpy as np

from audit.jsonable import jsonable
from audit.lazy_modules import loaded_pandas as pd
from audit.neighbors.domain.record import WIDTH, distinct, in_words, key
from audit.neighbors.rows import common_start, has_records, keys_of, owners, record_at, records_of

WIDE = 240
"""Characters of a record where few are shown."""
_LONGEST = 140
"""Characters of a difference in a list of them."""
_NAMED = 3
"""At most so many records are named; of more only the number is told."""


@dataclass(frozen=True, slots=True)
class Change:
    """Difference between the records of two datasets, in words.

    Attributes:
        removed: records of the first that the second lacks, with repetitions.
        added: records of the second that the first lacks.
        moved: whether more than a single place of the order changed.
    """

    removed: list[Any]
    added: list[Any]
    moved: bool


def change(dataset: Any, neighbor: Any) -> Change:
    """Difference between two sequences of records, with the order if that is shortest.

    Raises:
        InputError: one of them has no records.
    """
    left, right = keys_of(dataset), keys_of(neighbor)
    head = common_start(left, right)
    tail = common_start(left[head:][::-1], right[head:][::-1])
    cut, new = range(head, len(left) - tail), range(head, len(right) - tail)
    moved = bool(cut) and bool(new) and not len(cut) == len(new) == 1
    return Change(
        [record_at(dataset, at) for at in (_surplus(left, right) if moved else cut)],
        [record_at(neighbor, at) for at in (_surplus(right, left) if moved else new)],
        moved,
    )


def describe_difference(
    dataset: Any, neighbor: Any, user: str | None = None, width: int = WIDTH
) -> str:
    """Describe the difference of `neighbor` to `dataset`, for example "without one record 90".

    Works for data of any kind; what is not a sequence of records is told as a whole: "0 became 1".
    Users are the unit if a column names the owner of a record. A record has at most `width`
    characters.
    """
    if user is not None and (words := _user_words(dataset, neighbor, user)):
        return words
    before, after = _entries(dataset), _entries(neighbor)
    if before is not None and after is not None:
        return _entry_words(before, after)
    if has_records(dataset) and has_records(neighbor):
        return _record_words(change(dataset, neighbor), len(dataset), width)
    if key(dataset) == key(neighbor):
        return "no difference"
    both = (_count(data) if has_records(data) else in_words(data) for data in (dataset, neighbor))
    return " became ".join(both)


def in_short(difference: str) -> str:
    """A difference in words, cut so that it can stand in a list or a heading."""
    return difference if len(difference) <= _LONGEST else f"{difference[: _LONGEST - 1]}…"


def _surplus(left: list[Hashable], right: list[Hashable]) -> list[int]:
    """Positions of the records of the left that have no partner on the right."""
    spare, surplus = Counter(right), []
    for at, name in enumerate(left):
        spare[name] -= 1
        surplus += [at] * (spare[name] < 0)
    return surplus


def _record_words(found: Change, length: int, width: int) -> str:
    removed, added = found.removed, found.added
    order = ", in another order" if found.moved else ""
    if not removed and not added:
        return "the same records in another order" if found.moved else "no difference"
    if not removed or not added:
        return f"{_one_sided(removed, added, width)}{order}"
    if len(removed) != len(added):
        return f"without {_named(removed, width)}, and with {_named(added, width)}"
    first = _became(removed[0], added[0], width)
    if len(removed) > 1:
        return f"{len(removed):,} of {length:,} records changed, the first: {first}"
    return f"{'in ' * isinstance(removed[0], dict)}one record {first}{order}"


def _one_sided(removed: list[Any], added: list[Any], width: int) -> str:
    one = len(removed) + len(added) == 1
    more = "with one more record" if one else "with more:"
    verb = more if added else "without one record" if one else "without"
    return f"{verb} {_named(removed or added, width)}"


def _became(before: Any, after: Any, width: int) -> str:
    """Both records, or the columns that changed where they have columns."""
    if isinstance(before, dict) and isinstance(after, dict) and before.keys() == after.keys():
        moved = _moved(before, after) or list(before)  # columns may share a name
        before, after = ({name: record[name] for name in moved} for record in (before, after))
    return f"{in_words(before, width)} became {in_words(after, width)}"


def _named(records: list[Any], width: int) -> str:
    """The records when few, else how many."""
    if len(records) == 1:
        return in_words(records[0], width)
    kinds = distinct(records)
    if len(kinds) == 1:
        return f"{len(records):,} records {in_words(kinds[0], width)}"
    some = ", ".join(in_words(record, width) for record in records[:_NAMED])
    return f"{len(records):,} records {some}" + (", …" if len(records) > _NAMED else "")


def _user_words(dataset: Any, neighbor: Any, user: str) -> str | None:
    """The one user who has records in only one of the two, None when there is not one."""
    before, after = (Counter(owners(data, user)) for data in (dataset, neighbor))
    different = before.keys() ^ after.keys()
    if len(different) != 1:
        return None
    [owner] = different
    rows = before[owner] + after[owner]
    verb = "removed" if owner in before else "added"
    return f"user {in_words(owner)} with {rows:,} row{'s' * (rows != 1)} {verb}"


def _entries(data: Any) -> dict[Hashable, Any] | None:
    """Labels and values of a mapping or a labelled Series, None for other data."""
    if isinstance(data, Mapping):
        return dict(data)
    labelled = isinstance(data, pd.Series) and not isinstance(data.index, pd.RangeIndex)
    return data.to_dict() if labelled and data.index.is_unique else None


def _moved(before: dict[Hashable, Any], after: dict[Hashable, Any]) -> list[Hashable]:
    """Labels of the entries that both have, with other values."""
    both = [label for label in before if label in after]
    return [label for label in both if key(before[label]) != key(after[label])]


def _entry_words(before: dict[Hashable, Any], after: dict[Hashable, Any]) -> str:
    gone = [label for label in before if label not in after]
    new = [label for label in after if label not in before]
    moved = _moved(before, after)
    parts = [f"without the entry {in_words(label)}" for label in gone[:_NAMED]]
    parts += [f"with {in_words(label)}: {in_words(after[label])}" for label in new[:_NAMED]]
    parts += [
        f"at {in_words(label)} {in_words(before[label])} became {in_words(after[label])}"
        for label in moved[:_NAMED]
    ]
    if len(gone) + len(new) + len(moved) > _NAMED:
        return f"{len(gone) + len(new) + len(moved):,} entries differ, the first: {parts[0]}"
    return "; ".join(parts) or "no difference"


def _count(data: Any) -> str:
    return f"{len(data):,} record{'s' * (len(data) != 1)}"


_MOST_RECORDS = 20
_MOST_CHARACTERS = 2_000
_MOST_RUNS = 4


def shown(data: Any, other: Any = None) -> Any:
    """The dataset as JSON values, or a sentence such as "26,150 records; without one record 90".

    The sentence compares it with the other dataset, if there is one.
    """
    value = plain_if_small(data)
    if value is not None or data is None:
        return value
    if other is None:
        return summary(data)
    return f"{summary(data)}; {describe_difference(other, data)}"


def plain_if_small(data: Any) -> Any:
    """The dataset as JSON values, None for more than 20 records or 2,000 characters.

    NaN and infinities become the strings "nan", "inf" and "-inf"; rows of a
    DataFrame become objects; a labelled Series becomes [label, value] pairs.
    """
    single = isinstance(data, (str, bytes)) or (isinstance(data, np.ndarray) and not data.ndim)
    if isinstance(data, Sized) and not single and len(data) > _MOST_RECORDS:
        return None
    value = in_full(data)
    return value if len(json.dumps(value, allow_nan=False)) <= _MOST_CHARACTERS else None


def in_full(data: Any) -> Any:
    """The dataset as JSON values, whatever its size."""
    return jsonable(_without_frames(data))


def beyond_shown(dataset: Any, neighbor: Any) -> dict[str, Any]:
    """The datasets for which `shown` has a sentence, as JSON values by the names of a witness."""
    sides = {"dataset": dataset, "neighbor": neighbor}
    return {name: in_full(data) for name, data in sides.items() if plain_if_small(data) is None}


def _without_frames(data: Any) -> Any:
    if isinstance(data, pd.Series) and not isinstance(data.index, pd.RangeIndex):
        return list(data.items())
    if isinstance(data, dict):
        return {name: _without_frames(entry) for name, entry in data.items()}
    return records_of(data) if isinstance(data, (pd.DataFrame, pd.Series)) else data


def summary(data: Any) -> str:
    """Number of records, and the records if they come in a few runs of equal ones."""
    if not has_records(data):
        return f"a {type(data).__name__}: {in_words(data)}"
    runs = list(itertools.islice(_runs(data), _MOST_RUNS + 1))
    few = 0 < len(runs) <= _MOST_RUNS
    return f"{_count(data)}: {', then '.join(runs)}" if few else _count(data)


def _runs(data: Any) -> Iterator[str]:
    """Lengths of the runs of equal records, with the record, from the first on."""
    start = 0
    for _, run in itertools.groupby(keys_of(data)):
        length = len(list(run))
        yield f"{length:,} × {in_words(record_at(data, start))}"
        start += length
