"""Progress on standard error: a live line on a terminal, plain lines elsewhere."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.file_proxy import FileProxy
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from audit.frontends.cli.folding import people, say
from audit.frontends.cli.invocation import as_flags
from audit.progress import Event, Looked, StageStarted, Subscriber, Warned, nobody
from audit.report.formatting import duration

_SECONDS_BETWEEN_LINES = 1.0
_WITH_BAR = 100
"""Columns before the runs that have room for a bar next to the time left."""


_DOING = {
    "search": "searching",
    "bets": "betting",
    "check": "checking",
    "witness": "measuring what was found",
    "tables": "drawing the tables",
}
"""What people are told of each stage."""
_MORE = "refuted, continuing for the lower bound"


@contextlib.contextmanager
def progress(
    wanted: str, max_samples: int, now: Callable[[], float] = time.monotonic
) -> Iterator[Subscriber]:
    """Subscriber that prints progress on standard error; warnings are always said.

    Wanted is "on", "off", or "auto" for on where standard error is a terminal.
    """
    terminal = people.isatty()
    with contextlib.ExitStack() as undo:
        if wanted == "off" or (wanted == "auto" and not terminal):
            shown: Subscriber = nobody
        elif terminal:
            shown = undo.enter_context(_live(max_samples))
        else:
            shown = _lines(max_samples, now)

        def heard(event: Event) -> None:
            if isinstance(event, Warned):
                say(as_flags(event.sentence))
            shown(event)

        yield heard


@contextlib.contextmanager
def _live(most: int) -> Iterator[Subscriber]:
    console = Console(file=people.stream)
    runs = "{task.completed:,} of {task.total:,} runs"
    columns = console.width - len(f"⠋  {most:,} of {most:,} runs 00:00:00")
    bar = columns >= _WITH_BAR
    shown = _bar("{task.description}", runs, console, transient=True, bar=bar)
    # What is said meanwhile stands above the live line.
    with shown, people.read_from(FileProxy(console, console.file)):
        task = shown.add_task("starting", total=most)

        def heard(event: Event) -> None:
            if isinstance(event, (StageStarted, Looked)):
                shown.update(task, description=_fitting(event, columns), completed=event.samples)

        yield heard


def _bar(
    before: str, after: str, console: Console, *, transient: bool = False, bar: bool = True
) -> Progress:
    return Progress(
        SpinnerColumn(),
        TextColumn(before),
        *[BarColumn()] * bar,
        TextColumn(after),
        TimeElapsedColumn(),
        console=console,
        transient=transient,
        redirect_stdout=False,
        redirect_stderr=False,
    )


def _fitting(event: StageStarted | Looked, columns: int) -> str:
    """Stage, wealth and the time left; in few columns the stage and the time."""
    doing, left = _doing(event), _left(event)
    said = f"{doing}{_wealth(event)}{left}"
    return said if len(said) <= columns else f"{doing}{left}"


def _doing(event: StageStarted | Looked) -> str:
    return _MORE if isinstance(event, Looked) and event.refuted else _DOING[event.stage]


def _wealth(event: StageStarted | Looked) -> str:
    """Wealth of the bets after the current step; empty if there were none."""
    return f", log e-value {event.log_wealth:.1f}" if isinstance(event, Looked) else ""


def _left(event: StageStarted | Looked) -> str:
    """Time of the rest of the budget, while the claim stands."""
    seconds = event.left if isinstance(event, Looked) else None
    return "" if seconds is None else f", at most about {duration(seconds)} left"


@contextlib.contextmanager
def steps(wanted: str, total: int) -> Iterator[Callable[[str], None]]:
    """Progress lines of an audit of many mechanisms, wanted as in `progress`."""
    if wanted == "off" or (wanted == "auto" and not people.isatty()):
        yield lambda name: None
        return
    count = "{task.completed} of {task.total} mechanisms"
    with _bar(count, "{task.description}", Console(file=people)) as shown:
        task = shown.add_task("", total=total)
        yield lambda name: shown.update(task, advance=1, description=name)


def _lines(most: int, now: Callable[[], float]) -> Subscriber:
    """One line when a stage begins, and then at most one a second."""
    stage, last = "", 0.0

    def shown(event: Event) -> None:
        nonlocal stage, last
        if isinstance(event, (StageStarted, Looked)):
            moment = now()
            if event.stage == stage and moment - last < _SECONDS_BETWEEN_LINES:
                return
            stage, last = event.stage, moment
            runs = f"{event.samples:,} of {most:,} runs{_wealth(event)}"
            print(f"{_doing(event)}: {runs}{_left(event)}", file=people, flush=True)

    return shown
