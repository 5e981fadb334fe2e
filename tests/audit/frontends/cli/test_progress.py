"""Progress where somebody looks, silence elsewhere."""

from __future__ import annotations

import sys

import pytest

from audit.frontends.cli.progress import progress, steps
from audit.progress import Finished, Looked, StageStarted, Warned


class Terminal:
    """Standard error as a terminal would be."""

    encoding = "utf-8"

    def __init__(self) -> None:
        self.text = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        """Nothing is kept back."""


def test_a_terminal_sees_a_live_line(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with progress("auto", 1000) as heard:
        heard(StageStarted("bets", 0))
        heard(Looked("bets", 500, 3.25))
        heard(Warned("too few"))
    assert "betting, log e-value 3.2" in terminal.text
    assert "500 of 1,000 runs" in terminal.text
    assert "audit: too few" in terminal.text


def test_a_terminal_sees_mechanisms_pass_by(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with steps("auto", 2) as tell:
        tell("laplace")
    assert "1 of 2 mechanisms" in terminal.text
    assert "laplace" in terminal.text


@pytest.mark.parametrize("wanted", ["auto", "off"])
def test_nobody_looking_means_silence(wanted: str, capsys: pytest.CaptureFixture[str]) -> None:
    with progress(wanted, 10) as heard, steps(wanted, 1) as passed:
        heard(StageStarted("bets", 0))
        heard(Looked("bets", 5, 0.0))
        heard(Finished("violation", 5, 0.0))
        passed("laplace")
    assert capsys.readouterr().err == ""


def test_lines_come_at_most_once_a_second(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("on", 10) as heard:
        for samples in range(5):
            heard(Looked("bets", samples, 0.0))
        heard(StageStarted("tables", 9))
    assert capsys.readouterr().err == (
        "betting: 0 of 10 runs, log e-value 0.0\ndrawing the tables: 9 of 10 runs\n"
    )


@pytest.mark.parametrize("wanted", ["auto", "on", "off"])
def test_warnings_are_said_whoever_looks(wanted: str, capsys: pytest.CaptureFixture[str]) -> None:
    with progress(wanted, 10) as heard:
        heard(Warned("10 runs cannot refute it"))
    assert capsys.readouterr().err == "audit: 10 runs cannot refute it\n"
