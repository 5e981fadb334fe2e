"""A result back from its JSON, checked value by value."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from audit.claims import EPSILON_BOUND, Claim, check_claim
from audit.claims.interface import claim_kind, known_kinds
from audit.errors import ClaimError, InputError, reason_of, visible
from audit.outcomes.failed_run import FailedRun
from audit.relation import FORMS, AnyRelation, Relation, relation_named
from audit.report.json_node import Node
from audit.report.restore_evidence import leak_of, made_of, optional_number, pair_of, witness_of
from audit.sampling.ledger import Standing, Together
from audit.verdict.findings import Diagnosis, Search, Suggestive, TimeLimit, Times, Units, WorstPair
from audit.verdict.result import AuditResult, Verdict

T = TypeVar("T")


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
    return _parsed(text, visible(str(path)))


def _unreadable(path: Path, reason: str) -> InputError:
    return InputError(
        f"{visible(str(path))} cannot be read: {reason}; give a result's JSON file", path
    )


def _parsed(text: str, source: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise Node(text, source).error("it is not valid JSON") from None


def _relation(top: Node) -> AnyRelation:
    """Neighboring pairs within a distance say so beside the relation."""
    if "within" not in top.names():
        return top.at("relation").choice(Relation)
    top.at("relation").choice(Relation)
    try:
        return relation_named(top.at("within").text())
    except InputError:
        raise top.at("within").wrong(f"one of {', '.join(FORMS)}") from None


def _optional(top: Node, name: str, read: Callable[[Node], T], absent: T) -> T:
    """A value that results of earlier versions lack."""
    return read(top.at(name)) if name in top.names() else absent


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
        relation=_relation(top),
        verdict=top.at("verdict").choice(Verdict),
        levels=_levels(top),
        alpha=top.at("alpha").chance(),
        log_evalue=top.at("log_evalue").number(),
        samples=top.at("samples").amount(),
        detectable_epsilon=optional_number(top.at("detectable_epsilon")),
        detectable_tenth=_optional(top, "detectable_tenth", optional_number, None),
        coupled=top.at("coupled").truth(),
        witness=witness_of(top.at("witness")),
        pairs=tuple(map(pair_of, top.at("pairs").elements())),
        search=_search(top.at("search")),
        leaks=tuple(map(leak_of, top.at("leaks").elements())),
        seed=top.at("seed").whole(),
        version=top.at("version").text(),
        command=top.at("command").text(),
        null=top.at("null").truth(),
        tried=_texts(top.at("tried")),
        notes=_texts(top.at("notes")),
        effort=_effort(top.at("effort")),
        failure=_failure(top.at("failure")),
        floor=top.at("floor").amount(),
        wanted=top.at("wanted").amount(),
        max_samples=_optional(top, "max_samples", Node.amount, 0),
        reason=top.at("reason").text(),
        summary=top.at("summary").text(),
        place=_optional(top, "place", Node.text, ""),
        seconds=_optional(top, "seconds", lambda node: node.number(0.0), None),
        finished=_optional(top, "finished", _moment, ""),
        times=_optional(top, "times", _times, None),
        recorded=_optional(top, "recorded", Node.truth, False),
        given_data=_optional(top, "given_data", Node.truth, False),
        standing=_optional(top, "ledger", _standing, None),
        worst=_optional(top, "worst", _worst, None),
        diagnosis=_optional(top, "diagnosis", _diagnosis, None),
        assumptions=_optional(top, "assumptions", _texts, ()),
        suggestive=_optional(top, "suggestive", _suggestive, None),
        time_limit=_optional(top, "time_limit", _time_limit, None),
        units=_optional(top, "units", _units, None),
    )


def _worst(node: Node) -> WorstPair | None:
    if node.value is None:
        return None
    return WorstPair(
        dataset=node.at("dataset").anything(),
        neighbor=node.at("neighbor").anything(),
        difference=node.at("difference").text(),
        epsilon_lower=node.at("epsilon_lower").number(),
        made=made_of(node),
    )


def _diagnosis(node: Node) -> Diagnosis | None:
    if node.value is None:
        return None
    return Diagnosis(
        cause=node.at("cause").text(),
        sentence=node.at("sentence").text(),
        advice=node.at("advice").text(),
        numbers=_object(node.at("numbers")),
    )


def _suggestive(node: Node) -> Suggestive | None:
    if node.value is None:
        return None
    return Suggestive(
        log_evalue=node.at("log_evalue").number(), runs_wanted=node.at("runs_wanted").amount()
    )


def _time_limit(node: Node) -> TimeLimit | None:
    if node.value is None:
        return None
    return TimeLimit(
        seconds=node.at("seconds").number(0.0),
        parts=_texts(node.at("parts")),
        max_samples=node.at("max_samples").amount(),
    )


def _units(node: Node) -> Units | None:
    if node.value is None:
        return None
    return Units(
        kind=node.at("kind").text(), n=node.at("n").amount(), count=node.at("count").amount()
    )


def _standing(node: Node) -> Standing:
    return Standing(
        file=node.at("file").text(),
        target=node.at("target").text(),
        audit=_from_one(node.at("audit")),
        build=_from_one(node.at("build")),
        alpha=node.at("alpha").chance(),
        runs=node.at("runs").amount(),
        together=_together(node.at("together")) if "together" in node.names() else None,
    )


def _together(node: Node) -> Together:
    gained = node.at("gained")
    return Together(
        level=node.at("level").chance(),
        log_wealth=node.at("log_wealth").number(),
        gained=None if gained.value is None else gained.number(),
        accused=node.at("accused").truth(),
        since=_from_one(node.at("since")),
        builds=_from_one(node.at("builds")),
        runs=node.at("runs").amount(),
    )


def _from_one(node: Node) -> int:
    if node.amount() < 1:
        raise node.wrong("a number from 1")
    return node.amount()


def _times(node: Node) -> Times:
    left, right = (
        tuple(second.number(0.0) for second in node.at(side).elements())
        for side in ("left", "right")
    )
    if not len(left) == len(right) == 3:
        raise node.wrong("three percentiles on each side")
    return Times(pair=node.at("pair").text(), runs=node.at("runs").amount(), left=left, right=right)


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


def _moment(node: Node) -> str:
    try:
        datetime.fromisoformat(node.text())
    except ValueError:
        raise node.wrong("a time of day as in 2026-01-31T12:00:00+00:00") from None
    return node.text()


def _levels(top: Node) -> dict[str, float]:
    names = [name for name in top.names() if name.endswith("_lower")]
    return {name: top.at(name).number() for name in dict.fromkeys([EPSILON_BOUND, *names])}


def _claim(node: Node) -> Claim:
    name = node.at("kind").text()
    kind = claim_kind(name)
    if kind is None:
        known = ", ".join(known_kinds())
        raise node.at("kind").wrong(f"{known} or what audit.claims.register_claim was given")
    try:
        claim = kind.from_json(_object(node))
        check_claim(claim)
    except KeyError as error:
        raise node.error(f"'{node.place}.{error.args[0]}' is missing") from None
    except ClaimError as error:
        raise node.error(str(error)) from None
    except (OverflowError, TypeError, ValueError):
        raise node.wrong(f"a claim of kind {name} within the range of numbers") from None
    return claim


def _search(node: Node) -> Search | None:
    if node.value is None:
        return None
    return Search(
        pairs=node.at("pairs").amount(),
        shrinks=node.at("shrinks").amount(),
        samples=node.at("samples").amount(),
    )
