"""Whatever a black box returns, the result is whole: as JSON, as Markdown, on a terminal."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

import audit
from audit.errors import AuditError
from audit.report.json_node import render_json
from audit.report.restore import restore
from audit.report.text import render_text
from audit.verdict.result import AuditResult

from .examples import examples
from .refusals import clear
from .words import HOSTILE, json_values, texts

pytestmark = pytest.mark.slow

SCHEMA = jsonschema.Draft202012Validator(
    json.loads((Path(__file__).parents[1] / "result.schema.json").read_text("utf-8"))
)
READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
HARMLESS = {"https://arxiv.org/abs/2210.01948"}

scalars = st.one_of(
    texts,
    st.floats(),
    st.integers(),
    st.sampled_from([None, True, b"\x1b[31m", 1j, np.float32(0.5), np.nan, 10**400, pd.NaT]),
)
KINDS = (
    texts,
    scalars,
    json_values,
    st.lists(texts, max_size=3),
    st.tuples(texts, scalars),
    st.sets(texts, max_size=3),
    st.dictionaries(texts, scalars, max_size=3),
    st.lists(texts, min_size=1, max_size=3).map(lambda held: np.array(held, dtype=object)),
    st.lists(texts, min_size=1, max_size=3, unique=True).map(
        lambda names: pd.Series(1.0, pd.Index(names, dtype=object))
    ),
    st.lists(texts, min_size=1, max_size=3, unique=True).map(
        lambda names: pd.DataFrame([[0.5] * len(names)], columns=pd.Index(names, dtype=object))
    ),
    texts.map(lambda name: raised(name)),
)
"""What runs may end with; exceptions are raised."""

outputs = st.one_of([st.tuples(kind, kind) for kind in KINDS])
"""On D and on its neighbor: mostly told apart by what they hold, not by what they are."""


def raised(name: str) -> Exception:
    """An exception of a type with this name and this message."""
    error: Exception = type(nameable(name), (ValueError,), {})(name)
    return error


def nameable(name: str) -> str:
    """The name without what Python lets no class have."""
    return name.replace("\0", "").encode("utf-8", "replace").decode() or "Nameless"


def releasing(here: Any, there: Any) -> Callable[[Any], Any]:
    """A mechanism that gives its only secret away, in these two outputs."""

    def release(data: Any) -> Any:
        output = here if len(data) > 1 else there
        if isinstance(output, Exception):
            raise output
        return output

    return release


def audited(release: Callable[[Any], Any], **arguments: Any) -> AuditResult | None:
    """The result, None where it is refused in one line."""
    usual = {"data": ["a", "b"], "neighbors": [["a"]], "epsilon": 1.0, "max_samples": 400}
    told: dict[str, Any] = usual | arguments
    try:
        return audit.run(release, **told)
    except AuditError as error:
        clear(str(error))
        return None


def assert_whole(result: AuditResult) -> None:
    """The result in all its forms."""
    text = render_json(result)
    assert text.replace("\n", "").isprintable()
    found = json.loads(text)
    SCHEMA.validate(found)
    assert render_json(restore(found)) == text
    assert render_text(result).replace("\n", "").isprintable()
    assert_intact(result.to_markdown())


def assert_intact(report: str) -> None:
    """Markdown of which every reader makes the same headings, tables and nothing else."""
    assert report.replace("\n", "").isprintable()
    _, head, body = report.split("---\n", 2)
    for line in head.splitlines():
        json.loads(line.partition(": ")[2])
    tokens = READER.parse(body)
    inner = [child for token in tokens for child in token.children or ()]
    kinds = {token.type for token in (*tokens, *inner)}
    assert not kinds & {"html_block", "html_inline", "image", "code_block", "s_open"}
    assert {str(t.attrs["href"]) for t in inner if t.type == "link_open"} <= HARMLESS
    assert_rows_are_full(tokens, body.split("\n"))


def assert_rows_are_full(tokens: list[Any], lines: list[str]) -> None:
    """Every row of a table has two cells or six, all of its line: readers drop what is too much."""
    for token in tokens:
        if token.type == "tr_open":
            (line,) = lines[slice(*token.map)]
            assert line.count("|") in (3, 7), line


@examples(30)
@given(outputs)
@example(("a | b", "<b>"))
@example(({"\x1b[2J"}, {"![](x.svg)"}))
def test_whatever_a_black_box_returns_the_result_is_whole(both: tuple[Any, Any]) -> None:
    result = audited(releasing(*both))
    if result is not None:
        assert_whole(result)


@pytest.mark.parametrize("text", HOSTILE)
def test_whatever_is_said_anywhere_the_result_is_whole(text: str) -> None:
    """The same words as data, output, key, name and command."""

    def release(data: Any) -> Any:
        return {text: data[0]}

    pair = {"data": [text], "neighbors": [[f"x{text}"]], "relation": "substitute"}
    # All that is left is spent, on tables too, which an audit that ends early has none of.
    told = {"name": text or "none", "command": text, "until": "budget", "max_samples": 4000}
    result = audited(release, **told, **pair)
    assert result is not None
    assert result.verdict == "violation"
    assert len(result.pairs) == 1
    assert_whole(result)
