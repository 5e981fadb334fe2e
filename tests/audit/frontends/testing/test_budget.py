"""Where the budget of a test comes from."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.errors import InputError
from audit.frontends.testing.budget import Budget, budget_in, checked, number_for


def _file(folder: Path, text: str) -> Path:
    path = folder / "pyproject.toml"
    path.write_text(text, "utf-8")
    return path


def test_a_thousand_tests_stay_quiet() -> None:
    assert 1000 * Budget().alpha <= 0.001


def test_a_project_without_settings_has_the_usual_budget(tmp_path: Path) -> None:
    assert budget_in(tmp_path / "pyproject.toml") == Budget()
    assert budget_in(_file(tmp_path, "[tool.other]\nalpha = 5\n")) == Budget()


def test_every_setting_can_be_set(tmp_path: Path) -> None:
    text = """
    [tool.audit]
    alpha = 0.01
    max-samples = 7
    max-samples-per-example = 6
    seed = 5
    timeout = 4
    max-seconds = 2.5
    """
    expected = Budget(
        alpha=0.01,
        max_samples=7,
        max_samples_per_example=6,
        seed=5,
        timeout=4,
        max_seconds=2.5,
    )
    assert budget_in(_file(tmp_path, text)) == expected


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        ("[tool.audit]\nmax-sample = 3", "unknown key 'max-sample'; did you mean max-samples?"),
        ("[tool.audit]\nmax_samples = 3", "unknown key 'max_samples'; did you mean max-samples?"),
        ("[tool.audit]\nzebra = 3", "unknown key 'zebra'; there are alpha, assume, bins, "),
        ("[tool.audit]\nalpha = 1", "alpha 1 is not a number between 0 and 1"),
        ("[tool.audit]\nalpha = nan", "alpha nan is not a number between 0 and 1"),
        ("[tool.audit]\nmax-samples = 1.5", "max-samples 1.5 is not a whole number from 1"),
        ("[tool.audit]\nseed = true", "seed True is not a whole number of at least 0"),
        ("[tool.audit]\ntimeout = 0", "timeout 0 is not a number of seconds above 0"),
        ("[tool.audit]\nmax-seconds = 0", "max-seconds 0 is not a number of seconds above 0"),
        ("[tool]\naudit = 3", "tool.audit is 3, not a table; write [tool.audit]"),
        ("[tool", "cannot be read as TOML"),
    ],
)
def test_bad_settings_are_one_clear_line(tmp_path: Path, table: str, complaint: str) -> None:
    path = _file(tmp_path, table)
    with pytest.raises(InputError) as error:
        budget_in(path)
    assert complaint in str(error.value)
    assert str(error.value).startswith(str(path))
    assert "\n" not in str(error.value)


def test_numbers_of_the_command_line() -> None:
    assert number_for("max_samples")("20_000") == 20_000
    assert number_for("alpha")("1e-9") == 1e-9
    assert number_for("seed")("0") == 0
    for name, text in [("max_samples", "2.5"), ("alpha", "0"), ("seed", "-1"), ("alpha", "x")]:
        with pytest.raises(InputError, match=f"'{text}' is not a "):
            number_for(name)(text)


def test_what_is_not_given_stays() -> None:
    budget = Budget(seed=3)
    assert budget.but(alpha=None, max_samples=9) == Budget(seed=3, max_samples=9)
    assert checked("seed", 4) == 4
