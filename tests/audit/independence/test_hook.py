from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from audit.sampling.independence.life import Sightings

WATCHED = """
import contextlib, os, sys, json
from audit.sampling.independence.living import Watch
os.chdir(sys.argv[1])
watch = Watch(lambda path: path.endswith((".py", ".pyc", ".so")))
watch.on = True
try:
{code}
finally:
    watch.on = False
found = watch.sightings
print(json.dumps(found and [sorted(found.events), sorted(found.shared)]))
"""
CREATED = """\
with contextlib.suppress(FileExistsError):
        open({!r}, "x").write("1")
    open({!r}).read()"""
"""Whoever comes first creates the file, and everybody reads it."""
SHARED = {
    "import socket; socket.socket().connect_ex(('127.0.0.1', 9))": "socket",
    "import subprocess; subprocess.run(['true'])": "process",
    "os.system('true')": "process",
    "os.waitpid(os.fork() or os._exit(0), 0)": "process",
    "import sqlite3; sqlite3.connect('memo.db')": "database",
    "open('memo', 'a').write('1'); open('memo').read()": "memo",
    "open('memo', 'a+')": "memo",
    "open('old').read(); open('old', 'w').write('1')": "old",
    "open('new', 'w').write('1'); os.rename('new', 'old'); open('old').read()": "old",
    "open('new', 'w').write('1'); os.link('new', 'other'); open('other').read()": "other",
    "os.symlink('old', 'link'); open('old', 'a').write('1'); open('link').read()": "old",
    CREATED.format("old", "old"): "old",
}
ALONE = [
    "open('log', 'a').write('1')",
    "open('old').read()",
    "open('scratch', 'w').write('1'); open('scratch').read()",
    CREATED.format("scratch", "scratch"),
    "import tempfile; f = tempfile.TemporaryFile(); f.write(b'1'); f.seek(0); f.read()",
    "import sqlite3; sqlite3.connect(':memory:')",
    "os.urandom(4); open('/dev/null', 'w').write('1'); open('/dev/null').read()",
    "import asyncio; asyncio.run(asyncio.sleep(0))",
]


def shared(code: str, folder: Path) -> str:
    (folder / "old").write_text("0")
    program = WATCHED.format(code="    " + code)
    command = [sys.executable, "-c", program, str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(("code", "trace"), SHARED.items())
def test_traces_by_which_lives_reach_each_other_are_noted(
    code: str, trace: str, tmp_path: Path
) -> None:
    assert trace in shared(code, tmp_path)


@pytest.mark.parametrize("code", ALONE)
def test_traces_of_one_life_alone_do_not_count(code: str, tmp_path: Path) -> None:
    assert shared(code, tmp_path).strip() in ("null", "[[], []]")


def test_a_file_that_one_life_writes_and_another_reads_is_shared() -> None:
    wrote = Sightings(written=frozenset({"/memo"}))
    read = Sightings(read=frozenset({"/memo"}))
    assert (wrote.shared, read.shared, (wrote | read).shared) == ((), (), ("/memo",))
