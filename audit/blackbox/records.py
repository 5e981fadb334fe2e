"""A dataset as the text file that a program reads: one record per line."""

from __future__ import annotations

import functools
import json
import pickle
from typing import Any

import numpy as np
import pandas as pd

from audit.errors import BlackBoxError


def file_of(data: Any) -> bytes:
    """The dataset as UTF-8 text.

    Numbers with all their digits, rows separated by commas, text as it is,
    true, false and null as in JSON; a DataFrame as CSV with a header.

    Raises:
        BlackBoxError: a record that holds a line break, or is no text, number or row.
    """
    # An audit asks for the same few datasets thousands of times.
    return _file_of_pickled(pickle.dumps(data, protocol=pickle.HIGHEST_PROTOCOL))


@functools.lru_cache(maxsize=16)
def _file_of_pickled(pickled: bytes) -> bytes:
    data = pickle.loads(pickled)
    # Lone surrogates can come from JSON and must not fail here or become equal.
    return _text_of(data).encode("utf-8", errors="surrogatepass")


def _text_of(data: Any) -> str:
    if isinstance(data, pd.DataFrame):
        return str(data.to_csv(index=False))
    if isinstance(data, (pd.Series, np.ndarray)):
        data = data.tolist()
    records = data if isinstance(data, (list, tuple)) else [data]
    return "".join(f"{_line_of(record)}\n" for record in records)


def _line_of(record: Any) -> str:
    row = record.tolist() if isinstance(record, np.ndarray) else record
    line = ",".join(map(_field_of, row)) if isinstance(row, (list, tuple)) else _field_of(row)
    if "\n" in line or "\r" in line:
        raise BlackBoxError(
            f"record {record!r} holds a line break, which a program would read as two records; "
            "give text of one line",
            record,
        )
    return line


def _field_of(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return repr(value)
    try:
        return json.dumps(value)
    except (TypeError, ValueError):
        raise BlackBoxError(
            f"a record of type {type(value).__name__} cannot be written for a program; "
            "use numbers, text, or lists of them",
            value,
        ) from None
