"""Every page is in the navigation, every link leads somewhere, every command and output is real."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from audit.frontends.cli.main import parsed
from tests.docs.pages import (
    DOCS,
    ROOT,
    anchors_of,
    blocks_of,
    excerpt,
    followed,
    links_of,
    pages,
    steps_of,
    text_of,
    written_again,
)

SITE, _, NAVIGATION = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")
LISTED = re.findall(r": ([\w/-]+\.md)$", NAVIGATION, flags=re.MULTILINE)
LARGE = {"how-to/pytorch.md": ("torch", "opacus"), "how-to/jax.md": ("jax", "jax_privacy")}
"""Libraries of pages that are followed only if they are installed: they are too large for CI."""
RUNNING = [
    page
    for page in pages()
    if list(steps_of(text_of(page))) and all(map(find_spec, LARGE.get(page, ())))
]


def test_the_navigation_lists_every_page_once() -> None:
    assert sorted(LISTED) == pages()


def test_the_site_loads_every_style_and_script_of_its_folder() -> None:
    loaded = re.findall(r"- assets/(\S+)$", SITE, flags=re.MULTILINE)
    held = [file.name for file in (DOCS / "assets").iterdir() if file.suffix in (".css", ".js")]
    assert sorted(loaded) == sorted(held)


def reachable_from(start: str, links: Callable[[str], list[str]]) -> set[str]:
    """Pages that a reader can reach by links, `start` included."""
    found, waiting = {start}, [start]
    while waiting:
        page = waiting.pop()
        for link in links(page):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(page), link.split("#")[0]))
            if target.endswith(".md") and target not in found:
                found.add(target)
                waiting.append(target)
    return found


def test_every_page_is_reachable_from_the_index() -> None:
    assert sorted(reachable_from("index.md", links_of)) == pages()


def test_a_page_without_a_link_to_it_is_not_reachable() -> None:
    links = {"index.md": ["a/b.md#part"], "a/b.md": ["../c.md", "p.png"], "c.md": [], "d.md": []}
    assert reachable_from("index.md", links.__getitem__) == {"index.md", "a/b.md", "c.md"}


@pytest.mark.parametrize("page", pages())
def test_every_link_leads_to_a_file_and_a_heading(page: str) -> None:
    for link in links_of(page):
        path, _, anchor = link.partition("#")
        target = (DOCS / page).parent / path if path else DOCS / page
        assert target.exists() and target.resolve().is_relative_to(DOCS), link
        if anchor:
            found = target.resolve().relative_to(DOCS).as_posix()
            assert anchor in anchors_of(found), link


@pytest.mark.parametrize("page", pages())
def test_every_command_is_understood(page: str) -> None:
    for block in blocks_of(text_of(page)):
        for line in block.source.replace("\\\n", " ").splitlines():
            if block.language == "sh" and line.startswith("audit "):
                command = re.split(r" (?:\||;|>|&&) ?", line)[0]
                assert callable(parsed(shlex.split(command)[1:])), line


def words_of(text: str) -> list[str]:
    """Words of a page without numbers and bars, which follow from the cost of a fresh instance."""
    return re.sub(r"\d[\d,.]*(e-\d+)?|█+", "#", text).split()


@pytest.mark.lives
@pytest.mark.slow
@pytest.mark.parametrize("page", RUNNING)
def test_a_page_shows_what_happens(page: str, tmp_path: Path) -> None:
    text = text_of(page)
    seen = written_again(text, tmp_path)
    assert words_of(seen) == words_of(text), f"python -m tests.docs.pages {page}"


def test_machines_of_other_speed_may_show_other_numbers_and_no_other_words() -> None:
    shown = "FAIL  ε ≥ 1.54, p < 1e-9 ████ of\n  19,088 runs"
    assert words_of(shown) == words_of("FAIL  ε ≥ 2, p < 1e-12 ██ of 9,088\nruns")
    assert words_of(shown) != words_of(shown.replace("FAIL", "NOT REFUTED"))


@pytest.mark.parametrize(
    ("shown", "seen"),
    [
        ("one\n", "one\ntwo\n\nthree\n\nfour\n"),
        ("other\n…\n", "one\ntwo\n…\n"),
        ("other\n\nmore\n…\n", "one\ntwo\n\nthree\n…\n"),
    ],
)
def test_as_many_paragraphs_are_shown_as_before(shown: str, seen: str) -> None:
    assert excerpt("\none  \ntwo\n\nthree\n\nfour\n", shown) == seen


def test_a_page_that_shows_something_else_is_caught(tmp_path: Path) -> None:
    page = (
        '```python title="a.py"\nx = 1\n```\n\n```sh\ncat a.py\n```\n\n```text\nx = 2\n```\n\n'
        "```python\nimport a\nprint(a.x)\n```\n\n```text\n1\n```\n"
    )
    assert written_again(page, tmp_path) == page.replace("x = 2", "x = 1") != page


@pytest.mark.slow
def test_a_command_that_is_refused_is_caught(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="ended with 2"):
        list(followed("```sh\naudit nothing-of-this-name\n```\n", tmp_path))
