"""Folders of reports and their index."""

from __future__ import annotations

import dataclasses
import math
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from markdown_it import MarkdownIt
from syrupy.assertion import SnapshotAssertion

from audit.canary.result import read_result
from audit.claims import ZCDP, PureDP
from audit.declaration import Truth
from audit.errors import InputError
from audit.report.index import Listed, render_index, write_index
from audit.report.write import file_name, write_page, write_report
from audit.verdict.findings import Diagnosis
from audit.verdict.result import AuditResult, Verdict

from .sample_results import all_samples, inconclusive, leak, not_refuted, violation

RESULTS = [
    (violation(), Truth(keeps=False, epsilon=5.0)),
    (not_refuted(), Truth(keeps=True, epsilon=1.0)),
    (leak(), Truth(keeps=True, leaks=True)),
    (inconclusive(), None),
]
LISTED = [Listed(result, f"{file_name(result.mechanism)}.md", truth) for result, truth in RESULTS]


def _one(result: AuditResult, truth: Truth | None = None) -> Listed:
    return Listed(result, "one.md", truth)


def _links(path: Path) -> set[str]:
    return set(re.findall(r"\]\(([^)]+)\)", path.read_text("utf-8")))


@pytest.mark.parametrize("name", sorted(all_samples()))
def test_a_report_links_to_files_that_are_there(name: str, tmp_path: Path) -> None:
    result = all_samples()[name]
    folder = tmp_path / "made" / "for it"
    written = write_report(result, folder)
    # One figure for the size of the loss, which audits of D against itself have none of.
    assert len(written) == 3 + (not result.null) + len(result.pairs)
    assert all(path.is_file() for path in written)
    local = {link for link in _links(written[0]) if not link.startswith("https:")}
    assert {folder / link for link in local} == set(written[3:])
    assert written[2].read_text("utf-8") == result.to_html()
    assert read_result(written[1]).to_json() == result.to_json()


@pytest.mark.slow
def test_writing_again_changes_nothing(tmp_path: Path) -> None:
    first = [path.read_bytes() for path in write_report(violation(), tmp_path)]
    assert [path.read_bytes() for path in write_report(violation(), tmp_path)] == first


@pytest.mark.slow
@pytest.mark.parametrize(
    "other",
    [
        {"mechanism": "noisy average"},
        {"command": "audit python other.py:noisy_average"},
        {"parameters": {"epsilon": 2.0}},
        {"claim": PureDP(2.0)},
        {"place": "other.py:12"},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_the_report_of_another_audit_stays(tmp_path: Path, other: dict[str, Any]) -> None:
    first = write_report(violation(), tmp_path)
    before = [path.read_bytes() for path in first]
    changed = dataclasses.replace(violation(), **other)
    second = write_report(changed, tmp_path)
    assert second[0].name == "noisy-average-2.md"
    assert read_result(second[1]).to_json() == changed.to_json()
    assert {link for link in _links(second[0]) if not link.startswith("https:")} == {
        path.name for path in second[3:]
    }
    assert [path.read_bytes() for path in first] == before
    assert write_report(changed, tmp_path) == second
    assert write_report(violation(), tmp_path) == first


@pytest.mark.slow
def test_the_same_audit_that_finds_something_else_is_written_anew(tmp_path: Path) -> None:
    first = write_report(dataclasses.replace(violation(), place="code.py:12"), tmp_path)
    found: dict[str, Any] = {
        "version": "0.2.0",
        "samples": 5,
        "log_evalue": 1.0,
        "place": "code.py:14",
    }
    again = dataclasses.replace(violation(), **found)
    assert write_report(again, tmp_path) == first
    assert read_result(first[1]).to_json()["samples"] == 5


@pytest.mark.parametrize("ending", ["md", "json", "svg"])
def test_files_that_are_no_report_stay(tmp_path: Path, ending: str) -> None:
    own = tmp_path / f"noisy-average.{ending}"
    own.write_bytes(b"\xff---\n")
    assert write_report(violation(), tmp_path)[0].name == "noisy-average-2.md"
    assert own.read_bytes() == b"\xff---\n"


@pytest.mark.slow
def test_a_page_of_a_collection_has_one_figure_and_is_written_anew(tmp_path: Path) -> None:
    page, kept, figure = write_page(not_refuted(), tmp_path)
    names = {"laplace-count.md", "laplace-count.json", "laplace-count.svg"}
    assert {page.name, kept.name, figure.name} == names
    assert "laplace-count.svg" in _links(page)
    assert write_page(dataclasses.replace(not_refuted(), seed=9), tmp_path) == [page, kept, figure]
    assert "seed: 9\n" in page.read_text("utf-8")


def test_the_figure_of_a_page_is_that_of_the_witness(tmp_path: Path) -> None:
    result, pairs = violation(), not_refuted().pairs
    assert result.witness is not None
    witness = dataclasses.replace(result.witness, pair="D3")
    *_, figure = write_page(dataclasses.replace(result, pairs=pairs, witness=witness), tmp_path)
    drawn = figure.read_text("utf-8")
    assert "P[D3]" in drawn
    assert "P[D1]" not in drawn


def test_an_index_replaces_no_other_page(tmp_path: Path) -> None:
    own = tmp_path / "README.md"
    own.write_text("# A project\n", "utf-8")
    with pytest.raises(InputError, match="would be lost"):
        write_index(LISTED, tmp_path, "audit all")
    assert own.read_text("utf-8") == "# A project\n"


def test_figures_are_files_of_their_own(tmp_path: Path) -> None:
    files = [path for path in write_report(violation(), tmp_path) if path.suffix == ".svg"]
    again = [path.read_bytes() for path in files]
    assert len(files) == 1 + len(violation().pairs)
    for path in files:
        root = ElementTree.fromstring(path.read_bytes())
        assert root.get("class") == "dp-audit"
        assert "--paper" in (root[0].text or "")
    write_report(violation(), tmp_path)
    assert [path.read_bytes() for path in files] == again


@pytest.mark.parametrize(
    ("mechanism", "name"),
    [
        ("noisy-average", "noisy-average"),
        ("file.py:function", "file.py-function"),
        ("../../etc/passwd", "etc-passwd"),
        ("..", "audit"),
        ("日本", "audit"),
        ("a" * 300, "a" * 80),
        ("x/.hidden\n", "x-.hidden"),
    ],
)
def test_names_of_files_stay_inside_the_folder(mechanism: str, name: str) -> None:
    assert file_name(mechanism) == name


def test_a_folder_that_cannot_be_written_is_an_input_error(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("a file", "utf-8")
    for folder in (taken, tmp_path / ("x" * 300), tmp_path / "a\0b", tmp_path / "\ud800"):
        with pytest.raises(InputError, match="cannot be written to"):
            write_report(inconclusive(), folder)


def test_pairs_without_bins_have_no_figure(tmp_path: Path) -> None:
    (pair,) = violation().pairs
    empty = dataclasses.replace(violation(), pairs=(dataclasses.replace(pair, bins=()),))
    endings = [path.suffix for path in write_report(empty, tmp_path)]
    assert endings == [".md", ".json", ".html", ".svg"]  # the size of the loss


@pytest.mark.slow
def test_an_index_lists_links_and_draws(tmp_path: Path) -> None:
    for result, _ in RESULTS:
        write_page(result, tmp_path)
    index, figure = write_index(LISTED, tmp_path, "audit all")
    assert index == tmp_path / "README.md"
    assert figure == tmp_path / "bound-against-truth.svg"
    assert all((tmp_path / link).exists() for link in _links(index))
    assert {file_name(result.mechanism) + ".md" for result, _ in RESULTS} <= _links(index)


def test_the_whole_index(snapshot: SnapshotAssertion) -> None:
    assert render_index(LISTED, "audit all", "bound-against-truth.svg") == snapshot


def test_the_index_is_a_table_of_outcomes_and_a_table_of_audits() -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse(render_index(LISTED, "audit all"))
    assert [token.type for token in tokens].count("table_open") == 2


def test_a_mechanism_without_a_report_has_no_link_and_names_its_cause() -> None:
    diagnosis = Diagnosis(cause="noise-too-small", sentence="", advice="")
    result = dataclasses.replace(violation(), diagnosis=diagnosis)
    text = render_index([Listed(result)], "audit all")
    assert f"| {result.mechanism} |" in text
    assert "| noise-too-small |" in text


def test_an_index_without_known_truths_has_verdicts_and_bounds_of_the_claims() -> None:
    zcdp = dataclasses.replace(
        violation(), claim=ZCDP(0.1), levels={"epsilon_lower": 1.5, ZCDP.bound: 0.25}
    )
    text = render_index([_one(zcdp), _one(leak()), _one(inconclusive())], "pytest")
    assert "| verdict | mechanisms | meaning |" in text
    assert "| not-refuted | 1 | the audit does not refute the claim; this is no proof |" in text
    assert "ρ ≥ 0.25" in text and "ε ≥ " in text
    assert "unknown" not in text and "outcome" not in text


def test_a_cause_is_that_of_a_violation() -> None:
    """A side channel of a mechanism that was not refuted has a column of its own."""
    diagnosis = Diagnosis(cause="low-entropy-floats", sentence="", advice="")
    entry = _one(dataclasses.replace(leak(), diagnosis=diagnosis), Truth(keeps=True))
    text = render_index([entry], "audit all")
    assert "low-entropy-floats" not in text and "| floating-point |" in text


def test_an_index_without_known_truths_has_no_figure(tmp_path: Path) -> None:
    written = write_index([_one(violation())], tmp_path, "audit all")
    assert [path.name for path in written] == ["README.md"]
    assert "bound-against-truth" not in written[0].read_text("utf-8")


@pytest.mark.parametrize(
    ("verdict", "truth", "outcome"),
    [
        (Verdict.VIOLATION, Truth(keeps=False, epsilon=math.inf), "caught"),
        (Verdict.VIOLATION, Truth(keeps=True), "false alarm"),
        (Verdict.NOT_REFUTED, Truth(keeps=True), "rightly not refuted"),
        (Verdict.NOT_REFUTED, Truth(keeps=False), "missed"),
        (Verdict.NOT_REFUTED, Truth(keeps=False, reachable=False), "out of reach"),
        (Verdict.NOT_REFUTED, None, "truth unknown"),
        (Verdict.INCONCLUSIVE, Truth(keeps=True), "no answer"),
        (Verdict.NOT_REFUTED, Truth(keeps=True, leaks=True), "leak caught"),
    ],
)
def test_outcomes(verdict: Verdict, truth: Truth | None, outcome: str) -> None:
    assert _one(dataclasses.replace(leak(), verdict=verdict), truth).outcome == outcome


def test_a_leak_that_was_not_seen_is_said() -> None:
    entry = _one(not_refuted(), Truth(keeps=True, leaks=True))
    assert entry.outcome == "leak missed"
    assert "leak missed" in render_index([entry], "audit all")
