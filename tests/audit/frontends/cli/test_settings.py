"""Settings of a project on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from audit.frontends.cli.flags import BudgetFlags, ClaimFlags, DataFlags, NameFlag, OutputFlags
from audit.frontends.cli.main import main
from audit.frontends.project import FLAGS

_BOX = """
def noisy_sum(data, rng, size):
    return data.sum() + rng.laplace(0.0, 1.0, size)
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in whose folder below commands are run."""
    (tmp_path / "release.py").write_text(_BOX, "utf-8")
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    return tmp_path


def _set(project: Path, *lines: str) -> None:
    (project / "pyproject.toml").write_text("\n".join(["[tool.audit]", *lines]), "utf-8")


def _audited(capsys: pytest.CaptureFixture[str], *flags: str) -> dict[str, Any]:
    main(["python", "../release.py:noisy_sum", "--format", "json", *flags])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_every_shared_flag_may_stand_in_the_table() -> None:
    groups = (ClaimFlags, DataFlags, BudgetFlags, NameFlag, OutputFlags)
    names = [field.replace("_", "-") for group in groups for field in group.__dataclass_fields__]
    assert sorted(FLAGS) == sorted(names)


@pytest.mark.slow
def test_settings_are_defaults_that_flags_override(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _set(
        project,
        "epsilon = 2.0",
        "data = [1.0]",
        "neighbor = [[]]",
        "max-samples = 3000",
        "seed = 4",
        "search = false",
        'name = "sum"',
        "null = false",
    )
    found = _audited(capsys)
    assert found["claim"]["epsilon"] == 2.0
    assert (found["seed"], found["mechanism"]) == (4, "sum")
    assert found["samples"] <= 3000
    again = _audited(capsys, "--seed", "9", "--epsilon=1.5")
    assert (again["seed"], again["claim"]["epsilon"]) == (9, 1.5)


@pytest.mark.slow
def test_assumptions_may_stand_in_a_list(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = ["epsilon = 2.0", "data = [1.0]", "neighbor = [[]]", "max-samples = 2000"]
    _set(project, *table, 'assume = ["independent-calls"]')
    found = _audited(capsys)
    assert found["assumptions"] == ["independent-calls"]
    assert found["command"].endswith("--assume independent-calls")
    _set(project, *table, 'assume = ["independence"]')
    assert main(["python", "../release.py:noisy_sum"]) == 2
    assert "independence" in capsys.readouterr().err


@pytest.mark.slow
def test_another_claim_on_the_command_line_is_the_whole_claim(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _set(
        project,
        "epsilon = 2.0",
        "delta = 1e-6",
        "data = [1.0]",
        "neighbor = [[]]",
        "max-samples = 2000",
    )
    assert _audited(capsys, "--rho", "0.5")["claim"] == {"kind": "zcdp", "rho": 0.5}


@pytest.mark.slow
def test_the_command_of_a_result_repeats_it_without_the_settings(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _set(project, "epsilon = 2.0", "data = [1.0]", "neighbor = [[]]", "max-samples = 2000")
    found = _audited(capsys)
    assert found["command"].endswith(
        "--epsilon 2.0 --data '[1.0]' --neighbor '[]' --max-samples 2000"
    )
    (project / "pyproject.toml").unlink()
    assert (
        _audited(
            capsys,
            "--epsilon",
            "2.0",
            "--data",
            "[1.0]",
            "--neighbor",
            "[]",
            "--max-samples",
            "2000",
        )["epsilon_lower"]
        == found["epsilon_lower"]
    )


def test_flags_that_a_command_does_not_have_are_left_out(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _set(project, "epsilon = 2.0", "max-samples-per-example = 7")
    assert main(["list"]) == 0
    assert main(["python", "--help"]) == 0


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("max-sample = 3", "has an unknown key 'max-sample'; did you mean max-samples?"),
        ("epsilon = [1, 2]", "[tool.audit]: epsilon [1, 2] is no value of --epsilon"),
        ("alpha = true", "[tool.audit]: alpha = true is none; write its value, as --help"),
        ('special = "yes"', '[tool.audit]: special = "yes" is none; write true or false'),
        ('search = "x"', '[tool.audit]: search = "x" is none; write true or false'),
        ('epsilon = "abc"', 'is not a number; write for example --epsilon 0.5; epsilon = "abc" '),
        ("epsilon = -1", "up to 300; epsilon = -1 stands in "),
        ("max-samples = -1", "give for example 10000; max-samples = -1 stands in "),
        ("workers = 1000", "workers = 1000 stands in "),
        ("timeout = inf", "give for example 10; timeout = inf stands in "),
    ],
)
def test_bad_settings_are_one_line(
    project: Path, capsys: pytest.CaptureFixture[str], line: str, complaint: str
) -> None:
    _set(project, line)
    assert main(["python", "../release.py:noisy_sum"]) == 2
    said = capsys.readouterr().err
    assert complaint in said
    assert f"{project / 'pyproject.toml'}: [tool.audit]" in said
    assert said.count("\n") == 1


def test_settings_are_not_blamed_for_what_the_command_line_says(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _set(project, "max-samples = -1", "epsilon = 1", "seed = 5")
    assert main(["python", "../release.py:noisy_sum", "--max-samples", "0"]) == 2
    assert "stands in" not in capsys.readouterr().err
