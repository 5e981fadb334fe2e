"""Audits of the catalogue, its table, and one report for each system."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from audit.errors import InputError
from audit.frontends.cli.flags import BudgetFlags
from audit.frontends.cli.survey import surveyed
from audit.report.index import Listed, render_index
from audit.report.write import write_page
from audit.verdict.result import AuditResult
from mechanisms import CATALOG

COMMAND = "python -m tests.reports"
_RUNS = re.compile(rf"{COMMAND} --max-samples (\d+)")
TABLE = "catalogue.md"
SYSTEMS: Mapping[str, str] = {
    "Noisy average": "noisy-average",
    "Report noisy max": "report-noisy-max-observed",
    "Primer": "primer-count-printed",
    "DP sum": "dp-sum-raw-moved-day",
    "InfTDA": "inf-tda-bounded-fewer",
}
"""The main flaw of each system, an entry of the catalogue."""


def command(budget: BudgetFlags) -> str:
    """The command that makes reports of this budget."""
    usual = BudgetFlags().max_samples
    return (
        COMMAND if budget.max_samples == usual else f"{COMMAND} --max-samples {budget.max_samples}"
    )


def stated_budget(table: str) -> BudgetFlags:
    """The budget that the table's command states."""
    found = _RUNS.search(table)
    return replace(BudgetFlags(), max_samples=int(found[1])) if found else BudgetFlags()


def audited(names: Sequence[str], budget: BudgetFlags) -> list[AuditResult]:
    """Results of these mechanisms, as `audit all` has them, with progress on standard output.

    Raises:
        InputError: an audit ended with an error.
    """
    found = []
    for number, one in enumerate(surveyed(names, budget, None), start=1):
        if one.result is None:
            raise InputError(f"{one.name} could not be audited: {one.problem}", one.name)
        print(f"{number} of {len(names)}: {one.name}, {one.result.verdict}", flush=True)
        found.append(one.result)
    return found


def lines(results: Sequence[AuditResult]) -> list[Listed]:
    """Lines of the table; those of systems link to their reports."""
    pages = {name: f"systems/{name}.md" for name in SYSTEMS.values()}
    return [
        Listed(result, pages.get(result.mechanism, ""), CATALOG[result.mechanism].truth)
        for result in results
    ]


def write_audits(results: Sequence[AuditResult], budget: BudgetFlags, folder: Path) -> None:
    """Write the table and the reports of systems.

    Args:
        results: results of the whole catalogue, or of a part of it.
        budget: budget of each audit.
        folder: folder of the reports.
    """
    for result in results:
        if result.mechanism in SYSTEMS.values():
            write_page(result, folder / "systems")
    (folder / TABLE).write_text(render_index(lines(results), command(budget)), "utf-8")


def rows(table: str) -> dict[str, str]:
    """Rows of the table by mechanism, as text.

    Args:
        table: text of `catalogue.md`.
    """
    _, _, body = table.partition("\n| mechanism |")
    found = [line for line in body.splitlines()[2:] if line.startswith("| ")]
    return {_name(line): line for line in found}


def _name(row: str) -> str:
    return row[2:].partition(" |")[0].partition("](")[0].removeprefix("[")
