"""Color on a terminal, and plain text everywhere else."""

from __future__ import annotations

import io
import re

import pytest

from audit.frontends.cli.output import colored, shows_color
from audit.report.text import render_text
from tests.audit.report.sample_results import all_samples, explained

_CODE = re.compile(r"\x1b\[[\d;]*m")


class Terminal(io.StringIO):
    """A stream of a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _usual(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


def test_a_terminal_shows_color_and_a_pipe_does_not() -> None:
    assert shows_color(Terminal())
    assert not shows_color(io.StringIO())


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_who_asks_for_plain_text_gets_it(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    assert not shows_color(Terminal())


@pytest.mark.parametrize("name", [*all_samples(), "explained"])
def test_color_changes_no_character(name: str) -> None:
    text = render_text((all_samples() | {"explained": explained()})[name])
    shown = colored(text)
    assert _CODE.sub("", shown) == text
    assert _CODE.match(shown) is not None
    assert _CODE.search(text) is None
