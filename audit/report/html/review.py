"""What reviewers ask for, answered from one audit, and what it did not look at.

The questions follow NIST SP 800-226, Guidelines for Evaluating Differential
Privacy Guarantees: parameters, unit of privacy, correctness of the
implementation, side channels, and what surrounds a mechanism.
"""

from __future__ import annotations

from dataclasses import dataclass

from audit.relation import Relation, Within
from audit.report import sentences
from audit.report.size import bounds
from audit.verdict.result import AuditResult, Verdict

NOT_EXAMINED = "not examined"

_UNITS = {
    Relation.ADD_REMOVE: "one record: added or removed (unbounded neighbors)",
    Relation.SUBSTITUTE: "one record: its value changed (bounded neighbors)",
    Relation.USER: "one user: all records of theirs added or removed",
    Relation.DECLARED: "as the caller declared the pairs; what one person contributes was "
    f"{NOT_EXAMINED}",
}


@dataclass(frozen=True, slots=True)
class Question:
    """One row of the table.

    Attributes:
        asked: what a reviewer asks for.
        answer: what this audit says about it.
        examined: whether it looked at it at all.
    """

    asked: str
    answer: str
    examined: bool = True


def review(result: AuditResult) -> list[Question]:
    """The questions of a reviewer in the order in which guarantees build on each other."""
    return [
        Question("Privacy parameters claimed", f"{result.claim}"),
        Question("Privacy parameters shown", bounds(result)),
        Question("Unit of privacy, neighboring datasets", _unit(result)),
        Question("Trust in the implementation", _implementation(result)),
        Question("Failures, missing and special values as outputs", _outcomes(result)),
        _low_bits(result),
        _timing(result),
        Question("Memory, power, network and other side channels", NOT_EXAMINED, False),
        Question("Quality of the random number generator", NOT_EXAMINED, False),
        Question("Other releases from the same data (composition)", NOT_EXAMINED, False),
        Question("Trust model; collection, storage and access to the data", NOT_EXAMINED, False),
        Question("Accuracy and fairness of the outputs", NOT_EXAMINED, False),
    ]


def _unit(result: AuditResult) -> str:
    relation = result.relation
    if isinstance(relation, Within):
        return f"{sentences.relation(result)}; the claim holds for that change"
    return _UNITS.get(relation, str(relation))


def _implementation(result: AuditResult) -> str:
    if result.null:
        return "the audit itself was checked, on one dataset against itself; the claim was not"
    if result.verdict is Verdict.VIOLATION:
        return "examined as a black box: the claim is refuted"
    if result.verdict is Verdict.NOT_REFUTED:
        return "examined as a black box: not refuted, which is no proof that the claim holds"
    return "examined as a black box, without an answer"


def _outcomes(result: AuditResult) -> str:
    if result.recorded:
        return "as far as the recorded outputs hold them"
    return "examined: a failed run, a time-out, NaN, None and a missing part are outputs"


def _low_bits(result: AuditResult) -> Question:
    asked = "Low bits of floating-point outputs"
    if any(leak.kind == "floating-point" for leak in result.leaks):
        return Question(asked, "examined: they tell the datasets apart")
    if result.recorded:
        return Question(asked, NOT_EXAMINED, False)
    return Question(asked, "looked at where outputs have any, as far as the runs went: no leak")


def _timing(result: AuditResult) -> Question:
    if any(leak.kind == "timing" for leak in result.leaks):
        return Question("Running time", "examined: it tells the datasets apart")
    if result.times is not None:
        return Question("Running time", f"looked at: {sentences.times(result.times)}")
    return Question("Running time", NOT_EXAMINED, False)
