"""Disagreements between the folder reports/ and the tool."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from audit import __version__
from audit.frontends.cli.flags import BudgetFlags
from audit.report.markdown import head_of
from mechanisms import CATALOG
from tests.reports.audits import SYSTEMS, TABLE, audited, rows, stated_budget, write_audits
from tests.reports.page import INDEX, outcomes
from tests.timeless import timeless

SAMPLE = 8


def sample(names: Sequence[str] = tuple(CATALOG)) -> list[str]:
    """Mechanisms to be audited again: a system, and others that change with the version."""
    first, *_ = SYSTEMS.values()
    others = [name for name in names if name not in SYSTEMS.values()]
    return [first, *random.Random(__version__).sample(others, min(SAMPLE, len(others)))]


def disagreements(
    folder: Path,
    chosen: Sequence[str],
    names: Sequence[str] = tuple(CATALOG),
) -> list[str]:
    """What the reports say and the tool does not, one line each; none if they agree.

    Args:
        folder: folder of the reports.
        chosen: mechanisms to be audited again.
        names: all mechanisms of the table, in their order.
    """
    if not (folder / TABLE).exists():
        return [f"{folder / TABLE} is missing"]
    table = _read(folder / TABLE)
    stated = rows(table)
    found = [*_versions(folder), *_missing(stated, names), *_counts(folder, stated)]
    return [*found, *(_repeated(folder, stated_budget(table), chosen) if chosen else ())]


def _versions(folder: Path) -> Iterator[str]:
    """Pages of another version."""
    for name, text in ((INDEX, f"Version {__version__},"), (TABLE, f", version {__version__}. ")):
        if text not in _read(folder / name):
            yield f"{name} is not of version {__version__}"
    for name in SYSTEMS.values():
        report = folder / "systems" / f"{name}.md"
        if report.exists() and head_of(_read(report)).get("version") != __version__:
            yield f"systems/{name}.md is not of version {__version__}"


def _missing(stated: dict[str, str], names: Sequence[str]) -> Iterator[str]:
    """Mechanisms without a row, rows without a mechanism, and another order."""
    yield from (f"{name} is not in {TABLE}" for name in names if name not in stated)
    yield from (f"{name} of {TABLE} is no mechanism" for name in stated if name not in names)
    if stated.keys() == set(names) and list(stated) != list(names):
        yield f"{TABLE} has another order than the catalogue"


def _counts(folder: Path, stated: dict[str, str]) -> Iterator[str]:
    """The table of outcomes, which must follow from the rows."""
    if outcomes(row.split(" | ")[-1].removesuffix(" |") for row in stated.values()) not in _read(
        folder / INDEX
    ):
        yield f"the outcomes of {INDEX} are not those of {TABLE}"


def _repeated(folder: Path, budget: BudgetFlags, chosen: Sequence[str]) -> Iterator[str]:
    """Rows and reports that differ when the audit is repeated."""
    with TemporaryDirectory() as place:
        again = Path(place)
        write_audits(audited(chosen, budget), budget, again)
        for path in sorted((again / "systems").glob("*.md")):
            if _content(folder / "systems" / path.name) != _content(path):
                yield f"systems/{path.name} differs from a repeated audit"
        made, stated = rows(_read(again / TABLE)), rows(_read(folder / TABLE))
    for name, row in made.items():
        if stated.get(name) != row:
            yield f"{TABLE} says {stated.get(name)}; a repeated audit says {row}"


def _content(report: Path) -> tuple[Any, ...]:
    """Front matter and result of a report, without its times."""
    stored = _read(report.with_suffix(".json"))
    return head_of(_read(report)), timeless(stored) if stored else None


def _read(path: Path) -> str:
    return path.read_text("utf-8") if path.exists() else ""
