"""The file itself: what is damaged or something else is said to be so."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from audit.errors import AuditError, InputError, StoreError
from audit.sampling.source import Address, Stage
from audit.sampling.store import Store

ADDRESS = Address(Stage.BET, 0, 1)
IDENTITY = {"seed": 0, "claim": "ε = 1"}


def filled(path: Path, rows: int = 50) -> dict[int, bytes]:
    """A store with some batches, and what they hold."""
    random = np.random.default_rng(0)
    records = {batch: random.bytes(400) for batch in range(rows)}
    with Store.opened(path, "laplace", IDENTITY, 100) as store:
        for batch, record in records.items():
            store.keep(Address(Stage.BET, 0, batch), "counted 8", record)
    return records


def read(path: Path, rows: int = 50) -> dict[int, bytes | None]:
    with Store.opened(path, "laplace", IDENTITY, 100) as store:
        return {b: store.recalled(Address(Stage.BET, 0, b), "counted 8") for b in range(rows)}


def test_what_is_kept_is_recalled(tmp_path: Path) -> None:
    path = tmp_path / "store"
    records = filled(path)
    assert read(path) == records
    with Store.opened(path, "laplace", IDENTITY, 100) as store:
        assert store.recalled(ADDRESS, "counted 16") is None
        assert store.recalled(Address(Stage.TIME, 0, 1), "counted 8") is None
    assert os.listdir(tmp_path) == ["store"], "nothing is left beside it"


@pytest.mark.slow
def test_no_damage_goes_unseen(tmp_path: Path) -> None:
    """A byte changed anywhere: either everything is as it was, or there is one clear line."""
    whole, path = tmp_path / "whole", tmp_path / "damaged"
    records = filled(whole)
    size, random, refused = whole.stat().st_size, np.random.default_rng(1), 0
    for place in random.integers(0, size, 150):
        shutil.copyfile(whole, path)
        with path.open("r+b") as file:
            file.seek(place)
            byte = file.read(1)
            file.seek(place)
            file.write(bytes([byte[0] ^ int(random.integers(1, 256))]))
        try:
            assert read(path) == records
        except AuditError as error:
            refused += 1
            assert "\n" not in str(error)
            assert str(path) in str(error)
    assert refused > 75


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9])
def test_a_cut_file_is_no_smaller_store(tmp_path: Path, share: float) -> None:
    path = tmp_path / "store"
    filled(path)
    os.truncate(path, int(path.stat().st_size * share))
    if share == 0.0:
        assert set(read(path).values()) == {None}, "an empty file is a new store"
        return
    with pytest.raises(AuditError, match=re.escape(str(path))):
        read(path)


def test_a_row_in_the_place_of_another_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "store"
    filled(path)
    with sqlite3.connect(path) as database:
        database.execute("DELETE FROM batches WHERE batch = 1")
        database.execute("UPDATE batches SET batch = 1 WHERE batch = 2")
    database.close()
    with pytest.raises(StoreError, match="batch 1 of stage bet, pair 0: its checksum is wrong"):
        read(path)


def test_other_files_are_refused_and_left_alone(tmp_path: Path) -> None:
    text, database = tmp_path / "notes.txt", tmp_path / "other.db"
    text.write_text("these are notes, longer than any header of a database would be" * 10)
    with sqlite3.connect(database) as other:
        other.execute("CREATE TABLE mine (x)")
    other.close()
    for path, kind in ((text, StoreError), (database, InputError)):
        before = path.read_bytes()
        with pytest.raises(kind, match=re.escape(str(path))) as refusal:
            read(path)
        assert "\n" not in str(refusal.value)
        assert path.read_bytes() == before


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "gone" / "store"):
        with pytest.raises(StoreError, match="cannot be written"):
            read(path)
