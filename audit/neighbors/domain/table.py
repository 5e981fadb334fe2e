"""Domains of records with named columns, one of which may say whose record it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any, ClassVar

from audit.errors import DomainError
from audit.lazy_modules import loaded_pandas as pd
from audit.neighbors.domain.record import ANY, ColumnDomain, Sizes, distinct
from audit.validation import is_whole

Row = Mapping[str, Any]

_MANY_ROWS = 10
_MOST_ROWS = 1_000


@dataclass(frozen=True, slots=True)
class UserDomain(ColumnDomain):
    """Names of users: integers or strings. Users made up by the tool are 0, 1, 2, ...

    Attributes:
        rows: how many records one user may have, None when nothing limits them.
    """

    rows: int | None = None
    sizes: ClassVar[Sizes] = ANY
    dtype: ClassVar[str] = "int64"
    ends: ClassVar[tuple[int, int]] = (0, 0)
    extremes: ClassVar[tuple[int, ...]] = (0,)

    def __post_init__(self) -> None:
        if self.rows is not None and self.rows < 1:
            raise DomainError(
                f"{self.rows} records per user leave a domain without data; write user:ROWS with "
                "ROWS of at least 1",
                self.rows,
            )

    def contains(self, record: object) -> bool:
        """True if it can name a user."""
        return isinstance(record, str) or is_whole(record)

    def opposite(self, record: int | str) -> int | str:
        """The same user: records move within their owner."""
        return record

    def __str__(self) -> str:
        return "user" if self.rows is None else f"user:{self.rows}"


@dataclass(frozen=True, slots=True)
class TableDomain:
    """Records with named columns.

    Attributes:
        columns: name and domain of each column, in order; names differ and at
            most one domain is a `UserDomain`.
        sizes: how many records a dataset may have; the columns say nothing of that.
        dtypes: pandas dtypes by column in place of those of the column domains.
        user: the column that names the owner of a record, None when there is none.
    """

    columns: tuple[tuple[str, ColumnDomain], ...]
    sizes: Sizes = ANY
    dtypes: Mapping[str, Any] = field(default_factory=dict, compare=False)
    user: str | None = field(init=False, compare=False)

    def __post_init__(self) -> None:
        names = [name for name, _ in self.columns]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise DomainError(
                f"domain {str(self)!r} names column {twice[0]!r} twice; name each once", self
            )
        users = [name for name, domain in self.columns if isinstance(domain, UserDomain)]
        object.__setattr__(self, "user", next(iter(users), None))
        if len(users) > 1:
            raise DomainError(f"domain {str(self)!r} has two user columns; keep one", self)
        if any(domain.sizes != ANY for _, domain in self.columns):
            raise DomainError(
                f"domain {str(self)!r} has a number of records for one column; write it behind "
                "all of them",
                self,
            )

    @property
    def rows_per_user(self) -> int | None:
        """Largest number of records of one user; None if there is no limit."""
        owners = [column for _, column in self.columns if isinstance(column, UserDomain)]
        return owners[0].rows if owners else None

    @property
    def many_rows(self) -> int:
        """Number of records for a user with many of them: all that are allowed, or 10."""
        return min(self.rows_per_user or _MANY_ROWS, _MOST_ROWS)

    @property
    def ends(self) -> tuple[Row, Row]:
        """All columns at their low end, and all at their high end."""
        low = {name: column.ends[0] for name, column in self.columns}
        return low, {name: column.ends[1] for name, column in self.columns}

    @property
    def extremes(self) -> tuple[Row, ...]:
        """Both ends, then the low end with one column at another extreme, all columns in turn."""
        low, high = self.ends
        columns = ([{**low, name: x} for x in column.extremes] for name, column in self.columns)
        turns = (row for turn in zip_longest(*columns) for row in turn if row is not None)
        return distinct((low, high, *turns))

    def contains(self, record: object) -> bool:
        """True if it has every column with a value of its domain; more columns do no harm."""
        return isinstance(record, Mapping) and all(
            name in record and column.contains(record[name]) for name, column in self.columns
        )

    def opposite(self, record: Row) -> Row:
        """The record with each column moved to its farthest end."""
        return {**record, **{name: c.opposite(record[name]) for name, c in self.columns}}

    def owned(self, record: Row, user: int) -> Row:
        """The same record of another user; unchanged when records have no owner.

        Args:
            record: by columns.
            user: the other one.

        Returns:
            A record of its own.
        """
        return record if self.user is None else {**record, self.user: user}

    def like(self, table: pd.DataFrame) -> TableDomain:
        """The same domain, whose datasets have the dtypes of another table.

        Args:
            table: with some of the columns; a dtype that cannot hold a column's extremes is
                not taken over.

        Returns:
            A domain that is equal to this one.
        """
        own = {str(name): dtype for name, dtype in table.dtypes.items()}
        known = ((name, column) for name, column in self.columns if name in own)
        return replace(self, dtypes={n: own[n] for n, column in known if _holds(own[n], column)})

    def dataset(self, records: Sequence[Row]) -> pd.DataFrame:
        """A DataFrame of shape (n, columns), each column of its domain's dtype."""
        import pandas as pd

        made = {
            name: pd.Series([record[name] for record in records], dtype=column.dtype)
            for name, column in self.columns
        }
        table = pd.DataFrame(made)
        return table.astype(dict(self.dtypes)) if self.dtypes else table

    def __str__(self) -> str:
        return ",".join(f"{name}={column}" for name, column in self.columns) + f"{self.sizes}"


def _holds(dtype: Any, column: ColumnDomain) -> bool:
    """True if a dtype represents the extremes of a column distinctly and in its domain."""
    import pandas as pd

    extremes = column.extremes
    try:
        cast = pd.Series(extremes, dtype=column.dtype).astype(dtype).tolist()
    except (TypeError, ValueError, OverflowError):
        return False
    return len(distinct(cast)) == len(extremes) and all(map(column.contains, cast))
