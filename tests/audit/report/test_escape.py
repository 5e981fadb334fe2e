"""Whatever a black box says is shown as it is, and never becomes markup."""

from __future__ import annotations

from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from audit.errors import visible
from audit.report.formatting import Safe, block, clip, inline

_MARKS = "|`\\*_[]<>#&$~!{}():/.-+=1 \n\r\t\x1b\x00\u202e\u2028\ud800é日"
HOSTILE = st.text(st.sampled_from(_MARKS) | st.characters(), max_size=40)
READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def _texts(markdown: str) -> list[str]:
    """Every piece of inline content, as a reader would show it."""
    found = []
    for token in READER.parse(markdown):
        if token.type == "inline":
            assert {child.type for child in token.children or ()} <= {"text", "text_special"}
            found.append("".join(child.content for child in token.children or ()))
    return found


@given(HOSTILE)
def test_visible_text_prints_on_one_line(text: str) -> None:
    shown = visible(text)
    assert shown.isprintable()
    assert shown.encode("utf-8").decode("utf-8") == shown
    assert visible(shown) == shown


@given(HOSTILE)
def test_inline_text_is_one_paragraph_that_reads_as_it_was(text: str) -> None:
    shown = visible(text).strip(" ")
    expected = [shown] if shown else []
    assert _texts(inline(text)) == expected


@given(HOSTILE)
def test_a_table_cell_stays_one_cell(text: str) -> None:
    table = f"| a | b |\n|:--|:--|\n| {inline(text)} | last |\n"
    tokens = [token.type for token in READER.parse(table)]
    assert tokens.count("td_open") == 2
    assert _texts(table) == ["a", "b", visible(text).strip(" "), "last"]


@given(HOSTILE, st.sampled_from(["# ", "- ", "**", "[link text](file.md) "]))
def test_inline_text_leaves_the_structure_around_it_alone(text: str, before: str) -> None:
    with_text = [token.type for token in READER.parse(f"{before}a{inline(text)}\n\nend")]
    without = [token.type for token in READER.parse(f"{before}a\n\nend")]
    assert with_text == without


@given(HOSTILE)
def test_a_code_block_holds_the_lines(text: str) -> None:
    (fence,) = READER.parse(block(text, "sh"))
    assert fence.type == "fence"
    assert fence.content == "".join(f"{visible(line)}\n" for line in text.split("\n"))


@given(HOSTILE)
def test_entities_mean_the_characters_they_stand_for(text: str) -> None:
    assert unescape(inline(text)).count("|") == visible(text).count("|")


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("output >= 42.1", "output >= 42.1"),
        ("0.92 on D", "0.92 on D"),
        ("a|b", "a&#124;b"),
        ("<script>", "&lt;script>"),
        ("1. first", "1&#46; first"),
        ("two\nlines", "two&#92;nlines"),
        ("\x1b[31mred", "&#92;x1b\\[31mred"),
        ("see https://example.org", "see https&#58;//example.org"),
    ],
)
def test_ordinary_text_stays_readable(text: str, markdown: str) -> None:
    assert inline(text) == markdown


def test_safe_markdown_is_left_alone() -> None:
    assert inline(Safe("**bold**")) == "**bold**"


def test_clipped_text_says_how_much_is_missing() -> None:
    assert clip("a" * 10, 10) == "a" * 10
    assert clip("a" * 1010, 10) == "a" * 10 + "… (1,000 more characters)"
