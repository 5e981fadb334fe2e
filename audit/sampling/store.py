"""The file that keeps finished batches: one SQLite database, every batch a row."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from audit.errors import InputError, StoreError, reason_of
from audit.sampling.source import Address

_MARK = 0x64706175
"""Tells our files from other databases."""
_LAYOUT = 2
_PATIENCE = 60.0
"""Seconds to wait for another process that is writing."""
_TABLES = """
CREATE TABLE audits (
    name TEXT PRIMARY KEY,
    identity TEXT NOT NULL,
    budgets TEXT NOT NULL,
    digest BLOB NOT NULL
);
CREATE TABLE batches (
    audit TEXT NOT NULL,
    stage INTEGER NOT NULL,
    pair INTEGER NOT NULL,
    batch INTEGER NOT NULL,
    what TEXT NOT NULL,
    record BLOB NOT NULL,
    digest BLOB NOT NULL,
    PRIMARY KEY (audit, stage, pair, batch, what)
);
"""
Identity = Mapping[str, Any]


@dataclass(slots=True)
class Store:
    """The finished batches of one audit in a file, which may hold others beside it.

    Attributes:
        path: the file.
        name: of the audit.
        database: the open file.
        budgets: runs that this audit was to make at most, each time it was started
            with more; it goes through all of them in this order.
    """

    path: Path
    name: str
    database: sqlite3.Connection
    budgets: tuple[int, ...]

    @classmethod
    @contextmanager
    def opened(
        cls, path: Path, name: str, identity: Identity, max_samples: int, *, shared: bool = False
    ) -> Iterator[Store]:
        """The store of an audit, new or as an earlier call left it.

        Args:
            path: the file, made where there is none.
            name: of the audit.
            identity: plain values on which the draws of the audit depend.
            max_samples: runs that it may make now.
            shared: whether audits of other names may be in the same file.

        Raises:
            InputError: the file holds another audit, or one with a larger budget.
            StoreError: it cannot be read or written, or is damaged.
        """
        with _failures_named(path), closing(_connected(path, shared)) as database:
            _check_layout(database, path)
            # A killed process loses nothing; after a power cut the last batches may be missing.
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = NORMAL")
            budgets = _entered(database, path, name, identity, max_samples, shared)
            yield cls(path, name, database, budgets)

    @property
    def batches(self) -> int:
        """Batches of this audit that are held.

        Raises:
            StoreError: it cannot be read.
        """
        with _failures_named(self.path):
            query = "SELECT count(*) FROM batches WHERE audit = ?"
            (count,) = self.database.execute(query, (self.name,)).fetchone()
        return int(count)

    def recalled(self, address: Address, what: str) -> bytes | None:
        """The record of a batch, None where there is none.

        Raises:
            StoreError: it is damaged.
        """
        query = "SELECT record, digest FROM batches WHERE (audit, stage, pair, batch, what) = "
        with _failures_named(self.path):
            key = self._key(address, what)
            row = self.database.execute(query + "(?, ?, ?, ?, ?)", key).fetchone()
        if row is None:
            return None
        record, digest = row
        if _digest(key, record) != digest:
            raise self.damaged(address, "its checksum is wrong")
        return bytes(record)

    def keep(self, address: Address, what: str, record: bytes) -> None:
        """Keep the record of a batch.

        Raises:
            StoreError: the file cannot be written.
        """
        with _failures_named(self.path):
            key = self._key(address, what)
            row = (*key, record, _digest(key, record))
            self.database.execute("INSERT INTO batches VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def damaged(self, address: Address, reason: str) -> StoreError:
        """The error that says which batch cannot be used."""
        return StoreError(
            f"--store {str(self.path)!r} is damaged: batch {address.batch} of stage "
            f"{address.stage.name.lower()}, pair {address.pair}: {reason}; use a copy of it, or "
            "remove the file and start again",
            self.path,
        )

    def _key(self, address: Address, what: str) -> tuple[str, int, int, int, str]:
        return self.name, int(address.stage), address.pair, address.batch, what


def _digest(key: tuple[Any, ...], record: bytes) -> bytes:
    """Of the record and of its place, so that no row can stand for another."""
    hashed = hashlib.blake2b(repr(key).encode(), digest_size=16)
    hashed.update(record)
    return hashed.digest()


def _connected(path: Path, shared: bool) -> sqlite3.Connection:
    database = sqlite3.connect(path, timeout=_PATIENCE if shared else 0.0, isolation_level=None)
    if not shared:
        # One audit at a time: two would draw the same batches and not see each other's.
        database.execute("PRAGMA locking_mode = EXCLUSIVE")
    return database


def _check_layout(database: sqlite3.Connection, path: Path) -> None:
    """Make the tables in a new file, and refuse a file that is no store of this layout."""
    with database:
        database.execute("BEGIN IMMEDIATE")
        if not database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            for statement in _TABLES.split(";"):
                database.execute(statement)
            database.execute(f"PRAGMA application_id = {_MARK}")
            database.execute(f"PRAGMA user_version = {_LAYOUT}")
    mark, layout = (
        database.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("application_id", "user_version")
    )
    if (mark, layout) != (_MARK, _LAYOUT):
        raise InputError(
            f"--store {str(path)!r} is a database of something else; give a file of its own", path
        )
    problem = database.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if problem != "ok":
        raise sqlite3.DatabaseError(problem)


def _entered(
    database: sqlite3.Connection,
    path: Path,
    name: str,
    identity: Identity,
    max_samples: int,
    shared: bool,
) -> tuple[int, ...]:
    """The budgets of this audit, this one the last, after checking that it is the same audit."""
    plain = json.loads(json.dumps(identity))
    with database:
        database.execute("BEGIN IMMEDIATE")
        held = {row[0]: row for row in database.execute("SELECT * FROM audits")}
        if not shared and held.keys() - {name}:
            raise _foreign(path, f"it is of {', '.join(sorted(held))}, this one of {name}")
        known, past = _noted(held[name]) if name in held else (plain, [])
        _check_same(path, known, plain)
        if past and max_samples < past[-1]:
            raise InputError(
                f"--max-samples {max_samples} is less than the {past[-1]} that the audit in "
                f"{str(path)!r} was given; give as many or more",
                max_samples,
            )
        budgets = tuple(past) if max_samples in past else (*past, max_samples)
        row = name, json.dumps(plain), json.dumps(budgets)
        database.execute(
            "INSERT OR REPLACE INTO audits VALUES (?, ?, ?, ?)", (*row, _digest(row, b""))
        )
    return budgets


def _noted(row: tuple[Any, ...]) -> tuple[dict[str, Any], list[int]]:
    """The identity and the budgets of an audit."""
    *held, digest = row
    if _digest(tuple(held), b"") != digest:
        raise sqlite3.DatabaseError("what it says of its audit has a wrong checksum")
    return json.loads(held[1]), json.loads(held[2])


def _check_same(path: Path, known: dict[str, Any], identity: dict[str, Any]) -> None:
    for key in dict.fromkeys([*known, *identity]):
        before, now = known.get(key), identity.get(key)
        if before != now:
            raise _foreign(path, f"its {key} is {_short(before)}, here it is {_short(now)}")


def _foreign(path: Path, how: str) -> InputError:
    return InputError(
        f"--store {str(path)!r} holds another audit: {how}; give another file, or the same command",
        path,
    )


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."


@contextmanager
def _failures_named(path: Path) -> Iterator[None]:
    """Errors of the database as one line."""
    try:
        yield
    except (sqlite3.Error, ValueError) as error:
        raise StoreError(_explained(path, error), path) from error


def _explained(path: Path, error: Exception) -> str:
    named = f"--store {str(path)!r}"
    text = str(error)
    if "locked" in text:
        return f"{named} is in use by another audit; wait for it, or give another file"
    if "full" in text:
        return f"{named} cannot grow: the disk is full; make room and give the same command again"
    if any(word in text for word in ("unable to open", "readonly", "read-only")):
        return f"{named} cannot be written ({text}); give a file in a folder that you may write to"
    return (
        f"{named} cannot be used: {reason_of(error)}; use a copy of it, or remove the file "
        "and start again"
    )
