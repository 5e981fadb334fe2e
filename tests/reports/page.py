"""The index reports/README.md: outcomes, systems, studies, and findings in libraries."""

from __future__ import annotations

import os
import platform
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from audit.frontends.cli.flags import BudgetFlags
from audit.report.formatting import at_least
from audit.report.index import OUTCOMES, Listed
from mechanisms import CATALOG
from mechanisms.external import LIBRARIES
from tests.reports.audits import COMMAND, SYSTEMS, TABLE, command
from tests.reports.causes import Kind, read_causes

INDEX = "README.md"


def page(audits: Sequence[Listed], budget: BudgetFlags, folder: Path, figure: str) -> str:
    """The index as Markdown.

    Args:
        audits: lines of the table.
        budget: budget of each audit.
        folder: folder of the reports, with its studies and libraries.
        figure: file of the figure of bounds against truths; empty for none.
    """
    parts = [
        f"# Reports\n\n{_head(audits, command(budget))}",
        f"[{len(audits)} of {len(CATALOG)} mechanisms]({TABLE}) with known truth:",
        outcomes(entry.outcome for entry in audits),
        *([f"![Lower bound on ε of each audit against the true ε]({figure})"] if figure else []),
        "## Five systems\n\nThe main flaw of each:",
        _systems(audits),
        f"## Studies\n\n{_studies(folder / 'studies')}",
        _libraries(folder / "libraries"),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def outcomes(found: Iterable[str]) -> str:
    """The table of outcomes."""
    counts = Counter(found)
    body = [[name, str(counts[name]), text] for name, text in OUTCOMES.items() if counts[name]]
    return _table(("outcome", "mechanisms", "meaning"), body)


def _head(audits: Sequence[Listed], made_by: str) -> str:
    versions = ", ".join(sorted({entry.result.version for entry in audits}))
    machine = f"{os.cpu_count()} cores, Python {platform.python_version()}, {platform.system()}"
    return (
        f"Version {versions}, {datetime.now(UTC):%Y-%m-%d}, {machine}. Made by `{made_by}`; "
        f"`{COMMAND} --check` repeats a sample."
    )


def _systems(audits: Sequence[Listed]) -> str:
    found = {entry.result.mechanism: entry.result for entry in audits}
    body = [
        [
            f"[{system}](systems/{name}.md)",
            CATALOG[name].summary,
            str(found[name].claim),
            f"{found[name].verdict}, ε ≥ {at_least(found[name].epsilon_lower)}",
        ]
        for system, name in SYSTEMS.items()
        if name in found
    ]
    return _table(("system", "mechanism", "claim", "answer"), body)


def _studies(folder: Path) -> str:
    """Links to the pages of studies, by their headings."""
    titles = {path.name: path.read_text("utf-8").partition("\n")[0] for path in _pages(folder)}
    return "\n".join(f"- [{title[2:]}](studies/{name})" for name, title in titles.items())


def _pages(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.md"))


def _libraries(folder: Path) -> str:
    """Numbers of causes by library; empty if the folder has no findings."""
    causes = read_causes(folder)
    if not causes:
        return ""
    counts = Counter((cause.library, cause.kind) for cause in causes)
    body = [
        [library.requirement, *(str(counts[name, kind]) for kind in Kind)]
        for name, library in LIBRARIES.items()
    ]
    names = ("library", "broken promises", "small print", "floating point")
    return (
        "## Libraries\n\n[Findings](libraries/findings.md), with a draft of a report for each "
        "broken promise; [reproduce.sh](libraries/reproduce.sh) repeats them in fresh "
        f"environments.\n\n{_table(names, body)}"
    )


def _table(names: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    rows = [names, [":--"] * len(names), *body]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)
