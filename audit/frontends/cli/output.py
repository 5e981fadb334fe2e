"""Output of a result: its flags, text, files and exit code."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TextIO

from audit.canary.result import AnyResult
from audit.errors import InputError, reason_of
from audit.frontends.cli.flags import OutputFlags
from audit.frontends.cli.folding import abandon_stdout, say
from audit.verdict import renderers
from audit.verdict.result import AuditResult, Verdict

NOT_REFUTED, VIOLATION, ERROR, INCONCLUSIVE, INTERRUPTED = 0, 1, 2, 3, 130


def deliver(result: AnyResult, flags: OutputFlags) -> int:
    """Write the result where it is wanted; return the exit code.

    Raises:
        InputError: a file cannot be written, or the format shows no results of this kind.
    """
    check_shows(getattr(result, "family", ""), flags.format)
    options = {"detail": flags.detail} if flags.format == "text" else {}
    text = renderers.render(result, flags.format, **options)
    write(text, flags.output, colors=flags.format == "text")
    if flags.report is not None:
        _report(result, flags.report)
    return exit_code(result, flags.fail_on)


def _report(result: AnyResult, folder: str) -> None:
    from audit.report.write import file_name, write_report

    files, usual = write_report(result, folder), f"{file_name(result.mechanism)}.md"
    another = isinstance(result, AuditResult) and files[0].name != usual
    say(f"report in {files[0]}{f'; {usual} there is of another audit' * another}")


def check_shows(family: str, name: str) -> None:
    """Refuse a format that shows no results of this family, with an `InputError`."""
    if name not in renderers.formats(family):
        raise InputError(
            f"--format {name} shows nothing of {family}; give text, json, markdown or html", name
        )


def check_kind_of_many(flags: OutputFlags) -> None:
    """Refuse a format that shows one audit alone, with an `InputError`."""
    if flags.format == "html":
        raise InputError(
            "--format html shows one audit, and here are many; give text, json or markdown",
            flags.format,
        )


def write(text: str, path: str | None, *, colors: bool = False) -> None:
    """Text to a file, or to standard output; an answer in color if that is a terminal.

    Raises:
        InputError: the file cannot be written.
    """
    if path is None:
        _print(colored(text) if colors and shows_color(sys.stdout) else text)
        return
    try:
        Path(path).write_bytes(text.encode("utf-8", "backslashreplace"))
    # ValueError: a name that no file can have.
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or reason_of(error)
        raise InputError(
            f"--output {path!r} cannot be written: {reason}; name another file", path
        ) from None


def _print(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        abandon_stdout()
        raise _unwritable(error.strerror or reason_of(error)) from None
    except AttributeError:
        raise _unwritable("it is closed") from None


def _unwritable(why: str) -> InputError:
    return InputError(f"standard output cannot be written: {why}; write to a file with --output")


def check_writable(flags: OutputFlags, store: str | None = None, ledger: str | None = None) -> None:
    """Refuse places of results, batches and audits that cannot be written to, before any work."""
    _ = flags.detail  # refuses flags that exclude each other
    if flags.output is not None and not _could_be_file(Path(flags.output)):
        raise InputError(
            f"--output {flags.output!r} cannot be written; name a file in a folder that exists "
            "and can be written to",
            flags.output,
        )
    if flags.report is not None and not (flags.report and _could_be_folder(Path(flags.report))):
        raise InputError(
            f"--report {flags.report!r} cannot be made a folder, or written to; name another one",
            flags.report,
        )
    _check_apart(output=flags.output, report=flags.report, store=store, ledger=ledger)


def _check_apart(**places: str | None) -> None:
    """Refuse two flags that name the same place, however they spell it."""
    taken: dict[str, str] = {}
    for flag, place in places.items():
        other = flag if place is None else taken.setdefault(os.path.abspath(place), flag)
        if other != flag:
            raise InputError(
                f"--{other} and --{flag} both name {place!r}; give each a name of its own", place
            )


def _can_be_named(path: Path) -> bool:
    try:
        path.lstat()
    except FileNotFoundError:
        return True
    except (OSError, ValueError):
        return False
    return True


def _could_be_file(path: Path) -> bool:
    if not _can_be_named(path) or path.is_dir() or not path.parent.is_dir():
        return False
    return os.access(path if path.exists() else path.parent, os.W_OK)


def _could_be_folder(path: Path) -> bool:
    if not _can_be_named(path):
        return False
    existing = next(p for p in (path.absolute(), *path.absolute().parents) if p.exists())
    return existing.is_dir() and os.access(existing, os.W_OK)


def exit_code(result: AnyResult, fail_on: str) -> int:
    """0 not refuted, 1 what `fail_on` names, 3 inconclusive."""
    if getattr(result, "leaks", ()) and fail_on == "leak":
        return VIOLATION
    return verdict_code(result.verdict, fail_on)


def verdict_code(verdict: Verdict, fail_on: str) -> int:
    """The exit code of a verdict, for results without leaks."""
    if verdict is Verdict.VIOLATION and fail_on != "never":
        return VIOLATION
    return INCONCLUSIVE if verdict is Verdict.INCONCLUSIVE else NOT_REFUTED


def worst_code(results: Iterable[AuditResult], fail_on: str) -> int:
    """The exit code of several audits."""
    return worst_of({exit_code(result, fail_on) for result in results})


def worst_of(codes: Collection[int]) -> int:
    """The exit code of several: violations before inconclusive ones."""
    return next((code for code in (VIOLATION, INCONCLUSIVE) if code in codes), NOT_REFUTED)


_STYLES = {
    r"(?m)^FAIL\b": "bold red",
    r"(?m)^NOT REFUTED\b": "bold green",
    r"(?m)^INCONCLUSIVE\b": "bold yellow",
    r"(?m)^(Smallest c|C)ounterexample\b": "bold",
    r"(?m)^(Worst pair found|Likely cause|To fix|What to do|Reproduce):": "bold",
    r"(?m)^[A-Z][A-Za-z ]+(?=:)": "bold",
    r"(?m)^(Tried|Evidence|Tested|Notes|Limits|Reproduction|Tables)$": "bold",
    r"█+": "cyan",
    r"│": "red",
    r"[ερμ] ≥ [\d.,e+-]+": "bold",
    r"(?m)^.*Details: .*$": "dim",
}
"""By pattern; later ones add to earlier ones."""


def shows_color(stream: TextIO) -> bool:
    """True if a stream is a terminal whose user has not asked for plain text."""
    plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM", "") in ("dumb", "unknown")
    return stream.isatty() and not plain


def colored(text: str) -> str:
    """An answer with the codes that color it."""
    from rich.console import Console
    from rich.text import Text

    shown = Text(text)
    for pattern, style in _STYLES.items():
        shown.highlight_regex(pattern, style)
    lines = io.StringIO()
    console = Console(file=lines, force_terminal=True, no_color=False)
    console.print(shown, end="", soft_wrap=True)
    return lines.getvalue()
