"""Formatting: numbers as people read them, and safe Markdown out of anything.

Text is first made visible: characters that steer a terminal, break a line or
reverse the writing are shown as their escapes. What Markdown would read as
markup then becomes an entity or is escaped, so that any CommonMark or GFM
reader shows exactly the visible text and nothing else.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from audit.errors import visible
from audit.verdict.intervals import Estimate

_LONG = re.compile(r"\d+\.\d{7,}(?:e[+-]?\d+)?")
_WHOLE = 999.5, 1e6
"""From the first to below the second, numbers are shown whole."""
_DIGITS, _ALL_DIGITS = 6, 17
"""Of decimals as they are cut, and of all that floats have."""
_STEPS = (1.0, 2.0, 5.0, 10.0)
_NOTHING = 1e-6
"""Lower ends below are shown as 0, which they are rounded down to as well."""


_TIMES = ((86_400.0, "days"), (3_600.0, "h"), (60.0, "min"), (1.0, "s"))
_PLENTY = 1.5
"""Of a unit of time, from which on it is used."""


def duration(seconds: float) -> str:
    """A time as people say it, to two digits at most."""
    for size, name in _TIMES:
        if seconds >= _PLENTY * size or (size == 1.0 and seconds >= 1.0):
            return f"{float(f'{seconds / size:.2g}'):g} {name}"
    return f"{float(f'{1000.0 * seconds:.2g}'):g} ms"


def number(value: float) -> str:
    """Three significant digits; more for whole thousands and to tell it from 1."""
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if _WHOLE[0] <= abs(value) < _WHOLE[1]:
        return count(value)
    text = f"{value:.3g}"
    return f"{value:.6g}" if text == "1" and value < 1 else text


def at_least(value: float, digits: int = 3) -> str:
    """A lower bound: rounded down, so that what is shown holds where the value does."""
    return _directed(value, ROUND_FLOOR, digits)


def at_most(value: float, digits: int = 3) -> str:
    """An upper bound: rounded up."""
    return _directed(value, ROUND_CEILING, digits)


def _directed(value: float, rounding: str, digits: int) -> str:
    if math.isinf(value) or value == 0.0:
        return number(value)
    exact = Decimal(repr(float(value)))
    last = 0 if _WHOLE[0] <= abs(value) < _WHOLE[1] else exact.adjusted() - digits + 1
    rounded = float(exact.quantize(Decimal((0, (1,), last)), rounding))
    whole = _WHOLE[0] <= abs(rounded) < _WHOLE[1]
    return count(rounded) if whole else f"{rounded:,.{digits}g}"


def read(shown: str) -> float:
    """The number that somebody reads there."""
    return float(shown.replace(",", "").replace("∞", "inf"))


def count(value: float) -> str:
    """A whole number with thousands set apart."""
    return f"{value:,.0f}"


def interval(estimate: Estimate) -> str:
    """An estimate with its interval, rounded outwards: 0.92 [0.9, 0.94]."""
    return f"{number(estimate.estimate)} {ends(estimate)}"


def ends(estimate: Estimate) -> str:
    """The interval of an estimate, rounded outwards: [0.9, 0.94]."""
    low = at_least(estimate.low) if estimate.low >= _NOTHING else "0"
    return f"[{low}, {at_most(estimate.high)}]"


def in_percent(share: float, digits: Callable[[float], str] = number) -> str:
    """A probability in percent, rounded by `digits`; 100% only if it is 1."""
    shown = digits(100.0 * share)
    return f"{100.0 * share:.6g}%" if shown == "100" and share < 1.0 else f"{shown}%"


def interval_in_percent(estimate: Estimate) -> str:
    """The interval of a probability, rounded outwards: [10.8%, 16.3%]."""
    low = in_percent(estimate.low, at_least) if estimate.low >= _NOTHING else "0%"
    return f"[{low}, {in_percent(estimate.high, at_most)}]"


def percent(share: float) -> str:
    """A share of one, in percent, with the digits it has."""
    return f"{100.0 * share:.10g}%"


def power_of_ten(log_value: float) -> str:
    """The power of ten at or above e^log_value, for values too small to compute."""
    if math.isinf(log_value):
        return "0" if log_value < 0 else "∞"
    return f"1e{math.ceil(log_value / math.log(10.0))}"


def rounded(text: str) -> str:
    """The text with long decimals cut to six digits or so, unless that makes two of them one.

    Nor does it make a round number of one that is none: outputs often are such numbers, and
    lie beyond a cut that is beside one.
    """
    found = set(_LONG.findall(text))
    short = {decimal: _cut(decimal) for decimal in found}
    if len(set(short.values())) < len(found):
        return text
    return _LONG.sub(lambda decimal: short[decimal[0]], text)


def _cut(decimal: str) -> str:
    """The first digits of a decimal: six, or as many more as tell it from a rounder number."""
    value = float(decimal)
    for digits in range(_DIGITS, _ALL_DIGITS):
        text = f"{value:.{digits}g}"
        mantissa = text.partition("e")[0]
        whole = "." not in mantissa and value != round(value)
        if not whole and len(mantissa.replace(".", "").strip("-0")) >= digits - 1:
            return text
    return decimal


def axis_end(largest: float) -> float:
    """A round number at or above the largest value of a scale that ends at 1 or before."""
    if largest >= 0.5:
        return 1.0
    power = 1.0
    while power > largest and power > 1e-12:
        power /= 10.0
    return min(step * power for step in _STEPS if step * power >= largest * 0.999)


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """One line for each row, its cells two blanks apart and as wide as their column.

    Raises:
        ValueError: a row has more or fewer cells than another.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


_ENTITIES = {
    **{mark: f"&#{ord(mark)};" for mark in "\\`|${}"},
    "&": "&amp;",
    "<": "&lt;",
    **{mark: f"\\{mark}" for mark in "*_[]#~"},
}
_TABLE = str.maketrans(_ENTITIES)
_LINK = re.compile(r":(?=//)|(?<=www)\.", re.IGNORECASE)
_LIST_NUMBER = re.compile(r"^(\d+)([.)])(?= |$)")
_BACKTICKS = re.compile("`+")


class Safe(str):
    """Markdown that needs no further escaping."""

    __slots__ = ()


def sentence(text: str) -> str:
    """The text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def clip(text: str, limit: int) -> str:
    """At most about `limit` characters, saying how many were left out."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}… ({len(text) - limit:,} more characters)"


def cut(text: str, limit: int) -> str:
    """At most `limit` characters, the last of them a mark if some were left out."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def inline(text: object) -> Safe:
    """Plain text inside a paragraph, a heading or a table cell."""
    if isinstance(text, Safe):
        return text
    shown = visible(str(text)).strip(" ")
    escaped = _LINK.sub(lambda found: f"&#{ord(found[0])};", shown.translate(_TABLE))
    return Safe(_at_line_start(escaped))


def block(text: object, language: str = "") -> Safe:
    """A fenced code block, to stand alone between two line breaks."""
    lines = [visible(line) for line in str(text).split("\n")]
    runs = [len(run) for line in lines for run in _BACKTICKS.findall(line)]
    fence = "`" * max(3, 1 + max(runs, default=0))
    return Safe("\n".join([f"{fence}{language}", *lines, fence]))


def _at_line_start(text: str) -> str:
    """Without what makes a list, a rule or an underlined heading at the start of a line."""
    if text[:1] in ("-", "+", "=", ">"):
        return f"&#{ord(text[0])};{text[1:]}"
    return _LIST_NUMBER.sub(lambda found: f"{found[1]}&#{ord(found[2])};", text)
