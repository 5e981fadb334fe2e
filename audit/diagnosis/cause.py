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
    """Stable ids; a new cause is a new id, and no id changes its meaning.

    Attributes:
        short: a few words, for one line.
        rule: the requirement that a mechanism with this cause does not meet, a sentence.
    """

    short: str
    rule: str

    def __new__(cls, value: str, short: str, rule: str) -> Cause:
        """A cause with its words."""
        made = str.__new__(cls, value)
        made._value_, made.short, made.rule = value, short, rule
        return made

    NO_NOISE = "no-noise", "no noise", "Outputs have noise on every dataset."
    STRUCTURE = (
        "data-dependent-structure",
        "keys, length or type depend on the data",
        "Keys, length, type and order of the output do not depend on single records.",
    )
    FAILURE = (
        "data-dependent-failure",
        "failures depend on the data",
        "Exceptions and time-outs do not depend on single records.",
    )
    SCALE = (
        "data-dependent-scale",
        "the noise scale depends on the data",
        "The scale of the noise is fixed before the data.",
    )
    NOISE_TOO_SMALL = (
        "noise-too-small",
        "the noise is too small",
        "The scale of the noise fits sensitivity and claim.",
    )
    CONTRIBUTION = (
        "unbounded-contribution",
        "one contribution exceeds what the noise is for",
        "Values are clipped and rows per user are bounded.",
    )
    NOT_SPLIT = (
        "budget-not-split",
        "the parts together exceed the budget",
        "The parts of an output share one budget.",
    )
    SHARED_NOISE = (
        "shared-noise",
        "parts share noise",
        "The parts of an output have independent noise.",
    )
    BOUNDED_NOISE = (
        "bounded-noise",
        "the noise is bounded or one-sided",
        "The noise reaches every value from both sides.",
    )
    WRONG_SHAPE = (
        "wrong-noise-shape",
        "the shape of the noise does not fit the claim",
        "The tails of the noise fall no faster than the claim allows.",
    )
    WRONG_PROBABILITY = (
        "wrong-probability",
        "the odds of an answer are too high",
        "The odds of every answer are at most e^ε.",
    )
    DELTA_EXCEEDED = (
        "delta-exceeded",
        "an event exceeds δ",
        "An event that is impossible on a neighbor has probability δ at most.",
    )
    FEW_VALUES = (
        "few-noise-values",
        "the noise has few values",
        "The generator of the noise has full entropy.",
    )
    LOW_BITS = (
        "low-entropy-floats",
        "low-order bits reveal the input",
        "The low-order bits of floating-point outputs do not depend on single records.",
    )
    COMPOSITION = (
        "composition",
        "the loss grows with the questions",
        "A session stops when its budget is spent.",
    )
    TIMING = (
        "timing",
        "running time depends on the data",
        "The time of a run does not depend on single records.",
    )
    UNKNOWN = "unknown", "unknown", "The mechanism satisfies its claim."


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
