"""Evidence of a refuted claim: datasets, outputs, the witness; and phrases for diagnoses of it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.claims import ApproxDP, Claim
from audit.neighbors import shown
from audit.outcomes.encoding import encode
from audit.outcomes.failed_run import FailedRun, failure_of
from audit.outcomes.outcomes import Outcomes
from audit.relation import AnyRelation, Relation
from audit.verdict.findings import Cause, Diagnosis
from audit.verdict.intervals import Comparison, proportion

Outputs = Sequence[Any] | NDArray[Any]
"""Fresh outputs, the first axis of an array or a sequence; a failed run is its exception."""
_LEVEL = 0.025
"""One-sided level of the limits of the witness's frequencies."""
Draw = Callable[[Any, int], Outputs]
"""Fresh outputs on a dataset, as many as asked for."""
Coupled = Callable[[Any, Any, int], tuple[Sequence[Any], Sequence[Any]]]
"""Fresh outputs on two datasets with common random numbers, run by run; a failed run is its
exception."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Fresh outputs on one dataset.

    Attributes:
        dataset: as the mechanism gets it.
        outcomes: the outputs as columns.
        failure: the first failed run, None if none failed.
    """

    dataset: Any
    outcomes: Outcomes
    failure: FailedRun | None = None

    @classmethod
    def of(cls, dataset: Any, outputs: Outputs) -> Sample:
        """Outputs, and exceptions among them, as columns.

        Raises:
            AuditError: the outputs cannot be sorted into columns.
        """
        if isinstance(outputs, np.ndarray):
            return cls(dataset, encode(outputs, len(outputs)))
        held = [failure_of(one) if isinstance(one, Exception) else one for one in outputs]
        failed = ((call, one) for call, one in enumerate(outputs, 1) if isinstance(one, Exception))
        first = next(failed, None)
        failure = None if first is None else FailedRun.of(first[1], dataset, first[0])
        return cls(dataset, encode(held, len(held)), failure)

    @property
    def size(self) -> int:
        """Number of outputs."""
        return self.outcomes.size

    @property
    def name(self) -> str:
        """The dataset in a sentence."""
        return named(self.dataset)


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """The witness's event in the runs of the test, or in fresh ones.

    Attributes:
        event: in words.
        p: its frequency on D, on which it is too likely.
        q: its frequency on D′.
        draws: runs on each dataset behind both.
        parts: those of the output that the event joins; empty if it reads one.
        presence: True if it says that a part of the output is there, or is not.
    """

    event: str
    p: float
    q: float
    draws: int
    parts: tuple[str, ...] = ()
    presence: bool = False

    @property
    def certain(self) -> bool:
        """True if the event happens in nearly all runs on D and in nearly none on D′."""
        return self.p >= 0.9 and self.q <= 0.02

    @property
    def least_p(self) -> float:
        """Lower limit of p."""
        return proportion(round(self.p * self.draws), self.draws, 2.0 * _LEVEL).low

    @property
    def least_log_odds(self) -> float:
        """Natural log of the lower limit of p over the upper limit of q."""
        high = proportion(round(self.q * self.draws), self.draws, 2.0 * _LEVEL).high
        return math.log(self.least_p / high) if self.least_p > 0.0 else -math.inf

    @property
    def log_odds(self) -> float:
        """Natural log of p over q, or over the upper limit of q if q is 0."""
        if self.q == 0.0 or self.p == 0.0:
            return self.least_log_odds
        return math.log(self.p / self.q)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """All that the rules of diagnosis look at.

    Attributes:
        claim: the refuted claim.
        relation: the adjacency relation of the datasets.
        left: the sample on D, the dataset on the larger side of the broken inequality.
        right: the sample on D′.
        observed: the event that broke the claim; None if there is none.
        draw: further fresh outputs on any dataset.
        coupled: further outputs on any two datasets; None if their random numbers differ.
        records: records of the domain worth trying, such as its ends; may be empty.
        worst: the pair on which the largest loss was established, if it is another one.
    """

    claim: Claim
    left: Sample
    right: Sample
    draw: Draw
    relation: AnyRelation = Relation.ADD_REMOVE
    observed: Observed | None = None
    coupled: Coupled | None = None
    records: tuple[Any, ...] = ()
    worst: tuple[Any, Any] | None = None

    @property
    def session(self) -> bool:
        """True if a dataset comes with the questions of a session."""
        dataset = self.left.dataset
        return isinstance(dataset, dict) and set(dataset) == {"data", "questions"}

    @property
    def of_records(self) -> bool:
        """True if neighbors differ in one record."""
        return self.relation in (Relation.ADD_REMOVE, Relation.SUBSTITUTE)

    def sides(self, on_left: bool) -> tuple[Sample, Sample]:
        """Both samples, that on D first if `on_left`."""
        return (self.left, self.right) if on_left else (self.right, self.left)

    def counts(self, left: int, right: int) -> Counts:
        """Number of runs on both datasets in which an event happened."""
        return Counts(left, self.left.size, right, self.right.size)

    def sample(self, dataset: Any, runs: int) -> Sample | None:
        """Fresh outputs on another dataset; None if the mechanism cannot be run on it."""
        with suppress(Exception):
            outputs = self.draw(dataset, runs)
            return Sample.of(dataset, outputs) if len(outputs) else None
        return None


_ALPHA = 1e-5
"""Level of each limit; a diagnosis looks at many events and claims no level of its own."""


@dataclass(frozen=True, slots=True)
class Counts:
    """An event's frequency on two datasets.

    Attributes:
        left: runs on D in which it happened.
        left_runs: runs on D.
        right: runs on D′ in which it happened.
        right_runs: runs on D′.
    """

    left: int
    left_runs: int
    right: int
    right_runs: int

    @property
    def p(self) -> float:
        """Frequency on D."""
        return self.left / self.left_runs

    @property
    def q(self) -> float:
        """Frequency on D′."""
        return self.right / self.right_runs

    @property
    def rates(self) -> tuple[float, float]:
        """The larger frequency, and the other one."""
        return max(self.p, self.q), min(self.p, self.q)

    @property
    def separates(self) -> bool:
        """True if it happens in nearly all runs on one dataset and in none on the other."""
        high, low = self.rates
        return low == 0.0 and high >= 0.99

    def breaks(self, claim: Claim) -> bool:
        """True if the limits of both frequencies exclude the claim, in either direction."""
        p = proportion(self.left, self.left_runs, 2.0 * _ALPHA)
        q = proportion(self.right, self.right_runs, 2.0 * _ALPHA)
        return Comparison(p, q).breaks(claim.lines(claim.level))

    @property
    def log_odds(self) -> float:
        """Natural log of the larger ratio of both frequencies, half a run added to each."""
        left, right = (self.left + 0.5) / self.left_runs, (self.right + 0.5) / self.right_runs
        return abs(math.log(left / right))


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
    return number(_directed(value * (1.0 - 1e-6), ROUND_CEILING))


def at_least(value: float) -> str:
    """A lower bound in three significant digits, rounded down as in the other lines of a report."""
    return f"{_directed(value, ROUND_FLOOR):.3g}"


def _directed(value: float, rounding: str) -> float:
    exact = Decimal(repr(float(value)))
    return float(exact.quantize(Decimal(1).scaleb(exact.adjusted() - 2), rounding))


def out_of(hits: int, runs: int) -> str:
    """A number of runs among all."""
    return f"{hits:,} of {runs:,} runs"


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


def named_apart(one: Sample, other: Sample) -> tuple[str, str]:
    """Both datasets of a pair; the second as the neighbor if both have the same name."""
    return one.name, "its neighbor" if one.name == other.name else other.name


def allowed_delta(claim: Claim) -> float:
    """δ of an approximate claim, else 0."""
    return claim.delta_claimed if isinstance(claim, ApproxDP) else 0.0


def beyond_delta(rates: str, hits: int, runs: int, claim: Claim, *, counted: bool) -> Diagnosis:
    """The diagnosis of an event with probability above δ.

    Args:
        rates: the event with its frequencies on both datasets.
        hits: runs in which it happened.
        runs: of the dataset that gives it.
        claim: with a δ.
        counted: True if the event is that a part of the output is there, as behind a threshold.
    """
    delta, seen = allowed_delta(claim), proportion(hits, runs, 2.0 * _LEVEL)
    return found(
        Cause.DELTA_EXCEEDED,
        f"An event of one dataset alone exceeds δ. {rates}; the claim allows {number(delta)}.",
        f"Make this event as rare as {number(delta)}, or claim a δ of about "
        f"{number(seen.estimate)}. This pair shows {at_least(seen.low)} to {enough(seen.high)} "
        f"with 95% confidence.{_threshold(claim.stated(claim.level), delta) if counted else ''}",
        p=seen.estimate,
        q=0.0,
        delta=delta,
    )


def _threshold(epsilon: float, delta: float) -> str:
    """The threshold on counts that δ pays for: Laplace noise exceeds it with probability δ."""
    if epsilon <= 0.0 or delta >= 0.5:
        return ""
    least = enough(1.0 + math.log(1.0 / (2.0 * delta)) / epsilon)
    return (
        " If a count with Laplace noise of scale 1/ε decides, and a record changes one count by "
        f"1, the threshold is 1 + ln(1/(2δ))/ε = {least}."
    )
