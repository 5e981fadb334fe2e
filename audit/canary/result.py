"""Result of an audit of canaries, complete enough to explain itself; back from JSON, too."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from audit.canary.design import Assignment, Design
from audit.claims import Claim
from audit.errors import visible
from audit.jsonable import Record, finite, jsonable
from audit.progress import no_effort
from audit.relation import Relation
from audit.report.json_node import Node, optional, record, several
from audit.report.restore import read_document, restore
from audit.verdict.renderers import Rendered
from audit.verdict.result import AuditResult, Verdict

REVERSED = "in the reverse direction"
"""In a note: lower scores are those of members although higher ones are said to be, or so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrefixRow(Record):
    """One prefix of the guesses in the order in which they were opened.

    Attributes:
        strategy: whose prefix it is.
        guesses: how many it holds.
        correct: how many of them are right.
        allowed: how many may be right before the claim counts as refuted; None
            where the prefix only counts against larger levels, because at the
            claim's own a delta would cost too much for it.
        bound: the claim's level that this prefix shows by itself, at the level
            that the boundary leaves to each; no more than the lower bound.
    """

    strategy: str
    guesses: int
    correct: int
    allowed: int | None
    bound: float


@dataclass(frozen=True, slots=True)
class GaussianReading(Record):
    """Reading of the guesses for a Gaussian mechanism, an assumption that nobody checked.

    Attributes:
        mu: lower bound on mu.
        epsilon: the epsilon of that mu at the claim's delta; None without a delta.
    """

    mu: float
    epsilon: float | None

    def as_json(self) -> dict[str, Any]:
        return {"mu_lower": self.mu, "epsilon_lower": self.epsilon}


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoSample(Record):
    """An exact two-sample test of scores, valid if canaries are independent.

    Attributes:
        bound: lower bound on the claim's level.
        p_value: of the claim, before it is divided by the test's part of alpha.
        threshold: of the score, chosen on other scores.
        above: whether the event is a score of at least the threshold, or one below it.
        members: scores of members that show the event.
        others: scores of other canaries that show it.
        draws: scores of either side.
    """

    bound: float
    p_value: float
    threshold: float
    above: bool
    members: int
    others: int
    draws: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CanaryResult(Rendered):
    """One audit of canaries with its inputs. `to_json` is the stable face for programs.

    Attributes:
        mechanism: what was trained.
        claim: what it says about itself.
        design: how it was decided who is trained on.
        verdict: of the claim.
        levels: lower bounds by name: epsilon_lower, and that of the claim's own kind.
        alpha: probability of flagging a training that satisfies its claim.
        p_value: of the claim, by guesses and the two-sample test together; None for
            claims that are tested at one level only.
        log_evalue: natural log of the e-value against the claim, which may be
            multiplied with those of other runs.
        canaries: coins in all: canaries of all runs, or pairs of them.
        guesses: of the most telling prefix.
        correct: how many of those are right.
        ceiling: the largest level of the claim's kind that so many canaries could show.
        needed: canaries that could refute the claim if all were guessed right;
            None where no number of them could.
        runs: of training.
        prefixes: all that decided, from short to long, by strategy.
        opened: right guesses after so many opened ones, shape (points, 2).
        gaussian: the Gaussian reading; None for claims that are Gaussian themselves.
        notes: what a reader must know, one sentence each.
        seed: of the permutation that breaks ties.
        version: of the tool.
        command: what repeats this audit.
        seconds: how long the audit took; None where nobody measured it. Results that differ in
            times alone are equal.
        finished: when it ended, in UTC as ISO 8601 has it; empty where unknown.
        assumptions: ids of the assumptions that the caller declared.
        two_sample: the two-sample test, if canaries are assumed to be independent.
    """

    mechanism: str
    claim: Claim
    design: Design
    verdict: Verdict
    levels: dict[str, float]
    alpha: float
    p_value: float | None
    log_evalue: float
    canaries: int
    guesses: int
    correct: int
    ceiling: float
    needed: int | None
    runs: int
    prefixes: tuple[PrefixRow, ...]
    opened: tuple[tuple[int, int], ...]
    gaussian: GaussianReading | None
    notes: tuple[str, ...]
    seed: int
    version: str
    command: str = ""
    assumptions: tuple[str, ...] = ()
    two_sample: TwoSample | None = None
    family: ClassVar[str] = "canaries"

    @property
    def epsilon_lower(self) -> float:
        """Lower bound on epsilon at the claim's delta (0 where it has none), at level alpha."""
        return self.levels["epsilon_lower"]

    @property
    def parameters(self) -> dict[str, Any]:
        """The design, as plain values."""
        return {
            "assignment": str(self.design.assignment),
            "probability": self.design.probability,
            "runs": self.runs,
        }

    def to_json(self) -> dict[str, Any]:
        """The result as one JSON object, schema 1: no NaN, infinities as strings.

        Returns:
            Plain values, as `--format json` writes them.
        """
        return {
            "schema": 1,
            **self._named("mechanism", "parameters"),
            "claim": jsonable(self.claim.as_json()),
            "relation": str(self.design.relation),
            "verdict": str(self.verdict),
            **{name: finite(value) for name, value in self.levels.items()},
            **self._named("alpha", "p_value"),
            "log_evalue": finite(self.log_evalue),
            **self._named("canaries", "guesses", "correct"),
            "ceiling": finite(self.ceiling),
            "canaries_needed": self.needed,
            "prefixes": jsonable(self.prefixes),
            "opened": jsonable(self.opened),
            "if_gaussian": jsonable(self.gaussian),
            "assumptions": list(self.assumptions),
            "two_sample": jsonable(self.two_sample),
            # Every result has these; most say nothing about canaries.
            "samples": self.runs,
            "effort": {**no_effort(), "bets": self.runs},
            "failure": None,
            **({} if self.seconds is None else {"seconds": self.seconds}),
            **self._stated("finished"),
            "detectable_epsilon": None,
            "coupled": False,
            "witness": None,
            "pairs": [],
            "search": None,
            "leaks": [],
            "notes": list(self.notes),
            **self._named("seed", "version", "command"),
        }


AnyResult = AuditResult | CanaryResult
"""A result of either family."""


_ELSEWHERE: dict[str, Any] = {
    "null": False,
    "tried": [],
    "floor": 0,
    "wanted": 0,
    "reason": "",
    "summary": "",
}
"""What results of canaries leave out, because it is never anything else."""
_SHARED = (
    *("mechanism", "claim", "verdict", "levels", "alpha", "log_evalue", "notes", "seed"),
    *("version", "command", "seconds", "finished", "assumptions"),
)
"""What both kinds of results have in the same places."""


def is_canaries(document: Any) -> bool:
    """True if a parsed JSON document is a result of canaries."""
    return isinstance(document, dict) and "canaries" in document


def restore_canaries(document: dict[str, Any], source: str = "the document") -> CanaryResult:
    """The result in a parsed JSON document, the inverse of `CanaryResult.to_json`.

    Raises:
        InputError: a value is missing or is not what a result holds there.
    """
    common, top = restore(_ELSEWHERE | document, source), Node(document, source)
    parameters = top.at("parameters")
    shared = {name: getattr(common, name) for name in _SHARED}
    return _result(
        top,
        **shared,
        design=Design(
            assignment=parameters.at("assignment").choice(Assignment),
            probability=parameters.at("probability").chance(),
            relation=top.at("relation").choice(Relation),
        ),
        needed=optional(Node.amount)(top.at("canaries_needed")),
        runs=parameters.at("runs").amount(),
        gaussian=optional(_gaussian)(top.at("if_gaussian")),
    )


def _guesses(node: Node) -> int:
    if node.amount() == 0:
        raise node.wrong("a number of guesses, 1 or more")
    return node.amount()


def _point(node: Node) -> tuple[int, int]:
    numbers = [element.amount() for element in node.elements()]
    if len(numbers) != 2 or not 0 <= numbers[1] <= numbers[0] or numbers[0] == 0:
        raise node.wrong("how many guesses were opened, and how many of those are right")
    return numbers[0], numbers[1]


_result = record(
    CanaryResult,
    ("two_sample",),
    prefixes=several(record(PrefixRow, guesses=_guesses, allowed=optional(Node.whole))),
    opened=several(_point),
    two_sample=optional(record(TwoSample)),
)


def _gaussian(node: Node) -> GaussianReading:
    epsilon = optional(Node.number)(node.at("epsilon_lower"))
    return GaussianReading(node.at("mu_lower").number(), epsilon)


def restore_any(document: Any, source: str) -> AnyResult:
    """The result of either family in a parsed JSON document; raises as `restore` does."""
    return (restore_canaries if is_canaries(document) else restore)(document, source)


def read_result(path: str | Path) -> AuditResult | CanaryResult:
    """The result stored in a file.

    Args:
        path: as `--format json`, `render` or `write_report` wrote it.

    Returns:
        The result, equal to the one that was stored; a `CanaryResult` where
        canaries were audited.

    Raises:
        InputError: the file cannot be read, or is not a result.
    """
    return restore_any(read_document(Path(path)), visible(str(path)))
