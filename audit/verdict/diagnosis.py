"""Likely cause, worst pair, suggestive evidence, units and search, as results hold them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from audit.jsonable import finite, jsonable


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
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

    def as_json(self) -> dict[str, Any]:
        """The `diagnosis` object of the JSON result."""
        numbers = {name: jsonable(value) for name, value in self.numbers.items()}
        return {
            "cause": self.cause,
            "sentence": self.sentence,
            "advice": self.advice,
            "numbers": numbers,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class WorstPair:
    """The pair on which the largest loss was established.

    Attributes:
        dataset: D, as plain values when small, else a sentence.
        neighbor: D′, likewise.
        difference: a description of the difference between them.
        epsilon_lower: the result's lower bound.
    """

    dataset: Any
    neighbor: Any
    difference: str
    epsilon_lower: float

    def as_json(self) -> dict[str, Any]:
        """The `worst` object of the JSON result."""
        return {
            "dataset": jsonable(self.dataset),
            "neighbor": jsonable(self.neighbor),
            "difference": self.difference,
            "epsilon_lower": finite(self.epsilon_lower),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestive:
    """Evidence that grew (e-value of 20 or more) and did not suffice.

    Attributes:
        log_evalue: natural log of the e-value reached.
        runs_wanted: runs that would decide at this growth.
    """

    log_evalue: float
    runs_wanted: int

    def as_json(self) -> dict[str, Any]:
        """The `suggestive` object of the JSON result."""
        return {"log_evalue": finite(self.log_evalue), "runs_wanted": self.runs_wanted}


@dataclass(frozen=True, slots=True, kw_only=True)
class Units:
    """Units of an audit: what counts once in the wealth.

    Attributes:
        kind: life, call, start, request, session, line or canary.
        n: outputs of one unit on one dataset; the last epoch's if it changed.
        count: units, on both datasets together.
    """

    kind: str
    n: int
    count: int

    def as_json(self) -> dict[str, Any]:
        """The object under `effort` of the JSON result."""
        return {"kind": self.kind, "n": self.n, "count": self.count}


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """Effort of the search for worse neighbors: pairs, shrinking steps, runs."""

    pairs: int
    shrinks: int
    samples: int

    def as_json(self) -> dict[str, Any]:
        return {"pairs": self.pairs, "shrinks": self.shrinks, "samples": self.samples}
