"""Make the folder reports/, or check a sample of it.

python -m tests.reports --workers 2
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from audit.frontends.cli.flags import BudgetFlags
from audit.report.index import write_bounds
from mechanisms import CATALOG
from tests.reports.audits import audited, lines, write_audits
from tests.reports.check import disagreements, sample
from tests.reports.page import INDEX, page

ROOT = Path(__file__).parents[2]
STUDIES = (
    "tests.calibration.study",
    "tests.calibration.profiles",
    "tests.canaries.study",
    "tests.diagnosis.study",
    "tests.benchmarks.study",
)
"""Modules that write the pages of studies/, with the numbers of rounds that they state."""


def make(folder: Path, names: Sequence[str], budget: BudgetFlags) -> None:
    """Audit mechanisms, write their table, the reports of systems, the figure and the index."""
    results = audited(names, budget)
    folder.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(folder / "systems", ignore_errors=True)
    write_audits(results, budget, folder)
    found = lines(results)
    figures = write_bounds(found, folder)
    text = page(found, budget, folder, figures[0].name if figures else "")
    (folder / INDEX).write_text(text, "utf-8")


def _name(text: str) -> str:
    if text not in CATALOG:
        raise argparse.ArgumentTypeError(f"{text!r} is no mechanism; `audit list` names them")
    return text


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the reports, or check them; 1 if the check finds a disagreement."""
    parser = argparse.ArgumentParser(prog="python -m tests.reports", description=__doc__)
    parser.add_argument("--max-samples", type=int, default=BudgetFlags().max_samples)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--store", help="folder of finished runs, to continue after a stop")
    parser.add_argument("--only", action="append", type=_name, help="this mechanism (repeatable)")
    parser.add_argument("--studies", action="store_true", help="make the studies first: hours")
    parser.add_argument("--check", action="store_true", help="repeat a sample, write nothing")
    parser.add_argument("--folder", type=Path, default=ROOT / "reports")
    options = parser.parse_args(arguments)
    if options.check:
        found = disagreements(options.folder, options.only or sample())
        print("\n".join(found) or "the reports agree with the tool")
        return 1 if found else 0
    for module in STUDIES if options.studies else ():
        subprocess.run([sys.executable, "-m", module], cwd=ROOT, check=True)
    budget = replace(
        BudgetFlags(),
        max_samples=options.max_samples,
        workers=options.workers,
        store=options.store,
    )
    make(options.folder, options.only or list(CATALOG), budget)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
