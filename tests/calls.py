"""The program as it is called, without starting a process for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from audit.frontends.cli.main import main


@dataclass(frozen=True, slots=True)
class Run:
    """What one call came to.

    Attributes:
        code: exit code.
        out: standard output.
        err: standard error.
    """

    code: int
    out: str
    err: str

    @property
    def problem(self) -> str:
        """The last line on standard error."""
        return self.err.rstrip("\n").rpartition("\n")[2]


Audit = Callable[..., Run]


def called(capfd: pytest.CaptureFixture[str], *words: object) -> Run:
    """Call the program with these words."""
    capfd.readouterr()
    code = main([str(word) for word in words])
    found = capfd.readouterr()
    return Run(code, found.out, found.err)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
