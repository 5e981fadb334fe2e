"""python -m mechanisms.external LIBRARY: audit a library, print the answers, write reports."""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Sequence
from pathlib import Path

from audit.declaration import Entry
from audit.engine.run import run
from audit.errors import AuditError, InputError
from audit.report.text import render_text
from audit.report.write import file_name, write_page
from audit.verdict.result import AuditResult, Verdict
from mechanisms.external import LIBRARIES, Library, library_named

_CODES = {Verdict.NOT_REFUTED: 0, Verdict.VIOLATION: 1, Verdict.INCONCLUSIVE: 3}


def main(arguments: Sequence[str] | None = None) -> int:
    """Audit, and return 0 when nothing was refuted, 1 when something was, 2 for bad input."""
    options = _options(arguments)
    warnings.simplefilter("ignore")
    try:
        codes = _audited(_chosen(options), options)
    except AuditError as error:
        print(error, file=sys.stderr)
        return 2
    return 1 if 1 in codes else max(codes, default=0)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m mechanisms.external", description=__doc__)
    parser.add_argument("library", choices=list(LIBRARIES))
    parser.add_argument("--entry", action="append", default=[], help="only this call (repeatable)")
    parser.add_argument(
        "--enumerated",
        action="store_true",
        help="the enumerated calls, except those that the folder of --report has",
    )
    parser.add_argument("--list", action="store_true", help="name the calls and stop")
    parser.add_argument("--line", action="store_true", help="one line also for calls named")
    parser.add_argument("--report", type=Path, help="folder for reports")
    parser.add_argument("--max-samples", type=int, default=20_000, help="runs for each call")
    parser.add_argument("--max-seconds", type=float, help="end each call after this time")
    parser.add_argument("--until", choices=("violation", "budget"), default="budget")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args(arguments)


def _chosen(options: argparse.Namespace) -> tuple[Entry, ...]:
    library = library_named(options.library)
    if options.entry:
        return _named(library, options.entry)
    chosen = _unfinished(library.enumerated(), options) if options.enumerated else library.entries()
    if options.list:
        print("\n".join(entry.name for entry in chosen))
        return ()
    return chosen


def _named(library: Library, names: Sequence[str]) -> tuple[Entry, ...]:
    """Entries by their names; a walk is made only if one of them is not written by hand."""
    found = {entry.name: entry for entry in library.entries()}
    if not found.keys() >= set(names):
        found |= {entry.name: entry for entry in library.enumerated()}
    unknown = [name for name in names if name not in found]
    if unknown:
        raise InputError(f"{unknown[0]!r} is not among {', '.join(found)}", unknown[0])
    return tuple(found[name] for name in names)


def _unfinished(entries: tuple[Entry, ...], options: argparse.Namespace) -> tuple[Entry, ...]:
    """Entries without a report, so that an interrupted walk continues."""
    if options.report is None:
        return entries
    folder = options.report / options.library
    return tuple(e for e in entries if not (folder / f"{file_name(e.name)}.json").exists())


def _audited(entries: Sequence[Entry], options: argparse.Namespace) -> list[int]:
    """Audit one after another; progress and time go to standard error."""
    codes = []
    for number, entry in enumerate(entries, start=1):
        started = time.monotonic()
        codes.append(_audit(entry, options))
        seconds = time.monotonic() - started
        print(f"{number} of {len(entries)}: {entry.name}, {seconds:.1f} s", file=sys.stderr)
    return codes


def _audit(entry: Entry, options: argparse.Namespace) -> int:
    result = run(
        entry,
        max_samples=options.max_samples,
        max_seconds=options.max_seconds,
        seed=options.seed,
        until=options.until,
        command=_command(entry, options),
    )
    whole = options.entry and not options.line
    print(render_text(result) if whole else _line(result), flush=True)
    if options.report is not None:
        write_page(result, options.report / options.library)
    return _CODES[result.verdict]


def _line(result: AuditResult) -> str:
    leaks = ", floating-point leak" if result.leaks else ""
    return f"{result.mechanism}: {result.verdict}, epsilon >= {result.epsilon_lower:.3g}{leaks}"


def _command(entry: Entry, options: argparse.Namespace) -> str:
    until = "" if options.until == "budget" else f" --until {options.until}"
    return (
        f"python -m mechanisms.external {options.library} --entry {entry.name} "
        f"--max-samples {options.max_samples}{until} --seed {options.seed}"
    )


if __name__ == "__main__":
    raise SystemExit(main())
