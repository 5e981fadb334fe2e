"""The time of a call is put out of what it gave, and nothing else is."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest

from audit.outcomes.encoding import encode
from audit.outcomes.moment_of_call import NOW, now, without_moment
from audit.outcomes.outcomes import KIND, Outcomes

AT = datetime(2026, 3, 7, 13, 45, 9, 250000, tzinfo=UTC)
BEGUN, ENDED = AT.timestamp() - 0.5, AT.timestamp() + 1.5
"""Between them lies a moment; local clocks need not show UTC."""


def local(moment: datetime) -> datetime:
    return moment.astimezone().replace(tzinfo=None)


WAYS: dict[str, Callable[[datetime], Any]] = {
    "seconds": lambda moment: moment.timestamp(),
    "whole seconds": lambda moment: int(moment.timestamp()),
    "milliseconds": lambda moment: int(moment.timestamp() * 1e3),
    "nanoseconds": lambda moment: int(moment.timestamp() * 1e9),
    "UTC": lambda moment: moment,
    "a local clock": local,
    "NumPy": lambda moment: np.datetime64(local(moment)),
    "pandas": lambda moment: pd.Timestamp(moment),
    "a column": lambda moment: pd.Series([1.0, moment.timestamp()]),
    "an array": lambda moment: np.array([1.0, moment.timestamp()]),
    "a line": lambda moment: f"{local(moment):%Y-%m-%d %H:%M:%S,%f} INFO 3",
    "an isoformat": lambda moment: moment.isoformat(),
    "a clock alone": lambda moment: f"[{local(moment):%H:%M:%S}] 3",
    "ctime": lambda moment: time.ctime(moment.timestamp()),
    "JSON": lambda moment: json.dumps({"t": moment.timestamp(), "n": 3.5}),
    "bytes": lambda moment: b"%d 3" % moment.timestamp(),
    "a key": lambda moment: {"t": moment.timestamp(), "at": moment},
}


def read(*outputs: Any) -> tuple[Outcomes, Outcomes]:
    """Outputs as they are, and without what lies between the two moments."""
    plain = encode(list(outputs), len(outputs))
    return plain, without_moment(plain, BEGUN, ENDED)


def entries(outcomes: Outcomes, place: int) -> dict[str, float | str]:
    """All that is read of one output."""
    found: dict[str, float | str] = {}
    for name, column in outcomes.columns.items():
        code = 0 if column.symbols is None else int(column.symbols[place])
        found[name] = column.names[code] if code else float(column.values[place])
    return found


@pytest.mark.parametrize("way", WAYS)
def test_two_moments_between_are_the_same(way: str) -> None:
    first, second = (WAYS[way](AT + timedelta(seconds=s)) for s in (0.0, 1.125))
    plain, without = read(first, second)
    assert entries(plain, 0) != entries(plain, 1)
    assert without is not plain
    assert entries(without, 0) == entries(without, 1)
    if without.matrix is not None:
        assert np.array_equal(without.matrix[0], without.matrix[1], equal_nan=True)


@pytest.mark.parametrize("days", [-400.3, -1.2, -0.001, 0.001, 0.1])
@pytest.mark.parametrize("way", WAYS)
def test_other_moments_are_read_as_they_are(way: str, days: float) -> None:
    first, second = (WAYS[way](AT + timedelta(days=days, seconds=s)) for s in (0.0, 1.125))
    plain, without = read(first, second)
    assert without is plain


def test_what_stands_beside_it_is_kept() -> None:
    stamp = AT.timestamp()
    _, without = read({"t": stamp, "n": 3.0}, {"t": stamp - 1e6, "n": 4.0})
    assert entries(without, 0)["output['t']"] == NOW
    assert entries(without, 1)["output['t']"] == stamp - 1e6
    assert without.columns["output['n']"].values.tolist() == [3.0, 4.0]
    text = f'{{"at": "{AT.isoformat()}", "n": 3.25}}'
    _, told = read(text, text)
    assert told.column("output as JSON").values.tolist() == [0.0, 0.0]
    assert json.loads(str(entries(told, 0)["output"])[1:-1])["n"] == 3.25


def test_the_checksum_of_a_long_text_goes_with_the_time_in_it() -> None:
    first, second = (
        f"{AT + timedelta(seconds=s):%Y-%m-%dT%H:%M:%S} {'row ' * 20_000}" for s in (0.0, 1.125)
    )
    plain, without = read(first, second)
    assert entries(plain, 0) != entries(plain, 1)
    assert entries(without, 0) == entries(without, 1)
    _, older = read(*(text.replace("2026", "2025") for text in (first, second)))
    assert entries(older, 0) != entries(older, 1)


def test_addresses_in_memory_are_put_out_too() -> None:
    plain, without = read("<object at 0x7f01a2> 3", "<object at 0x55ffe0> 3")
    assert entries(plain, 0) != entries(plain, 1)
    assert entries(without, 0) == entries(without, 1)


@pytest.mark.parametrize("text", ["colour 0x{}", "failed at 0x{}", "<failed at 0x{} bytes>"])
def test_other_numbers_in_hexadecimal_are_read(text: str) -> None:
    plain, without = read(text.format("7f01a2"), text.format("55ffe0"))
    assert without is plain
    plain, without = read(f"<row at 0x{2:x}>", f"<row at 0x{1:x}>")
    assert without is plain


@pytest.mark.parametrize(
    "output", [3.5, True, None, "1.7e9", [1, 2], {"a": float("inf")}, "é", Decimal("1.5"), (), b""]
)
def test_outputs_without_any_stay_the_same_object(output: Any) -> None:
    plain, without = read(output, output)
    assert without is plain
    assert KIND in plain.columns


def test_no_hour_is_taken_for_one() -> None:
    plain, without = read("99:99:99", "2026-99-99 13:45:09", "9999999999")
    assert without is plain


@pytest.mark.parametrize("ended", [60.0, 3600.0, 3 * 86400.0])
@pytest.mark.parametrize("way", ["a line", "an isoformat", "a clock alone", "JSON"])
def test_calls_may_take_long(way: str, ended: float) -> None:
    outputs = [WAYS[way](AT + timedelta(seconds=s)) for s in (0.0, 0.7 * ended)]
    plain = encode(outputs, 2)
    without = without_moment(plain, BEGUN, BEGUN + ended)
    if way == "a clock alone" and ended > 86400.0:
        assert without is plain  # any time of day lies between the two moments
    else:
        assert entries(without, 0) == entries(without, 1)


def test_the_clock_agrees_with_that_of_the_machine() -> None:
    assert abs(now() - time.time()) < 0.5
