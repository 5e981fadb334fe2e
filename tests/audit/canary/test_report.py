"""What is said of canaries: the same in text, Markdown and pages, and never that it is private."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

import audit
from audit.canary import sentences
from audit.canary.report import answer_of, bound_chart, share_chart
from audit.canary.result import CanaryResult, is_canaries, restore_canaries
from audit.claims import GaussianDP
from audit.errors import InputError
from audit.report.text import LINES, WIDTH, render_text
from tests.audit.report.html.markup import drawn

from .tables import noisy


def made(sigma: float, **options: Any) -> CanaryResult:
    members, scores = noisy(options.pop("canaries", 600), sigma)
    found = audit.canaries(
        scores, members, name="a *model*", command="audit canaries scores.csv", **options
    )
    return replace(found, seconds=None, finished="", version="0")


SAMPLES: dict[str, Callable[[], CanaryResult]] = {
    "violation": lambda: made(0.25, epsilon=1.0, delta=1e-5),
    "not refuted": lambda: made(3.0, epsilon=1.0),
    "inconclusive": lambda: made(1.0, epsilon=8.0, canaries=50),
    "gaussian": lambda: made(0.25, claim=GaussianDP(0.4), alpha=0.05),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_the_whole_answer(name: str, snapshot: SnapshotAssertion) -> None:
    text = render_text(SAMPLES[name]())
    assert text == snapshot
    assert max(map(len, text.splitlines())) <= WIDTH
    assert len(text.splitlines()) <= LINES


@pytest.mark.parametrize("name", SAMPLES)
def test_tables_show_every_prefix(name: str) -> None:
    result = SAMPLES[name]()
    lines = render_text(result, detail="verbose").splitlines()
    rows = [line.rpartition("  ")[0].split() for line in lines]
    for row in result.prefixes:
        cells = [f"{row.guesses:,}", f"{row.correct:,}"]
        assert any(cells == line[-len(cells) - 1 : -1] for line in rows)
    assert render_text(result, detail="quiet").count("\n") == 1


@pytest.mark.parametrize("name", SAMPLES)
def test_all_formats_say_the_same(name: str) -> None:
    result = SAMPLES[name]()
    page, markdown = result.to_html(), result.to_markdown()
    for shown in (page, markdown):
        assert not re.search(r"\b(is private|verified|safe)\b", shown)
    plain = " ".join(re.sub(r"<[^>]+>", " ", page.partition("</style>")[2]).split())
    for _, text in sentences.facts(result):
        assert text.replace(">", "&gt;") in plain
    answer = answer_of(result)
    for text in (answer.title, *answer.stated, *(fact.text for fact in answer.facts)):
        assert text.replace(">", "&gt;") in plain
    assert result._repr_html_().strip() in page
    assert "<script" not in page
    assert r"a \*model\*" in markdown


@pytest.mark.slow
def test_the_method_is_that_of_the_design() -> None:
    """What is said of the order and of the largest share is said of this design alone."""
    members, scores = noisy(400, 0.5)
    coin = audit.canaries(scores, members, epsilon=1.0, assignment="coin")
    unfair = audit.canaries(scores, members, epsilon=1.0, assignment="coin", probability=0.45)
    guesses = audit.canaries(
        None, members, guesses=np.where(members, 1, -1), epsilon=1.0, assignment="coin"
    )
    halves = audit.canaries(scores, members, epsilon=1.0, assignment="halves")
    told = [sentences.method(result)[0] for result in (coin, unfair, guesses, halves)]
    for words, by in (
        ("far their scores are from the middle", [True, True, False, False]),
        ("with p = 0.45", [False, True, False, False]),
        ("taken as they were made", [False, False, True, False]),
        ("e^2ε", [False, False, False, True]),
        ("scores are farthest apart", [False, False, False, True]),
    ):
        assert [words in text for text in told] == by


@pytest.mark.slow
def test_the_answer_begins_with_the_verdict_and_says_what_shows_most() -> None:
    text = " ".join(render_text(SAMPLES["violation"]()).split())
    assert text.startswith(
        "FAIL a *model* is not (ε, δ) = (1, 1e-05) differentially private measured: ε ≥ "
    )
    assert re.search(
        r"\d+ of the \d+ most confident guesses are right, which by itself shows ε ≥ 4", text
    )
    unrefuted = render_text(SAMPLES["not refuted"]())
    assert unrefuted.startswith("NOT REFUTED ")
    assert "not a proof" in unrefuted
    assert render_text(SAMPLES["inconclusive"]()).startswith("INCONCLUSIVE ")


def test_a_ceiling_that_barely_exceeds_the_claim_is_raised_by_the_next_design() -> None:
    members = np.arange(1000) < 500
    scores = 4.0 * members + np.random.default_rng(0).normal(size=1000)
    command = "audit canaries scores.csv"
    for given, more in (
        ({"epsilon": 2.0, "delta": 1e-5, "command": command}, "--relation substitute if that is"),
        ({"epsilon": 2.0, "delta": 1e-5}, "relation='substitute' if that is claimed; in the next"),
        ({"epsilon": 4.2, "relation": "substitute"}, "in the next training more canaries, or a"),
        ({"epsilon": 1.6}, ""),
    ):
        halves: dict[str, Any] = {"assignment": "halves", "alpha": 1e-3, "seed": 1, **given}
        shown = scores if more else 0.1 * scores + np.random.default_rng(1).normal(size=1000)
        result = audit.canaries(shown, members, **halves)
        text = " ".join(render_text(result).split())
        assert result.verdict == "not-refuted"
        assert ("To test more: " in text) == bool(more)
        assert more in text
        failures = "δ times the number of pairs of canaries is 0.005 and exceeds"
        assert (failures in " ".join(result.notes)) == ("delta" in given)
        assert "no other seed was tried for the matching" in text


@pytest.mark.slow
def test_no_prefix_shows_more_than_the_bound() -> None:
    for make in SAMPLES.values():
        result = make()
        own = result.levels.get("mu_lower", result.epsilon_lower)
        assert all(row.bound <= own for row in result.prefixes)


@pytest.mark.slow
def test_more_than_allowed_is_a_violation_and_nothing_else_is() -> None:
    for make in SAMPLES.values():
        result = make()
        counted = [row for row in result.prefixes if row.allowed is not None]
        over = any(row.correct > (row.allowed or 0) for row in counted)
        assert over == (result.verdict == "violation")


@pytest.mark.slow
def test_a_report_has_five_files_and_keeps_those_of_others(tmp_path: Path) -> None:
    result = SAMPLES["violation"]()
    files = audit.write_report(result, tmp_path)
    assert [path.suffix for path in files] == [".md", ".json", ".html", ".svg", ".svg"]
    assert all(f"]({figure.name})" in files[0].read_text("utf-8") for figure in files[3:])
    assert audit.read_result(files[1]) == result
    before = [path.read_bytes() for path in files]
    assert audit.write_report(result, str(tmp_path)) == files
    assert [path.read_bytes() for path in files] == before
    changed = replace(result, command="another")
    assert audit.write_report(changed, tmp_path)[0].name == "a-model-2.md"
    assert audit.write_report(changed, tmp_path, again=True) == files


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_charts_have_a_mark_for_each_prefix(name: str) -> None:
    result = SAMPLES[name]()
    shares, bounds = drawn(share_chart(result)), drawn(bound_chart(result))
    fewest = min((row.guesses for row in sentences.telling_rows(result)), default=1)
    for picture in (shares, bounds):
        words = [t for t in picture.all("text") if t.attributes["text-anchor"] == "middle"]
        ticks = [float(t.text.replace(",", "")) for t in words]
        assert min(ticks) >= 0.99 * fewest / 4.0
    assert len(shares.marks("p")) == len(bounds.marks("p")) == len(sentences.telling_rows(result))
    assert [line.looks for line in bounds.all("line") if line.looks[0] in ("limit", "mark")] == [
        ["limit"],
        ["mark"],
    ]


def test_changed_results_are_refused() -> None:
    document = SAMPLES["violation"]().to_json()
    assert is_canaries(document)
    assert not is_canaries({"schema": 1})
    for key, value in (
        ("canaries", -1),
        ("ceiling", "much"),
        ("opened", [[3, 5]]),
        ("prefixes", [{"strategy": "x"}]),
        ("parameters", {"assignment": "thirds", "probability": 0.5, "runs": 1}),
        ("parameters", {"assignment": "coin", "probability": 0, "runs": 1}),
        ("relation", "l2:1"),
    ):
        changed = copy.deepcopy(document)
        changed[key] = value
        with pytest.raises(InputError, match="is not a result of an audit"):
            restore_canaries(changed)


@pytest.mark.parametrize("turned", [True, False])
@pytest.mark.parametrize("assignment", ["halves", "coin"])
def test_scores_the_wrong_way_round_are_said_in_every_short_answer(
    assignment: str, turned: bool
) -> None:
    members = np.arange(1_000) % 2 == 0
    scores = np.where(members, 6.0, 0.0) + np.random.default_rng(0).normal(size=1_000)
    result = audit.canaries(
        -scores if turned else scores, members, epsilon=2.0, delta=1e-5, assignment=assignment
    )
    text = " ".join(render_text(result).split())
    assert (
        "Direction: members have lower scores, in the reverse direction; give" in text
    ) is turned
    quiet = render_text(result, detail="quiet")
    assert ("in the reverse direction" in quiet) is (turned and result.verdict == "not-refuted")
    undecided = "For a release: undecided, as members stand out in the reverse direction."
    assert (undecided in result.to_markdown()) is (turned and result.verdict == "not-refuted")
    fixed = "exactly 500 of 1,000 canaries are members"
    assert any(note.startswith(fixed) for note in result.notes) is (assignment == "coin")
