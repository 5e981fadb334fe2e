"""Events: sets of values of one feature, in words like "the output is exactly 26"."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from audit.jsonable import Record, jsonable
from audit.outcomes.binning import Binning
from audit.outcomes.column import Masks
from audit.outcomes.encoding import KIND
from audit.outcomes.features import (
    BinnedScore,
    Distance,
    Feature,
    LocationScore,
    LowBits,
    Part,
    Pattern,
    Summary,
    TwoParts,
)
from audit.outcomes.fitted_features import SeenBefore, WeightedScore
from audit.outcomes.label_features import OTHER_LABEL, NumberWith, ShapeOfTexts
from audit.outcomes.number_features import (
    Decimals,
    FirstDigit,
    Remainder,
    ShapeOfParts,
    SumRemainder,
)
from audit.outcomes.part_words import failure, has_word, named, presence, symbol, together
from audit.outcomes.symbols import MISSING
from audit.relation import NEIGHBOR

_SCORES = (LocationScore, BinnedScore, WeightedScore)
_ROUNDED = " up to rounding"
_SHORT, _NEAR, _NOTHING = 7, 1e-10, sys.float_info.min
"""Digits of a short decimal, the relative distance to it that is left to rounding, and the
distance below which two numbers are the same."""
_FEW = 3
"""Whole numbers that are listed one by one."""
_MOST_NAMES = 4
_HIGHEST = 1023
"""Of all floats, only 0 is a multiple of a higher power of two."""
_SUMMARIES = {
    "largest": "largest entry",
    "smallest": "smallest entry",
    "position of the largest": "position (from 0) of the largest entry",
    "order of the first few": "order of the first few parts (their places, smallest first)",
}


@dataclass(frozen=True, slots=True)
class Event(Record):
    """A set of outputs, in words that an engineer can check by hand.

    Attributes:
        description: the words, for example "the output is at least 1.25".
        parameters: the same as plain values.
    """

    description: str
    parameters: dict[str, Any]

    def as_json(self) -> dict[str, Any]:
        return {"description": self.description, **jsonable(self.parameters)}


@dataclass(frozen=True, slots=True)
class _Held:
    """The values of a feature that an event holds.

    Attributes:
        binning: bins of the feature.
        intervals: the numbers, half-open, neighbors merged.
        symbols: the symbols.
        rest: whether it holds symbols without a bin.
        unit: what the numbers were rounded to.
    """

    binning: Binning
    intervals: Sequence[tuple[float, float]]
    symbols: Sequence[str]
    rest: bool
    unit: float = 0.0

    @classmethod
    def of(cls, binning: Binning, mask: Masks, unit: float) -> _Held:
        ends = np.concatenate([[-np.inf], binning.edges, [np.inf]])
        change = np.diff(mask[: binning.numeric].astype(int), prepend=0, append=0)
        spans = zip(ends[change == 1], ends[change == -1], strict=True)
        symbols = [s for i, s in enumerate(binning.symbols) if mask[binning.numeric + i]]
        numbers = [(float(a), float(b)) for a, b in spans]
        return cls(binning, numbers, symbols, bool(mask[-1]), unit)

    def others(self, part: str = "") -> list[str]:
        """The symbols without a bin, to follow "is"; none if the event has none of them."""
        if not self.rest:
            return []
        names = [s for s in self.binning.symbols if s not in self.symbols]
        known = [symbol(part, name).removeprefix("is ") for name in names]
        if len(known) > _FEW:
            return ["a value rare in earlier runs"]
        return [f"neither {' nor '.join(['a number', *known])}" if known else "no number"]

    def number(self, low: float, high: float) -> str:
        """The numbers of an interval, to follow "is", without an infinity that the event has not.

        Infinities have bins of their own, where there are any among the outputs.
        """
        said = _number(self.binning, low, high, self.unit)
        beyond = {name for name, end in (("-inf", low), ("inf", high)) if math.isinf(end)}
        if beyond & {*self.binning.symbols} <= {*self.symbols}:
            return said
        return "a finite number" if said == "a number" else f"finite and {said}"


def describe(feature: Feature, binning: Binning, mask: Masks) -> Event:
    """One event in words and in plain values."""
    held = _Held.of(binning, mask, getattr(feature, "unit", 0.0))
    parameters: dict[str, Any] = {
        "feature": feature.words,
        "intervals": jsonable(held.intervals),
        "symbols": held.symbols,
        "other_symbols": held.rest,
    }
    if isinstance(feature, Part) and _present(feature, held):
        parameters["presence"] = True
    if isinstance(feature, NumberWith):
        parameters["parts"] = [feature.label, feature.number]
    learned = _weights(feature)
    return Event(_sentence(feature, held), parameters | ({"weights": learned} if learned else {}))


def _sentence(feature: Feature, held: _Held) -> str:
    """One event as a sentence."""
    if isinstance(feature, _SCORES):
        return _score(held)
    if isinstance(feature, Part) and (
        said := _kinds(feature, held) or _word(feature, held) or _present(feature, held)
    ):
        return said
    parts = _alternatives(feature, held)
    if isinstance(feature, NumberWith):
        return _labelled(feature, [part for part in parts if part != OTHER_LABEL], held.symbols)
    return f"{subject(feature)} is {_either(parts)}"


def _alternatives(feature: Feature, held: _Held) -> list[str]:
    """Intervals and symbols of an event, each in words."""
    if isinstance(feature, Pattern):
        return _patterns(feature, held)
    part = feature.name if isinstance(feature, Part) else ""
    number = _multiple if isinstance(feature, LowBits) else held.number
    parts = [number(*ends) for ends in held.intervals]
    parts += [symbol(part, value).removeprefix("is ") for value in held.symbols]
    return parts + held.others(part)


def _patterns(feature: Pattern, held: _Held) -> list[str]:
    """Values of several parts together, to follow "is"; none of them is a number."""
    values = {value: together(feature.names, value) for value in held.binning.symbols}
    others = [words for value, words in values.items() if value not in held.symbols]
    if held.rest and 0 < len(others) <= _FEW:
        return [f"not {_either(others)}"]
    rest = ["values rare in earlier runs"] * held.rest
    return [*map(values.__getitem__, held.symbols), *rest] or ["a number"]


def _labelled(feature: NumberWith, parts: Sequence[str], symbols: Sequence[str]) -> str:
    """Label and number in one sentence."""
    others, label = OTHER_LABEL in symbols, named(feature.label)
    text = feature.text if isinstance(feature.text, str) else _plain(feature.text)
    number = f"{named(feature.number)} is {_either(parts)}" if parts else ""
    if not others:
        return f"{label} is {text} and {number}"
    return f"{label} is not {text}{number and f', or {number}'}"


def subject(feature: Feature) -> str:
    """Name of a feature in a sentence."""
    match feature:
        case Part(name) | LowBits(name):
            return named(name)
        case Distance(name, centre):
            return f"the distance of {named(name)} from {_plain(centre)}"
        case TwoParts(left, sign, right):
            return f"{named(left)} {sign} {named(right)}"
        case Summary(kind):
            return f"the {_SUMMARIES.get(kind, kind)} of the output"
        case Pattern(names):
            few = names if len(names) <= _MOST_NAMES else (*names[:2], "…", names[-1])
            return f"({', '.join(map(named, few))})"
        case Remainder(name, step):
            return f"{named(name)} modulo {_plain(step)}"
        case Decimals(name):
            return f"the number of decimals of {named(name)}"
        case FirstDigit(name):
            return f"the first digit of {named(name)}"
        case SeenBefore(name):
            return f"the earlier occurrence of {named(name)}"
        case ShapeOfTexts(kind):
            return f"the {kind} in the output"
        case ShapeOfParts(kind):
            return f"the {_SUMMARIES.get(kind, kind)} of the output"
        case SumRemainder(_, step):
            return f"the sum of the output modulo {_plain(step)}"
    return feature.words


def _weights(feature: Feature) -> list[dict[str, Any]]:
    """Parts and weights of a learned score; empty for other features."""
    match feature:
        case LocationScore(parts, left, right, scale):
            return [
                {"part": p.words, "on D": a, "on the neighbor": b, "scale": s}
                for p, a, b, s in zip(parts, left, right, scale, strict=True)
            ]
        case WeightedScore(_, names, centre, scale, linear):
            return [
                {"part": n, "centre": c, "weight": w / s}
                for n, c, s, w in zip(names, centre, scale, linear, strict=True)
            ]
        case BinnedScore(parts):
            return [
                {"part": part.words, "lowest": min(scores), "highest": max(scores)}
                for part, _, scores in parts
            ]
    return []


def _kinds(feature: Part, held: _Held) -> str:
    """Kind of an output as a whole, or how its run failed."""
    if feature.name != KIND:
        return ""
    failed = [failure(kind) for kind in held.symbols if failure(kind)]
    types = [symbol(KIND, kind).removeprefix("is ") for kind in held.symbols if not failure(kind)]
    types += ["of any other type, or none"] * held.rest
    told = [f"the mechanism {_either(failed)}"] if failed else []
    told += [f"the output is {_either(types)}"] if types else []
    return ", or ".join(told)


def _word(feature: Part, held: _Held) -> str:
    """That a text has a word, or has not; empty where the event says something else."""
    if held.rest or held.symbols or len(held.intervals) != 1:
        return ""
    ((low, high),) = held.intervals
    without, with_it = low <= 0.0 < high, low <= 1.0 < high
    return has_word(feature.name, with_it) if without != with_it else ""


def _present(feature: Part, held: _Held) -> str:
    """That a part is there, or that it is not; empty where the event says something else."""
    if not held.intervals and not held.rest and held.symbols == [MISSING]:
        return presence(feature.name, False)
    everything = held.intervals == [(-math.inf, math.inf)]
    if everything and held.rest and {*held.symbols, MISSING} == {*held.binning.symbols}:
        return presence(feature.name, True)
    return ""


def _score(held: _Held) -> str:
    """A learned score, which is higher where outputs look more like those of D."""
    parts = [*(held.number(*ends) for ends in held.intervals), *held.symbols, *held.others()]
    said = f"score {_either(parts)}"
    low, high = held.intervals[0] if len(held.intervals) == 1 else (0.0, 0.0)
    if math.isinf(high) and not math.isinf(low):
        return f"the output is nearer those of D ({said})"
    if math.isinf(low) and not math.isinf(high):
        return f"the output is nearer those of {NEIGHBOR} ({said})"
    return f"the score of the output, higher if it is nearer those of D, is {_either(parts)}"


def _either(parts: Sequence[str]) -> str:
    return " or ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _number(binning: Binning, low: float, high: float, unit: float) -> str:
    """The numbers of an interval, to follow "is"."""
    if math.isinf(low) and math.isinf(high):
        return "a number"
    if high == math.nextafter(low, math.inf):
        return f"exactly {_plain(low)}"
    if binning.whole and not math.isinf(high - low):
        return _whole(int(low), int(high))
    atom = binning.atom_between(low, high)
    if atom is not None:
        short = _short(atom, unit)
        return f"{atom if short is None else short:.15g}{_ROUNDED}"
    ends = [_end(low, "at least", "above", unit), _end(high, "below", "at most", unit)]
    said = " and ".join(filter(None, ends))
    return f"{said.replace(_ROUNDED, '')}{_ROUNDED}" if _ROUNDED in said else said


def _short(value: float, slack: float) -> float | None:
    """The shortest decimal of a few digits that is so near to a number; None if there is none."""
    decimals = (float(f"{value:.{digits}g}") for digits in range(1, _SHORT + 1))
    return next((one for one in (0.0, *decimals) if abs(one - value) <= slack), None)


def _end(end: float, before: str, behind: str, unit: float) -> str:
    """An end of an interval; a short decimal that it is just before or behind is named instead.

    Bins end there so that errors of rounding move no output to another bin.
    """
    if math.isinf(end):
        return ""
    decimal = _short(end, max(_NEAR * abs(end), unit, _NOTHING))
    if decimal is None or decimal == end:
        return f"{before} {_plain(end)}"
    slack = _ROUNDED if abs(decimal - end) > _NOTHING else ""
    return f"{before if end < decimal else behind} {decimal:.{_SHORT}g}{slack}"


def _whole(low: int, high: int) -> str:
    if high - low == 1:
        return f"exactly {low}"
    if high - low <= _FEW:
        return _either([str(value) for value in range(low, high)])
    return f"from {low} to {high - 1}"


def _multiple(low: float, high: float) -> str:
    """Divisibility of a number by the position of its lowest set bit, to follow "is"."""
    if math.isinf(low):
        return "a number" if math.isinf(high) else f"no multiple of 2^{math.ceil(high)}"
    if low > _HIGHEST:
        return "0"
    multiple = f"a multiple of 2^{math.ceil(low)}"
    if math.isinf(high):
        return multiple
    return f"{multiple} but {'not 0' if high > _HIGHEST else f'none of 2^{math.ceil(high)}'}"


def _plain(value: float) -> str:
    """A number exactly, without the point where it is whole."""
    return repr(value).removesuffix(".0")
