"""Outputs of kinds that are read as a plainer kind: what they hold, under their own name."""

from __future__ import annotations

import datetime as dt
import uuid
from array import array
from collections import UserDict, UserList, deque
from ipaddress import ip_address
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
import pytest

from audit.errors import OutcomeError
from audit.outcomes.leaves import leaves_of, plainer

_NOON = dt.time(12, 30, 15, 250_000)
_AWAY = dt.timezone(dt.timedelta(hours=2))
_RECORD = np.array([(3, 0.5)], dtype=[("age", "i4"), ("score", "f8")])


@pytest.mark.parametrize(
    ("output", "like"),
    [
        (range(3), [0, 1, 2]),
        (deque([1.0, 2.0]), [1.0, 2.0]),
        (array("d", [1.0, 2.0]), [1.0, 2.0]),
        (UserList([1.0]), [1.0]),
        (UserDict({"a": 1.0}), {"a": 1.0}),
        (MappingProxyType({"a": 1.0}), {"a": 1.0}),
        ({"a": 1.0}.keys(), {"a"}),
        (slice(1, 5), (1, 5, None)),
        (bytearray(b"ab"), b"ab"),
        (memoryview(b"ab"), b"ab"),
        (uuid.UUID(int=5), str(uuid.UUID(int=5))),
        (ip_address("10.0.0.1"), "10.0.0.1"),
        (PurePosixPath("a/b"), "a/b"),
        (pd.Interval(0, 1), "(0, 1]"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_it_has_the_leaves_of_what_it_holds_and_its_own_name(output: Any, like: Any) -> None:
    kind, leaves = leaves_of(output, "y")
    expected, parts = leaves_of(like, "y")
    assert leaves == parts
    assert kind == expected.replace(type(like).__name__, type(output).__name__, 1)


@pytest.mark.parametrize("value", ["a", b"a", [1], (1,), {"a": 1}, {1}, 1.0, object()])
def test_what_is_taken_apart_already_stays_what_it_is(value: Any) -> None:
    assert plainer(value) is value


def test_what_is_too_long_is_refused_before_it_is_unpacked() -> None:
    with pytest.raises(OutcomeError, match="more than 4096 parts"):
        leaves_of(range(10**15), "y")


@pytest.mark.parametrize(
    ("output", "seconds"),
    [
        (dt.timedelta(minutes=2, milliseconds=5), 120.005),
        (np.timedelta64(1500, "ms"), 1.5),
        (pd.Timedelta(nanoseconds=2_500), 2.5e-6),
        (np.timedelta64(3, "Y"), 3.0),
    ],
)
def test_durations_are_seconds(output: Any, seconds: float) -> None:
    kind, leaves = leaves_of(output, "y")
    assert kind == type(output).__name__
    assert leaves == {"y": pytest.approx(seconds)}


def test_a_duration_that_is_none_is_a_symbol() -> None:
    assert leaves_of(np.timedelta64("NaT"), "y")[1] == {"y": "NaT"}


def test_times_of_day_are_seconds_since_midnight_and_their_parts() -> None:
    parts = {"hour of y": 12.0, "minute of y": 30.0, "second of y": 15.0}
    expected = {"y": 45_015.25, **parts, "microsecond of y": 250_000.0}
    assert leaves_of(_NOON, "y") == ("time", expected)
    away = leaves_of(_NOON.replace(tzinfo=_AWAY), "y")[1]
    assert away == {**expected, "UTC offset of y": 7_200.0}


@pytest.mark.parametrize("output", [_RECORD[0], _RECORD.view(np.recarray)[0]])
def test_records_have_their_fields(output: Any) -> None:
    kind, leaves = leaves_of(output, "y")
    assert kind == f"{type(output).__name__} of 2"
    assert (leaves["y.age"], leaves["y.score"]) == (3.0, 0.5)
    assert leaves_of(_RECORD, "y")[1]["y[0].score"] == 0.5
