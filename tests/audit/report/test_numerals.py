"""Numbers for people."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.report.formatting import (
    at_least,
    at_most,
    count,
    interval,
    number,
    percent,
    power_of_ten,
    read,
    rounded,
)
from audit.verdict.intervals import Estimate


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0"),
        (0.9234, "0.923"),
        (1.0, "1"),
        (0.99987, "0.99987"),
        (1204.0, "1,204"),
        (999.7, "1,000"),
        (2.5e7, "2.5e+07"),
        (3.2e-9, "3.2e-09"),
        (math.inf, "∞"),
        (-math.inf, "-∞"),
    ],
)
def test_numbers(value: float, shown: str) -> None:
    assert number(value) == shown


def test_intervals_counts_and_percents() -> None:
    assert interval(Estimate(0.5, 0.25, math.inf)) == "0.5 [0.25, ∞]"
    assert count(1234567) == "1,234,567"
    assert percent(1 - 0.001) == "99.9%"


@pytest.mark.parametrize("log_value", [-1e-3, -1.0, -6.9, -812.0])
def test_powers_of_ten_never_understate(log_value: float) -> None:
    exponent = int(power_of_ten(log_value).removeprefix("1e"))
    assert log_value <= exponent * math.log(10.0) < log_value + math.log(10.0)


def test_powers_of_ten_of_infinities() -> None:
    assert power_of_ten(-math.inf) == "0"
    assert power_of_ten(math.inf) == "∞"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("output < 1.0018924184449338", "output < 1.00189"),
        ("output >= -0.1234567890123e-07", "output >= -1.23457e-08"),
        ("output >= 1.0000000000043328", "output >= 1.000000000004"),
        ("output < 0.4999999999", "output < 0.4999999999"),
        ("output >= 123457.3000001", "output >= 123457.3"),
        ("output >= 2.50004123", "output >= 2.50004"),
        ("output in [0.3000000000000001, 0.3000000000000002)", None),
        ("output >= 42.1 or is nan", None),
    ],
)
def test_long_decimals_are_cut_where_that_keeps_them_apart(text: str, shown: str | None) -> None:
    assert rounded(text) == (shown or text)


@given(st.floats(allow_nan=False, min_value=1e-300, max_value=1e300), st.integers(3, 12))
def test_bounds_are_rounded_outwards(value: float, digits: int) -> None:
    low, high = read(at_least(value, digits)), read(at_most(value, digits))
    assert low <= value <= high
    assert high - low <= 10.0 ** (1 - digits) * value * 1.001 or 999 <= value <= 1e6


@pytest.mark.parametrize(
    ("value", "low", "high"),
    [
        (2.71, "2.71", "2.71"),
        (0.99987, "0.999", "1"),
        (0.0, "0", "0"),
        (22026.47, "22,026", "22,027"),
        (math.inf, "∞", "∞"),
        (-1.2345, "-1.24", "-1.23"),
        (999.4, "999", "1,000"),
        (999.7, "999", "1,000"),
    ],
)
def test_bounds_by_hand(value: float, low: str, high: str) -> None:
    assert (at_least(value), at_most(value)) == (low, high)


def test_intervals_are_rounded_outwards() -> None:
    assert interval(Estimate(0.5, 0.12349, 0.98761)) == "0.5 [0.123, 0.988]"
    assert interval(Estimate(0.5, 3.2e-9, 0.98761)) == "0.5 [0, 0.988]"
