"""`audit benchmark`: accuracy beside what audits could see."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Audit

FEW = ("benchmark", "dp-sum", "--epsilon", "1", "--max-samples", "4000", "--num-days", "2")


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_each_approach_is_measured_and_audited(audit: Audit) -> None:
    run = audit(*FEW, "--format", "json", "--report", "reports", "--fairness")
    found = json.loads(run.out)
    rows = {row["approach"]: row for row in found["rows"]}
    assert list(rows) == ["raw", "local", "global"]
    errors = [row["figures"]["mae"] for row in rows.values()]
    assert errors == sorted(errors, reverse=True)
    assert all(row["epsilon_lower"] <= row["spent_epsilon"] for row in rows.values())
    assert rows["global"]["epsilon_lower"] > 0.5
    assert rows["raw"]["figures"]["raw_per_record"] == pytest.approx(0.1)
    written = {path.name for path in Path("reports").iterdir()}
    assert written == {"dp-sum.md", "dp-sum.json", "dp-sum.svg"}
    assert found["command"] == "audit " + " ".join((*FEW, "--fairness"))


@pytest.mark.slow
def test_the_table_has_a_row_for_each_epsilon_and_approach(audit: Audit) -> None:
    run = audit("benchmark", "dp-sum", "--sweep", "1:2:1", "--max-samples", "1000", "--seeds", "1")
    assert len(run.out.splitlines()) == 1 + 2 * 3
    assert "audited ε ≥" in run.out.splitlines()[0]


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_the_report_of_another_command_stays(audit: Audit) -> None:
    words = ("benchmark", "dp-sum", "--epsilon", "1", "--max-samples", "500", "--report", "found")
    for more in ((), ("--seeds", "1"), ()):
        audit(*words, *more)
    written = {path.name for path in Path("found").iterdir()}
    assert written == {f"dp-sum{n}.{kind}" for n in ("", "-2") for kind in ("md", "json", "svg")}
    assert "(dp-sum-2.svg)" in (Path("found") / "dp-sum-2.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_same_as_markdown(audit: Audit) -> None:
    shown = audit(*FEW, "--format", "markdown").out
    assert shown.startswith("# dp-sum\n")
    assert shown.count("\n| 1 |") == 3


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--epsilon", "1", "--sweep", "1:2:1"], "--epsilon and --sweep say two things"),
        (["--sweep", "1:2"], "write for example 0.5:2.0:0.5"),
        (["--sweep", "2:1:1"], "epsilon_max 1.0 is below epsilon_min"),
        (["--sweep", "1:1e300:1e-300"], "more than 1,000 steps; take larger ones"),
        (["--seeds", "0"], "seeds 0 is not a whole number from 1 on"),
        (["--mechanism", "gauss"], 'Did you mean "gaussian"?'),
    ],
)
def test_what_makes_no_sense_is_one_line(audit: Audit, words: list[str], expected: str) -> None:
    run = audit("benchmark", "dp-sum", *words)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert expected in run.err
