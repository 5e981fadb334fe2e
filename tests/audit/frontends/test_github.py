"""What GitHub Actions shows of audits."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from audit.frontends import github
from audit.frontends.cli.main import main
from audit.report.json_node import render_json
from tests.audit.report.sample_results import inconclusive, leak, not_refuted, violation

ROOT = Path(__file__).parents[3]
ACTION = ROOT / ".github" / "actions" / "audit" / "action.yml"
SCHEMA = ROOT / "tests" / "github-action-schema.json"
"""That of SchemaStore."""
RELEASE = "def hasty(data, rng, size):\n    return data.sum() + rng.laplace(0, 0.3, size)\n"


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The summary of a job whose repository is the folder above the working directory."""
    work = tmp_path / "sub"
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    return tmp_path / "summary.md"


def test_annotations_stand_where_the_mechanism_does(job: Path) -> None:
    lines = list(github.annotated([replace(violation(), place="release.py:12", leaks=())]))
    (line,) = lines
    place = "file=sub/release.py,line=12,title=violation%3A noisy-average"
    start = f"::error {place}::FAIL noisy-average: ε ≥ 2.71, claimed 0.5: "
    assert line.startswith(start) and "\n" not in line


def test_what_could_not_be_decided_warns_and_leaks_are_noted() -> None:
    assert [line.split()[0] for line in github.annotated([inconclusive()])] == ["::warning"]
    assert "::notice" in {line.split()[0] for line in github.annotated([leak()])}
    assert list(github.annotated([replace(not_refuted(), leaks=())])) == []


def test_names_cannot_end_a_command_or_begin_another() -> None:
    evil = replace(violation(), mechanism="a,b::x\n::error::y%0A", place="", leaks=())
    (line,) = github.annotated([evil])
    assert "\n" not in line and line.startswith("::error title=violation%3A a%2Cb%3A%3Ax")
    assert "%250A" in line


@pytest.mark.slow
def test_one_audit_is_annotated_and_summed_up(job: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Path("release.py").write_text(RELEASE)
    words = ["python", "release.py:hasty", "--epsilon", "1", "--data", "[1, 0]"]
    assert main([*words, "--neighbor", "[0]", "--max-samples", "3000"]) == 1
    out, err = capfd.readouterr()
    assert "::error file=sub/release.py,line=1,title=violation%3A release.py%3Ahasty::" in err
    assert "::" not in out.partition("Reproduce: ")[0].replace("e.py:h", "")
    summary = job.read_text()
    assert "| release.py:hasty | ε = 1 | violation" in summary
    assert "audit python release.py:hasty" in summary


def test_a_stored_result_is_not_annotated_again(
    job: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    Path("r.json").write_text(render_json(violation()))
    main(["render", "r.json"])
    assert "::error" not in capfd.readouterr().err and not job.exists()
    main(["compare", "r.json", "r.json"])
    assert "# Changes" in job.read_text()


def test_a_summary_that_cannot_be_written_is_told_and_no_error(
    job: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(job.parent))
    told: list[str] = []
    github.summarize("x", told.append)
    assert len(told) == 1 and "cannot be written" in told[0]


def test_elsewhere_nothing_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    told: list[str] = []
    github.show([violation()], told.append)
    assert told == []


def action() -> Any:
    yaml = pytest.importorskip("yaml")
    return yaml.safe_load(ACTION.read_text(encoding="utf-8"))


def test_the_action_has_the_form_of_a_composite_one() -> None:
    found = action()
    assert set(found) == {"name", "description", "inputs", "runs"}
    assert found["runs"]["using"] == "composite"
    for given in found["inputs"].values():
        assert set(given) <= {"description", "required", "default"} and given["description"]
    for step in found["runs"]["steps"]:
        assert set(step) <= {"name", "if", "uses", "with", "shell", "env", "run"}
        assert ("uses" in step) != ("run" in step)
        assert ("run" in step) == ("shell" in step)
        # What a caller gives reaches a shell as an environment variable only.
        assert "${{" not in step.get("run", "")


def test_the_action_is_valid_and_the_schema_of_actions_refuses_others() -> None:
    schema = json.loads(SCHEMA.read_text("utf-8"))
    valid = jsonschema.validators.validator_for(schema)(schema)
    found = action()
    valid.validate(found)
    nameless = {key: found[key] for key in found if key != "name"}
    shell = next(step for step in found["runs"]["steps"] if "run" in step)
    shell.pop("shell")
    for wrong in (nameless, found):
        with pytest.raises(jsonschema.ValidationError):
            valid.validate(wrong)


@pytest.mark.parametrize("ledger", ["", "a b.jsonl"])
def test_the_action_passes_its_words_on(tmp_path: Path, ledger: str) -> None:
    (step,) = (s for s in action()["runs"]["steps"] if s["name"] == "Audit")
    fake = tmp_path / "audit"
    fake.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\nexit 3\n')
    fake.chmod(0o755)
    words = 'python\nrelease.py:f\n--data\n[1, 2] $(touch no) `x` "q"\n'
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    ran = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", step["run"]],
        env=environment | {"ARGUMENTS": words, "LEDGER": ledger},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    first, *others = words.splitlines()
    assert ran.returncode == 3, ran.stderr
    assert ran.stdout.splitlines() == [first, *(["--ledger", ledger] if ledger else []), *others]
    assert not (tmp_path / "no").exists()
