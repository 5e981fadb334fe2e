"""Numbers as people read them."""

from __future__ import annotations

import math
import re

from audit.estimate import Estimate

_LONG = re.compile(r"\d+\.\d{7,}(?:e[+-]?\d+)?")


def number(value: float) -> str:
    """Three significant digits; more for whole thousands and to tell it from 1."""
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if 999.5 <= abs(value) < 1e6:
        return count(value)
    text = f"{value:.3g}"
    if text == "1" and value < 1:
        return f"{value:.6g}"
    return text


def count(value: float) -> str:
    """A whole number with thousands set apart."""
    return f"{value:,.0f}"


def interval(estimate: Estimate) -> str:
    """An estimate with its interval: 0.92 [0.9, 0.94]."""
    low, high = number(estimate.low), number(estimate.high)
    return f"{number(estimate.estimate)} [{low}, {high}]"


def percent(share: float) -> str:
    """A share of one, in percent, with the digits it has."""
    return f"{100.0 * share:.10g}%"


def power_of_ten(log_value: float) -> str:
    """The power of ten at or above e^log_value, for values too small to compute."""
    if math.isinf(log_value):
        return "0" if log_value < 0 else "∞"
    return f"1e{math.ceil(log_value / math.log(10.0))}"


def rounded(text: str) -> str:
    """The text with long decimals cut to six digits, unless that makes two of them one."""
    found = set(_LONG.findall(text))
    short = {decimal: f"{float(decimal):.6g}" for decimal in found}
    if len(set(short.values())) < len(found):
        return text
    return _LONG.sub(lambda decimal: short[decimal[0]], text)
