"""Interface of the domain of a record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from audit.neighbors.domain.sizes import Sizes


class Domain(Protocol):
    """The set that records come from.

    `str(domain)` is its notation on the command line, which parses back to an
    equal domain.
    """

    @property
    def sizes(self) -> Sizes:
        """Numbers of records that a dataset may have."""

    @property
    def ends(self) -> tuple[Any, Any]:
        """Two finite records as far apart as is useful, the low one first.

        They are the same record when the domain holds only one.
        """

    @property
    def extremes(self) -> tuple[Any, ...]:
        """The records worth trying first: both ends, then others, each once."""

    def contains(self, record: object) -> bool:
        """True if this may be a record.

        Args:
            record: any value.

        Returns:
            True where it is one; False for whatever is of another kind.
        """

    def opposite(self, record: Any) -> Any:
        """The record farthest from this one, where it has a choice an end.

        Args:
            record: one of the domain.

        Returns:
            Another one; the same where there is no other.
        """

    def dataset(self, records: Sequence[Any]) -> Any:
        """Dataset for a black box, made of these records.

        The kind of container and its dtypes depend on the domain alone, never
        on the records or their number: else the dtype would tell datasets apart.

        Args:
            records: of the domain, n of them.

        Returns:
            An array of shape (n,), a list of n values, or a DataFrame of n rows.
        """


class ColumnDomain(Domain, Protocol):
    """A domain of plain values, which can be a column of a table."""

    @property
    def dtype(self) -> str:
        """The pandas dtype of such a column."""
