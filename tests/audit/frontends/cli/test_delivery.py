"""Places that cannot be written to are refused before any work is done for them."""

from __future__ import annotations

from pathlib import Path

import pytest

import audit.frontends.cli.carrying_out as carrying_out

from .conftest import Audit

NEVER = ("x" * 300, "a\0b", "\ud800", "taken/file", ("y" * 300) + "/file")


@pytest.mark.parametrize("flag", ["--output", "--report"])
@pytest.mark.parametrize("name", NEVER)
def test_names_that_no_file_can_have_are_refused_at_once(
    audit: Audit, here: Path, monkeypatch: pytest.MonkeyPatch, flag: str, name: str
) -> None:
    (here / "taken").write_text("a file")
    monkeypatch.setattr(carrying_out, "run", None)
    run = audit("laplace", flag, name)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert run.err.startswith(f"audit: {flag} ")
    assert "cannot be " in run.err


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--output", "found", "--report", "./found"), "--output and --report both name './found'"),
        (("--store", "found", "--output", "found"), "--output and --store both name 'found'"),
        (("--report", "found/", "--store", "found"), "--report and --store both name 'found'"),
        (("--report", ""), "--report '' cannot be made a folder"),
    ],
)
def test_places_that_would_be_in_each_others_way_are_refused_at_once(
    audit: Audit, monkeypatch: pytest.MonkeyPatch, flags: tuple[str, ...], message: str
) -> None:
    monkeypatch.setattr(carrying_out, "run", None)
    run = audit("laplace", *flags)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert message in run.err


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", NEVER)
def test_a_list_that_cannot_be_written_is_one_line(audit: Audit, name: str) -> None:
    run = audit("list", "--output", name)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert "cannot be written: " in run.err


@pytest.mark.slow
def test_the_report_of_another_audit_stays_and_is_named(audit: Audit, here: Path) -> None:
    words = ("laplace", "--max-samples", "2000", "--no-search", "--report", "found")
    first, other, again = audit(*words), audit(*words, "--seed", "1"), audit(*words)
    assert first.err == again.err == f"audit: report in {Path('found', 'laplace.md')}\n"
    assert other.err == (
        f"audit: report in {Path('found', 'laplace-2.md')}; laplace.md there is of another audit\n"
    )
    assert "seed: 0\n" in (here / "found" / "laplace.md").read_text(encoding="utf-8")
    assert "seed: 1\n" in (here / "found" / "laplace-2.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_page_is_a_format_and_part_of_every_report(audit: Audit, here: Path) -> None:
    few = ("laplace", "--max-samples", "3000", "--seed", "2")
    shown = audit(*few, "--format", "html", "--report", "found")
    assert shown.code == 0
    assert shown.out.startswith("<!doctype html>")
    stored = here / "found" / "laplace.html"
    assert stored.read_text("utf-8") == shown.out
    again = audit("render", str(here / "found" / "laplace.json"), "--format", "html")
    assert again.out == shown.out


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("words", [("all",), ("benchmark", "dp-sum")])
def test_a_page_shows_one_audit(audit: Audit, words: tuple[str, ...]) -> None:
    run = audit(*words, "--format", "html")
    assert (run.code, run.out) == (2, "")
    assert "--format html shows one audit" in run.err


@pytest.mark.usefixtures("here")
def test_a_comparison_has_no_sarif_and_says_so_before_its_audits(audit: Audit) -> None:
    run = audit("benchmark", "dp-sum", "--format", "sarif")
    assert (run.code, run.out) == (2, "")
    assert "--format sarif is for audits; give text, json or markdown" in run.err


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_how_much_is_shown_is_chosen(audit: Audit) -> None:
    few = ("laplace", "--max-samples", "6000", "--seed", "2")
    short, whole, line = audit(*few), audit(*few, "-v"), audit(*few, "--quiet")
    assert (short.code, whole.code, line.code) == (0, 0, 0)
    assert short.out.count("\n") <= 20
    assert line.out.count("\n") == 1
    assert "P[D1]" in whole.out
    assert "P[D1]" not in short.out
    assert " -v" not in whole.out.partition("Reproduce: ")[2]
    again = audit(*few, "--verbose").out
    assert again.partition("finished")[0] == whole.out.partition("finished")[0]
    assert audit(*few, "-q").out == line.out


@pytest.mark.usefixtures("here")
def test_whole_and_one_line_exclude_each_other_before_any_work(audit: Audit) -> None:
    run = audit("laplace", "--verbose", "--quiet", "--progress", "on")
    assert (run.code, run.out) == (2, "")
    assert run.err == "audit: --verbose and --quiet exclude each other; give one of them\n"
