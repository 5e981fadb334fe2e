"""Progress on standard error: a live line on a terminal, plain lines elsewhere."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.file_proxy import FileProxy
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from audit.case import Tell
from audit.frontends.cli.streams import people

_SECONDS_BETWEEN_LINES = 1.0


@contextlib.contextmanager
def progress(wanted: str, max_samples: int) -> Iterator[Tell]:
    """Where an audit tells how far it is.

    Args:
        wanted: on, off, or auto for on where standard error is a terminal.
        max_samples: runs at most.
    """
    terminal = people.isatty()
    if wanted == "off" or (wanted == "auto" and not terminal):
        yield _silent
    elif terminal:
        with _live(max_samples) as tell:
            yield tell
    else:
        yield _Lines(max_samples).tell


def _silent(_stage: str, _samples: int, _wealth: float) -> None:
    """Nobody looks."""


@contextlib.contextmanager
def _live(max_samples: int) -> Iterator[Tell]:
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

        def tell(stage: str, samples: int, wealth: float) -> None:
            shown.update(task, description=f"{stage}, log e-value {wealth:.1f}", completed=samples)

        yield tell


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

    def tell(self, stage: str, samples: int, wealth: float) -> None:
        now = time.monotonic()
        if stage == self._stage and now - self._last < _SECONDS_BETWEEN_LINES:
            return
        self._stage, self._last = stage, now
        line = f"{stage}: {samples:,} of {self._most:,} runs, log e-value {wealth:.1f}"
        print(line, file=people, flush=True)
