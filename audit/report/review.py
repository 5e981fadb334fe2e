"""Questions of a reviewer, answered from one audit, and those that it did not examine.

The questions follow NIST SP 800-226, Guidelines for Evaluating Differential
Privacy Guarantees: parameters, unit of privacy, correctness of the
implementation, side channels, and what surrounds a mechanism.
"""

from __future__ import annotations

from audit.relation import Relation, Within
from audit.report import sentences
from audit.report.document import Fact, Facts
from audit.report.loss import bounds
from audit.verdict.result import AuditResult, Verdict

NOT_EXAMINED = "not examined"

_UNITS = {
    Relation.ADD_REMOVE: "one record: added or removed (unbounded neighbors)",
    Relation.SUBSTITUTE: "one record: its value changed (bounded neighbors)",
    Relation.USER: "one user: all records of theirs added or removed",
    Relation.DECLARED: "as the caller declared the pairs; what one person contributes was "
    f"{NOT_EXAMINED}",
}


def review(result: AuditResult) -> Facts:
    """The questions of a reviewer in the order in which guarantees build on each other."""
    asked = {
        "Privacy parameters claimed": f"{result.claim}",
        "Lower bounds measured": bounds(result),
        "Unit of privacy, neighboring datasets": _unit(result),
        "Trust in the implementation": _implementation(result),
        "Failures, missing and special values as outputs": _outcomes(result),
        "Low-order bits of floating-point outputs": _low_bits(result),
        "Running time": _timing(result),
        "Memory, power, network and other side channels": NOT_EXAMINED,
        "Quality of the random number generator": NOT_EXAMINED,
        "Other releases from the same data (composition)": NOT_EXAMINED,
        "Trust model; collection, storage and access to the data": NOT_EXAMINED,
        "Accuracy and fairness of the outputs": NOT_EXAMINED,
    }
    return Facts(tuple(Fact(question, answer) for question, answer in asked.items()))


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


def _low_bits(result: AuditResult) -> str:
    if any(leak.kind == "floating-point" for leak in result.leaks):
        return "examined: they reveal the input"
    if result.recorded:
        return NOT_EXAMINED
    return "examined if outputs have any, as far as the runs went: no leak"


def _timing(result: AuditResult) -> str:
    if any(leak.kind == "timing" for leak in result.leaks):
        return "examined: it reveals the input"
    if result.times is not None:
        return f"examined: {sentences.times(result.times)}"
    return NOT_EXAMINED
