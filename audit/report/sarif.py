"""Results as SARIF 2.1.0 (OASIS), which services that show findings beside code read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any

from audit import __version__ as VERSION
from audit.errors import visible
from audit.profile_claim import ProfileDP
from audit.report.advice import advice_on
from audit.report.headline import headline
from audit.report.sentences import side_channel
from audit.verdict.leak import Leak
from audit.verdict.result import AuditResult, Verdict

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_CLAIM, _CURVE = "privacy-claim", "privacy-curve"
_RULES = {
    _CLAIM: (
        "PrivacyClaim",
        "A mechanism keeps the differential privacy that it claims.",
        "An event whose odds on two neighboring datasets exceed what the claim allows breaks it.",
    ),
    _CURVE: (
        "PrivacyCurve",
        "A mechanism keeps the curve of epsilon and delta that it claims.",
        "An event whose odds on two datasets exceed what one point allows breaks all of it.",
    ),
    "floating-point-leak": (
        "FloatingPointLeak",
        "The last bits of a mechanism's outputs do not depend on single records.",
        advice_on("floating-point").means.capitalize() + ".",
    ),
    "timing-leak": (
        "TimingLeak",
        "The time that a run takes does not depend on single records.",
        advice_on("timing").means.capitalize() + ".",
    ),
    "side-channel": (
        "SideChannel",
        "Nothing beside the value of an output depends on single records.",
        advice_on("").means.capitalize() + ".",
    ),
}
"""By id: name, what is asked, and what an answer means."""
_KINDS = {
    Verdict.VIOLATION: ("fail", "error"),
    Verdict.NOT_REFUTED: ("pass", "none"),
    Verdict.INCONCLUSIVE: ("open", "none"),
}
"""SARIF's kind and level of each verdict: "open" is what could not be decided."""


def render_sarif(result: AuditResult) -> str:
    """One audit as a SARIF log."""
    return render_many([result])


def render_many(results: Sequence[AuditResult]) -> str:
    """Audits as one SARIF log of one run: a finding for each claim, and one for each leak."""
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": _driver()},
                "columnKind": "unicodeCodePoints",
                "results": [found for result in results for found in _findings(result)],
            }
        ],
    }
    return json.dumps(log, ensure_ascii=True, allow_nan=False, indent=2) + "\n"


def _driver() -> dict[str, Any]:
    rules = [
        {
            "id": rule,
            "name": name,
            "shortDescription": {"text": asked},
            "fullDescription": {"text": meaning},
            "defaultConfiguration": {"level": "error" if rule in (_CLAIM, _CURVE) else "warning"},
        }
        for rule, (name, asked, meaning) in _RULES.items()
    ]
    return {"name": "dp-audit", "version": VERSION, "rules": rules}


def _findings(result: AuditResult) -> Iterator[dict[str, Any]]:
    kind, level = _KINDS[result.verdict]
    rule = _CURVE if isinstance(result.claim, ProfileDP) else _CLAIM
    yield _finding(result, rule, kind, level, headline(result))
    for leak in result.leaks:
        yield _finding(result, _rule_of(leak), "fail", "warning", side_channel(leak))


def _rule_of(leak: Leak) -> str:
    named = f"{leak.kind}-leak"
    return named if named in _RULES else "side-channel"


def _finding(result: AuditResult, rule: str, kind: str, level: str, message: str) -> dict[str, Any]:
    place = {"locations": [_location(result.place)]} if result.place else {}
    return {
        "ruleId": rule,
        "ruleIndex": list(_RULES).index(rule),
        "kind": kind,
        "level": level,
        "message": {"text": visible(message)},
        **place,
        "partialFingerprints": {"auditedClaim/v1": _fingerprint(result, rule)},
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
    file, _, line = place.rpartition(":")
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": _uri(file)},
            "region": {"startLine": int(line)},
        }
    }


def _uri(file: str) -> str:
    from urllib.parse import quote

    return f"file://{quote(file)}" if file.startswith("/") else quote(file)


def _fingerprint(result: AuditResult, rule: str) -> str:
    """The same in every run that asks the same question, whatever it finds."""
    claim = result.claim.as_json()
    asked = [result.mechanism, result.parameters, claim, str(result.relation), rule]
    return hashlib.sha256(json.dumps(asked, sort_keys=True, default=str).encode()).hexdigest()
