"""The committed reports: folders, an index, small files, and links that lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from audit.report.front_matter import head_of
from audit.report.index import report_of
from mechanisms import CATALOG

REPORTS = Path(__file__).parents[1] / "reports"
PAGES = sorted(REPORTS.rglob("*.md"))
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)\)")
MOST_BYTES = 8 << 20

pytestmark = pytest.mark.skipif(not PAGES, reason="a copy without reports")


def test_there_are_folders_and_an_index() -> None:
    names = {path.name for path in REPORTS.iterdir()}
    assert names == {"README.md", "systems", "catalogue", "libraries", "studies"}


def test_they_stay_small() -> None:
    assert sum(path.stat().st_size for path in REPORTS.rglob("*")) < MOST_BYTES


def test_every_link_leads_somewhere() -> None:
    links = {(page, link) for page in PAGES for link in LINK.findall(page.read_text("utf-8"))}
    assert len(links) > len(CATALOG)
    assert [(str(page), link) for page, link in links if not (page.parent / link).exists()] == []


def test_every_file_is_read_by_somebody() -> None:
    linked = {
        (page.parent / link).resolve()
        for page in PAGES
        for link in LINK.findall(page.read_text("utf-8"))
    }
    files = {path.resolve() for path in REPORTS.rglob("*") if path.is_file()} - linked
    unread = {path.name for path in files if path.suffix not in {".txt", ".sh"}}
    data = {"results.json", "enumerated.jsonl", "seconds.json", "causes.toml"}
    assert unread == {"README.md", *data}


@pytest.mark.parametrize("section", ["systems", "catalogue"])
def test_a_report_is_of_the_mechanism_that_its_name_says(section: str) -> None:
    places = {report_of(entry): name for name, entry in CATALOG.items()}
    for page in sorted((REPORTS / section).glob("*.md")):
        head = head_of(page.read_text("utf-8"))
        assert head["mechanism"] == places[f"{section}/{page.name}"]
        assert head["version"]


def test_a_report_has_one_figure_at_most() -> None:
    for page in PAGES:
        assert page.read_text("utf-8").count("\n![") <= 1, page
