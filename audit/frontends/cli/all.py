"""`audit all`: every mechanism of the catalogue, as one table, with reports."""

from __future__ import annotations

import json
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
from audit.frontends.cli.flags import DATA, BudgetFlags, OutputFlags, helped
from audit.frontends.cli.folding import say, whole
from audit.frontends.cli.invocation import Call, Invocation
from audit.frontends.cli.listing import catalog, epsilon_in_words, in_groups
from audit.frontends.cli.output import (
    ERROR,
    INTERRUPTED,
    check_kind_of_many,
    check_writable,
    worst_code,
    write,
)
from audit.frontends.cli.progress import steps
from audit.frontends.cli.survey import Surveyed, Target, audited, given_to_all, surveyed, targets_in
from audit.report.formatting import aligned, at_least
from audit.report.index import Listed, check_index, render_index, write_index
from audit.report.sarif import render_many
from audit.report.write import file_name

REPORTS = "reports"
"""The folder of the reports where none is named."""


@helped
def command(
    *,
    group: Annotated[tuple[str, ...], Parameter(group=DATA, negative="", show_default=False)] = (),
    config: Annotated[Path | None, Parameter(group=DATA)] = None,
    search: Annotated[bool | None, Parameter(group=DATA)] = None,
    budget: BudgetFlags = BudgetFlags(),
    output: OutputFlags = OutputFlags(report=REPORTS),
    invocation: Call,
) -> int:
    """Audit all, write reports, print a summary.

    Args:
        group: only mechanisms under this heading of audit list; may be repeated.
        config: audit the targets in this file of TOML, or in the files of this folder, instead.
        search: whether to look beyond the pairs given.
        budget: of each audit.
        output: of all of them together.
        invocation: the command line.
    """
    folder = Path(output.report or REPORTS)
    check_kind_of_many(output)
    check_budget(budget)
    targets, entries = _chosen(group, config)
    check_writable(output, budget.store, budget.ledger)
    check_index(folder)
    if targets is None:
        audits = surveyed(list(entries), budget, search, folder)
    else:
        store = None if budget.store is None else Path(budget.store)
        audits = audited(targets, given_to_all(invocation), budget.workers, folder, store)
    noun = "mechanisms" if targets is None else "targets"
    found, interrupted = _told(audits, len(targets or entries), output, noun)
    if targets is None:
        github.show([one.result for one in found if one.result is not None], whole)
    reports, failed = _parted(found, entries)
    write_index(reports, folder, invocation.reproducing)
    write(_shown(reports, failed, output.format, invocation), output.output)
    return INTERRUPTED if interrupted else _code(reports, failed, output.fail_on)


def _chosen(group: tuple[str, ...], config: Path | None) -> tuple[list[Target] | None, Catalog]:
    """The targets of a configuration, or None and the mechanisms under these headings."""
    if config is None:
        return None, in_groups(catalog(), group)
    if group:
        raise InputError("--group is of the catalogue, --config is not; give one", group)
    return targets_in(config), {}


def _parted(found: Sequence[Surveyed], entries: Catalog) -> tuple[list[Listed], list[Surveyed]]:
    """Reports of the audits that have a result, and the audits that failed."""
    reports = [
        Listed(
            one.result,
            f"{file_name(one.result.mechanism)}.md",
            entries[one.name].truth if one.name in entries else None,
        )
        for one in found
        if one.result is not None
    ]
    return reports, [one for one in found if one.result is None]


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
    reports: Sequence[Listed], failed: Sequence[Surveyed], kind: str, invocation: Invocation
) -> str:
    if kind == "json":
        return json.dumps([one.result.to_json() for one in reports], indent=2) + "\n"
    if kind == "sarif":
        return render_many([one.result for one in reports])
    if kind == "markdown":
        # Outside of the folder links to its files would lead nowhere.
        return render_index([replace(one, file="") for one in reports], invocation.reproducing)
    return render_summary(reports, [one.name for one in failed])


_HEADS = ("mechanism", "claim", "verdict", "ε ≥", "true ε", "against the truth", "runs")
_FAILED = ("", "failed", *[""] * (len(_HEADS) - 3))


def _code(reports: Sequence[Listed], failed: Sequence[Surveyed], fail_on: str) -> int:
    """Errors before violations before inconclusive audits."""
    for one in failed:
        say(f"{one.name} could not be audited: {one.problem}")
    return ERROR if failed else worst_code([one.result for one in reports], fail_on)


def render_summary(listed: Sequence[Listed], failed: Sequence[str]) -> str:
    """One line for each mechanism, also if its audit failed, and how many came out which way."""
    known = any(entry.truth is not None for entry in listed)
    rows = [_HEADS, *map(_row, listed), *((name, *_FAILED) for name in failed)]
    rows = rows if known else [(*row[:4], row[-1]) for row in rows]
    verdicts = [e.outcome if known else str(e.result.verdict).replace("-", " ") for e in listed]
    outcomes = Counter([*verdicts, *["failed"] * len(failed)])
    told = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.most_common())
    runs, count = sum(entry.result.samples for entry in listed), len(listed) + len(failed)
    end = f"{count} mechanism{'s' * (count != 1)}, {runs:,} runs: {told}"
    return "\n".join([*aligned(rows), "", end]) + "\n"


def _row(entry: Listed) -> tuple[str, ...]:
    result, truth = entry.result, entry.truth
    return (
        result.mechanism,
        str(result.claim),
        str(result.verdict),
        at_least(result.epsilon_lower, 4),
        "" if truth is None or truth.epsilon is None else epsilon_in_words(truth.epsilon),
        entry.outcome,
        f"{result.samples:,}",
    )
