"""The notebook runs from its first cell to its last and shows what its text says."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

from audit import AuditResult
from tests.docs.notebook import cells_of, run, sources_of
from tests.docs.pages import DOCS

NOTEBOOK = DOCS / "tutorials" / "first-audit.ipynb"


def test_it_is_kept_without_outputs() -> None:
    code = [cell for cell in cells_of(NOTEBOOK) if cell["cell_type"] == "code"]
    assert [cell["outputs"] for cell in code] == [[]] * len(code)
    assert {cell["execution_count"] for cell in code} == {None}


def test_cells_share_names_and_show_their_last_value() -> None:
    first, second = run(["x = 2\nprint(x)", "x + 1"])
    assert (first.printed, first.value) == ("2\n", None)
    assert (second.printed, second.value) == ("", 3)


@pytest.mark.slow
def test_it_runs_and_shows_the_result_as_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shown = run(sources_of(NOTEBOOK))
    result = shown[0].value
    assert isinstance(result, AuditResult)
    page = result._repr_html_()  # what a notebook asks for
    assert "<script" not in page and "http" not in page.replace("http://www.w3.org/2000/svg", "")
    HTMLParser().feed(page)
    assert result.mechanism in page
    assert shown[1].value[0] == "violation" and 0.5 < shown[1].value[1] <= 1.0
    assert "against" in shown[2].printed
    assert shown[3].printed.startswith("not-refuted ")
    assert [line.split()[1] for line in shown[4].printed.splitlines()] == [
        "not-refuted",
        "violation",
    ]
    assert (tmp_path / "result.json").exists()
