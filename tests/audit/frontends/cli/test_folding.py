"""What a mechanism prints is one note on standard error, and nothing of it is a result."""

from __future__ import annotations

import ctypes
import json
import logging
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from audit.frontends.cli import folding
from audit.frontends.cli.folding import Printed, printing_folded, say

Captured = pytest.CaptureFixture[str]

WAYS: dict[str, Callable[[], Any]] = {
    "print": lambda: print("told"),
    "standard error": lambda: print("told", file=sys.stderr),
    "a write without an end": lambda: sys.stdout.write("told"),
    "bytes": lambda: sys.stdout.buffer.write(b"told\n"),
    "the descriptor": lambda: os.write(1, b"told\n"),
    "the other descriptor": lambda: os.write(2, b"told\n"),
    "C, which holds it back": lambda: ctypes.CDLL(None).printf(b"told\n"),
    "the stream the process began with": lambda: print("told", file=sys.__stdout__),
    "another process": lambda: subprocess.run(["echo", "told"], check=True),
    "another process that is told where": lambda: subprocess.run(
        ["echo", "told"], stdout=sys.stderr, check=True
    ),
    "a log that is older": lambda: logging.StreamHandler(sys.__stderr__).emit(
        logging.makeLogRecord({"msg": "told"})
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_every_way_of_printing_is_folded(way: str, capfd: Captured) -> None:
    with printing_folded():
        WAYS[way]()
    assert capfd.readouterr() == ("", "audit: the mechanism printed 1 line: told\n")


def test_nothing_printed_is_nothing_said(capfd: Captured) -> None:
    before = sys.stdout, sys.stderr
    with printing_folded():
        pass
    assert (sys.stdout, sys.stderr) == before
    assert capfd.readouterr() == ("", "")


def test_afterwards_everything_leads_where_it_did(capfd: Captured) -> None:
    with printing_folded():
        print("told")
    capfd.readouterr()
    print("result")
    os.write(1, b"below\n")
    assert sorted(capfd.readouterr().out.split()) == ["below", "result"]


def test_what_the_tool_says_is_read_at_once(capfd: Captured) -> None:
    with printing_folded("laplace"):
        print("told")
        say("a warning")
        assert capfd.readouterr().err == "audit: a warning\n"
    assert capfd.readouterr().err == "audit: laplace printed 1 line: told\n"


def test_one_within_another(capfd: Captured) -> None:
    with printing_folded("outer"):
        print("one")
        with printing_folded("inner"):
            print("two")
        print("three")
    inner, outer = capfd.readouterr().err.splitlines()
    assert inner == "audit: inner printed 1 line: two"
    assert outer == "audit: outer printed 2 lines: one / three"


def test_what_was_printed_is_said_before_what_went_wrong(capfd: Captured) -> None:
    def fails() -> None:
        with printing_folded():
            print("told")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails()
    assert capfd.readouterr().err == "audit: the mechanism printed 1 line: told\n"


def test_a_stream_that_was_closed_does_no_harm(capfd: Captured) -> None:
    with printing_folded():
        print("told")
        sys.stdout.close()
    assert capfd.readouterr() == ("", "audit: the mechanism printed 1 line: told\n")


def test_where_no_file_can_be_made_it_goes_to_standard_error(
    capfd: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(**_: Any) -> Any:
        raise OSError

    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    with printing_folded():
        print("told")
    assert capfd.readouterr() == ("", "told\n")


def note_of(*pieces: bytes) -> str:
    with tempfile.TemporaryFile(buffering=0) as file:
        printed = Printed(file)
        for piece in pieces:
            file.write(piece)
            printed.count()
        return printed.note


@pytest.mark.parametrize(
    ("pieces", "note"),
    [
        ([b"a"], "printed 1 line: a"),
        ([b"a", b"b\n", b"c"], "printed 2 lines: ab / c"),
        ([b"a\nb\nc\n"], "printed 3 lines: a / b / c"),
        ([b"a\nb\nc\nd\n"], "printed 4 lines; the first: a / b / c"),
        ([b"a\n" * 4000], "printed 4,000 lines; the first: a"),
        ([b"\n \n", b"a\n"], "printed 3 lines; the first: a"),
        ([b"\n\n"], "printed 2 lines"),
        ([b"\xff\xc3\xa9\n"], "printed 1 line: \ufffdé"),
        ([b"x" * 5000 + b"\n", b"y\n"], f"printed 2 lines; the first: {'x' * 200}"),
    ],
)
def test_lines_are_counted_and_the_first_are_shown(pieces: list[bytes], note: str) -> None:
    assert note_of(*pieces) == note


def test_the_file_stays_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folding, "_ROOM", 1000)
    with tempfile.TemporaryFile(buffering=0) as file:
        printed = Printed(file)
        for _ in range(100):
            file.write(b"told\n" * 50)
            printed.count()
            assert os.fstat(file.fileno()).st_size <= 1000
        assert printed.note == "printed at least 5,000 lines; the first: told"


def test_somebody_counts_meanwhile(monkeypatch: pytest.MonkeyPatch, capfd: Captured) -> None:
    monkeypatch.setattr(folding, "_ROOM", 1000)
    monkeypatch.setattr(folding, "_LOOK_EVERY", 0.001)
    with printing_folded():
        for _ in range(20):
            os.write(1, b"told\n" * 1000)
            while os.fstat(1).st_size > 1000:
                pass
    assert "printed at least 20,000 lines" in capfd.readouterr().err


MODULE = """
import os
import sys
import time


def chatty(data, rng):
    print("from Python", file=sys.stderr)
    os.write(1, b"from below")
    os.write(1, bytes([10]))
    return float(rng.laplace())


def from_afar(data, rng):
    time.sleep(0.02)
    if os.getpid() != int(os.environ["AUDITED_BY"]):
        # At once: of two processes that print, each may write within a line of the other.
        os.write(1, b"from afar" + bytes([10]))
    return float(rng.laplace())


def crashes(data, rng):
    print("about to crash", flush=True)
    os.abort()
"""
PAIR = ("--relation", "declared", "--data", "[1.0]", "--neighbor", "[0.0]")
# Fresh instances print into nothing; calls are made in the processes of the audit.
ASKED = ("--epsilon", "1", *PAIR, "--assume", "independent-calls")


def run(folder: Path, function: str, *more: str) -> subprocess.CompletedProcess[str]:
    (folder / "habits.py").write_text(MODULE)
    start = "import os, sys; os.environ['AUDITED_BY'] = str(os.getpid()); "
    start += "from audit.frontends.cli.main import main; sys.exit(main())"
    words = ["python", f"{folder}/habits.py:{function}", *ASKED, "--format", "json", *more]
    call = [sys.executable, "-c", start, *words]
    return subprocess.run(call, capture_output=True, text=True, check=False)


def note_in(done: subprocess.CompletedProcess[str]) -> str:
    """What is said last; a machine that is busy is told before how long the budget takes."""
    return done.stderr.splitlines()[-1]


@pytest.mark.slow
def test_an_audit_of_what_prints(tmp_path: Path) -> None:
    done = run(tmp_path, "chatty", "--max-samples", "200")
    runs = json.loads(done.stdout)["samples"]
    start = f"audit: the mechanism printed {2 * runs} lines; the first: "
    told = note_in(done)
    assert told.startswith(start)
    assert sorted(told.removeprefix(start).split(" / ")) == [
        "from Python",
        "from below",
    ]


@pytest.mark.slow
def test_workers_are_folded_as_well(tmp_path: Path) -> None:
    done = run(tmp_path, "from_afar", "--max-samples", "600", "--workers", "2")
    found = re.fullmatch(
        r"audit: the mechanism printed ([\d,]+) lines; the first: from afar", note_in(done)
    )
    assert found is not None
    assert 200 < int(found[1].replace(",", "")) <= json.loads(done.stdout)["samples"]


@pytest.mark.slow
def test_a_crash_is_told_although_nobody_is_left_to_fold(tmp_path: Path) -> None:
    done = run(tmp_path, "crashes")
    assert done.returncode < 0
    assert done.stdout == ""
    assert "Fatal Python error: Aborted" in done.stderr
    assert "habits.py" in done.stderr
