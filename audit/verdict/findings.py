"""Findings that results hold: cause, leaks, worst pair, function of the witness, search."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.betting.bet import Bet, EventBet, FunctionBet
from audit.betting.events import Event, describe
from audit.betting.functions import UNIT
from audit.claims import Claim
from audit.errors import AuditError
from audit.jsonable import Record, jsonable
from audit.verdict.intervals import Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak(Record):
    """A side channel outside real arithmetic, found with a wealth of its own.

    Attributes:
        kind: what gives the data away, as "floating-point".
        event: the event that does.
        log_evalue: natural log of the wealth that bets on it reached.
        epsilon_lower: lower bound on epsilon (at the claim's delta) where the side channel is
            part of the output, at a level of its own; None where none was stated.
    """

    kind: str
    event: Event
    log_evalue: float
    epsilon_lower: float | None = None

    def as_json(self) -> dict[str, Any]:
        """As it stands in the result: the event in words alone."""
        lower = jsonable(self.epsilon_lower)
        return {**Record.as_json(self), "event": self.event.description, "epsilon_lower": lower}


@dataclass(frozen=True, slots=True, kw_only=True)
class LossEstimate(Record):
    """An estimate of the claim's parameter by one bet and the units drawn after it was chosen.

    It has no confidence level.
    """

    level: float
    standard_error: float
    units: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint(Record):
    """A point below the profile.

    Attributes:
        delta: one of a few.
        epsilon_lower: lower bound on epsilon at this delta.
    """

    delta: float
    epsilon_lower: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Times(Record):
    """Timed runs of one pair, on either dataset by the toss of a coin.

    Attributes:
        pair: its name.
        runs: timed on both sides together.
        left: the tenth, the middle and the ninetieth percentile of the seconds on D.
        right: the same on the neighbor.
    """

    pair: str
    runs: int
    left: tuple[float, ...]
    right: tuple[float, ...]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis(Record):
    """Likely cause of a violation or a leak; descriptive, without a level.

    Attributes:
        cause: a stable id, "unknown" if no rule fits.
        sentence: one sentence with the numbers that the rule saw.
        advice: one imperative sentence with the number to change.
        numbers: the numbers of the sentence, by name.
    """

    cause: str
    sentence: str
    advice: str
    numbers: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorstPair(Record):
    """The pair on which the largest loss was established.

    Attributes:
        dataset: D, as plain values when small, else a sentence.
        neighbor: D′, likewise.
        difference: a description of the difference between them.
        epsilon_lower: the result's lower bound.
        made: as of a witness.
    """

    dataset: Any
    neighbor: Any
    difference: str
    epsilon_lower: float
    made: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestive(Record):
    """Evidence that grew (e-value of 20 or more) and did not suffice.

    Attributes:
        log_evalue: natural log of the e-value reached.
        runs_wanted: runs that would decide at this growth.
    """

    log_evalue: float
    runs_wanted: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeLimit(Record):
    """A time limit that ended parts of an audit before their runs were made.

    Attributes:
        seconds: the limit.
        parts: of the audit: search, bets, witness, diagnosis, tables.
        max_samples: runs that the budget allowed.
    """

    seconds: float
    parts: tuple[str, ...]
    max_samples: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Units(Record):
    """Units of an audit: what counts once in the wealth.

    Attributes:
        kind: life, call, start, request, session, line or canary.
        n: outputs of one unit on one dataset; the last epoch's if it changed.
        count: units, on both datasets together.
    """

    kind: str
    n: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Search(Record):
    """Effort of the search for worse neighbors: pairs, shrinking steps, runs."""

    pairs: int
    shrinks: int
    samples: int


_HIGH = 0.5
"""Values of at least this are called high."""


@dataclass(frozen=True, slots=True)
class FunctionShown(Record):
    """A function h of the output, from 0 to 1.

    Attributes:
        order: of the divergence that its means break.
        dual: what is averaged on the neighbor, in terms of h.
        mean: of h itself on the neighbor.
        steps: lower end, upper end and value of h, interval by interval; none where
            what it reads is no number.
    """

    order: float
    dual: str
    mean: Estimate
    steps: tuple[tuple[float, float, float], ...] = ()

    @classmethod
    def of(cls, bet: FunctionBet, claim: Claim, mean: Estimate) -> FunctionShown:
        """The function of a bet, as people are shown it; `mean` is that on the other side."""
        order, own = bet.order(claim), _scaled(bet)
        ends = [-float("inf"), *map(float, bet.binning.edges), float("inf")]
        steps = zip(ends[:-1], ends[1:], own[: bet.binning.numeric].tolist(), strict=True)
        held = tuple(steps) if bet.binning.numeric > 1 else ()
        return cls(order, _dual(bet, order), mean, held)


def _scaled(bet: FunctionBet) -> NDArray[np.float64]:
    """The function over its largest value, shape (bins,)."""
    gain = bet.gain.sum(axis=0)
    return np.asarray(gain / max(1, int(gain.max())))


def _dual(bet: FunctionBet, order: float) -> str:
    if order == 1.0:
        return f"exp({bet.gain.max() / UNIT:.4g} (h - 1))"
    return f"h^{order / (order - 1.0):.4g}"


def event_of(bet: Bet, claim: Claim) -> Event:
    """A bet in words: an event, or a function with the intervals on which it is high."""
    if isinstance(bet, EventBet):
        return describe(bet.feature, bet.binning, bet.plus)
    if not isinstance(bet, FunctionBet):
        raise AuditError(f"{type(bet).__name__} is no bet that can be shown", bet)
    own = _scaled(bet)
    high = describe(bet.feature, bet.binning, own >= _HIGH)
    words = (
        f"a function of the output from {own.min():.3g} to 1 that is {_HIGH:g} or more if "
        f"{high.description}"
    )
    return Event(words, {**high.parameters, "order": bet.order(claim)})


@dataclass(frozen=True, slots=True)
class StrongestEvent(Record):
    """The event that earned most, where one that is easier to read is the witness.

    Attributes:
        event: the event.
        direction: on which side it is the likelier one, as of a witness.
        counts: times it happened there, times on the other side, and pairs of runs bet on.
    """

    event: Event
    direction: str
    counts: tuple[int, int, int]

    def as_json(self) -> dict[str, Any]:
        """As it stands in the result."""
        return {**Record.as_json(self), "counts": named(self.counts)}


def named(counts: tuple[int, int, int]) -> dict[str, int]:
    """Counts of an event, as in the result."""
    return dict(zip(("left", "right", "pairs"), counts, strict=True))
