"""Witness, tables and leaks restored from JSON, checked value by value."""

from __future__ import annotations

import math
from typing import Any

from audit.betting.events import Event
from audit.report.json_node import Node
from audit.verdict.findings import FunctionShown, Leak, StrongestEvent
from audit.verdict.intervals import Estimate
from audit.verdict.pair_table import Bin, PairTable
from audit.verdict.result import Witness

_LARGEST_SLOPE = 1e300


def optional_number(node: Node) -> float | None:
    """A number, None where there is none."""
    return None if node.value is None else node.number()


def _stated(node: Node, key: str) -> float | None:
    """A number that earlier versions did not write."""
    return optional_number(node.at(key)) if key in node.names() else None


def _estimate(node: Node, high: float) -> Estimate:
    """Three numbers from 0 to `high`: 1 for probabilities, infinity for ratios."""
    low, middle, top = (node.at(name).number(0.0, high) for name in ("low", "estimate", "high"))
    return Estimate(middle, low, top)


def _event(node: Node) -> Event:
    node.names()
    found = dict(node.anything())
    description = node.at("description").text()
    del found["description"]
    for name in ("intervals", "symbols", "weights"):
        if name in found:
            _check_event(node.at(name), name)
    return Event(description, found)


def _check_event(node: Node, name: str) -> None:
    """Check the event of a figure: intervals of numbers, and words."""
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


def witness_of(node: Node) -> Witness | None:
    """A witness, None where there is none."""
    if node.value is None:
        return None
    function = _function(node.at("function")) if "function" in node.names() else None
    return Witness(
        pair=node.at("pair").text(),
        dataset=node.at("dataset").anything(),
        neighbor=node.at("neighbor").anything(),
        difference=node.at("difference").text(),
        direction=node.at("direction").text(),
        event=_event(node.at("event")),
        p=_estimate(node.at("p"), 1.0),
        q=_estimate(node.at("q"), 1.0),
        slope=node.at("slope").number(0.0 if function else 1.0, _LARGEST_SLOPE),
        offset=_offset(node.at("offset"), function),
        draws=node.at("draws").amount(),
        counts=_counts(node.at("counts")) if "counts" in node.names() else None,
        strongest=_strongest(node.at("strongest")) if "strongest" in node.names() else None,
        function=function,
        made=made_of(node),
    )


def made_of(node: Node) -> dict[str, Any] | None:
    """Records of datasets that the search made, None elsewhere and of earlier versions."""
    if "made" not in node.names():
        return None
    made = node.at("made")
    return {name: made.at(name).anything() for name in made.names()}


def _offset(node: Node, function: FunctionShown | None) -> float:
    """A probability beside an event; beside a function any number."""
    if function is None:
        return node.number(0.0, 1.0)
    return node.number(-_LARGEST_SLOPE, _LARGEST_SLOPE)


def _function(node: Node) -> FunctionShown:
    return FunctionShown(
        node.at("order").number(1.0),
        node.at("dual").text(),
        _estimate(node.at("mean"), 1.0),
        tuple(map(_step, node.at("steps").elements())),
    )


def _step(node: Node) -> tuple[float, float, float]:
    numbers = [element.number() for element in node.elements()]
    if len(numbers) != 3:
        raise node.wrong("the two ends of an interval and a value")
    return numbers[0], numbers[1], numbers[2]


def _strongest(node: Node) -> StrongestEvent:
    return StrongestEvent(
        _event(node.at("event")), node.at("direction").text(), _counts(node.at("counts"))
    )


def _counts(node: Node) -> tuple[int, int, int]:
    left, right, pairs = (node.at(name).amount() for name in ("left", "right", "pairs"))
    if max(left, right) > pairs:
        raise node.wrong("no event more often than there are pairs of runs")
    return left, right, pairs


def pair_of(node: Node) -> PairTable:
    """The table of one pair."""
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
        low=optional_number(node.at("low")),
        high=optional_number(node.at("high")),
        label=node.at("label").text(),
        p=_estimate(node.at("p"), 1.0),
        q=_estimate(node.at("q"), 1.0),
        ratio=_estimate(node.at("ratio"), math.inf),
        reverse=_estimate(node.at("ratio_reverse"), math.inf),
        flagged=node.at("flagged").truth(),
    )


def leak_of(node: Node) -> Leak:
    """A leak, its event in words alone."""
    return Leak(
        kind=node.at("kind").text(),
        event=Event(node.at("event").text(), {}),
        log_evalue=node.at("log_evalue").number(),
        epsilon_lower=_stated(node, "epsilon_lower"),
    )
