"""Diagnoses of refuted claims, and phrases for them."""

from __future__ import annotations

import json
import re
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any

from audit.claims import ApproxDP, Claim
from audit.neighbors import shown
from audit.verdict.findings import Cause, Diagnosis

_LONGEST = 60
_DECIMAL = re.compile(r"(?<![\w.])\d+\.\d+(?:e[+-]?\d+)?(?![\w.]\w)")
_DIGITS = 6
"""Significant digits of a decimal number in a sentence, at most."""


def found(cause: Cause, sentence: str, advice: str, **numbers: Any) -> Diagnosis:
    """A diagnosis with its numbers by name."""
    return Diagnosis(
        cause=str(cause), sentence=_rounded(sentence), advice=_rounded(advice), numbers=numbers
    )


def _rounded(text: str) -> str:
    """The text with six significant digits of each decimal number, also of records and events."""
    return _DECIMAL.sub(_shorter, text)


def _shorter(decimal: re.Match[str]) -> str:
    digits = decimal[0].partition("e")[0].replace(".", "").lstrip("0")
    return decimal[0] if len(digits) <= _DIGITS else f"{float(decimal[0]):.{_DIGITS}g}"


def capital(text: str) -> str:
    """The text as the beginning of a sentence."""
    return text[0].upper() + text[1:]


def number(value: float) -> str:
    """Three significant digits; whole numbers below a million in full."""
    if float(value).is_integer() and abs(value) < 1e6:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def about(value: float) -> str:
    """An estimate in two significant digits."""
    return number(float(f"{value:.2g}"))


def enough(value: float) -> str:
    """A number that suffices, in three significant digits and rounded up."""
    exact = Decimal(repr(value * (1.0 - 1e-6)))
    last = Decimal(1).scaleb(exact.adjusted() - 2)
    return number(float(exact.quantize(last, ROUND_CEILING)))


def out_of(hits: int, runs: int) -> str:
    """A number of runs among all."""
    return f"{hits:,} of {runs:,} runs"


def at_least(value: float) -> str:
    """A lower bound in three significant digits, rounded down as in the other lines of a report."""
    exact = Decimal(repr(float(value)))
    last = Decimal(1).scaleb(exact.adjusted() - 2)
    return f"{float(exact.quantize(last, ROUND_FLOOR)):.3g}"


def share(probability: float) -> str:
    """A frequency in percent."""
    return f"{100.0 * probability:.3g}%"


def named(dataset: Any) -> str:
    """A small dataset as JSON, one long record by its beginning, others by their number."""
    value = shown(dataset)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = text.replace(".0,", ",").replace(".0]", "]")
    if len(text) <= _LONGEST:
        return text
    several = hasattr(dataset, "__len__") and len(dataset) > 1
    return f"{len(dataset):,} records" if several else f"{text[:_LONGEST]}…"


def named_apart(dataset: Any, neighbor: Any) -> tuple[str, str]:
    """Both datasets of a pair; the second as the neighbor if both have the same name."""
    one, other = named(dataset), named(neighbor)
    return one, "its neighbor" if one == other else other


def allowed_delta(claim: Claim) -> float:
    """δ of an approximate claim, else 0."""
    return claim.delta_claimed if isinstance(claim, ApproxDP) else 0.0
