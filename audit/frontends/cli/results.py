"""`audit render` and `audit compare`: stored results."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from audit.canary.result import AnyResult, read_result, restore_any
from audit.errors import InputError, visible
from audit.frontends import github
from audit.frontends.cli.flags import NameFlag, OutputFlags
from audit.frontends.cli.folding import whole
from audit.frontends.cli.invocation import Call
from audit.frontends.cli.output import (
    VIOLATION,
    check_writable,
    deliver,
    verdict_code,
    worst_of,
    write,
)
from audit.report import comparison
from audit.report.comparison import Change, kinds_of_leaks
from audit.report.restore import read_document


def render(
    result: Annotated[Path, Parameter(help="a result as --format json writes it", show=True)],
    /,
    *,
    named: NameFlag = NameFlag(),
    output: OutputFlags = OutputFlags(),
    invocation: Call,
) -> int:
    """Show a stored result again, with the exit code it had."""
    check_writable(output)
    found = read_result(result)
    name = named.given().get("name", found.mechanism)
    return deliver(replace(found, mechanism=name), output)


_RENDERERS = {
    "text": comparison.render_text,
    "json": comparison.render_json,
    "markdown": comparison.render_markdown,
}


def compare(
    old: Annotated[Path, Parameter(help="old results: a file, or a folder of reports")],
    new: Annotated[Path, Parameter(help="new results")],
    /,
    *,
    only_new: Annotated[
        bool, Parameter(negative="", help="only changes decide the exit code")
    ] = False,
    format: Annotated[
        Literal["text", "json", "markdown"], Parameter(help="format of the comparison")
    ] = "text",
    output: Annotated[
        str | None, Parameter(help="file for the comparison; standard output if none")
    ] = None,
    fail_on: Annotated[
        Literal["violation", "leak", "never"], Parameter(help="what makes the exit code 1")
    ] = "violation",
    invocation: Call,
) -> int:
    """Compare, deliver, and end with the exit code of the new results."""
    check_writable(OutputFlags(output=output))
    changes = comparison.compared(results_in(old), results_in(new))
    write(_RENDERERS[format](changes), output)
    github.summarize(comparison.render_markdown(changes), whole)
    return _code(changes, fail_on, only_new)


def results_in(path: Path) -> dict[str, AnyResult]:
    """The results of a file of one or a list, or of a folder, by the names of their targets.

    Raises:
        InputError: there is none, or a file cannot be read as what it says it is.
    """
    files = sorted(path.rglob("*.json")) if path.is_dir() else [path]
    documents = {file: read_document(file) for file in files}
    results = [
        restore_any(part, visible(str(file)))
        for file, document in documents.items()
        for part in (document if isinstance(document, list) else [document])
        if file == path or _is_result(part)
    ]
    if not results:
        raise InputError(
            f"{visible(str(path))} holds no result; give what --format json or --report wrote", path
        )
    return _named(results)


def _is_result(document: Any) -> bool:
    return isinstance(document, dict) and {"schema", "verdict"} <= document.keys()


def _named(results: Iterable[AnyResult]) -> dict[str, AnyResult]:
    """By name; those that share one are told apart by their claims, else by their places."""
    found: dict[str, AnyResult] = {}
    for result in results:
        names = [result.mechanism, f"{result.mechanism} at {result.claim}"]
        names += [f"{names[1]} ({number})" for number in range(2, len(found) + 3)]
        found[next(name for name in names if name not in found)] = result
    return found


def _code(changes: Iterable[Change], fail_on: str, only_new: bool) -> int:
    codes = set()
    for change in changes:
        if change.new is None:
            continue
        verdict = change.new_verdict if only_new else change.new.verdict
        leaks = change.new_leaks if only_new else kinds_of_leaks(change.new)
        if leaks and fail_on == "leak":
            codes.add(VIOLATION)
        if verdict is not None:
            codes.add(verdict_code(verdict, fail_on))
    return worst_of(codes)
