"""Progress on standard error: a live line on a terminal, plain lines elsewhere."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.file_proxy import FileProxy
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from audit.frontends.cli.streams import people, say
from audit.progress import Event, Looked, StageStarted, Subscriber, Warned

_SECONDS_BETWEEN_LINES = 1.0


_DOING = {
    "search": "searching",
    "bets": "betting",
    "check": "checking",
    "witness": "measuring the witness",
    "tables": "drawing the tables",
}
"""What people are told of each stage."""


@contextlib.contextmanager
def progress(wanted: str, max_samples: int) -> Iterator[Subscriber]:
    """Who hears how far an audit is, and says it on standard error; warnings are always said.

    Args:
        wanted: on, off, or auto for on where standard error is a terminal.
        max_samples: runs at most.
    """
    terminal = people.isatty()
    if wanted == "off" or (wanted == "auto" and not terminal):
        yield _warnings_alone
    elif terminal:
        with _live(max_samples) as heard:
            yield heard
    else:
        yield _Lines(max_samples).heard


def _warnings_alone(event: Event) -> None:
    if isinstance(event, Warned):
        say(event.sentence)


@contextlib.contextmanager
def _live(max_samples: int) -> Iterator[Subscriber]:
    console = Console(file=people.stream)
    shown = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,} of {task.total:,} runs"),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    # What is said meanwhile stands above the live line.
    with shown, people.read_from(FileProxy(console, console.file)):
        task = shown.add_task("starting", total=max_samples)

        def heard(event: Event) -> None:
            _warnings_alone(event)
            if isinstance(event, (StageStarted, Looked)):
                shown.update(task, description=_doing(event), completed=event.samples)

        yield heard


def _doing(event: StageStarted | Looked) -> str:
    doing = _DOING[event.stage]
    return f"{doing}, log e-value {event.log_wealth:.1f}" if isinstance(event, Looked) else doing


@contextlib.contextmanager
def steps(wanted: str, total: int) -> Iterator[Callable[[str], None]]:
    """Where a survey tells which mechanism is done.

    Args:
        wanted: on, off, or auto for on where standard error is a terminal.
        total: mechanisms.
    """
    if wanted == "off" or (wanted == "auto" and not people.isatty()):
        yield lambda name: None
        return
    with Progress(
        SpinnerColumn(),
        TextColumn("{task.completed} of {task.total} mechanisms"),
        BarColumn(),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
        console=Console(file=people),
        redirect_stdout=False,
        redirect_stderr=False,
    ) as shown:
        task = shown.add_task("", total=total)
        yield lambda name: shown.update(task, advance=1, description=name)


class _Lines:
    """One line when a stage begins, and then at most one a second."""

    def __init__(self, max_samples: int) -> None:
        self._most = max_samples
        self._stage = ""
        self._last = 0.0

    def heard(self, event: Event) -> None:
        """One event; what comes too soon after the line before is not shown."""
        _warnings_alone(event)
        if isinstance(event, (StageStarted, Looked)):
            now = time.monotonic()
            if event.stage == self._stage and now - self._last < _SECONDS_BETWEEN_LINES:
                return
            self._stage, self._last = event.stage, now
            doing, _, wealth = _doing(event).partition(", ")
            line = f"{doing}: {event.samples:,} of {self._most:,} runs{wealth and ', '}{wealth}"
            print(line, file=people, flush=True)
