"""Causes of findings in libraries: each with a promise, a call and a draft."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from mechanisms.external import LIBRARIES
from tests.reports.causes import Kind, read_causes

_FOLDER = Path(__file__).parents[2] / "reports" / "libraries"
_CAUSES = read_causes(_FOLDER)
_REAL = [cause for cause in _CAUSES if cause.kind is Kind.REAL]

pytestmark = pytest.mark.skipif(not _CAUSES, reason="a copy without reports")


def test_every_cause_is_of_a_known_library_and_says_where_its_promise_stands() -> None:
    for cause in _CAUSES:
        assert cause.library in LIBRARIES, cause.name
        assert cause.name.startswith(cause.library), cause.name
        assert all(call.startswith(cause.library) for call in cause.calls), cause.name
        assert cause.promise and cause.where and cause.cause and cause.severity, cause.name


def test_every_broken_promise_has_a_draft_and_no_draft_is_left_over() -> None:
    drafts = {path.stem for path in (_FOLDER / "drafts").glob("*.md")}
    assert drafts == {cause.name for cause in _REAL}


@pytest.mark.parametrize("name", [cause.name for cause in _REAL])
def test_a_draft_has_an_example_without_the_auditor(name: str) -> None:
    text = (_FOLDER / "drafts" / f"{name}.md").read_text("utf-8")
    code = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(code) == 1
    names = {
        alias.name if isinstance(node, ast.Import) else str(node.module)
        for node in ast.walk(ast.parse(code[0]))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert not {name for name in names if name.split(".")[0] in {"audit", "mechanisms"}}
    assert "**Promised**" in text and "**A possible mend**" in text
