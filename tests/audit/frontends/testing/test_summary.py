"""The audits of a run on the terminal."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import pytest

import audit
from audit.claims import ZCDP, ApproxDP, Claim, PureDP
from audit.frontends.testing.budget import Limit, Shares
from audit.frontends.testing.running import Note
from audit.frontends.testing.summary import summary
from audit.verdict.findings import Search, Suggestive, TimeLimit
from audit.verdict.result import AuditResult, Verdict

from .releases import right, wrong

pytestmark = pytest.mark.slow

PAIR: dict[str, Any] = {"data": [0.0, 1.0], "neighbors": [[0.0]], "max_samples": 1000}


@pytest.fixture(scope="module")
def quiet() -> AuditResult:
    enough: dict[str, Any] = PAIR | {"max_samples": 3000}
    return replace(audit.run(right, epsilon=1.0, **enough), leaks=(), alpha=1e-6)


def _note(result: AuditResult, name: str = "test_a.py::test", example: bool = False) -> Note:
    return Note.of(name, result, example)


def test_one_line_for_each_audit(quiet: AuditResult) -> None:
    violation = audit.run(wrong, ZCDP(0.1), **PAIR)
    lines = list(summary([_note(violation), _note(quiet, "test_b.py::test")], everything=False))
    assert [verdict for _, verdict in lines] == [
        None,
        Verdict.NOT_REFUTED,
        Verdict.VIOLATION,
        None,
    ]
    head, kept, broken, counted = (line for line, _ in lines)
    heads = "verdict", "lower bound", "detects", "evidence", "runs", "test and mechanism"
    assert head.split() == " ".join(heads).split()
    assert kept.startswith("NOT REFUTED ")
    assert "e-value 1" in kept
    assert "ε ≥ 0." in kept
    detected = float(kept.split("ε ≥ ")[2].split()[0])
    assert quiet.detectable_epsilon is not None
    assert quiet.detectable_epsilon <= detected < 1.01 * quiet.detectable_epsilon
    assert re.search(r"ε ≥ \S+ \((?:\d\S*|none) if 10% of runs show it\)  ", kept)
    assert kept.endswith("test_b.py::test  right, ε = 1")
    assert broken.startswith("FAIL ")
    stated = float(broken.split("ρ ≥ ")[1].split()[0])
    assert 0.1 < stated <= violation.levels["rho_lower"] < 1.01 * stated
    assert " p < 1e-" in broken
    runs = f"{violation.samples + quiet.samples:,} runs"
    assert counted == f"2 audits, {runs}; probability of any false alarm: at most 0.001"


def test_only_some_quiet_audits_are_listed(quiet: AuditResult) -> None:
    notes = [_note(quiet)] * 25
    short = [line for line, _ in summary(notes, everything=False)]
    assert len(short) == 1 + 20 + 1 + 1
    assert short[21] == "... and 5 more not refuted, listed with -v"
    assert len(list(summary(notes, everything=True))) == 1 + 25 + 1


def test_examples_and_leaks_are_mentioned(quiet: AuditResult) -> None:
    leaking = audit.run(right, epsilon=1.0, **PAIR | {"max_samples": 40_000})
    assert leaking.leaks
    lines = [line for line, _ in summary([_note(leaking, example=True)], everything=False)]
    assert lines[1].endswith("right, ε = 1 (1 audits of examples, floating-point leak)")


def test_evidence_that_did_not_suffice_has_a_line(quiet: AuditResult) -> None:
    grown = replace(quiet, suggestive=Suggestive(log_evalue=math.log(248.5), runs_wanted=56_000))
    lines = [line for line, _ in summary([_note(grown)], everything=False)]
    assert lines[2] == (
        "test_a.py::test: about 56,000 runs may decide; the e-value grew to 248 of 1,000,000: "
        "max_samples=56000, or --audit-max-samples 56000 if the test sets none"
    )


@pytest.mark.parametrize(
    ("most", "advice"), [(50_000, "max_samples=56000, or"), (60_000, "give more time")]
)
def test_time_is_asked_for_where_time_ended_before_the_runs(
    quiet: AuditResult, most: int, advice: str
) -> None:
    ended = TimeLimit(seconds=2.0, parts=("bets",), max_samples=most)
    grown = Suggestive(log_evalue=math.log(248.5), runs_wanted=56_000)
    result = replace(quiet, suggestive=grown, time_limit=ended)
    lines = [line for line, _ in summary([_note(result)], everything=False)]
    assert any(f"e-value grew to 248 of 1,000,000: {advice}" in line for line in lines)


@pytest.mark.parametrize(
    ("claim", "detectable", "words"),
    [
        (PureDP(1.0), 6.3, "detects ε ≥ 6.3"),
        (PureDP(1.0), math.inf, "detects none"),
        (ApproxDP(1.0, 1e-5), 2.1, "detects ratio 8.17"),
        (PureDP(0.0), math.inf, "detects none"),
        (PureDP(1.0), 1.9, ""),
        (PureDP(4.0), 6.3, ""),
        (PureDP(0.0), 0.2, ""),
        (ZCDP(0.1), 2.1, ""),
    ],
)
def test_little_power_has_a_line(
    quiet: AuditResult, claim: Claim, detectable: float, words: str
) -> None:
    result = replace(quiet, claim=claim, detectable_epsilon=detectable)
    lines = [line for line, _ in summary([_note(result)], everything=False)]
    start = "test_a.py::test: little power: twice the claimed ε may pass"
    found = [line for line in lines if line.startswith(start)]
    assert len(found) == bool(words)
    assert all(words in line and line.endswith("give max_samples=30000") for line in found)
    searched = replace(result, search=Search(pairs=3, shrinks=0, samples=0))
    for line, _ in summary([_note(searched)], everything=False):
        assert "or the critical pair" in line or not line.startswith(start)


def test_no_lower_bound_is_none(quiet: AuditResult) -> None:
    """As every other answer states it."""
    for levels, shown in ((quiet.levels, "ε ≥ 0."), ({"epsilon_lower": 0.0}, "none ")):
        _, (row, _), *_ = summary([_note(replace(quiet, levels=levels))], everything=False)
        assert row.removeprefix("NOT REFUTED").lstrip().startswith(shown)


def test_that_time_ended_has_a_line() -> None:
    slow: dict[str, Any] = PAIR | {"max_samples": 50_000_000}
    limit = Limit.of(None, None, 0.5, Shares(2.0))
    assert limit is not None
    start = "test_a.py::test: --audit-seconds 2 left 0.5 s for this test and ended the bets"
    result = audit.run(right, epsilon=1.0, **slow, max_seconds=limit.seconds)
    assert result.units is not None
    for kind in ("life", "call"):
        note = _note(replace(result, units=replace(result.units, kind=kind)))
        lines = [line for line, _ in summary([replace(note, limit=limit.words)], everything=False)]
        (ended,) = [line for line in lines if line.startswith(start)]
        quicker = ended.endswith("assume=('independent-calls',) takes less time")
        assert quicker == (kind == "life")


def test_names_from_outside_cannot_write_on_the_terminal(quiet: AuditResult) -> None:
    lines = summary([_note(replace(quiet, mechanism="a\x1b[31m\nb"))], everything=False)
    assert all("\x1b" not in line and "\n" not in line for line, _ in lines)
