"""What a wheel and an sdist must hold: a file that is missing is caught, and one too many."""

from __future__ import annotations

import tomllib

from tests.distribution import BESIDE, ENTRY_POINTS, ROOT, missing_from_sdist, missing_from_wheel

FILES = {
    "audit/__init__.py",
    "audit/py.typed",
    "mechanisms/a.csv",
    "mechanisms/external/l.py",
    "tests/t.py",
    "docs/d.md",
}


def test_a_wheel_holds_the_packages_without_adapters_and_nothing_else() -> None:
    whole = {"audit/__init__.py", "audit/py.typed", "mechanisms/a.csv", "d-1.dist-info/RECORD"}
    assert missing_from_wheel(whole, FILES) == set()
    assert missing_from_wheel(whole - {"audit/py.typed"}, FILES) == {"audit/py.typed"}
    for other in ("tests/t.py", "mechanisms/external/l.py"):
        assert missing_from_wheel(whole | {other}, FILES) == {other}


def test_an_sdist_holds_tests_and_pages_as_well() -> None:
    files = FILES | {"README.md", ".ci/run"}
    whole = {f"d-1/{name}" for name in files - {".ci/run"}}
    assert missing_from_sdist(whole | {"d-1/PKG-INFO"}, files) == set()
    assert missing_from_sdist(whole - {"d-1/tests/t.py"}, files) == {"tests/t.py"}
    assert missing_from_sdist(whole - {"d-1/README.md"}, files) == {"README.md"}


def test_what_is_checked_is_what_the_project_declares() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    declared = {(group, name) for group, names in project["entry-points"].items() for name in names}
    assert declared | {("console_scripts", name) for name in project["scripts"]} == ENTRY_POINTS
    assert [name for name in BESIDE if not (ROOT / name).exists()] == []
