"""`audit canaries`: exit codes, flags, files."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from tests.audit.canary.tables import noisy

from .conftest import Audit

SCHEMA = json.loads((Path(__file__).parents[3] / "result.schema.json").read_text())


@pytest.fixture(autouse=True)
def files(here: Path) -> Path:
    """Scores that give members away, and scores that hardly do."""
    for name, sigma in (("loud", 0.25), ("quiet", 5.0)):
        members, scores = noisy(600, sigma)
        rows = "".join(f"{int(m)},{-s}\n" for m, s in zip(members, scores, strict=True))
        (here / f"{name}.csv").write_text(f"put_in,loss\n{rows}")
    return here


COLUMNS = ("--member", "put_in", "--score", "loss", "--lower-is-member")


def test_a_violation(audit: Audit) -> None:
    words = ["canaries", "loud.csv", *COLUMNS, "--epsilon", "1", "--delta", "1e-5"]
    run = audit(*words, "--format", "json")
    found = json.loads(run.out)
    jsonschema.validate(found, SCHEMA)
    assert run.code == 1
    assert found["verdict"] == "violation"
    assert found["canaries"] == 600
    assert 0 < found["correct"] <= found["guesses"] <= 600
    assert found["epsilon_lower"] <= found["ceiling"]
    assert found["command"] == f"audit {' '.join(words)}"
    assert run.err == ""
    assert audit(*words, "--fail-on", "never").code == 0


def test_quiet_scores_and_few_of_them(audit: Audit) -> None:
    assert audit("canaries", "quiet.csv", *COLUMNS, "--epsilon", "1").code == 0
    run = audit("canaries", "quiet.csv", *COLUMNS, "--epsilon", "9")
    assert run.code == 3
    assert run.out.startswith("INCONCLUSIVE  ")
    said = " ".join(run.out.split())
    assert "600 guesses cannot refute ε = 9, whatever the model is: that takes at least" in said
    assert run.err == ""


@pytest.mark.slow
def test_scores_the_wrong_way_round_end_with_a_hint(audit: Audit) -> None:
    words = ["canaries", *COLUMNS[:4], "--epsilon", "1", "--alpha", "0.05"]
    loud, quiet = (audit(*words, f"{name}.csv") for name in ("loud", "quiet"))
    assert (loud.code, quiet.code) == (1, 0)
    assert "give --lower-is-member" in " ".join(loud.out.split())
    assert "--lower-is-member" not in quiet.out


@pytest.mark.slow
def test_an_assumption_and_a_fresh_seed_stand_in_the_result(audit: Audit, here: Path) -> None:
    (here / "curve.csv").write_text("epsilon,delta\n0.5,0.2\n1,0.05\n")
    words = ["canaries", *COLUMNS, "--profile", "curve.csv", "--assume", "independent-canaries"]
    for name, code in (("loud", 1), ("quiet", 0)):
        run = audit(*words, f"{name}.csv", "--format", "json")
        found = json.loads(run.out)
        assert run.code == code
        assert found["assumptions"] == ["independent-canaries"]
        assert found["command"].endswith(f" --seed {found['seed']}")
        again = json.loads(audit(*found["command"].split()[1:], "--format", "json").out)
        assert again["two_sample"] == found["two_sample"]


@pytest.mark.slow
def test_stored_results_are_rendered_again(audit: Audit, here: Path) -> None:
    words = ["canaries", "loud.csv", *COLUMNS, "--epsilon", "1", "--name", "model"]
    stored = audit(*words, "--format", "json").out
    (here / "result.json").write_text(stored)
    again = audit("render", "result.json", "--format", "json")
    assert (again.code, again.out) == (1, stored)
    for kind in ("markdown", "html"):
        assert "FAIL" in audit("render", "result.json", "--format", kind).out
    named = audit("render", "result.json", "--name", "other", "--report", "reports")
    assert named.out.startswith("FAIL  other is not ε = 1 differentially private\n")
    assert sorted(path.name for path in (here / "reports").iterdir()) == [
        "other-fig1.svg",
        "other-fig2.svg",
        "other.html",
        "other.json",
        "other.md",
    ]


def test_bad_input_is_one_line(audit: Audit, here: Path) -> None:
    (here / "text.csv").write_text("member,score\n1,high\n0,low\n")
    (here / "bare.csv").write_text("1,0.5\n0,0.25\n")
    (here / "semicolons.csv").write_text("member;score\n1;0.5\n0;0.25\n")
    rows = "".join(f"{i % 2},{i}\n" for i in range(40))
    (here / "halves.csv").write_text(f"member,score\n{rows}")
    for words, said in (
        (["loud.csv", "--epsilon", "1"], "has no column 'member'"),
        (["none.csv", "--epsilon", "1"], "none.csv"),
        (["bare.csv", "--epsilon", "1"], "it has no header line, only c0, c1"),
        (["semicolons.csv", "--epsilon", "1"], "has semicolons between its columns"),
        (["halves.csv", "--epsilon", "1"], "state the design with --assignment halves, or"),
        (["loud.csv", *COLUMNS], "canaries state no claim"),
        (["text.csv", "--epsilon", "1"], "score 'high' in row 1"),
        (["loud.csv", *COLUMNS, "--epsilon", "1", "--relation", "l1:2"], "relation l1:2"),
        (["loud.csv", *COLUMNS, "--epsilon", "1", "--format", "sarif"], "give text, json"),
        (["loud.csv", *COLUMNS, "--epsilon", "1", "--assignment", "pairs"], "--pair NAME"),
    ):
        run = audit("canaries", *words)
        assert (run.code, run.out) == (2, "")
        assert said in run.problem
