"""The page: whole, safe, needing nothing else, and saying what the other formats say."""

from __future__ import annotations

import dataclasses
import html
import re

import pytest
from hypothesis import given, settings

from audit.betting.events import Event
from audit.errors import visible
from audit.report.causes import channel
from audit.report.html import render_fragment, render_page
from audit.report.markdown import render_markdown
from audit.report.sections import NOT_EXAMINED, document_of, review
from audit.report.text import render_text
from audit.verdict.findings import Leak
from audit.verdict.result import AuditResult

from ..known_truth import audited
from ..sample_results import all_samples, exception_violation, leak, not_refuted, violation
from ..test_escape import HOSTILE
from .markup import Found, parsed

SAMPLES = sorted(all_samples())


def _plain(text: str) -> str:
    return " ".join(text.split())


def _structure(found: Found) -> list[object]:
    return [found.name, [_structure(child) for child in found.children]]


@pytest.mark.parametrize("name", SAMPLES)
def test_the_page_says_what_the_other_formats_say(name: str) -> None:
    result = all_samples()[name]
    page = _plain(parsed(render_page(result)).whole_text)
    whole = _plain(render_text(result, detail="verbose"))
    written = _plain(_unescaped(render_markdown(result)))
    answer = document_of(result).answer
    said = [answer.title, *answer.stated, *(fact.text for fact in answer.facts), answer.runs]
    for sentence in (*said, *map(visible, result.notes), result.command):
        assert _plain(visible(sentence)) in page
        assert _plain(visible(sentence)) in whole
        assert _plain(visible(sentence))[1:] in written


def _unescaped(markdown: str) -> str:
    return html.unescape(re.sub(r"\\([*_\[\]#~])", r"\1", markdown))


@pytest.mark.parametrize("name", SAMPLES)
def test_nothing_is_loaded_and_nothing_runs(name: str) -> None:
    page = render_page(all_samples()[name])
    found = parsed(page)
    policy = found.all("meta")[-1].attributes["content"]
    assert policy == "default-src 'none'; style-src 'unsafe-inline'"
    assert not found.all("script") + found.all("link") + found.all("img") + found.all("iframe")
    links = {v for e in found.all() for k, v in e.attributes.items() if k in ("href", "src")}
    assert links == set()
    assert not re.search(r"url\(|@import|javascript:|\son\w+=\"", page)


@pytest.mark.parametrize("name", SAMPLES)
def test_the_same_result_gives_the_same_page(name: str) -> None:
    result = all_samples()[name]
    assert render_page(result) == render_page(result) == result.to_html()
    fragment = result._repr_html_()
    assert fragment == render_fragment(result)
    assert fragment.strip() in render_page(result)
    assert "<html" not in fragment
    assert len(parsed(fragment).children) == 1


def test_styles_touch_nothing_but_the_report() -> None:
    (style,) = parsed(render_fragment(violation())).all("style")
    rules = re.sub(r"@media[^{]*\{", "", style.text)
    selectors = re.findall(r"(?:^|\})\s*([^{}@]+)\{", rules)
    assert len(selectors) > 40
    for part in (part.strip() for selector in selectors for part in selector.split(",")):
        assert re.match(r"((\[data-jp-theme-light.*\]|body(\.vscode-\w+)?) )?\.dp-audit\b", part)


@pytest.mark.slow
@settings(max_examples=60)
@given(HOSTILE)
def test_hostile_words_become_text_and_no_markup(text: str) -> None:
    result = violation()
    assert result.witness is not None

    def with_words(words: str) -> AuditResult:
        assert result.witness is not None
        witness = dataclasses.replace(
            result.witness,
            pair=f"x{words}",
            dataset=f"x{words}" + "y" * 80,
            difference=f"x{words}",
            event=Event(f"x{words}", {"weights": [{"part": f"x{words}", f"w{words}": "1"}]}),
            direction=f"D over x{words}",
        )
        pairs = tuple(
            dataclasses.replace(pair, name=f"x{words}", feature=f"x{words}", difference=f"y{words}")
            for pair in result.pairs
        )
        return dataclasses.replace(
            result,
            mechanism=f"x{words}",
            summary=f"x{words}",
            command=f"x{words}",
            notes=(f"x{words}",),
            tried=(f"x{words}",),
            witness=witness,
            pairs=pairs,
            leaks=(Leak(kind=f"x{words}", event=Event(f"x{words}", {}), log_evalue=20.0),),
        )

    page = render_page(with_words(text))
    assert page.replace("\n", "").isprintable()
    found, calm = parsed(page), parsed(render_page(with_words("")))
    assert _structure(found) == _structure(calm)
    assert _plain(visible(f"x{text}")) in _plain(found.whole_text)


def test_a_reviewer_is_told_what_was_not_examined() -> None:
    rows = {fact.name: fact.text for fact in review(not_refuted()).facts}
    unseen = {asked for asked, text in rows.items() if text == NOT_EXAMINED}
    assert unseen == {
        "Running time",
        "Memory, power, network and other side channels",
        "Quality of the random number generator",
        "Other releases from the same data (composition)",
        "Trust model; collection, storage and access to the data",
        "Accuracy and fairness of the outputs",
    }
    found = parsed(render_page(not_refuted()))
    assert len(found.all("dd", "unseen")) == len(unseen)


def test_a_reviewer_is_told_what_was_found() -> None:
    def answers(result: AuditResult) -> str:
        return " | ".join(f"{fact.name}: {fact.text}" for fact in review(result).facts)

    assert "examined as a black box: the claim is refuted" in answers(violation())
    assert "no proof that the claim holds" in answers(not_refuted())
    assert "one record: its value changed (bounded" in answers(exception_violation())
    assert "they reveal the input" in answers(leak())
    timed = dataclasses.replace(leak().leaks[0], kind="timing")
    assert "Running time: examined" in answers(dataclasses.replace(leak(), leaks=(timed,)))
    recorded = answers(dataclasses.replace(not_refuted(), recorded=True))
    assert "Low-order bits of floating-point outputs: not examined" in recorded
    assert "as far as the recorded outputs hold them" in recorded
    null = answers(dataclasses.replace(violation(), null=True))
    assert "the claim was not" in null
    assert "refuted" not in null.partition("Trust in")[2].partition("|")[0]
    assert "without an answer" in answers(all_samples()["inconclusive"])


def test_leaks_have_their_advice() -> None:
    shown = _plain(parsed(render_page(leak())).whole_text)
    found = channel("floating-point")
    for answer in (found.means, found.concerns, found.remedy, found.ignore):
        assert answer in shown


@pytest.mark.slow
@pytest.mark.parametrize("name", ["half", "raises", "keyed", "concentrated", "null", "too few"])
def test_real_audits_have_a_page(name: str) -> None:
    result = audited(name)
    found = parsed(render_page(result))
    assert document_of(result).answer.title in _plain(found.whole_text)
    pictures = len(found.all("svg"))
    charts = len([pair for pair in result.pairs if pair.bins])
    shown = (not result.null) + (result.witness is not None) + bool(result.curve)
    assert pictures == shown + charts
    assert all(picture.all("title")[0].text for picture in found.all("svg"))
