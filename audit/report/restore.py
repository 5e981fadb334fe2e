"""A result back from its JSON, checked value by value."""

from __future__ import annotations

import json
import math
from datetime import datetime
from pathlib import Path
from typing import Any

from audit.betting.event import Event
from audit.claim import ApproxDP, Claim, GaussianDP, PureDP, RenyiDP, ZeroConcentratedDP
from audit.errors import ClaimError, InputError, reason_of, visible
from audit.neighbors.search.effort import Search
from audit.outcomes.failed_run import FailedRun
from audit.relation import Relation
from audit.report.document import Node
from audit.verdict.estimate import Estimate
from audit.verdict.pair_table import Bin, PairTable
from audit.verdict.result import AuditResult, Leak, Verdict, Witness

_LARGEST_SLOPE = 1e300


def read_result(path: Path) -> AuditResult:
    """The result stored in a file.

    Raises:
        InputError: the file cannot be read, or is not a result.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _unreadable(path, "it is not UTF-8 text") from None
    # ValueError: a name that no file can have.
    except (OSError, ValueError) as error:
        raise _unreadable(path, getattr(error, "strerror", None) or reason_of(error)) from None
    return restore_text(text, visible(str(path)))


def _unreadable(path: Path, reason: str) -> InputError:
    return InputError(
        f"{visible(str(path))} cannot be read: {reason}; give a result's JSON file", path
    )


def restore_text(text: str, source: str = "the text") -> AuditResult:
    """The result written as JSON text.

    Raises:
        InputError: it is not JSON, or not a result.
    """
    try:
        document = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise Node(text, source).error("it is not valid JSON") from None
    return restore(document, source)


def restore(document: Any, source: str = "the document") -> AuditResult:
    """The result in a parsed JSON document, the inverse of `AuditResult.to_json`.

    Raises:
        InputError: a value is missing or is not what a result holds there.
    """
    top = Node(document, source)
    if top.at("schema").value != 1 or top.at("schema").value is True:
        raise top.at("schema").wrong("1, the schema this version reads")
    return AuditResult(
        mechanism=_name(top.at("mechanism")),
        parameters=_object(top.at("parameters")),
        claim=_claim(top.at("claim")),
        relation=top.at("relation").choice(Relation),
        verdict=top.at("verdict").choice(Verdict),
        levels=_levels(top),
        alpha=_alpha(top.at("alpha")),
        log_evalue=top.at("log_evalue").number(),
        samples=top.at("samples").amount(),
        detectable_epsilon=_optional_number(top.at("detectable_epsilon")),
        coupled=top.at("coupled").truth(),
        witness=_witness(top.at("witness")),
        pairs=tuple(map(_pair, top.at("pairs").elements())),
        search=_search(top.at("search")),
        leaks=tuple(map(_leak, top.at("leaks").elements())),
        seed=top.at("seed").whole(),
        version=top.at("version").text(),
        command=top.at("command").text(),
        null=top.at("null").truth(),
        tried=_texts(top.at("tried")),
        notes=_texts(top.at("notes")),
        effort=_effort(top.at("effort")),
        failure=_failure(top.at("failure")),
        claimed_reach=top.at("floor").amount(),
        wanted=top.at("wanted").amount(),
        reason=top.at("reason").text(),
        summary=top.at("summary").text(),
        seconds=top.at("seconds").number(0.0) if "seconds" in top.names() else None,
        finished=_moment(top.at("finished")) if "finished" in top.names() else "",
        recorded=top.at("recorded").truth() if "recorded" in top.names() else False,
    )


def _effort(node: Node) -> dict[str, int]:
    return {name: node.at(name).amount() for name in node.names()}


def _failure(node: Node) -> FailedRun | None:
    if node.value is None:
        return None
    where = node.at("where")
    return FailedRun(
        kind=node.at("type").text(),
        message=node.at("message").text(),
        where=None if where.value is None else where.text(),
        dataset=node.at("dataset").text(),
        call=node.at("call").amount(),
    )


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is not JSON")


def _name(node: Node) -> str:
    if not node.text():
        raise node.wrong("the mechanism's name")
    return node.text()


def _object(node: Node) -> dict[str, Any]:
    node.names()
    found: dict[str, Any] = node.anything()
    return found


def _texts(node: Node) -> tuple[str, ...]:
    return tuple(element.text() for element in node.elements())


def _alpha(node: Node) -> float:
    if not 0.0 < node.number() < 1.0:
        raise node.wrong("a number between 0 and 1")
    return node.number()


def _optional_number(node: Node) -> float | None:
    return None if node.value is None else node.number()


def _moment(node: Node) -> str:
    try:
        datetime.fromisoformat(node.text())
    except ValueError:
        raise node.wrong("a time of day as in 2026-01-31T12:00:00+00:00") from None
    return node.text()


def _levels(top: Node) -> dict[str, float]:
    names = [name for name in top.names() if name.endswith("_lower")]
    return {name: top.at(name).number() for name in dict.fromkeys(["epsilon_lower", *names])}


def _claim(node: Node) -> Claim:
    try:
        claim = _claim_of_kind(node, node.at("kind").text())
        claim.lines(claim.level)
    except ClaimError as error:
        raise node.error(str(error)) from None
    except OverflowError:
        raise node.wrong("a claim within the range of floating-point numbers") from None
    return claim


def _claim_of_kind(node: Node, kind: str) -> Claim:
    match kind:
        case "pure":
            node.at("delta").number(0.0, 0.0)
            return PureDP(node.at("epsilon").number())
        case "approximate":
            return ApproxDP(node.at("epsilon").number(), node.at("delta").number())
        case "zcdp":
            return ZeroConcentratedDP(node.at("rho").number())
        case "renyi":
            return RenyiDP(node.at("order").number(), node.at("epsilon").number())
        case "gaussian":
            return GaussianDP(node.at("mu").number())
    raise node.at("kind").wrong("pure, approximate, zcdp, renyi or gaussian")


def _estimate(node: Node, high: float) -> Estimate:
    """Three numbers from 0 to `high`: 1 for probabilities, infinity for ratios."""
    low, middle, top = (node.at(name).number(0.0, high) for name in ("low", "estimate", "high"))
    return Estimate(middle, low, top)


def _event(node: Node) -> Event:
    found = dict(_object(node))
    description = node.at("description").text()
    del found["description"]
    for name in ("intervals", "symbols", "weights"):
        if name in found:
            _check_event(node.at(name), name)
    return Event(description, found)


def _check_event(node: Node, name: str) -> None:
    """What a figure shades must be intervals of numbers, and words."""
    for element in node.elements():
        if name == "symbols":
            element.text()
        elif name == "weights":
            _check_weights(element)
        elif len([end.number() for end in element.elements()]) != 2:
            raise element.wrong("the two ends of an interval")


def _check_weights(node: Node) -> None:
    """One part of a learned score: its name, and numbers."""
    for name in node.names():
        part = node.at(name)
        if not isinstance(part.value, str):
            part.number()


def _witness(node: Node) -> Witness | None:
    if node.value is None:
        return None
    return Witness(
        pair=node.at("pair").text(),
        dataset=node.at("dataset").anything(),
        neighbor=node.at("neighbor").anything(),
        difference=node.at("difference").text(),
        direction=node.at("direction").text(),
        event=_event(node.at("event")),
        p=_estimate(node.at("p"), 1.0),
        q=_estimate(node.at("q"), 1.0),
        slope=node.at("slope").number(1.0, _LARGEST_SLOPE),
        offset=node.at("offset").number(0.0, 1.0),
        draws=node.at("draws").amount(),
        counts=_counts(node.at("counts")) if "counts" in node.names() else None,
    )


def _counts(node: Node) -> tuple[int, int, int]:
    left, right, pairs = (node.at(name).amount() for name in ("left", "right", "pairs"))
    if max(left, right) > pairs:
        raise node.wrong("no event more often than there are pairs of runs")
    return left, right, pairs


def _pair(node: Node) -> PairTable:
    draws = node.at("draws").elements()
    if len(draws) != 2:
        raise node.at("draws").wrong("two numbers of runs")
    return PairTable(
        name=node.at("name").text(),
        difference=node.at("difference").text(),
        draws=(draws[0].amount(), draws[1].amount()),
        bins=tuple(map(_bin, node.at("bins").elements())),
        max_ratio=node.at("max_ratio").number(0.0),
        satisfied=node.at("satisfied").truth(),
        feature=node.at("feature").text(),
    )


def _bin(node: Node) -> Bin:
    return Bin(
        low=_optional_number(node.at("low")),
        high=_optional_number(node.at("high")),
        label=node.at("label").text(),
        p=_estimate(node.at("p"), 1.0),
        q=_estimate(node.at("q"), 1.0),
        ratio=_estimate(node.at("ratio"), math.inf),
        reverse=_estimate(node.at("ratio_reverse"), math.inf),
        flagged=node.at("flagged").truth(),
    )


def _search(node: Node) -> Search | None:
    if node.value is None:
        return None
    return Search(
        pairs=node.at("pairs").amount(),
        shrinks=node.at("shrinks").amount(),
        samples=node.at("samples").amount(),
    )


def _leak(node: Node) -> Leak:
    return Leak(
        kind=node.at("kind").text(),
        event=Event(node.at("event").text(), {}),
        log_evalue=node.at("log_evalue").number(),
    )
