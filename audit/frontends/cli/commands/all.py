"""`audit all`: every mechanism of the catalogue, as one table, with reports."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from audit.declaration import Catalog
from audit.errors import InputError
from audit.frontends import github
from audit.frontends.cli.carrying_out import check_budget
from audit.frontends.cli.catalogs import catalog, in_groups
from audit.frontends.cli.flags import DATA, BudgetFlags
from audit.frontends.cli.folding import say, whole
from audit.frontends.cli.invocation import Invocation
from audit.frontends.cli.output import (
    ERROR,
    INTERRUPTED,
    OutputFlags,
    check_kind_of_many,
    check_writable,
    worst_code,
    write,
)
from audit.frontends.cli.progress import steps
from audit.frontends.cli.survey import Surveyed, audited, given_to_all, surveyed
from audit.frontends.cli.targets import Target, targets_in
from audit.report.formatting import at_least
from audit.report.index import Listed, check_index, listed, render_index, write_index
from audit.report.sarif import render_many
from audit.report.tables import aligned
from audit.report.write import file_name
from audit.verdict.result import AuditResult

REPORTS = "reports"
"""The folder of the reports where none is named."""


def command(
    *,
    group: Annotated[
        tuple[str, ...],
        Parameter(
            group=DATA,
            negative="",
            show_default=False,
            help="only mechanisms under this heading of audit list; may be repeated",
        ),
    ] = (),
    config: Annotated[
        Path | None,
        Parameter(
            group=DATA,
            help="audit the targets in this file of TOML, or in the files of this folder, instead",
        ),
    ] = None,
    search: Annotated[
        bool | None,
        Parameter(group=DATA, help="whether to look beyond the pairs given"),
    ] = None,
    budget: BudgetFlags = BudgetFlags(),
    output: OutputFlags = OutputFlags(report=REPORTS),
    invocation: Annotated[Invocation, Parameter(parse=False)],
) -> int:
    """Audit all, write reports, print a summary."""
    folder = Path(output.report or REPORTS)
    check_kind_of_many(output)
    check_budget(budget)
    if config is not None and group:
        raise InputError("--group is of the catalogue, --config is not; give one", group)
    targets = None if config is None else targets_in(config)
    entries = in_groups(catalog(), group) if targets is None else {}
    check_writable(output, budget.store, budget.ledger)
    check_index(folder)
    if targets is not None:
        return _of_config(targets, budget, output, invocation, folder)
    return _of_catalog(entries, search, budget, output, invocation, folder)


def _of_catalog(
    entries: Catalog,
    search: bool | None,
    budget: BudgetFlags,
    output: OutputFlags,
    invocation: Invocation,
    folder: Path,
) -> int:
    audits = surveyed(list(entries), budget, search, folder)
    found, interrupted = _told(audits, len(entries), output, "mechanisms")
    by_name = {one.name: one.result for one in found if one.result is not None}
    results, failed = list(by_name.values()), [one for one in found if one.result is None]
    github.show(results, whole)
    reports = [
        listed(result, f"{file_name(result.mechanism)}.md", entries[name].truth)
        for name, result in by_name.items()
    ]
    write_index(reports, folder, invocation.reproducing)
    write(_shown(results, reports, failed, output.format, invocation), output.output)
    return INTERRUPTED if interrupted else _code(results, failed, output.fail_on)


def _of_config(
    targets: Sequence[Target],
    budget: BudgetFlags,
    output: OutputFlags,
    invocation: Invocation,
    folder: Path,
) -> int:
    """The same for targets of one's own."""
    store = None if budget.store is None else Path(budget.store)
    audits = audited(targets, given_to_all(invocation), budget.workers, folder, store)
    found, interrupted = _told(audits, len(targets), output, "targets")
    results = [one.result for one in found if one.result is not None]
    failed = [one for one in found if one.result is None]
    reports = [listed(result, f"{file_name(result.mechanism)}.md") for result in results]
    write_index(reports, folder, invocation.reproducing)
    write(_shown(results, reports, failed, output.format, invocation), output.output)
    return INTERRUPTED if interrupted else _code(results, failed, output.fail_on)


def _told(
    audits: Iterator[Surveyed], number: int, output: OutputFlags, noun: str
) -> tuple[list[Surveyed], bool]:
    """Results of the audits so far, and whether somebody interrupted them."""
    found: list[Surveyed] = []
    try:
        with steps(output.progress, number) as tell:
            for one in audits:
                found.append(one)
                tell(one.name)
    except KeyboardInterrupt:
        say(f"interrupted; {len(found)} of {number} {noun} were audited")
        return found, True
    return found, False


def _shown(
    results: Sequence[AuditResult],
    reports: Sequence[Listed],
    failed: Sequence[Surveyed],
    kind: str,
    invocation: Invocation,
) -> str:
    if kind == "json":
        return json.dumps([result.to_json() for result in results], indent=2) + "\n"
    if kind == "sarif":
        return render_many(results)
    if kind == "markdown":
        # Outside of the folder links to its files would lead nowhere.
        return render_index([replace(one, file="") for one in reports], invocation.reproducing)
    return render_summary(reports, [one.name for one in failed])


def _code(results: Sequence[AuditResult], failed: Sequence[Surveyed], fail_on: str) -> int:
    """Errors before violations before inconclusive audits."""
    for one in failed:
        say(f"{one.name} could not be audited: {one.problem}")
    return ERROR if failed else worst_code(results, fail_on)


_HEADS = ("mechanism", "claim", "verdict", "ε ≥", "true ε", "against the truth", "runs")


def render_summary(listed: Sequence[Listed], failed: Sequence[str]) -> str:
    """One line for each mechanism, and how many came out which way.

    Args:
        listed: results beside what is known.
        failed: names of mechanisms whose audit ended with an error.
    """
    known = any(entry.truth is not None for entry in listed)
    rows = [_HEADS, *map(_row, listed), *((name, *_failed()) for name in failed)]
    rows = rows if known else [(*row[:4], row[-1]) for row in rows]
    outcomes = Counter(entry.outcome if known else _said(entry) for entry in listed)
    if failed:
        outcomes["failed"] = len(failed)
    told = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.most_common())
    runs = sum(entry.samples for entry in listed)
    count = len(listed) + len(failed)
    end = f"{count} mechanism{'s' * (count != 1)}, {runs:,} runs: {told}"
    return "\n".join([*aligned(rows), "", end]) + "\n"


def _said(entry: Listed) -> str:
    return str(entry.verdict).replace("-", " ")


def _row(entry: Listed) -> tuple[str, ...]:
    truth = entry.truth
    return (
        entry.mechanism,
        entry.claim,
        str(entry.verdict),
        at_least(entry.epsilon_lower, 4),
        "" if truth is None or truth.epsilon is None else _number(truth.epsilon),
        entry.outcome,
        f"{entry.samples:,}",
    )


def _failed() -> tuple[str, ...]:
    return ("", "failed", *[""] * (len(_HEADS) - 3))


def _number(value: float) -> str:
    return "∞" if math.isinf(value) else f"{value:.4g}"
