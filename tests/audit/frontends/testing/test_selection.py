"""Tests that audit are marked, and their audits stand in a JUnit report."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from .conftest import Project

pytest_plugins = ("pytester",)

TESTS = """
    from hypothesis import given, strategies as st
    PAIR = {"data": [0.0, 1.0], "neighbors": [[0.0]], "max_samples": 1000}

    def check(mechanism):
        assert_private(mechanism, epsilon=1.0, **PAIR)

    def test_direct():
        assert_private(releases.right, epsilon=1.0, **PAIR)
        assert_private(releases.wrong, epsilon=6.0, **(PAIR | {"max_samples": 20000}))

    def test_by_a_function_beside_it():
        check(releases.right)

    class TestIn:
        def test_a_class(self):
            [check(m) for m in (releases.right,)]

    @pytest.mark.private(epsilon=1.0, **PAIR)
    def test_marked():
        return releases.right

    @audited(max_examples=2)
    @given(st.just(1.0))
    def test_of_hypothesis(scale):
        assert_private(releases.right, epsilon=1.0, **PAIR)

    def test_something_else():
        text = "assert_private"
        assert text
"""


@pytest.mark.slow
def test_tests_that_audit_are_marked(project: Project) -> None:
    project.holds(TESTS)
    names = project.tested("--collect-only", "-q", "-m", "audits", "--strict-markers").outlines
    found = {line.rpartition("::")[2] for line in names if "::" in line}
    assert found == {
        "test_direct",
        "test_by_a_function_beside_it",
        "test_a_class",
        "test_marked",
        "test_of_hypothesis",
    }
    others = project.tested("--collect-only", "-q", "-m", "not audits").outlines
    assert [line for line in others if "::" in line] == ["test_project.py::test_something_else"]


@pytest.mark.slow
@pytest.mark.parametrize("workers", [(), ("-n", "1")])
def test_audits_are_properties_of_their_test(project: Project, workers: tuple[str, ...]) -> None:
    project.holds(TESTS)
    flags = ("-k", "direct or something", "--junit-xml", "junit.xml", "--audit-alpha", "0.01")
    project.tested(*flags, *workers)
    cases = ElementTree.parse(project.pytester.path / "junit.xml").iter("testcase")
    found = {
        case.get("name"): [(p.get("name"), p.get("value")) for p in case.iter("property")]
        for case in cases
    }
    assert found["test_something_else"] == []
    direct = found["test_direct"]
    assert [value for name, value in direct if name == "audit.mechanism"] == ["right", "wrong"]
    first = dict(reversed(direct))
    assert first["audit.verdict"] == "not-refuted" and first["audit.alpha"] == "0.01"
    assert int(str(first["audit.samples"])) <= 1000 and first["audit.seed"] == "0"
    assert float(str(first["audit.epsilon_lower"])) <= 1.0
