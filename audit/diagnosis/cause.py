"""Causes of refuted claims, by the ids that results and pages use, and phrases for them."""

from __future__ import annotations

import json
import re
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from enum import StrEnum
from typing import Any

from audit.claims import ApproxDP, Claim
from audit.neighbors import shown
from audit.verdict.findings import Diagnosis


class Cause(StrEnum):
    """Stable ids; a new cause is a new id, and no id changes its meaning."""

    NO_NOISE = "no-noise"
    """The output, or a part of it, always has one value, and another on the neighbor."""
    STRUCTURE = "data-dependent-structure"
    """Keys, length, type, columns or order depend on the data."""
    FAILURE = "data-dependent-failure"
    """Exceptions, time-outs or NaN depend on the data."""
    SCALE = "data-dependent-scale"
    """The scale of the noise, or the range of the output, is read from the data."""
    NOISE_TOO_SMALL = "noise-too-small"
    """The noise is of a right family and too small for what one record moves."""
    CONTRIBUTION = "unbounded-contribution"
    """The loss grows with the value of a record, or with the rows of a user."""
    NOT_SPLIT = "budget-not-split"
    """Several parts lose about the claimed epsilon each."""
    SHARED_NOISE = "shared-noise"
    """Parts of an output, each of them noisy, hang together by a relation that noise spares."""
    BOUNDED_NOISE = "bounded-noise"
    """The noise is bounded, one-sided, has holes, or is rejected or truncated."""
    WRONG_SHAPE = "wrong-noise-shape"
    """Tails of the noise fall faster than the claim allows."""
    WRONG_PROBABILITY = "wrong-probability"
    """One of few discrete outputs has odds that the claim forbids."""
    DELTA_EXCEEDED = "delta-exceeded"
    """An output that one dataset alone can give has a probability above delta."""
    FEW_VALUES = "few-noise-values"
    """The noise takes few different values."""
    LOW_BITS = "low-entropy-floats"
    """Low-order bits of floating-point outputs depend on the data."""
    COMPOSITION = "composition"
    """A session answers more questions than its budget pays for."""
    TIMING = "timing"
    """The time that a run takes depends on the data."""
    UNKNOWN = "unknown"
    """No rule fits."""


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
