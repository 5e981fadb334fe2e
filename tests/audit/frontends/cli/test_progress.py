"""Progress where somebody looks, silence elsewhere."""

from __future__ import annotations

import sys

import pytest

from audit.engine.progress import Forecast, Pace
from audit.frontends.cli.progress import progress, steps
from audit.progress import Finished, Looked, StageStarted, Warned
from audit.report.formatting import duration
from tests.clock import Clock


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


@pytest.mark.parametrize(
    ("width", "wealth", "bar"), [(80, False, False), (100, True, False), (140, True, True)]
)
def test_the_time_left_is_shown_on_every_terminal(
    width: int, wealth: bool, bar: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", str(width))
    with progress("auto", 400_000) as heard:
        heard(Looked("bets", 120_000, 13.25, left=330.0))
    assert "at most about 5.5 min left" in terminal.text
    assert "120,000 of 400,000 runs" in terminal.text
    assert ("log e-value 13.2" in terminal.text) is wealth
    assert ("━━━" in terminal.text) is bar


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


def told(
    capsys: pytest.CaptureFixture[str],
    wanted: str,
    events: list[tuple[float, int]],
    most: int,
    seconds: float | None = None,
) -> list[str]:
    """What is said of looks at these moments, after so many runs."""
    clock = Clock()
    with progress(wanted, most, clock) as shown:
        heard = Forecast(Pace(most, seconds, clock), False, shown).heard
        heard(StageStarted("bets", 0))
        for moment, samples in events:
            clock.time = 100.0 + moment
            heard(Looked("bets", samples, 0.5))
    return capsys.readouterr().err.splitlines()


def test_later_runs_tell_the_time_of_those_to_come(capsys: pytest.CaptureFixture[str]) -> None:
    slow_at_first = [(15.0, 100), (17.0, 1_000), (18.0, 10_000), (20.0, 28_000)]
    assert told(capsys, "off", slow_at_first[:1], 400_000) == []
    said = told(capsys, "on", slow_at_first, 400_000)
    assert said[-1].endswith("at most about 41 s left")


def test_warning_and_line_state_one_time(capsys: pytest.CaptureFixture[str]) -> None:
    """The pace of the search counts until the bets show theirs."""
    clock = Clock()
    with progress("on", 400_000, clock) as shown:
        heard = Forecast(Pace(400_000, None, clock, searching=True), False, shown).heard
        heard(StageStarted("search", 0))
        clock.time += 60.0
        heard(Looked("search", 600, 0.5))
        heard(StageStarted("bets", 600))
        clock.time += 70.0
        heard(Looked("bets", 70_600, 0.5))
    first, search, warning, begun, bets = capsys.readouterr().err.splitlines()
    assert first == "searching: 0 of 400,000 runs"
    assert search.endswith(" 600 of 400,000 runs, log e-value 0.5, at most about 11 h left")
    assert "the budget of 400,000 runs takes about 11 h at most" in warning
    assert begun == "betting: 600 of 400,000 runs"
    assert bets.endswith(", at most about 5.5 min left")


def test_a_line_has_runs_wealth_and_the_time_left(capsys: pytest.CaptureFixture[str]) -> None:
    looks = [(1.5, 16), (20.0, 200), (24.0, 240)]
    assert told(capsys, "on", looks, 900) == [
        "betting: 0 of 900 runs",
        "betting: 16 of 900 runs, log e-value 0.5",
        "betting: 200 of 900 runs, log e-value 0.5, at most about 70 s left",
        "betting: 240 of 900 runs, log e-value 0.5, at most about 66 s left",
    ]
    assert told(capsys, "on", [(20.0, 100)], 900, 50.0)[-1].endswith("at most about 30 s left")


def test_after_a_refutation_and_after_the_bets_no_time_is_said(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What follows depends on what was found."""
    clock = Clock()
    with progress("on", 900, clock) as shown:
        heard = Forecast(Pace(900, None, clock), False, shown).heard
        heard(StageStarted("bets", 0))
        clock.time += 20.0
        heard(Looked("bets", 600, 0.5))
        clock.time += 2.0
        heard(Looked("bets", 880, 9.0, refuted=True))
        heard(StageStarted("witness", 880))
    bets, more, witness = capsys.readouterr().err.splitlines()[1:]
    assert bets.endswith(" left") and not more.endswith(" left")
    assert witness == "measuring what was found: 880 of 900 runs"


def test_it_is_said_that_the_bets_have_won(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("on", 900) as heard:
        heard(Looked("bets", 300, 8.0, refuted=True))
    assert capsys.readouterr().err == (
        "refuted, continuing for the lower bound: 300 of 900 runs, log e-value 8.0\n"
    )


def test_a_witness_is_measured_where_a_violation_was_found(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with progress("on", 900) as heard:
        heard(StageStarted("witness", 300))
    assert capsys.readouterr().err == "measuring what was found: 300 of 900 runs\n"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.00123, "1.2 ms"), (0.3, "300 ms"), (1.0, "1 s"), (89.0, "89 s"), (91.0, "1.5 min"),
     (5_399.0, "90 min"), (119_999.0, "33 h"), (1e6, "12 days")],
)  # fmt: skip
def test_times_are_said_in_words(seconds: float, words: str) -> None:
    assert duration(seconds) == words
