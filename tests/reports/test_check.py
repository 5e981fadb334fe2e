"""Reports of a small catalogue: the check accepts them, and finds every change."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from audit.frontends.cli.flags import BudgetFlags
from tests.reports.__main__ import main, make
from tests.reports.audits import TABLE, rows
from tests.reports.check import disagreements, sample
from tests.reports.page import INDEX

pytestmark = pytest.mark.lives

NAMES = ("noisy-average", "laplace", "randomized-response-true-lies")
BUDGET = replace(BudgetFlags(), max_samples=8_000)
PAGE = "systems/noisy-average.md"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Reports as the command makes them."""
    folder = tmp_path_factory.mktemp("made") / "reports"
    make(folder, NAMES, BUDGET)
    return folder


@pytest.fixture
def reports(made: Path, tmp_path: Path) -> Path:
    """A copy of them that a test may change."""
    return Path(shutil.copytree(made, tmp_path / "reports"))


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


@pytest.mark.slow
def test_reports_agree_with_the_tool_that_made_them(made: Path) -> None:
    assert disagreements(made, NAMES, NAMES) == []


@pytest.mark.slow
def test_the_folder_holds_an_index_a_table_a_figure_and_the_systems(made: Path) -> None:
    files = {str(path.relative_to(made)) for path in made.rglob("*.*")}
    system = {f"systems/noisy-average.{kind}" for kind in ("md", "json", "svg")}
    assert files == {INDEX, TABLE, "bound-against-truth.svg", *system}
    assert list(rows((made / TABLE).read_text("utf-8"))) == list(NAMES)


def runs(folder: Path) -> str:
    """The runs of the second mechanism, as its row states them."""
    return rows((folder / TABLE).read_text("utf-8"))["laplace"].split(" | ")[5]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wrong", "again", "found"),
    [
        (
            lambda f: change(f / TABLE, f"| {runs(f)} |", "| 1 |"),
            "laplace",
            "a repeated audit says | laplace",
        ),
        (lambda f: change(f / PAGE, "seed: 0", "seed: 1"), NAMES[0], f"{PAGE} differs"),
        (
            lambda f: change(f / PAGE.replace(".md", ".json"), '"seed": 0', '"seed": 1'),
            NAMES[0],
            f"{PAGE} differs",
        ),
        (lambda f: change(f / PAGE, 'version: "', 'version: "0'), "", f"{PAGE} is not of version"),
        (lambda f: change(f / INDEX, "Version ", "Version 0"), "", f"{INDEX} is not of version"),
        (lambda f: change(f / TABLE, "version ", "version 0"), "", f"{TABLE} is not of version"),
        (lambda f: change(f / TABLE, "| laplace |", "| other |"), "", "laplace is not in"),
        (lambda f: change(f / TABLE, "| laplace |", "| other |"), "", "other of catalogue.md is"),
        (lambda f: change(f / INDEX, "| caught | 2 |", "| caught | 3 |"), "", "the outcomes of"),
        (lambda f: (f / TABLE).unlink(), "", "is missing"),
    ],
)
def test_a_report_that_disagrees_is_found(
    reports: Path, wrong: Callable[[Path], None], again: str, found: str
) -> None:
    wrong(reports)
    lines = disagreements(reports, [again] if again else [], NAMES)
    assert [line for line in lines if found in line] != []


@pytest.mark.slow
def test_another_order_is_found(reports: Path) -> None:
    swapped = (NAMES[1], NAMES[0], NAMES[2])
    assert f"{TABLE} has another order than the catalogue" in disagreements(reports, [], swapped)


def test_the_command_ends_with_1_if_the_check_finds_a_disagreement(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--check", "--folder", str(tmp_path)]) == 1
    assert capsys.readouterr().out == f"{tmp_path / TABLE} is missing\n"


def test_an_unknown_mechanism_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--only", "laplacian"])
    assert ended.value.code == 2
    assert "'laplacian' is no mechanism; `audit list` names them" in capsys.readouterr().err


def test_a_sample_has_a_system_and_others() -> None:
    assert sample()[0] == "noisy-average"
    assert len(set(sample())) == len(sample()) == 9
    assert sample() == sample()
