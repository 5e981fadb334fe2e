"""Whatever `audit render` is given, it shows a result or says in one line why it is none."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.report.json_node import render_json
from tests.audit.report.sample_results import all_samples

from .conftest import Audit
from .examples import examples
from .test_outputs import assert_intact
from .words import HOSTILE, json_texts, json_values, mutated, texts

pytestmark = pytest.mark.slow

TEXTS = [render_json(result) for result in all_samples().values()]
DOCUMENTS = [json.loads(text) for text in TEXTS]
Place = tuple[str | int, ...]


def places(value: Any, place: Place = ()) -> Iterator[Place]:
    """The way to every value below the top of a document."""
    if place:
        yield place
    held = dict(enumerate(value)) if isinstance(value, list) else value
    for key, part in held.items() if isinstance(held, dict) else ():
        yield from places(part, (*place, key))


PLACES = [list(places(document)) for document in DOCUMENTS]
numbers = st.sampled_from([0, -1, 1e308, -1e308, 5e-324, 0.5, 2**63, 10**30, "inf", "-inf", "nan"])
others = numbers | texts | json_values


@st.composite
def changed(draw: st.DrawFn) -> str:
    """A stored result in which one to three values are missing, are others, or stand twice."""
    index = draw(st.integers(0, len(DOCUMENTS) - 1))
    document = copy.deepcopy(DOCUMENTS[index])
    for _ in range(draw(st.integers(1, 3))):
        near = [place for place in PLACES[index] if len(place) <= 2]
        *way, last = draw(st.sampled_from(near) | st.sampled_from(PLACES[index]))
        holder = document
        try:
            for key in way:
                holder = holder[key]
            if draw(st.integers(0, 3)):
                holder[last] = draw(others)
            else:
                del holder[last]
        except (KeyError, IndexError, TypeError):
            continue  # an earlier change has taken this place away
    return json.dumps(document)


contents = st.one_of(
    changed().map(str.encode),
    mutated(st.sampled_from(TEXTS)).map(lambda text: text.encode("utf-8", "replace")),
    json_texts.map(str.encode),
    st.binary(max_size=60),
    st.sampled_from(TEXTS).map(lambda text: text.encode("utf-16")),
    st.integers(1, 3000).map(lambda depth: b'{"a":' * depth),
)


@examples(80)
@given(contents, st.sampled_from(["text", "json", "markdown"]))
def test_anything_is_shown_or_refused(audit: Audit, here: Path, content: bytes, kind: str) -> None:
    (here / "result.json").write_bytes(content)
    run = audit("render", "result.json", "--format", kind)
    if run.code == 2:
        assert "result.json" in run.problem
    elif kind == "json":
        (here / "result.json").write_text(run.out, "utf-8")
        assert audit("render", "result.json", "--format", "json") == run
    elif kind == "markdown":
        assert_intact(run.out)


@pytest.mark.parametrize("value", [None, -1, "x", [[]]], ids=repr)
def test_any_value_near_the_top_may_be_another(audit: Audit, here: Path, value: Any) -> None:
    for *way, last in PLACES[0]:
        document: Any = copy.deepcopy(DOCUMENTS[0])
        holder = document[way[0]] if way else document
        if len(way) < 2:
            holder[last] = value
            (here / "result.json").write_text(json.dumps(document))
            run = audit("render", "result.json")
            assert run.code != 2 or "result.json" in run.problem


@examples(8)
@given(changed())
def test_a_report_with_figures_is_written_or_refused(audit: Audit, here: Path, text: str) -> None:
    (here / "result.json").write_text(text)
    run = audit("render", "result.json", "--report", "reports")
    assert ("report in reports/" in run.problem) == (run.code != 2)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", HOSTILE)
def test_names_of_files_that_are_not_there(audit: Audit, name: str) -> None:
    assert audit("render", f"nowhere/{name}").code == 2
