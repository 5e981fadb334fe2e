"""Datasets as JSON can hold them, or a sentence about those that are too large."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sized
from typing import Any

import numpy as np

from audit.jsonable import jsonable
from audit.lazy_modules import loaded_pandas as pd
from audit.neighbors.difference import describe_difference
from audit.neighbors.domain.record import in_words
from audit.neighbors.rows import has_records, keys_of, record_at, records_of

_MOST_RECORDS = 20
_MOST_CHARACTERS = 2_000
_MOST_RUNS = 4


def shown(data: Any, other: Any = None) -> Any:
    """The dataset as JSON values, or a sentence such as "26,150 records; without one record 90".

    Args:
        data: the dataset to show.
        other: the dataset it is compared with in the sentence, None for no comparison.
    """
    value = plain_if_small(data)
    if value is not None or data is None:
        return value
    if other is None:
        return _summary(data)
    return f"{_summary(data)}; {describe_difference(other, data)}"


def plain_if_small(data: Any) -> Any:
    """The dataset as JSON values, None for more than 20 records or 2,000 characters.

    NaN and infinities become the strings "nan", "inf" and "-inf"; rows of a
    DataFrame become objects; a labelled Series becomes [label, value] pairs.
    """
    if _length(data) > _MOST_RECORDS:
        return None
    value = jsonable(_without_frames(data))
    return value if len(json.dumps(value, allow_nan=False)) <= _MOST_CHARACTERS else None


def _without_frames(data: Any) -> Any:
    if isinstance(data, pd.Series) and not isinstance(data.index, pd.RangeIndex):
        return list(data.items())
    if isinstance(data, dict):
        return {name: _without_frames(entry) for name, entry in data.items()}
    return records_of(data) if isinstance(data, (pd.DataFrame, pd.Series)) else data


def _length(data: Any) -> int:
    """Number of records or entries; 1 for a single value."""
    if isinstance(data, (str, bytes)) or not isinstance(data, Sized):
        return 1
    return 1 if isinstance(data, np.ndarray) and data.ndim == 0 else len(data)


def _summary(data: Any) -> str:
    """Number of records, and the records if they come in a few runs of equal ones."""
    if not has_records(data):
        return f"a {type(data).__name__}: {in_words(data)}"
    count = f"{len(data):,} record{'s' * (len(data) != 1)}"
    runs = list(itertools.islice(_runs(data), _MOST_RUNS + 1))
    return count if len(runs) > _MOST_RUNS else f"{count}: {', then '.join(runs)}"


def _runs(data: Any) -> Iterator[str]:
    """Lengths of the runs of equal records, with the record, from the first on."""
    start = 0
    for _, run in itertools.groupby(keys_of(data)):
        length = len(list(run))
        yield f"{length:,} × {in_words(record_at(data, start))}"
        start += length
