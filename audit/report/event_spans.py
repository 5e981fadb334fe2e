"""Spans of an event on an axis of bins, each one unit wide."""

from __future__ import annotations

import math
from collections.abc import Sequence

from audit.betting.event import Event
from audit.verdict.pair_table import Bin
from audit.verdict.result import Witness

_OTHER = "is any other value"


def event_spans(bins: Sequence[Bin], feature: str, event: Event) -> list[tuple[float, float]]:
    """From where to where an event reaches; empty when it reads something else than the bins."""
    if event.parameters.get("feature") != feature:
        return []
    spans = [
        (_place(bins, float(low)), _place(bins, float(high)))
        for low, high in event.parameters.get("intervals", ())
    ]
    symbols = {f"is {symbol}" for symbol in event.parameters.get("symbols", ())}
    if event.parameters.get("other_symbols"):
        symbols.add(_OTHER)
    spans += [
        (place, place + 1.0)
        for place, cell in enumerate(bins)
        if cell.low is None and cell.label in symbols
    ]
    return [(low, high) for low, high in spans if high > low]


def function_steps(
    bins: Sequence[Bin], feature: str, witness: Witness
) -> list[tuple[float, float, float]]:
    """From where to where each value of a witness's function reaches, left to right.

    Empty where it is an event that is witnessed, or something else is read.
    """
    if witness.function is None or witness.event.parameters.get("feature") != feature:
        return []
    found = [
        (_place(bins, low), _place(bins, high), value)
        for low, high, value in witness.function.steps
    ]
    return [(low, high, value) for low, high, value in found if high > low]


def _place(bins: Sequence[Bin], value: float) -> float:
    """The position of a number; inside an unbounded bin, its middle."""
    place = 0.0
    for i, cell in enumerate(bins):
        if cell.low is None or cell.high is None:
            continue
        if value >= cell.high:
            place = i + 1.0
        elif value > cell.low:
            return i + _share(value, cell.low, cell.high)
    return place


def _share(value: float, low: float, high: float) -> float:
    if math.isinf(low) or math.isinf(high):
        return 0.5
    return (value - low) / (high - low)
