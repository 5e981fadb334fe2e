"""The records of a dataset, and the same kind of dataset with other records.

A dataset is an array whose first axis counts records, a DataFrame, a Series, a
list or a tuple. Nothing here changes the dataset it is given.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from audit.errors import InputError
from audit.lazy_modules import loaded_pandas as pd
from audit.neighbors.domain import Domain, TableDomain
from audit.neighbors.domain.record import key
from audit.validation import is_number

_NUMERIC = "biuf"
USER_COLUMN = "user"
"""The column of a DataFrame that names a record's owner when no domain says so."""
USERS_REPEAT = f"column {USER_COLUMN!r} repeats "
"""Beginning of the note that users have several records, and only one record is protected."""


def has_records(data: object) -> bool:
    """True if a dataset of this type is a sequence of records."""
    if isinstance(data, np.ndarray):
        return data.ndim > 0
    return isinstance(data, (list, tuple, pd.DataFrame, pd.Series))


def records_of(data: Any) -> list[Any]:
    """The records as plain values, rows of a DataFrame as dicts; InputError where it has none."""
    if not has_records(data):
        raise InputError(
            f"a dataset of type {type(data).__name__} has no records to add or remove; give an "
            "array, a list or a table (of a file: `audit.read_data`), or give `neighbors` and "
            "`relation='declared'`",
            data,
        )
    if isinstance(data, pd.DataFrame):
        rows = zip(*(column.tolist() for _, column in data.items()), strict=True)
        return [dict(zip(data.columns, row, strict=True)) for row in rows]
    return list(data) if isinstance(data, (list, tuple)) else list(data.tolist())


def keys_of(data: Any) -> list[Hashable]:
    """One key per record, equal for equal records."""
    if isinstance(data, pd.DataFrame):
        return list(zip(*(keys_of(column) for _, column in data.items()), strict=True))
    records = records_of(data)
    return records if _is_keyed(data) else list(map(key, records))


def _is_keyed(data: Any) -> bool:
    """True if plain records are their own keys: numbers but for -0.0, or strings; none missing."""
    series = isinstance(data, pd.Series)
    if not series and not (isinstance(data, np.ndarray) and data.ndim == 1):
        return False
    if series and isinstance(data.dtype, pd.StringDtype):
        return not data.hasnans
    if data.dtype.kind != "f":
        return data.dtype.kind in ("biu" if series else "biuU")
    values = data.to_numpy(np.float64, na_value=np.nan) if series else data
    return not (np.isnan(values) | ((values == 0.0) & np.signbit(values))).any()


def common_start(left: Sequence[Hashable], right: Sequence[Hashable]) -> int:
    """Number of keys that two datasets have in common at their beginning."""
    differ = (at for at, (one, other) in enumerate(zip(left, right, strict=False)) if one != other)
    return next(differ, min(len(left), len(right)))


def record_at(data: Any, position: int) -> Any:
    """One record as plain values."""
    rows = data.iloc if isinstance(data, (pd.DataFrame, pd.Series)) else data
    return records_of(rows[position : position + 1])[0]


def without(data: Any, positions: Collection[int]) -> Any:
    """The dataset without the records at these positions."""
    left_out = set(positions)
    kept = [place for place in range(len(data)) if place not in left_out]
    if isinstance(data, (pd.DataFrame, pd.Series)):
        rest = data.iloc[kept]
        return rest.reset_index(drop=True) if isinstance(data.index, pd.RangeIndex) else rest
    return data[kept] if isinstance(data, np.ndarray) else type(data)(data[at] for at in kept)


def inserted(data: Any, at: int, records: list[Any]) -> Any:
    """The dataset with more records before position `at`; dtypes widen only if they must."""
    if isinstance(data, np.ndarray):
        new = np.asarray(records)
        old = data if len(data) else data.reshape(0, *new.shape[1:])
        return np.concatenate([old[:at], _narrowed(new, old.dtype), old[at:]])
    if isinstance(data, pd.DataFrame):
        fitted = {name: _series([r[name] for r in records], data[name]) for name in data.columns}
        return _joined([data.iloc[:at], pd.DataFrame(fitted), data.iloc[at:]])
    if isinstance(data, pd.Series):
        return _joined([data.iloc[:at], _series(records, data), data.iloc[at:]])
    return type(data)([*data[:at], *records, *data[at:]])


def replaced(data: Any, at: int, record: Any) -> Any:
    """The dataset with another record at position `at`."""
    result = inserted(without(data, [at]), at, [record])
    if isinstance(data, (pd.DataFrame, pd.Series)):
        result.index = data.index
    return result


def aligned(data: Any, neighbor: Any) -> tuple[Any, Any]:
    """Both datasets with the dtypes that hold the numbers of both.

    A dtype that differs would tell the two apart for no reason of the mechanism,
    and so would an array beside a list. A dataset without records has no columns and
    no dtypes of its own: it is the table or the matrix beside it without its records.
    """
    data, neighbor = both = _like(data, neighbor), _like(neighbor, data)
    if isinstance(data, list) or isinstance(neighbor, list):
        return _listed(data, neighbor), _listed(neighbor, data)
    if all(isinstance(one, np.ndarray) for one in both):
        if data.dtype != neighbor.dtype and all(one.dtype.kind in _NUMERIC for one in both):
            wider = np.result_type(data, neighbor)
            return data.astype(wider), neighbor.astype(wider)
    elif all(isinstance(one, pd.DataFrame) for one in both):
        return _aligned_tables(data, neighbor)
    return data, neighbor


def _like(data: Any, other: Any) -> Any:
    """The dataset; one without records as an empty part of the array or the table beside it."""
    kinds = (np.ndarray, pd.DataFrame)
    if not isinstance(data, (list, *kinds)) or not getattr(data, "ndim", 1) or len(data):
        return data
    if not isinstance(other, kinds) or other.ndim < 2 or not len(other):
        return data
    named = isinstance(data, pd.DataFrame) and column_names(data) != column_names(other)
    return data if named else other[:0]


def _aligned_tables(data: Any, neighbor: Any) -> tuple[Any, Any]:
    dtypes = {n: (data[n].dtype, neighbor[n].dtype) for n in data if n in neighbor}
    common = {
        name: np.result_type(*pair)
        for name, pair in dtypes.items()
        if pair[0] != pair[1] and all(isinstance(dtype, np.dtype) for dtype in pair)
    }
    return (data.astype(common), neighbor.astype(common)) if common else (data, neighbor)


def _listed(data: Any, other: Any) -> Any:
    """An array next to a list as a list, too, if that holds only numbers and missing values."""
    if not (isinstance(data, np.ndarray) and data.ndim and isinstance(other, list)):
        return data
    return data.tolist() if not len(data) or _is_numeric(other) else data


def _is_numeric(records: list[Any]) -> bool:
    """True if all records are numbers, rows of them, or missing values."""
    rows = (record if isinstance(record, list) else [record] for record in records)
    return all(value is None or is_number(value) for row in rows for value in row)


def user_column(domain: Domain | None, data: Any = None) -> str:
    """The column that names the owner of each record; InputError where nothing names one."""
    if isinstance(domain, TableDomain) and domain.user is not None:
        return domain.user
    if USER_COLUMN in column_names(data):
        return USER_COLUMN
    raise InputError(
        "relation user needs a column that names the user of each record: of the data one called "
        "'user', of `domain` one of kind user, such as who=user:5 (at most 5 records of one user)",
        domain,
    )


def column_names(data: Any) -> Collection[Any]:
    """The names of columns: those of a table, or of all records that are dicts."""
    if isinstance(data, pd.DataFrame):
        return list(data.columns)
    dicts = isinstance(data, (list, tuple)) and all(isinstance(one, Mapping) for one in data)
    return set.intersection(*map(set, data)) if dicts and len(data) else ()


def owners(data: Any, column: str) -> list[Hashable]:
    """The owner of each record; InputError where one has no such column."""
    if isinstance(data, pd.DataFrame) and column in data.columns:
        return [key(owner) for owner in data[column].tolist()]
    try:
        return [key(record[column]) for record in records_of(data)]
    except (TypeError, KeyError, IndexError):
        raise InputError(
            f"the data has no column {column!r} that says whose record each is; name it in "
            "`domain`",
            column,
        ) from None


def _narrowed(new: np.ndarray[Any, Any], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """The new values in the old dtype where it holds them exactly."""
    if new.dtype.kind not in _NUMERIC or dtype.kind not in _NUMERIC:
        return new
    with np.errstate(invalid="ignore", over="ignore"):
        cast = new.astype(dtype)
    return cast if np.array_equal(cast, new, equal_nan=True) else new


def _series(values: list[Any], like: pd.Series) -> pd.Series:
    """The values as a column of the same dtype where it holds them exactly."""
    new = pd.Series(values, name=like.name)
    if isinstance(like.dtype, np.dtype) and isinstance(new.dtype, np.dtype):
        return pd.Series(_narrowed(new.to_numpy(), like.dtype), name=like.name)
    return new.astype(like.dtype)


def _joined(pieces: list[Any]) -> Any:
    """Pieces in a row; empty ones would only spoil the dtypes."""
    return pd.concat([piece for piece in pieces if len(piece)], ignore_index=True)
