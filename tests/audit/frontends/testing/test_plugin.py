"""The plugin at work in projects of its users."""

from __future__ import annotations

import subprocess
import sys

import pytest

from .conftest import Project

pytestmark = pytest.mark.slow

pytest_plugins = ("pytester",)

RIGHT_AND_WRONG = """
    PAIR = {"data": [0.0, 1.0], "neighbors": [[0.0]], "max_samples": 1000}

    def test_right():
        assert_private(releases.right, epsilon=1.0, **PAIR)

    def test_wrong():
        assert_private(releases.wrong, epsilon=1.0, **PAIR)

    def test_too_short():
        assert_private(releases.right, epsilon=6.0, **PAIR)
"""


def test_right_passes_and_wrong_fails_with_its_witness(project: Project) -> None:
    project.holds(RIGHT_AND_WRONG)
    result = project.tested("--strict-markers")
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(
        [
            "E       audit.testing.AuditFailure: FAIL  wrong is not ε = 1 differentially private",
            "E             measured: ε ≥ 1.* (99.9999% confidence) on the worst pair found",
            "E       Counterexample (*)",
            "E         D  = [[]0.0, 1.0[]]",
            "E         D' = [[]0.0[]]",
            "E           P[[]D[]] *",
            "E           P[[]D'[]] *",
            "E       Reproduce: audit python releases.py:wrong --epsilon 1.0 *",
            "E       audit.testing.AuditInconclusive: INCONCLUSIVE  right: no answer about ε = 6",
            "E       What to do: give max_samples=*, or --audit-max-samples *",
        ]
    )


def test_the_short_summary_has_the_numbers(project: Project) -> None:
    project.holds(RIGHT_AND_WRONG)
    result = project.tested("-rf")
    result.stdout.fnmatch_lines(
        [
            "FAILED test_project.py::test_wrong - ε ≥ 1.*, claimed 1: output *",
            "FAILED test_project.py::test_too_short - ε = 6: * runs cannot refute ε = 6",
        ]
    )


def test_a_failure_shows_the_test_and_not_the_tool(project: Project) -> None:
    project.holds(RIGHT_AND_WRONG)
    result = project.tested("-k", "wrong")
    result.stdout.fnmatch_lines([">       assert_private(releases.wrong*"])
    result.stdout.no_fnmatch_line("*assertion.py*")


def test_the_summary_lists_every_audit(project: Project) -> None:
    project.holds(RIGHT_AND_WRONG)
    result = project.tested()
    result.stdout.fnmatch_lines(
        [
            "*= privacy audits =*",
            "verdict * lower bound * evidence * runs * test and mechanism",
            "NOT REFUTED * ε ≥ 0* e-value 1* test_project.py::test_right  right, ε = 1*",
            "INCONCLUSIVE * test_project.py::test_too_short  right, ε = 6*",
            "FAIL * ε ≥ 1.* p < 1e-* test_project.py::test_wrong  wrong, ε = 1*",
            "test_project.py::test_too_short: * runs cannot refute ε = 6, whatever right does; *",
            "3 audits, * runs; probability of any false alarm: at most 3e-06",
        ]
    )


def test_a_run_without_audits_says_nothing(project: Project) -> None:
    project.holds("def test_it(): pass")
    result = project.tested()
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*privacy audits*")


def test_settings_come_from_the_project_and_flags_override_them(project: Project) -> None:
    project.configured("max-samples = 1234\nmax-samples-per-example = 5\nalpha = 0.01\nseed = 9")
    project.holds(
        """
        from audit.frontends.testing.running import current
        def test_it():
            budget = current().budget
            print("budget:", budget.alpha, budget.max_samples, budget.max_samples_per_example,
                  budget.seed)
        """
    )
    project.tested("-s").stdout.fnmatch_lines(["*budget: 0.01 1234 5 9"])
    flags = ("--audit-alpha", "1e-4", "--audit-max-samples", "600", "--audit-seed", "2")
    project.tested("-s", *flags).stdout.fnmatch_lines(["*budget: 0.0001 600 600 2"])


def test_an_unknown_setting_is_one_line(project: Project) -> None:
    project.configured("max-sample = 1234")
    project.holds("def test_it(): pass")
    result = project.tested()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: *pyproject.toml: [[]tool.audit[]] has an unknown key 'max-sample'; did you mean *"]
    )
    assert len(result.stderr.str().strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("flag", "value", "complaint"),
    [
        ("--audit-alpha", "2", "'2' is not a number between 0 and 1"),
        ("--audit-max-samples", "many", "'many' is not a whole number from 1 to"),
        ("--audit-report", "releases.py", "'releases.py' cannot be made a folder: File exists"),
    ],
)
def test_a_bad_flag_is_one_line(project: Project, flag: str, value: str, complaint: str) -> None:
    result = project.tested(flag, value)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert complaint in result.stderr.str()
    assert flag in result.stderr.str()


def test_workers_send_their_audits_and_reports_are_written_once(project: Project) -> None:
    project.holds(
        """
    PAIR = {"data": [0.0, 1.0], "neighbors": [[0.0]], "max_samples": 500}

    def test_right():
        assert_private(releases.right, epsilon=1.0, **PAIR)

    def test_wrong():
        assert_private(releases.wrong, epsilon=1.0, **PAIR, alpha=0.01)

    def test_twice():
        assert_private(releases.right, epsilon=1.0, **PAIR)
        assert_private(releases.right, epsilon=1.5, **{**PAIR, "max_samples": 4000})
    """
    )
    arguments = ("-n", "2", "--audit-report", "found", "-p", "no:cacheprovider")
    result = project.pytester.runpytest_subprocess(*arguments)
    result.assert_outcomes(passed=2, failed=1)
    told = [line for line in result.outlines if "::" in line]
    lines = [line for line in told if line.startswith(("NOT REFUTED", "FAIL "))]
    assert [line.split("::")[1].split()[0] for line in lines] == [
        "test_right",
        "test_twice",
        "test_twice",
        "test_wrong",
    ]
    result.stdout.fnmatch_lines(
        ["*Details: the report in found", "4 audits, *", "reports in *found"]
    )
    result.stdout.no_fnmatch_line("*--audit-report*")
    found = {path.name for path in (project.pytester.path / "found").glob("*.md")}
    assert found == {
        "README.md",
        "right-in-test_project.py-test_right.md",
        "right-in-test_project.py-test_twice.md",
        "right-in-test_project.py-test_twice-2.md",
        "wrong-in-test_project.py-test_wrong.md",
    }


def test_without_the_plugin_everything_is_as_before(project: Project) -> None:
    project.configured("nonsense = 1")
    project.holds(RIGHT_AND_WRONG)
    off = ("-p", "no:dp_audit")
    result = project.tested(*off)
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.no_fnmatch_line("*privacy audits*")
    assert project.tested(*off, "--audit-seed", "1").ret == pytest.ExitCode.USAGE_ERROR
    result = project.tested(*off, "--markers")
    result.stdout.no_fnmatch_line("@pytest.mark.private*")


def test_loading_the_plugin_loads_nothing_heavy() -> None:
    code = (
        "import sys, pytest, audit.frontends.testing.plugin; "
        "print({'numpy', 'scipy', 'pandas', 'hypothesis'} & set(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "set()"
