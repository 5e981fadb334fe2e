"""The report: readable by machines at its head, and whole whatever it holds."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from hypothesis import given
from markdown_it import MarkdownIt
from syrupy.assertion import SnapshotAssertion

from audit.betting.events import Event
from audit.claims import ZCDP, Claim, GaussianDP, PureDP, RenyiDP
from audit.report.markdown import head_of, render_document, render_markdown
from audit.report.sections import document_of
from audit.verdict.result import AuditResult

from .sample_results import all_samples, exception_violation, not_refuted, with_claim
from .test_escape import HOSTILE

pytestmark = pytest.mark.lowest

SAMPLES = sorted(all_samples())


def _head(markdown: str) -> dict[str, Any]:
    """The front matter; each value is JSON as well as YAML."""
    before, head, _ = markdown.split("---\n", 2)
    assert before == ""
    return {
        key: json.loads(value)
        for key, _, value in (line.partition(": ") for line in head.splitlines())
    }


def _structure(markdown: str) -> list[str]:
    body = markdown.split("---\n", 2)[2]
    return [t.type for t in MarkdownIt("commonmark").enable("table").parse(body)]


@pytest.mark.parametrize("name", SAMPLES)
def test_the_whole_report(name: str, snapshot: SnapshotAssertion) -> None:
    assert render_markdown(all_samples()[name]) == snapshot


@pytest.mark.parametrize("name", SAMPLES)
def test_the_head_agrees_with_the_json(name: str) -> None:
    result = all_samples()[name]
    found = result.to_json()
    head = _head(render_markdown(result))
    assert head.items() <= found.items()
    assert head.keys() >= {"schema", "mechanism", "claim", "verdict", "epsilon_lower", "command"}


@pytest.mark.parametrize(
    ("claim", "bound"),
    [
        (PureDP(1.0), None),
        (ZCDP(0.5), "rho_lower"),
        (GaussianDP(1.0), "mu_lower"),
        (RenyiDP(2.0, 0.5), "renyi_lower"),
    ],
)
def test_the_head_holds_the_bound_of_every_kind_of_claim(claim: Claim, bound: str | None) -> None:
    levels = {"epsilon_lower": 0.25} | ({} if bound is None else {bound: 0.125})
    head = _head(render_markdown(dataclasses.replace(with_claim(claim), levels=levels)))
    assert {name: head[name] for name in head if name.endswith("_lower")} == levels


@pytest.mark.parametrize("name", SAMPLES)
def test_the_head_comes_back(name: str) -> None:
    report = render_markdown(all_samples()[name])
    assert head_of(report) == _head(report)


@pytest.mark.parametrize(
    "page",
    [
        "",
        "---",
        "# A page\n---\n",
        "---\nmechanism: open\n",
        '---\nmechanism: "closed\n---\n',
        "---\n- a list\n---\n",
    ],
)
def test_other_pages_have_no_head(page: str) -> None:
    assert head_of(page) == {}


def test_small_numbers_in_the_head_are_numbers_to_every_yaml_reader() -> None:
    assert '"delta": 1.0e-05' in render_markdown(exception_violation())


def test_the_method_is_cited_and_the_level_named() -> None:
    report = render_markdown(not_refuted())
    assert "arXiv:2210.01948" in report
    assert "Ville's inequality" in report
    assert "α = 0.001" in report


def test_figures_are_linked_where_there_are_any() -> None:
    report = render_document(document_of(not_refuted()), {"D2": "laplace-count-2.svg"})
    assert report.count("](laplace-count-2.svg)") == 1
    assert report.count("![") == 1


def test_a_notebook_shows_the_report() -> None:
    result = not_refuted()
    assert result._repr_markdown_() == result.to_markdown() == render_markdown(result)


def _with_hostile_words(result: AuditResult, text: str) -> AuditResult:
    """The same result where every word that comes from outside is hostile."""
    witness = result.witness
    assert witness is not None
    pairs = tuple(
        dataclasses.replace(
            pair,
            difference=f"d{text}",
            feature=f"f{text}",
            bins=tuple(dataclasses.replace(b, label=f"is {text}") for b in pair.bins),
        )
        for pair in result.pairs
    )
    return dataclasses.replace(
        result,
        mechanism=f"m{text}",
        parameters={text: text},
        witness=dataclasses.replace(
            witness,
            dataset=[text + "x" * 80],
            neighbor=f"n{text}" + "x" * 80,
            event=Event(f"e{text}", {}),
        ),
        pairs=pairs,
        command=f"c{text}".replace("\n", " "),
        tried=(f"t{text}",),
        notes=(f"o{text}",),
        version=f"v{text}",
        summary=f"s{text}",
    )


@pytest.mark.slow
@given(HOSTILE)
def test_hostile_words_leave_the_structure_alone(text: str) -> None:
    plain = _with_hostile_words(exception_violation(), "plain")
    hostile = render_markdown(_with_hostile_words(exception_violation(), text))
    assert _structure(hostile) == _structure(render_markdown(plain))
    assert hostile.replace("\n", "").isprintable()
    assert _head(hostile)["verdict"] == "violation"
