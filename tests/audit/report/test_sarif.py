"""SARIF: valid, in place, and the same finding in every run."""

from __future__ import annotations

import dataclasses
import functools
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from audit.blackbox.callables import place_of
from audit.blackbox.python import PythonBlackBox
from audit.claims import PureDP
from audit.claims.profile import ProfileDP
from audit.report.causes import CAUSES
from audit.report.sarif import render_many, render_sarif
from audit.verdict.findings import Diagnosis
from audit.verdict.result import AuditResult

from .known_truth import audited
from .sample_results import (
    all_samples,
    inconclusive,
    leak,
    not_refuted,
    violation,
    with_claim,
)

_SCHEMA = Path(__file__).parents[2] / "sarif-schema-2.1.0.json"


def _validator() -> Any:
    return jsonschema.Draft4Validator(json.loads(_SCHEMA.read_text("utf-8")))


def _found(result: AuditResult) -> list[dict[str, Any]]:
    findings: list[dict[str, Any]] = json.loads(render_sarif(result))["runs"][0]["results"]
    return findings


@pytest.mark.parametrize("name", sorted(all_samples()))
def test_every_result_is_valid(name: str) -> None:
    _validator().validate(json.loads(render_sarif(all_samples()[name])))


def test_the_schema_refuses_what_is_not_sarif() -> None:
    log = json.loads(render_sarif(violation()))
    log["runs"][0]["results"][0]["kind"] = "violation"
    assert not _validator().is_valid(log)


@pytest.mark.parametrize(
    ("result", "kind", "level"),
    [
        (violation(), "fail", "error"),
        (not_refuted(), "pass", "none"),
        (inconclusive(), "open", "none"),
    ],
)
def test_verdicts_are_kinds(result: AuditResult, kind: str, level: str) -> None:
    found = _found(result)[0]
    assert (found["kind"], found["level"]) == (kind, level)


def leaking(kind: str) -> AuditResult:
    (found,) = leak().leaks
    return dataclasses.replace(leak(), leaks=(dataclasses.replace(found, kind=kind),))


@pytest.mark.parametrize(
    ("result", "rules"),
    [
        (with_claim(PureDP(1.0)), ["privacy-claim"]),
        (with_claim(ProfileDP(((0.0, 0.4), (1.0, 0.1)))), ["privacy-curve"]),
        (leaking("floating-point"), ["privacy-claim", "floating-point-leak"]),
        (leaking("timing"), ["privacy-claim", "timing-leak"]),
        (leaking("of another kind"), ["privacy-claim", "side-channel"]),
    ],
)
def test_what_is_found_has_its_rule(result: AuditResult, rules: list[str]) -> None:
    log = json.loads(render_sarif(result))
    _validator().validate(log)
    (run,) = log["runs"]
    assert [found["ruleId"] for found in run["results"]] == rules
    told = run["tool"]["driver"]["rules"]
    assert [told[found["ruleIndex"]]["id"] for found in run["results"]] == rules
    levels = {rule["id"]: rule["defaultConfiguration"]["level"] for rule in told}
    warnings = {rule for rule, level in levels.items() if level == "warning"}
    assert warnings == {"floating-point-leak", "timing-leak", "side-channel"}


@pytest.mark.parametrize("cause", sorted(CAUSES))
def test_each_cause_has_its_rule(cause: str) -> None:
    diagnosis = Diagnosis(cause=cause, sentence="One thing.", advice="Do this.")
    result = dataclasses.replace(violation(), diagnosis=diagnosis, leaks=())
    log = json.loads(render_sarif(result))
    _validator().validate(log)
    (found,) = log["runs"][0]["results"]
    assert found["ruleId"] == ("privacy-claim" if cause == "unknown" else cause)
    assert "Likely cause: One thing. To fix: Do this." in found["message"]["text"]


def test_the_fingerprint_does_not_depend_on_the_cause() -> None:
    diagnosis = Diagnosis(cause="no-noise", sentence="One thing.", advice="Do this.")
    found = dataclasses.replace(violation(), diagnosis=diagnosis)
    first, second = (_found(r)[0]["partialFingerprints"] for r in (violation(), found))
    assert first == second


@pytest.mark.slow
def test_the_place_is_that_of_the_function() -> None:
    found = _found(audited("half"))[0]
    place = found["locations"][0]["physicalLocation"]
    source = Path(place["artifactLocation"]["uri"]).read_text("utf-8").splitlines()
    assert "def noisy_sum" in source[place["region"]["startLine"] - 1]


def test_a_program_has_no_place() -> None:
    assert place_of(object()) == ""
    assert place_of(PythonBlackBox(len, name="len")) == ""
    assert "locations" not in _found(violation())[0]


def test_a_finding_is_the_same_in_every_run_of_one_question() -> None:
    first, again = violation(), dataclasses.replace(violation(), samples=7, seed=9)
    other = dataclasses.replace(violation(), mechanism="another")
    prints = [_found(r)[0]["partialFingerprints"] for r in (first, again, other)]
    assert prints[0] == prints[1] != prints[2]


def test_many_audits_are_one_log() -> None:
    log = json.loads(render_many([violation(), not_refuted()]))
    _validator().validate(log)
    assert len(log["runs"]) == 1
    assert len(log["runs"][0]["results"]) >= 2


def test_objects_and_partials_have_places_too() -> None:
    class Sum:
        def __call__(self, data: Any) -> float:
            return float(sum(data))

    for function in (Sum(), functools.partial(Sum(), ()), Sum().__call__):
        box = dataclasses.make_dataclass("Box", ["function"])(function)
        file, _, line = place_of(box).rpartition(":")
        source = Path(file).read_text("utf-8").splitlines()
        assert "def __call__" in source[int(line) - 1]
