"""Parts of the longer run: every test in exactly one, the same everywhere; and skips under CI."""

from __future__ import annotations

from argparse import ArgumentTypeError

import pytest

from tests import skips
from tests.parts import Part

pytest_plugins = ("pytester",)

TESTS = [f"tests/test_{number}.py::test_it[{number}]" for number in range(1000)]
FILE = """
import pytest

{before}

def test_program():
    pytest.skip("node is not installed")

@pytest.mark.xfail(reason="a known fault")
def test_expected():
    assert False

def test_passes():
    pass
"""


def test_every_test_is_in_exactly_one_part_and_no_part_is_large() -> None:
    parts = [Part(number, 10) for number in range(1, 11)]
    held = [[test for test in TESTS if part.holds(test)] for part in parts]
    assert sorted(test for part in held for test in part) == sorted(TESTS)
    assert max(map(len, held)) < 150


def test_the_part_of_a_test_never_changes() -> None:
    assert [number for number in range(1, 11) if Part(number, 10).holds(TESTS[0])] == [6]


@pytest.mark.parametrize("text", ["0/10", "11/10", "3", "3/0", "-1/10", "a/b", ""])
def test_what_is_no_part_is_refused(text: str) -> None:
    with pytest.raises(ArgumentTypeError, match="use K/N with K from 1 to N"):
        Part.parse(text)


def test_the_parts_of_a_run_are_all_of_it(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("import pytest\n@pytest.mark.parametrize('n', range(40))\ndef test(n): ...")
    runs = [pytester.runpytest("-p", "tests.parts", f"--part={k}/3") for k in (1, 2, 3)]
    counts = [run.parseoutcomes() for run in runs]
    assert sum(count["passed"] for count in counts) == 40
    assert all(count["passed"] + count["deselected"] == 40 for count in counts)


@pytest.mark.parametrize(
    ("ci", "outcomes"),
    [(True, {"failed": 1, "xfailed": 1, "passed": 1}), (False, {"skipped": 1, "xfailed": 1})],
)
def test_a_skip_fails_under_ci(
    ci: bool,
    outcomes: dict[str, int],
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(skips, "CI", ci)
    pytester.makepyfile(FILE.format(before=""))
    result = pytester.runpytest("-p", "tests.skips")
    assert result.parseoutcomes() == {"passed": 1} | outcomes
    assert ci == ("Under CI nothing is skipped" in result.stdout.str())


def test_a_skip_of_a_whole_file_fails_under_ci(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(skips, "CI", True)
    before = 'pytest.skip("there is no server", allow_module_level=True)'
    pytester.makepyfile(FILE.format(before=before))
    result = pytester.runpytest("-p", "tests.skips")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["*there is no server. Under CI nothing is skipped*"])
