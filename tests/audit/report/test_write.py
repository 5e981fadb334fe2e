"""Folders of reports and their index."""

from __future__ import annotations

import dataclasses
import math
import re
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from syrupy.assertion import SnapshotAssertion

from audit.declaration import Truth
from audit.errors import InputError
from audit.report.index import Listed, render_index, write_index
from audit.report.restore import read_result
from audit.report.write import file_name, write_report
from audit.result import Verdict

from .sample_results import all_samples, inconclusive, leak, not_refuted, violation

LISTED = [
    Listed(violation(), Truth(keeps=False, epsilon=5.0), "averages"),
    Listed(not_refuted(), Truth(keeps=True, epsilon=1.0), "counts"),
    Listed(leak(), Truth(keeps=True, leaks=True), "counts"),
    Listed(inconclusive(), None, "votes | <b>"),
]


def _links(path: Path) -> set[str]:
    return set(re.findall(r"\]\(([^)]+)\)", path.read_text("utf-8")))


@pytest.mark.parametrize("name", sorted(all_samples()))
def test_a_report_links_to_files_that_are_there(name: str, tmp_path: Path) -> None:
    result = all_samples()[name]
    folder = tmp_path / "made" / "for it"
    written = write_report(result, folder)
    assert len(written) == 2 + len(result.pairs)
    assert all(path.is_file() for path in written)
    local = {link for link in _links(written[0]) if not link.startswith("https:")}
    assert {folder / link for link in local} == set(written[2:])
    assert read_result(written[1]).to_json() == result.to_json()


def test_writing_again_changes_nothing(tmp_path: Path) -> None:
    first = [path.read_bytes() for path in write_report(violation(), tmp_path)]
    assert [path.read_bytes() for path in write_report(violation(), tmp_path)] == first


def test_figures_can_be_png(tmp_path: Path) -> None:
    written = write_report(violation(), tmp_path, "png")
    assert written[-1].suffix == ".png"


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
    assert len(write_report(empty, tmp_path)) == 2


def test_an_index_lists_links_and_draws(tmp_path: Path) -> None:
    for entry in LISTED:
        write_report(entry.result, tmp_path)
    written = write_index(LISTED, tmp_path, "audit all")
    assert [path.name for path in written] == ["README.md", "bound-against-truth.svg"]
    assert all((tmp_path / link).is_file() for link in _links(written[0]))


def test_the_whole_index(snapshot: SnapshotAssertion) -> None:
    assert render_index(LISTED, "audit all", "bound-against-truth.svg") == snapshot


def test_the_index_is_one_table_for_each_group() -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse(render_index(LISTED, "audit all"))
    assert [token.type for token in tokens].count("table_open") == 1 + 3


def test_an_index_without_known_truths_has_no_figure(tmp_path: Path) -> None:
    written = write_index([Listed(violation())], tmp_path, "audit all")
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
    assert Listed(dataclasses.replace(leak(), verdict=verdict), truth).outcome == outcome


def test_a_leak_that_was_not_seen_is_said() -> None:
    entry = Listed(not_refuted(), Truth(keeps=True, leaks=True))
    assert entry.outcome == "leak missed"
    assert "leak missed" in render_index([entry], "audit all")
