"""A result back from its JSON, checked value by value."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from audit.betting.events import Event
from audit.claims import EPSILON_BOUND, Claim, check_claim
from audit.claims.interface import claim_kind, known_kinds
from audit.errors import ClaimError, InputError, reason_of, visible
from audit.outcomes.failed_run import FailedRun
from audit.relation import FORMS, AnyRelation, Relation, relation_named
from audit.report.json_node import Node, Reader, optional, record, several
from audit.sampling.ledger_entry import Standing, Together
from audit.verdict import findings
from audit.verdict.intervals import Estimate
from audit.verdict.pair_table import Bin, PairTable
from audit.verdict.result import AuditResult, Verdict, Witness

_LARGEST_SLOPE = 1e300


def read_document(path: Path) -> Any:
    """The JSON document in a file, not yet looked into.

    Raises:
        InputError: the file cannot be read, or is not JSON.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _unreadable(path, "it is not UTF-8 text") from None
    # ValueError: a name that no file can have.
    except (OSError, ValueError) as error:
        raise _unreadable(path, getattr(error, "strerror", None) or reason_of(error)) from None
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise Node(text, visible(str(path))).error("it is not valid JSON") from None


def _unreadable(path: Path, reason: str) -> InputError:
    return InputError(
        f"{visible(str(path))} cannot be read: {reason}; give a result's JSON file", path
    )


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is not JSON")


def restore(document: Any, source: str = "the document") -> AuditResult:
    """The result in a parsed JSON document, the inverse of `AuditResult.to_json`.

    Raises:
        InputError: a value is missing or is not what a result holds there.
    """
    top = Node(document, source)
    if top.at("schema").value != 1 or top.at("schema").value is True:
        raise top.at("schema").wrong("1, the schema this version reads")
    standing = _standing(top.at("ledger")) if "ledger" in top.names() else None
    return _result(
        top, relation=_relation(top), levels=_levels(top), standing=standing, gained=None
    )


def _relation(top: Node) -> AnyRelation:
    """Neighboring pairs within a distance say so beside the relation."""
    relation = top.at("relation").choice(Relation)
    if "within" not in top.names():
        return relation
    try:
        return relation_named(top.at("within").text())
    except InputError:
        raise top.at("within").wrong(f"one of {', '.join(FORMS)}") from None


def _levels(top: Node) -> dict[str, float]:
    names = [name for name in top.names() if name.endswith("_lower")]
    return {name: top.at(name).number() for name in dict.fromkeys([EPSILON_BOUND, *names])}


def _name(node: Node) -> str:
    if not node.text():
        raise node.wrong("the mechanism's name")
    return node.text()


def _claim(node: Node) -> Claim:
    name = node.at("kind").text()
    kind = claim_kind(name)
    if kind is None:
        known = ", ".join(known_kinds())
        raise node.at("kind").wrong(f"{known} or what audit.claims.register_claim was given")
    try:
        claim = kind.from_json(node.mapping())
        check_claim(claim)
    except KeyError as error:
        raise node.error(f"'{node.place}.{error.args[0]}' is missing") from None
    except ClaimError as error:
        raise node.error(str(error)) from None
    except (OverflowError, TypeError, ValueError):
        raise node.wrong(f"a claim of kind {name} within the range of numbers") from None
    return claim


def _estimate(high: float) -> Callable[[Node], Estimate]:
    """Three numbers from 0 to `high`: 1 for probabilities, infinity for ratios."""

    def within(node: Node) -> float:
        return node.number(0.0, high)

    return record(Estimate, low=within, estimate=within, high=within)


_probability, _ratio = _estimate(1.0), _estimate(math.inf)


def _event(node: Node) -> Event:
    found = dict(node.mapping())
    description = node.at("description").text()
    del found["description"]
    for name, check in _EVENT_PARTS.items():
        if name in found:
            for element in node.at(name).elements():
                check(element)
    return Event(description, found)


def _exactly(size: int, read: Reader, expected: str) -> Reader:
    """Reader of lists of one size."""

    def checked(node: Node) -> tuple[Any, ...]:
        if len(node.elements()) != size:
            raise node.wrong(expected)
        return several(read)(node)

    return checked


def _by_name(read: Reader) -> Reader:
    return lambda node: {name: read(node.at(name)) for name in node.names()}


def _weights(node: Node) -> None:
    """One part of a learned score: its name, and numbers."""
    for name in node.names():
        part = node.at(name)
        if not isinstance(part.value, str):
            part.number()


_EVENT_PARTS: dict[str, Callable[[Node], Any]] = {
    "intervals": _exactly(2, Node.number, "the two ends of an interval"),
    "symbols": Node.text,
    "weights": _weights,
}
"""Lists of which figures and tables read the elements."""


_made = _by_name(Node.anything)
_step = _exactly(3, Node.number, "the two ends of an interval and a value")


def _counts(node: Node) -> tuple[int, int, int]:
    left, right, pairs = (node.at(name).amount() for name in ("left", "right", "pairs"))
    if max(left, right) > pairs:
        raise node.wrong("no event more often than there are pairs of runs")
    return left, right, pairs


_function = record(
    findings.FunctionShown,
    ["steps"],
    order=lambda node: node.number(1.0),
    mean=_probability,
    steps=several(_step),
)
_strongest = record(findings.StrongestEvent, event=_event, counts=_counts)


def _witness(node: Node) -> Witness:
    """A witness: next to an event a line of the claim, next to a function any line."""
    function = "function" in node.names()
    ends = (-_LARGEST_SLOPE, _LARGEST_SLOPE) if function else (0.0, 1.0)
    read = record(
        Witness,
        event=_event,
        p=_probability,
        q=_probability,
        slope=lambda slope: slope.number(1.0 - function, _LARGEST_SLOPE),
        offset=lambda offset: offset.number(*ends),
        counts=_counts,
        strongest=_strongest,
        function=_function,
        made=_made,
    )
    return read(node)


_draws = _exactly(2, Node.amount, "two numbers of runs")
_bin_but_one = record(Bin, p=_probability, q=_probability, ratio=_ratio)


def _bin(node: Node) -> Bin:
    return _bin_but_one(node, reverse=_ratio(node.at("ratio_reverse")))


_pair = record(PairTable, ["feature"], draws=_draws, bins=several(_bin), max_ratio=Node.from_zero)
_leak = record(findings.Leak, event=lambda node: Event(node.text(), {}))
_together = record(Together, level=Node.chance, since=Node.from_one, builds=Node.from_one)
_standing = record(
    Standing, audit=Node.from_one, build=Node.from_one, alpha=Node.chance, together=_together
)


_percentiles = _exactly(3, Node.from_zero, "three percentiles on each side")
_failure_but_kind = record(FailedRun)


def _failure(node: Node) -> FailedRun:
    return _failure_but_kind(node, kind=node.at("type").text(), hint="")


def _moment(node: Node) -> str:
    try:
        datetime.fromisoformat(node.text())
    except ValueError:
        raise node.wrong("a time of day as in 2026-01-31T12:00:00+00:00") from None
    return node.text()


_result = record(
    AuditResult,
    ("null", "tried", "notes", "effort", "failure", "floor", "wanted", "reason", "summary"),
    mechanism=_name,
    claim=_claim,
    verdict=lambda node: node.choice(Verdict),
    alpha=Node.chance,
    witness=optional(_witness),
    pairs=several(_pair),
    search=optional(record(findings.Search)),
    leaks=several(_leak),
    seed=Node.whole,
    effort=_by_name(Node.amount),
    failure=optional(_failure),
    seconds=Node.from_zero,
    finished=_moment,
    times=record(findings.Times, left=_percentiles, right=_percentiles),
    worst=optional(record(findings.WorstPair, made=_made)),
    diagnosis=optional(record(findings.Diagnosis, ["numbers"])),
    suggestive=optional(record(findings.Suggestive)),
    curve=several(record(findings.CurvePoint, delta=Node.chance, epsilon_lower=Node.from_zero)),
    estimate=optional(record(findings.LossEstimate)),
    time_limit=optional(record(findings.TimeLimit, seconds=Node.from_zero)),
    units=optional(record(findings.Units)),
)
