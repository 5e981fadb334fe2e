"""`audit MECHANISM` from end to end: result, files, exit code."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from tests.timeless import timeless

from .conftest import Audit

SCHEMA = json.loads((Path(__file__).parents[3] / "result.schema.json").read_text())
ADULT = "90, Private, 1, HS-grad\n26, ?, 2, Masters\n\n40, Private, 3, 10th\n|1x3 Cross validator\n"


@pytest.mark.slow
def test_the_main_job_ends_with_a_violation(audit: Audit) -> None:
    run = audit("noisy-average")
    assert run.code == 1
    assert run.err == ""
    assert run.out.startswith("FAIL  noisy-average is not ε = 0.5 differentially private\n")
    assert run.out.endswith("Reproduce: audit noisy-average\n")


@pytest.mark.slow
def test_json_is_one_object_of_the_schema(audit: Audit) -> None:
    run = audit("noisy-average", "--format", "json")
    found = json.loads(run.out)
    jsonschema.validate(found, SCHEMA)
    assert found["verdict"] == "violation"
    assert found["witness"]["ratio"] == "inf"
    assert {"D1", "D2", "D3"} <= {pair["name"] for pair in found["pairs"]}
    assert found["search"] is not None


@pytest.mark.slow
def test_the_same_command_gives_the_same_result(audit: Audit) -> None:
    words = ["noisy-average", "--format", "json", "--seed", "3"]
    assert timeless(audit(*words).out) == timeless(audit(*words).out)


@pytest.mark.slow
def test_a_mechanism_that_keeps_its_claim_is_not_refuted(audit: Audit) -> None:
    run = audit("noisy-average", "--sensitivity", "clamped", "--max-samples", "20000")
    assert run.code == 0
    assert run.out.startswith("NOT REFUTED  ")


def test_too_small_a_budget_is_inconclusive(audit: Audit) -> None:
    run = audit("noisy-average", "--max-samples", "20", "--no-search")
    assert run.code == 3
    assert run.out.startswith("INCONCLUSIVE  ")


@pytest.mark.slow
def test_the_null_self_check_passes(audit: Audit) -> None:
    run = audit("noisy-average", "--null", "--max-samples", "5000")
    assert run.code == 0
    assert run.out.startswith("NOT REFUTED  noisy-average: D against itself: no difference\n")


@pytest.mark.slow
@pytest.mark.parametrize(("fail_on", "code"), [("violation", 1), ("leak", 1), ("never", 0)])
def test_fail_on_decides_the_exit_code(audit: Audit, fail_on: str, code: int) -> None:
    assert audit("noisy-average", "--fail-on", fail_on).code == code


@pytest.mark.slow
def test_a_leak_fails_only_when_asked_for(audit: Audit) -> None:
    words = ["laplace-low-bits", "--max-samples", "20000", "--format", "json"]
    quiet = audit(*words)
    assert json.loads(quiet.out)["leaks"]
    assert quiet.code == 0
    assert audit(*words, "--fail-on", "leak").code == 1


@pytest.mark.slow
def test_the_original_file_gives_d1_to_d3_and_says_what_it_left_out(
    audit: Audit, here: Path
) -> None:
    (here / "adult.data").write_text(ADULT)
    run = audit("noisy-average", "--data", "adult.data", "--no-search", "--format", "json")
    assert run.err == (
        "audit: adult.data: 2 lines left out, 1 of them blank and 1 without an age\n"
    )
    pairs = json.loads(run.out)["pairs"]
    assert [pair["name"] for pair in pairs] == ["D1", "D2", "D3", "pooled"]
    assert [pair["difference"] for pair in pairs[:3]] == [
        "without one record 90.0",
        "without one record 26.0",
        "without one record 26.0",
    ]


@pytest.mark.slow
def test_somebodys_data_are_searched_too(audit: Audit, here: Path) -> None:
    (here / "adult.data").write_text(ADULT)
    found = json.loads(audit("noisy-average", "--data", "adult.data", "--format", "json").out)
    assert found["search"]["pairs"] > 0


@pytest.mark.slow
def test_data_and_neighbors_of_the_command_line_replace_the_own(audit: Audit) -> None:
    run = audit(
        *("noisy-average", "--data", "[30, 40]", "--neighbor", "[30]", "--neighbor", "[40]"),
        *("--format", "json", "--max-samples", "5000"),
    )
    found = json.loads(run.out)
    assert [pair["name"] for pair in found["pairs"]] == ["D1", "D2", "pooled"]
    assert found["search"] is None


@pytest.mark.slow
def test_another_relation_gets_neighbors_of_its_own(audit: Audit) -> None:
    run = audit(
        *("noisy-average", "--relation", "substitute", "--no-search"),
        *("--max-samples", "3000", "--format", "json", "--fail-on", "never"),
    )
    assert run.code in (0, 3)
    found = json.loads(run.out)
    assert found["relation"] == "substitute"
    assert all("became" in p["difference"] or "pooled" in p["name"] for p in found["pairs"])


@pytest.mark.slow
def test_reports_are_written_beside_the_result(audit: Audit, here: Path) -> None:
    run = audit("noisy-average", "--report", "reports", "--output", "answer.txt")
    assert run.code == 1
    assert run.out == ""
    assert run.err == f"audit: report in {Path('reports', 'noisy-average.md')}\n"
    assert (here / "answer.txt").read_text(encoding="utf-8").startswith("FAIL  ")
    written = {path.name for path in (here / "reports").iterdir()}
    assert {"noisy-average.md", "noisy-average.json", "noisy-average-fig1.svg"} <= written
    page = (here / "reports" / "noisy-average.md").read_text(encoding="utf-8")
    assert "--report" not in page


@pytest.mark.slow
def test_progress_goes_to_standard_error_line_by_line(audit: Audit) -> None:
    run = audit("noisy-average", "--progress", "on")
    stages = [line.partition(":")[0] for line in run.err.splitlines()]
    assert list(dict.fromkeys(stages)) == [
        "searching",
        "betting",
        "refuted, continuing for the lower bound",
        "checking",
        "measuring what was found",
        "drawing the tables",
    ]
    assert run.out.startswith("FAIL  ")
    assert audit("noisy-average", "--progress", "off").err == ""


@pytest.mark.slow
def test_the_number_of_workers_changes_nothing(audit: Audit) -> None:
    words = ("laplace", "--max-samples", "4000", "--no-search", "--format", "json")
    assert timeless(audit(*words, "--workers", "2").out) == timeless(audit(*words).out)


def test_places_that_cannot_be_written_are_refused_before_any_work(
    audit: Audit, here: Path
) -> None:
    (here / "taken").write_text("")
    for words in (["--report", "taken"], ["--report", "taken/x"], ["--output", "gone/x"]):
        run = audit("noisy-average", "--progress", "on", *words)
        assert (run.code, run.err.count("\n")) == (2, 1)
        assert f"{words[0]} {words[1]!r} cannot be" in run.err
