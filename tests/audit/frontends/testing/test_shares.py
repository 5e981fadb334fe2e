"""The time of a test run, split over its audits: by hand, and in runs of pytest."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from audit.frontends.testing.budget import LEAST, Limit, Shares, told, weights_of

from .conftest import Project

pytest_plugins = "pytester"

TWO = """
    def test_right():
        result = assert_private(releases.right, epsilon=1.0, domain="float:0:1")
        print("\\n@", result.command)

    @pytest.mark.private(epsilon=1.0, data=[1.0], neighbors=[[]])
    def test_marked():
        return releases.right

    def test_of_something_else():
        pass
"""


def test_tests_alike_get_the_same_and_what_is_left_over_goes_on() -> None:
    shares = Shares(30.0, weights=weights_of("abc", {}))
    assert shares.share("a") == 10.0
    shares.took(10.0)
    assert shares.share("b") == 10.0
    shares.took(2.0)
    assert shares.share("c") == 18.0


def test_where_evidence_grew_before_there_is_more() -> None:
    weights = weights_of("abc", {"a": 1.0, "b": 0.5, "other": 1.0})
    assert weights == {"a": 4.0, "b": 2.5, "c": 1.0}
    shares = Shares(75.0, weights=weights)
    found = []
    for test in "abc":
        found.append(shares.share(test))
        shares.took(found[-1])
    assert found == pytest.approx([40.0, 25.0, 10.0])


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_a_worker_never_has_more_than_its_seconds(workers: int) -> None:
    """Also where all tests come to one worker, and it does not know that."""
    shares, spent = Shares(100.0, workers, weights_of("abcdefgh", {"h": 1.0})), 0.0
    for test in "abcdefgh":
        share = shares.share(test)
        assert share >= LEAST
        spent += share
        shares.took(share)
    assert spent <= 100.0 + 8 * LEAST
    assert spent >= 50.0


def test_nothing_is_left_but_the_least() -> None:
    shares = Shares(3.0, weights=weights_of("ab", {}))
    shares.took(10.0)
    assert shares.share("a") == LEAST


def test_the_limit_of_a_share_is_short_and_an_argument_stays_as_it_is() -> None:
    shared = Limit.of(None, None, 11.874921163167406, Shares(40.0))
    assert shared is not None
    assert shared.seconds == 11.87
    own = Limit.of(None, 11.874921163167406, 5.0, Shares(40.0))
    assert own is not None
    assert own.seconds == 11.874921163167406


def test_what_audits_take_beyond_their_part_is_taken_off_the_next() -> None:
    shares = Shares(60.0, weights=weights_of("abcd", {}))
    found = []
    for test in "abcd":
        found.append(shares.share(test))
        shares.took(found[-1] + 5.0, found[-1])
    assert found == pytest.approx([15.0, 40 / 3 - 5.0, 40 / 3 - 5.0, 40 / 3 - 5.0])
    assert shares.spent == pytest.approx(60.0)


def test_slow_audits_leave_a_third_of_an_equal_part_to_each_test() -> None:
    shares = Shares(60.0, weights=weights_of("abcd", {}))
    for test in "abc":
        shares.took(24.0, shares.share(test))
    assert shares.share("d") == 5.0


def test_examples_share_what_their_test_has() -> None:
    shares = Shares(40.0, weights=weights_of("ab", {}))
    assert [shares.share("a", 10) for _ in range(10)] == [2.0] * 10
    # Nobody knew of a second audit: it is one more test.
    shares.took(20.0)
    assert shares.share("b") == 20.0


def seconds_in(printed: str) -> list[float]:
    return [float(found) for found in re.findall(r"--max-seconds (\S+)", printed)]


@pytest.mark.slow
def test_a_run_splits_its_time_and_says_so(project: Project) -> None:
    project.holds(TWO)
    result = project.tested("--audit-seconds", "40", "-rP")
    result.assert_outcomes(passed=3)
    out = result.stdout.str()
    assert re.search(
        r"^--audit-seconds 40, split over the tests that audit, at least a third of "
        r"an equal part for each test; [\d.]+ s were taken$",
        out,
        re.MULTILINE,
    )
    assert seconds_in(out) == [pytest.approx(20.0, rel=1e-2)]


@pytest.mark.slow
def test_what_a_test_or_another_flag_says_goes_before(project: Project) -> None:
    project.holds(
        """
        def test_own():
            found = assert_private(releases.right, epsilon=1.0, domain="bool", max_seconds=7)
            print("\\n@", found.command)

        def test_other():
            found = assert_private(releases.right, epsilon=1.0, domain="bool")
            print("\\n@", found.command)
        """
    )
    result = project.tested("--audit-seconds", "40", "--audit-max-seconds", "9", "-rP")
    assert seconds_in(result.stdout.str()) == [7.0, 9.0]


@pytest.mark.slow
def test_the_next_run_gives_more_where_evidence_grew(project: Project) -> None:
    project.holds(TWO)
    cache = ("--audit-seconds", "40", "-rP")
    project.pytester.runpytest_inprocess(*cache)
    kept = Path(project.pytester.path, ".pytest_cache", "v", "dp-audit", "evidence")
    before: dict[str, Any] = json.loads(kept.read_text())
    assert set(before) == {"test_project.py::test_right", "test_project.py::test_marked"}
    kept.write_text(json.dumps({**before, "test_project.py::test_right": 1.0}))
    weights = weights_of(set(before), {**before, "test_project.py::test_right": 1.0})
    out = project.pytester.runpytest_inprocess(*cache).stdout.str()
    expected = 40.0 * 4.0 / sum(weights.values())
    assert seconds_in(out) == pytest.approx([expected], rel=1e-3)
    assert "that came closest before got more of it" in out


@pytest.mark.slow
def test_each_worker_has_its_seconds(project: Project) -> None:
    project.holds(TWO)
    result = project.tested("-n", "2", "--audit-seconds", "40", "-rP")
    result.assert_outcomes(passed=3)
    out = result.stdout.str()
    assert "--audit-seconds 40 for each of 2 workers, split over the tests that audit" in out
    # One of two tests for each worker, which keeps half for more of them.
    assert 10.0 < seconds_in(out)[0] <= 20.0


@pytest.mark.slow
def test_seconds_that_are_none_are_refused(project: Project) -> None:
    project.holds(TWO)
    result = project.tested("--audit-seconds", "0")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--audit-seconds: '0' is not a number of seconds above 0*"])


@pytest.mark.parametrize(
    ("weights", "said"),
    [((1.0, 1.0), ""), ((1.6, 1.6, 1.6), ""), ((4.0, 1.2), "; 1 that came"), ((), "")],
)
def test_tests_that_got_more_time_than_others_are_counted(
    weights: tuple[float, ...], said: str
) -> None:
    line = told(40.0, 1, [], {str(test): weight for test, weight in enumerate(weights)})
    assert ("that came closest" in line) is bool(said)
    assert said in line
