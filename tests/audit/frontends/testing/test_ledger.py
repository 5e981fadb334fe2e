"""`--audit-ledger`: the levels of the audits of a test suite, for ever."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from audit.frontends.testing.budget import Budget
from audit.frontends.testing.running import Note, Running
from tests.audit.report.sample_results import violation

from .conftest import Project

pytest_plugins = ("pytester",)

TESTS = """
    PAIR = {"data": [0.0, 1.0], "neighbors": [[0.0]], "max_samples": 2000}

    def test_right():
        assert_private(releases.right, epsilon=1.0, **PAIR)
        assert_private(releases.right, epsilon=2.0, **PAIR)
"""


def begun(path: Path) -> list[tuple[str, int, int, float]]:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [(n["target"], n["audit"], n["build"], n["level"]) for n in lines if "level" in n]


@pytest.mark.slow
@pytest.mark.parametrize("by_flag", [True, False])
def test_a_second_run_goes_on_with_the_first(project: Project, by_flag: bool) -> None:
    project.holds(TESTS)
    project.configured("alpha = 1e-4\n" + ("" if by_flag else 'ledger = "audits.jsonl"'))
    flags = ("--audit-ledger", "audits.jsonl") if by_flag else ()
    for _ in range(2):
        project.tested(*flags).assert_outcomes(passed=1)
    test = "test_project.py::test_right: right"
    assert begun(project.pytester.path / "audits.jsonl") == [
        (test, 1, 1, 2.5e-5),
        (f"{test} (2)", 1, 1, 2.5e-5),
        (test, 1, 2, 2.5e-5),
        (f"{test} (2)", 1, 2, 2.5e-5),
    ]


@pytest.mark.slow
def test_a_failure_says_how_to_repeat_it_without_the_ledger(project: Project) -> None:
    project.holds("""
        def test_wrong():
            pair = {"data": [0.0, 1.0], "neighbors": [[0.0]]}
            assert_private(releases.wrong, epsilon=1.0, max_samples=2000, **pair)
    """)
    result = project.tested("--audit-ledger", "audits.jsonl", "--audit-alpha", "1e-4")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*--alpha 2.5e-05 --seed *", "*probability of any false alarm*"])
    assert "--ledger" not in result.stdout.str()


def test_examples_share_a_level_until_it_is_used_up(tmp_path: Path) -> None:
    test, budget = Running("t"), Budget(alpha=0.01)

    def audit_number() -> int:
        return test.shared(budget, tmp_path / "audits.jsonl", "f", 3).entry.audit

    assert [audit_number() for _ in range(7)] == [1, 1, 1, 2, 2, 2, 3]
    test.notes.append(Note.of("t", violation(), example=True))
    assert [audit_number() for _ in range(5)] == [3] * 5


def test_the_second_audit_of_a_mechanism_in_a_test_is_another_target(tmp_path: Path) -> None:
    test, file = Running("t"), tmp_path / "audits.jsonl"
    names = [test.alone(file, name).target for name in ("f", "g", "f")]
    assert names == ["t: f", "t: g", "t: f (2)"]
