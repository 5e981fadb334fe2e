"""Tests that return a mechanism."""

from __future__ import annotations

import pytest

from .conftest import Project

pytestmark = pytest.mark.slow

pytest_plugins = ("pytester",)

PAIR = "epsilon=1.0, data=[0.0, 1.0], neighbors=[[0.0]], max_samples=1000"


def test_what_a_marked_test_returns_is_audited(project: Project) -> None:
    project.holds(
        f"""
        @pytest.fixture
        def scale():
            return 0.5

        @pytest.mark.private({PAIR})
        @pytest.mark.parametrize("mechanism", [releases.right, releases.wrong])
        def test_both(mechanism):
            return mechanism

        @pytest.mark.private({PAIR})
        class TestThese:
            def test_right(self):
                return releases.right

            def test_wrong(self, scale):
                return releases.Scaled(scale)
        """
    )
    result = project.tested("--strict-markers", "-rf", "-W", "error")
    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(
        [
            "*AuditFailure: FAIL  wrong is not ε = 1 *",
            "*AuditFailure: FAIL  Scaled is not ε = 1 *",
            "*pytest test_project.py::TestThese::test_wrong*",
            "4 audits, *",
        ]
    )


def test_a_failure_points_at_the_marked_test(project: Project) -> None:
    project.holds(
        f"""
        def failing(data):
            raise ValueError(data)

        @pytest.mark.private({PAIR})
        def test_wrong():
            return releases.wrong

        @pytest.mark.private({PAIR})
        def test_failing():
            return failing

        @pytest.mark.private(epsilom=1.0)
        def test_misspelled():
            return releases.right

        @pytest.mark.private({PAIR})
        def test_raises():
            raise ValueError("own")
        """
    )
    places = {
        8: "AuditFailure",
        12: "BlackBoxError",
        16: "TypeError",
        22: "ValueError",
    }
    result = project.tested()
    result.assert_outcomes(failed=4)
    result.stdout.fnmatch_lines(
        [f"test_project.py:{line}: {kind}" for line, kind in places.items()]
    )
    result.stdout.no_fnmatch_line("*entries are hidden*")
    lines = project.tested("--tb=line").stdout
    lines.fnmatch_lines(["*test_project.py:8: ε ≥ *claimed 1: *"])


def test_a_marker_that_would_do_nothing_is_an_error(project: Project) -> None:
    project.holds(
        f"""
        import unittest
        from hypothesis import given, strategies

        @pytest.mark.private({PAIR})
        def test_none():
            releases.wrong

        @pytest.mark.private(1.0)
        def test_positional():
            return releases.wrong

        @pytest.mark.private(epsilom=1.0)
        def test_misspelled():
            return releases.wrong

        class TestOld(unittest.TestCase):
            @pytest.mark.private({PAIR})
            def test_unittest(self):
                return releases.wrong

        @pytest.mark.private({PAIR})
        @given(strategies.booleans())
        def test_hypothesis(bit):
            pass
        """
    )
    result = project.tested()
    result.assert_outcomes(failed=2, errors=3)
    result.stdout.fnmatch_lines_random(
        [
            "test_none returned None; a test marked private returns the mechanism to be audited",
            "the marker private takes names only, not 1.0; write epsilon=...",
            "*TypeError: assert_private() got an unexpected keyword argument 'epsilom'*",
            "the marker private does nothing on a TestCaseFunction; *",
            "a Hypothesis test returns nothing; call assert_private in it instead",
        ]
    )


def test_the_marker_is_described(project: Project) -> None:
    project.tested("--markers").stdout.fnmatch_lines(
        ["@pytest.mark.private([*][*]arguments): the test returns a mechanism, *"]
    )


def test_other_tests_are_left_alone(project: Project) -> None:
    project.holds(
        """
        def test_returns():
            return releases.wrong
        """
    )
    result = project.tested()
    result.stdout.no_fnmatch_line("*FAIL *")
    assert result.ret != pytest.ExitCode.INTERNAL_ERROR
