"""python -m mechanisms.external LIBRARY: audit a library, print the answers, write reports."""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Sequence
from pathlib import Path

from audit.declaration import Entry
from audit.errors import AuditError, InputError
from audit.report.markdown import render_markdown
from audit.report.text import render_text
from audit.report.write import write_files
from audit.run_audit import run
from audit.verdict.result import AuditResult, Verdict
from mechanisms.external import LIBRARIES, library_named
from mechanisms.external.enumerated import enumerated, keep_line
from mechanisms.external.index import write_index
from mechanisms.external.results import keep, stored
from mechanisms.external.seconds import keep_seconds
from mechanisms.external.walks.steps import PREFIX

_CODES = {Verdict.NOT_REFUTED: 0, Verdict.VIOLATION: 1, Verdict.INCONCLUSIVE: 3}


def main(arguments: Sequence[str] | None = None) -> int:
    """Audit, and return 0 when nothing was refuted, 1 when something was, 2 for bad input."""
    options = _options(arguments)
    warnings.simplefilter("ignore")
    try:
        if options.library == "index":
            write_index(options.report or Path("reports/libraries"))
            return 0
        codes = _audited(_chosen(options), options)
    except AuditError as error:
        print(error, file=sys.stderr)
        return 2
    return 1 if 1 in codes else max(codes, default=0)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m mechanisms.external", description=__doc__)
    names = [*LIBRARIES, "index"]
    parser.add_argument("library", choices=names, help="or `index`: reports on them in one page")
    parser.add_argument("--entry", action="append", default=[], help="only this call (repeatable)")
    parser.add_argument(
        "--enumerated",
        action="store_true",
        help="the enumerated calls, but for those that the folder of --report has answered",
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
    written, walked = library.entries(), library.enumerated()
    found = {entry.name: entry for entry in (*written, *walked)}
    unknown = [name for name in options.entry if name not in found]
    if unknown:
        raise InputError(f"{unknown[0]!r} is not among {', '.join(found)}", unknown[0])
    if options.entry:
        return tuple(found[name] for name in options.entry)
    chosen = _unfinished(walked, options) if options.enumerated else written
    if options.list:
        print("\n".join(entry.name for entry in chosen))
        return ()
    return chosen


def _unfinished(entries: tuple[Entry, ...], options: argparse.Namespace) -> tuple[Entry, ...]:
    """An expedition that was interrupted goes on where it was."""
    if options.report is None:
        return entries
    folder = options.report / options.library
    found = (*stored(folder), *enumerated(folder))
    done = {one["mechanism"] for one in found if one["verdict"] != Verdict.INCONCLUSIVE}
    return tuple(entry for entry in entries if entry.name not in done)


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
        _write(result, options.report / options.library)
    return _CODES[result.verdict]


def _write(result: AuditResult, folder: Path) -> None:
    """The report and its numbers; a hundred figures would tell no more than their tables.

    Names of calls are those of files. Of enumerated calls only the refuted ones have a report,
    the others a line.
    """
    numbers = result.to_json()
    keep_seconds(folder, result.mechanism, numbers["seconds"])
    enumerates = f"-{PREFIX}" in result.mechanism
    if enumerates:
        keep_line(folder, numbers)
    if not enumerates or result.verdict is Verdict.VIOLATION:
        page = render_markdown(result).encode("utf-8")
        write_files(folder, {f"{result.mechanism}.md": page})
        keep(folder, numbers)


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
