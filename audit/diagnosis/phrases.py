"""Numbers, datasets and claims in the sentences of a diagnosis."""

from __future__ import annotations

import json
from typing import Any

from audit.claim import ApproxDP, Claim
from audit.diagnosis.cause import Cause
from audit.neighbors import shown
from audit.verdict.diagnosis import Diagnosis

_LONGEST = 60


def found(cause: Cause, sentence: str, advice: str, **numbers: Any) -> Diagnosis:
    """A diagnosis with its numbers by name."""
    return Diagnosis(cause=str(cause), sentence=sentence, advice=advice, numbers=numbers)


def number(value: float) -> str:
    """Three significant digits; whole numbers below a million in full."""
    if float(value).is_integer() and abs(value) < 1e6:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def share(probability: float) -> str:
    """A frequency in percent."""
    return f"{100.0 * probability:.3g}%"


def named(dataset: Any) -> str:
    """A small dataset as JSON, else a phrase with its size."""
    value = shown(dataset)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = text.replace(".0,", ",").replace(".0]", "]")
    if len(text) <= _LONGEST:
        return text
    return f"{len(dataset):,} records" if hasattr(dataset, "__len__") else f"{text[:_LONGEST]}…"


def allowed_delta(claim: Claim) -> float:
    """δ of an approximate claim, else 0."""
    return claim.delta_claimed if isinstance(claim, ApproxDP) else 0.0
