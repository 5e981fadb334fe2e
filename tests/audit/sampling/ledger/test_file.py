"""The file of a ledger: read, added to, locked, merged, lost and forged."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from audit.errors import InputError, StoreError
from audit.sampling.ledger_entry import Begun, entry_in
from audit.sampling.ledger_history import LedgerFile
from tests.audit.sampling.ledger.made import afresh, ended, fresh, history

ADDING = """
import sys
from pathlib import Path
from audit.sampling.ledger_history import LedgerFile
from tests.audit.sampling.ledger.made import fresh
for k in range(20):
    with LedgerFile.locked(Path(sys.argv[1])) as file:
        file.add(fresh(file.history("t"), f"{sys.argv[2]} {k}"))
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "audits.jsonl"


def written(path: Path, number: int) -> list[str]:
    with LedgerFile.locked(path) as file:
        for entry in afresh(number):
            file.add(entry)
            assert isinstance(entry, Begun)
            file.add(ended(entry))
    return path.read_text().splitlines()


def test_what_is_written_is_read_again(path: Path) -> None:
    lines = written(path, 3)
    assert len(lines) == 6
    assert [entry_in(line).to_line() for line in lines] == lines
    with LedgerFile.locked(path) as file:
        assert len(file.history("t").fresh) == 3
        assert file.history("other").begun == ()


def refusal(path: Path, lines: list[str]) -> str:
    path.write_text("".join(f"{line}\n" for line in lines))
    with LedgerFile.locked(path) as file, pytest.raises(InputError) as caught:
        file.history("t")
    assert "\n" not in str(caught.value) and "cannot be trusted" in str(caught.value)
    return str(caught.value)


def test_a_changed_number_is_refused(path: Path) -> None:
    lines = written(path, 3)
    changed = json.loads(lines[2]) | {"level": 1e-5}
    assert "line 3 does not fit" in refusal(path, [*lines[:2], json.dumps(changed), *lines[3:]])


@pytest.mark.parametrize(
    "line",
    ["[]", "{}", "<<<<<<< HEAD", '{"begun": 1}', '{"mark": NaN}', "[" * 100_000, "{" + "x" * 99],
)
def test_what_is_no_entry_is_refused(path: Path, line: str) -> None:
    lines = written(path, 1)
    assert "line 2 does not fit" in refusal(path, [lines[0], line])


def test_a_line_taken_out_is_noticed_where_later_ones_are_left(path: Path) -> None:
    lines = written(path, 3)
    assert "missing" in refusal(path, lines[2:])
    assert "never began" in refusal(path, lines[1:2])


def test_a_line_that_was_torn_is_forgotten(path: Path) -> None:
    lines = written(path, 2)
    path.write_text("\n".join(lines)[:-7])
    with LedgerFile.locked(path) as file:
        found = file.history("t")
        assert len(found.fresh) == 2 and len(found.ended) == 1
        file.add(ended(found.fresh[1]))
    with LedgerFile.locked(path) as file:
        assert len(file.history("t").ended) == 2


@pytest.mark.slow
def test_processes_that_write_at_the_same_time_wait_for_each_other(path: Path) -> None:
    writers = [
        subprocess.Popen([sys.executable, "-c", ADDING, str(path), name]) for name in ("a", "b")
    ]
    assert [writer.wait(120) for writer in writers] == [0, 0]
    with LedgerFile.locked(path) as file:
        found = file.history("t").fresh
    assert [entry.audit for entry in found] == list(range(1, 41))


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be used"), LedgerFile.locked(tmp_path):
        pass


def _git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")
def test_branches_are_merged_without_a_conflict(path: Path) -> None:
    folder = path.parent
    (folder / ".gitattributes").write_text("*.jsonl merge=union\n")
    written(path, 1)
    _git(folder, "init", "-b", "main")
    _git(folder, "add", ".")
    _git(folder, "commit", "-m", "one")
    for branch in ("here", "there"):
        _git(folder, "checkout", "-b", branch, "main")
        with LedgerFile.locked(path) as file:
            entry = fresh(file.history("t"), branch)
            file.add(entry)
            file.add(ended(entry))
        _git(folder, "commit", "-am", branch)
    _git(folder, "merge", "here", "-m", "merged")
    with LedgerFile.locked(path) as file:
        found = file.history("t")
    assert [entry.audit for entry in found.fresh] == [1, 2, 2]
    assert found.spent == history(*found.begun).spent < found.fresh[0].alpha
