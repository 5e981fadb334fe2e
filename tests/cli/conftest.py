"""The program as it is called, without starting a process for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from audit.cli.main import main


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


Audit = Callable[..., Run]


@pytest.fixture(scope="session", autouse=True)
def _installed() -> None:
    if not entry_points(group="dp_audit.catalogs"):
        pytest.fail("the command line finds its catalogue once installed: pip install '.[test]'")


@pytest.fixture
def audit(capfd: pytest.CaptureFixture[str]) -> Audit:
    """`audit("list", "--format", "json")`."""

    def call(*words: object) -> Run:
        capfd.readouterr()
        code = main([str(word) for word in words])
        found = capfd.readouterr()
        return Run(code, found.out, found.err)

    return call


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
