"""`--ledger`: what the command line says of all audits of a target."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from audit.frontends.cli.flags import BudgetFlags
from audit.frontends.cli.survey import audit_one
from tests.timeless import timeless

from .conftest import Audit

RELEASE = """
def noisy(data, rng, size):
    return data.sum() + rng.laplace(0, 1, size)
"""
WORDS = ("python", "release.py:noisy", "--epsilon", "1", "--data", "[1, 0]", "--neighbor", "[0]")
SMALL = ("--max-samples", "3000", "--ledger", "audits.jsonl")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "release.py").write_text(RELEASE)
    return tmp_path


@pytest.mark.slow
def test_every_format_says_what_holds_for_all_audits(audit: Audit, here: Path) -> None:
    sentence = (
        "α = 0.001 bounds the probability of any false alarm about release.py:noisy in "
        "audits.jsonl; audit 1, at level 0.00025; "
    )
    found = audit(*WORDS, *SMALL, "--format", "json", "--output", "result.json")
    assert found.code in (0, 3)
    stored = json.loads((here / "result.json").read_text())
    together = stored["ledger"].pop("together")
    assert together["level"] == 0.0005 and together["since"] == together["builds"] == 1
    assert together["runs"] == stored["samples"] <= 3000
    assert stored["ledger"] == {
        "file": "audits.jsonl",
        "target": "release.py:noisy",
        "audit": 1,
        "build": 1,
        "alpha": 0.001,
        "runs": 3000,
    }
    for kind in ("markdown", "html"):
        shown = " ".join(audit("render", "result.json", "--format", kind).out.split())
        assert sentence in shown.replace("\\_", "_")


@pytest.mark.slow
def test_the_command_repeats_an_audit_without_its_ledger(audit: Audit, here: Path) -> None:
    first = timeless(audit(*WORDS, *SMALL, "--format", "json").out)
    words = shlex.split(first["command"])
    assert "--ledger" not in words and words[words.index("--alpha") + 1] == "0.00025"
    assert first.pop("ledger")
    assert timeless(audit(*words[1:], "--format", "json").out) == first


@pytest.mark.slow
def test_a_second_build_says_that_it_goes_on(audit: Audit, here: Path) -> None:
    audit(*WORDS, *SMALL)
    shown = " ".join(audit(*WORDS, *SMALL, "--format", "markdown").out.split())
    assert "at level 0.00025; build 2 continues the wealth of the builds before" in shown


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (("--null",), "leave --ledger out"),
        (("--store", "s.db"), "leave --store out"),
        (("--output", "audits.jsonl"), "--output and --ledger both name 'audits.jsonl'"),
    ],
)
def test_contradictions_are_refused_before_any_work(
    audit: Audit, here: Path, more: tuple[str, ...], why: str
) -> None:
    found = audit(*WORDS, *SMALL, *more)
    assert found.code == 2 and why in found.err and len(found.err.splitlines()) == 1
    assert not (here / "audits.jsonl").exists()


def test_a_forged_ledger_is_refused_in_one_line(audit: Audit, here: Path) -> None:
    (here / "audits.jsonl").write_text('{"target": "release.py:noisy", "level": 0.9}\n')
    found = audit(*WORDS, *SMALL)
    assert found.code == 2 and len(found.err.splitlines()) == 1
    assert "line 1 does not fit" in found.err


@pytest.mark.slow
def test_a_survey_keeps_its_ledger(here: Path) -> None:
    budget = BudgetFlags(max_samples=3000, ledger=str(here / "audits.jsonl"))
    for build in (1, 2):
        found = audit_one("laplace", budget, None, here / "reports")
        assert found is not None and found.standing is not None
        assert (found.standing.target, found.standing.build) == ("laplace", build)
        assert "--alpha 0.00025" in found.command and "--ledger" not in found.command
