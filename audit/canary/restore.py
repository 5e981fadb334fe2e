"""A result of canaries back from its JSON, checked value by value."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from audit.canary.design import Assignment, Design
from audit.canary.result import CanaryResult, GaussianReading, PrefixRow, TwoSample
from audit.errors import visible
from audit.relation import Relation
from audit.report.json_node import Node, optional, record, several
from audit.report.restore import read_document, restore
from audit.verdict.result import AuditResult

_ELSEWHERE: dict[str, Any] = {
    "null": False,
    "tried": [],
    "floor": 0,
    "wanted": 0,
    "reason": "",
    "summary": "",
}
"""What results of canaries leave out, because it is never anything else."""


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
    return CanaryResult(
        mechanism=common.mechanism,
        claim=common.claim,
        design=Design(
            assignment=parameters.at("assignment").choice(Assignment),
            probability=parameters.at("probability").chance(),
            relation=top.at("relation").choice(Relation),
        ),
        verdict=common.verdict,
        levels=common.levels,
        alpha=common.alpha,
        p_value=optional(Node.number)(top.at("p_value")),
        log_evalue=common.log_evalue,
        canaries=top.at("canaries").amount(),
        guesses=top.at("guesses").amount(),
        correct=top.at("correct").amount(),
        ceiling=top.at("ceiling").number(),
        needed=optional(Node.amount)(top.at("canaries_needed")),
        runs=parameters.at("runs").amount(),
        prefixes=several(_prefix)(top.at("prefixes")),
        opened=several(_point)(top.at("opened")),
        gaussian=optional(_gaussian)(top.at("if_gaussian")),
        notes=common.notes,
        seed=common.seed,
        version=common.version,
        command=common.command,
        seconds=common.seconds,
        finished=common.finished,
        assumptions=common.assumptions,
        two_sample=_two_sample(top.at("two_sample")) if "two_sample" in top.names() else None,
    )


def _guesses(node: Node) -> int:
    if node.amount() == 0:
        raise node.wrong("a number of guesses, 1 or more")
    return node.amount()


_prefix = record(PrefixRow, guesses=_guesses, allowed=optional(Node.whole))


_two_sample = optional(record(TwoSample))


def _point(node: Node) -> tuple[int, int]:
    numbers = [element.amount() for element in node.elements()]
    if len(numbers) != 2 or not 0 <= numbers[1] <= numbers[0] or numbers[0] == 0:
        raise node.wrong("how many guesses were opened, and how many of those are right")
    return numbers[0], numbers[1]


def _gaussian(node: Node) -> GaussianReading:
    epsilon = optional(Node.number)(node.at("epsilon_lower"))
    return GaussianReading(node.at("mu_lower").number(), epsilon)


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
    document, source = read_document(Path(path)), visible(str(path))
    if is_canaries(document):
        return restore_canaries(document, source)
    return restore(document, source)
