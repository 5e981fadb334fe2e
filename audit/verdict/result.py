"""Result of an audit, complete enough to explain itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from audit.betting.events import Event
from audit.claims import Claim
from audit.jsonable import Record, finite, jsonable
from audit.outcomes.failed_run import FailedRun
from audit.progress import no_effort
from audit.relation import AnyRelation, Relation, Within
from audit.sampling.ledger_entry import Standing, Together
from audit.verdict.findings import (
    CurvePoint,
    Diagnosis,
    FunctionShown,
    Leak,
    LossEstimate,
    Search,
    StrongestEvent,
    Suggestive,
    TimeLimit,
    Times,
    Units,
    WorstPair,
    named,
)
from audit.verdict.intervals import Estimate, quotient
from audit.verdict.pair_table import PairTable
from audit.verdict.renderers import Rendered, render


class Verdict(StrEnum):
    """The three answers there are. None of them says that a mechanism is private."""

    VIOLATION = "violation"
    NOT_REFUTED = "not-refuted"
    INCONCLUSIVE = "inconclusive"


INTERRUPTED = "interrupted "
"""A note that begins so says that somebody ended the audit, and after how many runs."""
READ_FROM = ", read from: "
"""In `AuditResult.tried`: after it stand the features that events are read from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Witness(Record):
    """Two neighboring datasets and an event whose odds break the claim.

    Attributes:
        pair: name of the pair (D1, D2, ... or what the search found).
        dataset: the dataset on the left of the broken inequality, as plain
            values when small, else a sentence saying how it differs.
        neighbor: the dataset on the right.
        difference: how the two differ, in words.
        direction: which of the two is on the left: "D over D1" or "D1 over D".
        event: the event E.
        p: probability of E on `dataset`, estimated on draws made after E was chosen.
        q: the same on `neighbor`.
        slope: e^x of the broken line p <= e^x q + delta.
        offset: delta of that line.
        draws: fresh runs on each side behind p and q.
        counts: times the event happened on the left, on the right, and pairs of runs, in all
            runs before the fresh ones; None where nobody recorded them.
        strongest: the event that earned most, where this one is easier to read; else None.
        function: what p and q are means of, where the claim bounds a divergence and no
            event broke it as clearly; None where they are the probabilities of E.
        made: if the search made both datasets, all records of those that are sentences here,
            by "dataset" and "neighbor"; None if D is a given one.
    """

    pair: str
    dataset: Any
    neighbor: Any
    difference: str
    direction: str
    event: Event
    p: Estimate
    q: Estimate
    slope: float
    offset: float
    draws: int
    counts: tuple[int, int, int] | None = None
    strongest: StrongestEvent | None = None
    function: FunctionShown | None = None
    made: dict[str, Any] | None = None

    @property
    def separated(self) -> bool:
        """True if the intervals of p and q exclude what the claim allows."""
        return self.p.low > self.slope * self.q.high + self.offset

    @property
    def ratio(self) -> float:
        """p/q, infinite when q is 0; of a function the ratio of its means on both sides."""
        other = self.q if self.function is None else self.function.mean
        return quotient(self.p.estimate, other.estimate)

    def as_json(self) -> dict[str, Any]:
        """As it stands in the result.

        Returns:
            What JSON can hold.
        """
        found = Record.as_json(self) | {"ratio": finite(self.ratio)}
        if self.counts is not None:
            found["counts"] = named(self.counts)
        names = [name for name in found if name != "ratio"]
        names.insert(names.index("slope"), "ratio")
        return {name: found[name] for name in names}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AuditResult(Rendered):
    """One audit with its inputs. `to_json` is the stable face for programs.

    Attributes:
        mechanism: its name.
        parameters: its parameters by name, as plain values.
        claim: what was audited.
        relation: what makes two of its datasets neighbors.
        verdict: the answer.
        levels: lower bounds by name: epsilon_lower, and rho_lower or mu_lower.
        curve: lower bounds on epsilon at several deltas, all together at level alpha.
        estimate: of the claim's parameter, without a level; None if there is none.
        alpha: chance that a mechanism which keeps its claim is called a violation.
        log_evalue: natural log of the largest wealth that the bets reached.
        samples: runs of the mechanism, all datasets and stages together.
        detectable_epsilon: smallest epsilon this budget would have refuted on
            these pairs with power 0.9, by the event that says most of those read; None where
            nothing could be learned.
        detectable_tenth: the same by an event that one output in ten shows on one dataset.
        coupled: whether both sides shared their randomness.
        witness: what breaks the claim; None where there is no violation.
        worst: the pair on which the largest loss was established; None without a violation.
        diagnosis: likely cause; None if there is neither a violation nor a leak.
        assumptions: ids of what was declared, or seen and not ruled out.
        suggestive: evidence that grew and did not suffice; None elsewhere.
        time_limit: the limit that ended parts of the audit; None if none did.
        units: what counted once in the wealth; None where an older version did not say.
        pairs: tables of outputs, one for each pair of datasets.
        search: what looking for worse neighbors took; None where nobody looked.
        leaks: side channels outside real arithmetic.
        seed: every number follows from it.
        version: of this package.
        command: what repeats the audit; may be empty.
        null: whether D was audited against itself.
        tried: what was looked at: pairs, features, number of events, in words.
        notes: what a reader must know, one sentence each.
        effort: runs by stage; they add up to `samples`.
        failure: the first run that gave no value, None where there was none.
        floor: the claim cannot be refuted below this many pairs,
            even by an event that is certain on one side and impossible on the other.
        reason: why an inconclusive audit has no answer although its budget could
            have refuted the claim, as a clause; empty in all other cases.
        wanted: runs that an answer takes, where the budget is why there is none; else 0.
        max_samples: runs that were allowed; 0 where none were drawn, or nobody said.
        place: file and line of the mechanism's code, as "release.py:12"; empty where it has
            none in Python.
        summary: one line saying what the mechanism does, from its catalogue;
            empty where nobody wrote one.
        seconds: how long the audit took; None where nobody measured it. Results that differ in
            times alone are equal.
        finished: when it ended, in UTC as ISO 8601 has it; empty where unknown.
        times: how long runs took, None where nobody asked.
        recorded: whether the outputs were recorded elsewhere, so that nothing could
            be drawn afresh.
        given_data: whether the caller gave the datasets, so that the result holds their records.
        no_fractions: whether no output held a float that is no whole number, so that there were
            no low-order bits to examine.
        standing: where the audit stands among all that a ledger has of its target; None
            where no ledger was asked for.
        gained: natural log of the final wealth over that at the start of this build, at the
            claim's level; minus infinity if it may not be counted; None in stored results.
    """

    mechanism: str
    parameters: dict[str, Any]
    claim: Claim
    relation: AnyRelation
    verdict: Verdict
    levels: dict[str, float]
    alpha: float
    log_evalue: float
    samples: int
    detectable_epsilon: float | None
    coupled: bool
    witness: Witness | None
    pairs: tuple[PairTable, ...]
    search: Search | None
    leaks: tuple[Leak, ...]
    seed: int
    version: str
    command: str
    null: bool = False
    tried: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    effort: dict[str, int] = field(default_factory=no_effort)
    failure: FailedRun | None = None
    floor: int = 0
    wanted: int = 0
    max_samples: int = 0
    reason: str = ""
    summary: str = ""
    place: str = ""
    times: Times | None = field(default=None, compare=False)
    recorded: bool = False
    standing: Standing | None = None
    gained: float | None = None
    worst: WorstPair | None = None
    diagnosis: Diagnosis | None = None
    assumptions: tuple[str, ...] = ()
    suggestive: Suggestive | None = None
    time_limit: TimeLimit | None = None
    curve: tuple[CurvePoint, ...] = ()
    estimate: LossEstimate | None = None
    units: Units | None = None
    given_data: bool = False
    no_fractions: bool = False
    detectable_tenth: float | None = None

    def __repr__(self) -> str:
        """Verdict, mechanism, claim and bound in one line."""
        return render(self, "text", detail="quiet").rstrip()

    @property
    def epsilon_lower(self) -> float:
        """Lower bound on epsilon at the claim's delta, at level alpha."""
        return self.levels["epsilon_lower"]

    @property
    def by_versions(self) -> Together | None:
        """Joint evidence of all versions, if that alone refuted the claim."""
        found = None if self.standing is None else self.standing.together
        told = self.verdict is Verdict.VIOLATION and self.witness is None
        return found if told and found is not None and found.accused else None

    def to_json(self) -> dict[str, Any]:
        """The result as one JSON object, schema 1: no NaN, infinities as strings.

        Returns:
            What `json.dumps` writes and `audit.read_result` reads back from a file.
        """
        stated = {
            "schema": 1,
            **self._named("mechanism", "parameters"),
            "claim": self.claim.as_json(),
            **_relation(self.relation),
            "verdict": str(self.verdict),
            **{name: finite(value) for name, value in self.levels.items()},
            **self._named("curve", "estimate", "alpha"),
            "log_evalue": finite(self.log_evalue),
            **self._named("samples", "effort", "units"),
            "failure": None if self.failure is None else self.failure.as_json(),
            **({} if self.seconds is None else {"seconds": self.seconds}),
            **self._stated("finished"),
            "detectable_epsilon": self.detectable_epsilon and finite(self.detectable_epsilon),
            "detectable_tenth": self.detectable_tenth and finite(self.detectable_tenth),
            **self._named("coupled", "null", "witness", "worst", "diagnosis", "assumptions"),
            **self._named("suggestive", "time_limit", "pairs", "search", "leaks", "tried", "notes"),
            **self._named("floor", "wanted"),
            **self._stated("max_samples"),
            **self._named("reason", "summary"),
            **self._stated("place", "times", "recorded", "given_data", "no_fractions"),
            **({} if self.standing is None else {"ledger": self.standing}),
            **self._named("seed", "version", "command"),
        }
        return {name: jsonable(value) for name, value in stated.items()}


def _relation(relation: AnyRelation) -> dict[str, str]:
    """Pairs within a distance are declared ones whose distance is known, which schema 1 knows."""
    if isinstance(relation, Within):
        return {"relation": str(Relation.DECLARED), "within": str(relation)}
    return {"relation": str(relation)}
