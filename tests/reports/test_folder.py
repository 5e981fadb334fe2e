"""The committed reports: folders, an index, small files, and links that lead somewhere."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from tests.reports.__main__ import STUDIES

REPORTS = Path(__file__).parents[2] / "reports"
PAGES = sorted(REPORTS.rglob("*.md"))
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)\)")
MOST_BYTES = 2_000_000
MOST_FILES = 300
MOST_LINES = 100
"""Lines of the index, about two screens."""

pytestmark = pytest.mark.skipif(not PAGES, reason="a copy without reports")


def files() -> list[Path]:
    return [path for path in REPORTS.rglob("*") if path.is_file()]


def linked() -> set[tuple[Path, str]]:
    return {(page, link) for page in PAGES for link in LINK.findall(page.read_text("utf-8"))}


def test_there_are_folders_a_table_and_an_index() -> None:
    assert {path.name for path in REPORTS.iterdir()} == {
        "README.md",
        "bound-against-truth.svg",
        "catalogue.md",
        "libraries",
        "studies",
        "systems",
    }


def test_they_stay_small() -> None:
    assert sum(path.stat().st_size for path in files()) <= MOST_BYTES
    assert len(files()) <= MOST_FILES
    assert (REPORTS / "README.md").read_text("utf-8").count("\n") <= MOST_LINES


def test_every_link_leads_somewhere() -> None:
    assert len(linked()) >= 20
    assert [(str(page), link) for page, link in linked() if not (page.parent / link).exists()] == []


def test_every_file_is_read_by_somebody() -> None:
    reached = {(page.parent / link).resolve() for page, link in linked()}
    unread = {path.relative_to(REPORTS) for path in files() if path.resolve() not in reached}
    places = {path.parent.name for path in unread if path.parent.name in {"requirements", "drafts"}}
    others = {str(path) for path in unread if path.parent.name not in places}
    systems = {str(path.relative_to(REPORTS)) for path in (REPORTS / "systems").glob("*.json")}
    assert others == {"README.md", "libraries/causes.toml"} | systems


def test_studies_can_be_made_again_and_name_the_version_that_made_them() -> None:
    assert [module for module in STUDIES if importlib.util.find_spec(module) is None] == []
    pages = {page: page.read_text("utf-8") for page in (REPORTS / "studies").glob("*.md")}
    assert len(pages) == len(STUDIES)
    assert [page.name for page, text in pages.items() if "\ndp-audit 0." not in text] == []
    assert [page.name for page, text in pages.items() if "Reproduce: `python -m" not in text] == []


def test_a_report_has_one_figure_at_most() -> None:
    for page in PAGES:
        assert page.read_text("utf-8").count("\n![") <= 1, page
