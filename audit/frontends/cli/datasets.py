"""Datasets of the command line as arguments of `audit.run`."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any

from audit.declaration import Entry
from audit.errors import AuditError, InputError, reason_of
from audit.frontends.cli.claim_flags import ClaimFlags
from audit.frontends.cli.data_flags import DataFlags
from audit.frontends.cli.folding import say
from audit.neighbors.read import read_data

_SPEAKS_FOR_ITSELF = (".json", ".jsonl", ".npy", ".parquet", ".pq")
"""Files of these kinds say what they hold; a mechanism's own reader is not asked."""


def dataset_arguments(claim: ClaimFlags, data: DataFlags) -> dict[str, Any]:
    """Data, neighbors, relation, domain, search and the rest as they were given.

    Raises:
        InputError: a dataset cannot be read.
    """
    _check_column(data)
    return {
        "relation": claim.relation,
        **_given([read_data(given, data.column) for given in data.data]),
        "neighbors": [read_data(neighbor, data.column) for neighbor in data.neighbor],
        "domain": data.domain,
        "special": data.special,
        "search": data.search,
        "records": data.records,
    }


def entry_arguments(entry: Entry, claim: ClaimFlags, data: DataFlags) -> dict[str, Any]:
    """The same for a mechanism of the catalogue, which may have a file layout of its own.

    Raises:
        InputError: a dataset cannot be read.
    """
    _check_column(data)
    neighbors: list[Any] = [_read(entry, given, data.column) for given in data.neighbor]
    arguments = {
        "relation": claim.relation,
        **_given([_read(entry, given, data.column) for given in data.data]),
        "neighbors": neighbors,
        "domain": data.domain,
        "special": data.special,
        "search": data.search,
        "records": data.records,
    }
    if not data.data:
        return arguments | {"data": _own(entry, claim, data)}
    alone = len(data.data) == 1 and not neighbors
    return arguments | _classic(entry, arguments) if alone else arguments


def _given(datasets: list[Any]) -> dict[str, Any]:
    """The first dataset, and those after it where there are any."""
    first = {"data": datasets[0] if datasets else None}
    return first | {"more_data": datasets[1:]} if len(datasets) > 1 else first


def _check_column(data: DataFlags) -> None:
    if data.column is not None and not data.data and not data.neighbor:
        raise InputError(
            f"--column {data.column!r} needs a table to take it from; give --data", data.column
        )


def _own(entry: Entry, claim: ClaimFlags, data: DataFlags) -> Any:
    """The entry's D, named where its own neighbors are of another relation or replaced."""
    related = claim.relation is None or claim.relation == entry.relation
    return None if related and not data.neighbor else entry.data


def _classic(entry: Entry, arguments: dict[str, Any]) -> dict[str, Any]:
    """The mechanism's own choice of D1, D2, ... for somebody's data."""
    if entry.classic is None or arguments["relation"] not in (None, entry.relation):
        return {}
    searched = arguments["search"]
    if searched is None:
        searched = (arguments["domain"] or entry.domain) is not None
    with _failures_named(entry):
        return {"neighbors": list(entry.classic(arguments["data"])), "search": searched}


@contextlib.contextmanager
def _failures_named(entry: Entry) -> Iterator[None]:
    """Turn what a mechanism's own code raises at somebody's data into one line."""
    try:
        yield
    except AuditError:
        raise
    except Exception as error:
        raise InputError(
            f"{entry.name} cannot use what --data names ({reason_of(error)}); give records of the "
            "kind that it has by itself",
            error,
        ) from error


def _read(entry: Entry, given: str, column: str | None) -> Any:
    suffix = os.path.splitext(given)[1].lower()
    named = bool(given) and os.path.isfile(given)
    if entry.reader is None or column is not None or not named or suffix in _SPEAKS_FOR_ITSELF:
        return read_data(given, column)
    with _failures_named(entry):
        found, notes = entry.reader(given)
    for note in notes:
        say(note)
    return found
