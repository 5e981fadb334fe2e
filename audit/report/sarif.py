"""Results as SARIF 2.1.0 (OASIS), which services that show findings beside code read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any

from audit import __version__ as VERSION
from audit.claims.profile import ProfileDP
from audit.errors import visible
from audit.report.answer import answer_of
from audit.report.causes import CAUSES, channel
from audit.report.sentences import brief, leak_evidence, side_channel
from audit.verdict.result import AuditResult, Verdict

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_CLAIM, _CURVE = "privacy-claim", "privacy-curve"
_CLAIMS = {
    _CLAIM: (
        "A mechanism satisfies the differential privacy that it claims.",
        "An event whose odds on two neighboring datasets exceed what the claim allows breaks it.",
    ),
    _CURVE: (
        "A mechanism satisfies the curve of epsilon and delta that it claims.",
        "An event whose odds on two datasets exceed what one point allows breaks all of it.",
    ),
}
_LEAKS = {
    "floating-point-leak": "The low-order bits of outputs do not depend on single records.",
    "timing-leak": "The time of a run does not depend on single records.",
    "side-channel": "No side channel depends on single records.",
}
_RULES = {
    **_CLAIMS,
    **{
        cause: (known.rule, f"Likely cause of a violation: {known.short}.")
        for cause, known in CAUSES.items()
        if cause != "unknown"
    },
    **{
        rule: (asked, f"{channel(rule.removesuffix('-leak')).means.capitalize()}.")
        for rule, asked in _LEAKS.items()
    },
}
"""By id: the requirement, and the meaning of a finding. One rule for each likely cause."""
_KINDS = {
    Verdict.VIOLATION: ("fail", "error"),
    Verdict.NOT_REFUTED: ("pass", "none"),
    Verdict.INCONCLUSIVE: ("open", "none"),
}
"""SARIF's kind and level of each verdict: "open" is an undecided one."""
_SAID = ("Likely cause", "To fix", "What to do", "Hint")


def render_sarif(result: AuditResult) -> str:
    """One audit as a SARIF log."""
    return render_many([result])


def render_many(results: Sequence[AuditResult]) -> str:
    """Audits as one SARIF log of one run: a finding for each claim, and one for each leak."""
    run = {
        "tool": {"driver": _driver()},
        "columnKind": "unicodeCodePoints",
        "results": [found for result in results for found in _findings(result)],
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, ensure_ascii=True, allow_nan=False, indent=2) + "\n"


def _driver() -> dict[str, Any]:
    rules = [
        {
            "id": rule,
            "name": "".join(word.capitalize() for word in rule.split("-")),
            "shortDescription": {"text": requirement},
            "fullDescription": {"text": meaning},
            "defaultConfiguration": {"level": "warning" if rule in _LEAKS else "error"},
        }
        for rule, (requirement, meaning) in _RULES.items()
    ]
    return {"name": "dp-audit", "version": VERSION, "rules": rules}


def _findings(result: AuditResult) -> Iterator[dict[str, Any]]:
    asked = _CURVE if isinstance(result.claim, ProfileDP) else _CLAIM
    rule = _rule_of_claim(result, asked)
    yield _finding(result, asked, rule, _KINDS[result.verdict], _message(result))
    for leak in result.leaks:
        rule = named if (named := f"{leak.kind}-leak") in _LEAKS else "side-channel"
        said = side_channel(leak, result.claim, result.verdict)
        message = f"{channel(leak.kind).name}: {said}. Event: {leak_evidence(leak)}."
        yield _finding(result, rule, rule, ("fail", "warning"), message)


def _message(result: AuditResult) -> str:
    answer = answer_of(result)
    event = [f"event: {brief(result.witness.event)}"] if result.witness else []
    facts = [f"{fact.name}: {fact.text}" for fact in answer.facts if fact.name in _SAID]
    clauses = [f"{answer.word}: {answer.title}", *answer.stated, *event, *facts]
    return " ".join(f"{clause}." for clause in clauses)


def _rule_of_claim(result: AuditResult, asked: str) -> str:
    """The likely cause of a violation, if there is one; else the claim."""
    cause = "unknown" if result.diagnosis is None else result.diagnosis.cause
    known = result.verdict is Verdict.VIOLATION and cause in CAUSES and cause != "unknown"
    return cause if known else asked


def _finding(
    result: AuditResult, asked: str, rule: str, grade: tuple[str, str], message: str
) -> dict[str, Any]:
    place = {"locations": [_location(result.place)]} if result.place else {}
    return {
        "ruleId": rule,
        "ruleIndex": list(_RULES).index(rule),
        "kind": grade[0],
        "level": grade[1],
        "message": {"text": visible(message)},
        **place,
        "partialFingerprints": {"auditedClaim/v1": _fingerprint(result, asked)},
        "properties": {
            "mechanism": visible(result.mechanism),
            "claim": str(result.claim),
            "alpha": result.alpha,
            "samples": result.samples,
            "seed": result.seed,
            "command": visible(result.command),
        },
    }


def _location(place: str) -> dict[str, Any]:
    from urllib.parse import quote

    file, _, line = place.rpartition(":")
    uri = f"{'file://' * file.startswith('/')}{quote(file)}"
    region = {"startLine": int(line)}
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}


def _fingerprint(result: AuditResult, rule: str) -> str:
    """The same in every audit of the same question, whatever its answer."""
    claim = result.claim.as_json()
    asked = [result.mechanism, result.parameters, claim, str(result.relation), rule]
    return hashlib.sha256(json.dumps(asked, sort_keys=True, default=str).encode()).hexdigest()
