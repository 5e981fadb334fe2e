"""`audit all`: many mechanisms, whatever happens to one of them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import audit.frontends.cli.all as commands_all
import audit.frontends.cli.survey as survey
from audit.declaration import Entry
from audit.engine.run import run
from audit.frontends.cli.flags import BudgetFlags
from audit.frontends.cli.listing import catalog
from audit.frontends.cli.survey import Surveyed, command_for, surveyed
from audit.report.markdown import head_of
from tests.timeless import timeless

from .conftest import Audit

FEW = ("all", "--max-samples", "8000", "--seed", "1")
REPORTED = (*FEW, "--report", "reports")
WANTED = ("laplace", "report-noisy-max-released-value", "laplace-claimed-0.99")
KINDS = ("md", "json", "svg")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> dict[str, Entry]:
    """A catalogue of three: one right, one wrong, one out of reach."""
    entries = {name: catalog()[name] for name in WANTED}
    monkeypatch.setattr(commands_all, "catalog", lambda: entries)
    return entries


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_summary_reports_and_index(audit: Audit, here: Path) -> None:
    run = audit(*REPORTED)
    assert run.code == 1
    assert run.err == ""
    lines = run.out.splitlines()
    assert [line.split()[0] for line in lines[1:4]] == list(WANTED)
    assert "rightly not refuted" in lines[1]
    assert "caught" in lines[2]
    assert "out of reach" in lines[3]
    assert lines[-1].startswith("3 mechanisms, ")
    found = (path.relative_to(here / "reports") for path in (here / "reports").rglob("*.*"))
    assert {str(path) for path in found} == {
        "README.md",
        "bound-against-truth.svg",
        *(f"{name}.{kind}" for name in WANTED for kind in KINDS),
    }
    again = audit("compare", "reports", "reports")
    assert again.code == 1
    assert "3 targets: 1 still a violation, 3 unchanged" in again.out
    index = (here / "reports/README.md").read_text("utf-8")
    assert "audit all --max-samples 8000 --seed 1" in index
    assert all(f"| [{name}]({name}.md) |" in index for name in WANTED)


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_the_index_has_a_folder_by_default(audit: Audit, here: Path) -> None:
    found = audit(*FEW, "--format", "markdown")
    assert all(f"| {name} |" in found.out for name in WANTED)
    assert [path.name for path in here.iterdir()] == ["reports"]
    index = (here / "reports/README.md").read_text("utf-8")
    assert all(f"| [{name}]({name}.md) |" in index for name in WANTED)


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_each_report_names_a_command_of_its_own(audit: Audit, here: Path) -> None:
    audit(*FEW, "--report", "found")
    written = (here / "found" / "laplace.md").read_text(encoding="utf-8")
    command = head_of(written)["command"]
    assert command == "audit laplace --max-samples 8000 --seed 1"
    again = audit(*command.split()[1:], "--format", "markdown").out
    assert head_of(again) == head_of(written)


@pytest.mark.usefixtures("small")
def test_the_page_of_a_project_is_not_lost(audit: Audit, here: Path) -> None:
    (here / "README.md").write_text("# A project\n")
    found = audit(*FEW, "--report", ".")
    assert (found.code, found.out) == (2, "")
    assert "'README.md' is no index of audits, and would be lost" in found.err
    assert [path.name for path in here.iterdir()] == ["README.md"]


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_an_entry_that_fails_is_told_and_the_others_go_on(
    audit: Audit, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(entry: Entry, **arguments: object) -> object:
        if entry.name == "laplace":
            raise RuntimeError("no luck")
        return run(entry, **arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(survey, "run", failing)
    found = audit(*REPORTED)
    assert found.code == 2
    assert "audit: laplace could not be audited: internal error: RuntimeError: no luck" in found.err
    assert "1 failed" in found.out.splitlines()[-1]
    assert (here / "reports" / f"{WANTED[1]}.md").exists()


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_an_interrupted_survey_keeps_what_is_finished(
    audit: Audit, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def impatient(entry: Entry, **arguments: object) -> object:
        if entry.name == WANTED[1]:
            raise KeyboardInterrupt
        return run(entry, **arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(survey, "run", impatient)
    found = audit(*REPORTED)
    assert found.code == 130
    assert found.err == "audit: interrupted; 1 of 3 mechanisms were audited\n"
    assert found.out.splitlines()[-1].startswith("1 mechanism, ")
    assert WANTED[0] in (here / "reports" / "README.md").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.lives
@pytest.mark.usefixtures("here")
def test_the_number_of_workers_changes_nothing(audit: Audit) -> None:
    words = (
        "all",
        "--max-samples",
        "2000",
        "--group",
        "Wrong: local",
        "--no-search",
        "--format",
        "json",
    )
    one = audit(*words, "--report", "one")
    two = audit(*words, "--report", "two", "--workers", "2")
    assert two.err == one.err, two.err
    assert [timeless(json.dumps(result)) for result in json.loads(one.out)] == [
        timeless(json.dumps(result)) for result in json.loads(two.out)
    ]
    assert contents(Path("one")) == contents(Path("two"))


def test_no_more_processes_are_started_than_there_are_mechanisms(
    monkeypatch: pytest.MonkeyPatch, here: Path
) -> None:
    started: list[int] = []

    def noted(workers: int, _tasks: object) -> list[Surveyed]:
        started.append(workers)
        return []

    monkeypatch.setattr(survey, "in_parallel", noted)
    for workers in (2, 200):
        list(surveyed(WANTED, replace(BudgetFlags(), workers=workers), None, here))
    assert started == [2, len(WANTED)]


def contents(folder: Path) -> dict[str, Any]:
    """What each file of a folder holds, results without their times."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): _content(path) for path in files}


def _content(path: Path) -> Any:
    text = path.read_text("utf-8")
    if path.suffix == ".json":
        return timeless(text)
    return [line for line in text.splitlines() if not line.startswith("- Finished: ")]


@pytest.mark.slow
@pytest.mark.usefixtures("small", "here")
@pytest.mark.parametrize("kind", ["json", "markdown"])
def test_other_formats(audit: Audit, kind: str) -> None:
    run = audit(*FEW, "--format", kind, "--fail-on", "never")
    if kind == "json":
        assert [found["mechanism"] for found in json.loads(run.out)] == list(WANTED)
    else:
        assert all(f"| {name} |" in run.out for name in WANTED)


def test_commands_name_what_differs_from_the_defaults() -> None:
    budget = replace(BudgetFlags(), workers=3, alpha=0.05, null=True)
    assert command_for("laplace", budget, None) == "audit laplace --alpha 0.05 --null"
    assert command_for("laplace", BudgetFlags(), False) == "audit laplace --no-search"
