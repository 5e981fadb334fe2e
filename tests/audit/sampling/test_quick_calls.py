"""Quick calls made together: the same as one by one, or made one by one after all."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.random import Generator, SeedSequence

from audit.blackbox.python import PythonBlackBox
from audit.errors import BlackBoxError
from audit.sampling.grouped_calls import comparable, unchanged
from audit.sampling.runs import InParts
from audit.sampling.separate_calls import Made, SeparateCalls
from audit.sampling.source import Source

DATA = [1.0, 2.0]
QUICK = 1e-6
"""Seconds that a call is expected to take."""


def calls_of(function: Callable[..., Any], data: Any = DATA, calls: int = 40) -> SeparateCalls:
    box = PythonBlackBox(function, timeout=0.5)
    sides = {right: (Source(box, data), SeedSequence(3)) for right in (False, True)}
    size = 3 if box.many else 1
    return SeparateCalls(sides, (False, True) * (calls // 2), SeedSequence(4), 0, size)


def seeded(data: Any, rng: Generator) -> float:
    return float(data[0] + rng.random())


def unseeded(data: Any) -> float:
    return float(data[0] + np.random.random())  # noqa: NPY002


def several(data: Any, rng: Generator, size: int) -> Any:
    return data[0] + rng.random(size)


def failing(data: Any, rng: Generator) -> float:
    drawn = float(rng.random())
    if drawn < 0.3:
        raise KeyError(f"{drawn:.3f}")
    return drawn


def equal(one: Made, other: Made) -> bool:
    assert one.failed == other.failed
    assert one.first == other.first
    assert one.consumed == other.consumed
    return repr(one.outputs) == repr(other.outputs)


@pytest.mark.parametrize("function", [seeded, unseeded, several, failing])
@pytest.mark.parametrize("part", [False, True])
def test_calls_together_give_what_they_give_one_by_one(
    function: Callable[..., Any], part: bool
) -> None:
    calls = calls_of(function, calls=400)
    begin, end = (calls.group, 2 * calls.group) if part else (0, None)
    quick = calls.made_quickly(QUICK, begin, end)
    assert quick is not None
    assert equal(quick, calls.made(begin, end))
    assert len(quick.outputs) == (calls.group if part else 400)


def test_failed_calls_are_outputs_by_their_type() -> None:
    quick = calls_of(failing).made_quickly(QUICK)
    assert quick is not None
    assert 0 < sum(quick.failed) < 40
    assert quick.first is not None
    assert quick.first.kind == "KeyError"


def spoiling(data: Any, rng: Generator) -> float:
    """Its answers depend on how often it was given the same object."""
    data[0] += 100.0
    return float(data[0] + rng.random())


def seldom_spoiling(data: Any, rng: Generator) -> float:
    drawn = float(rng.random())
    if drawn < 0.1:
        data.append(7.0)
    return float(len(data)) + drawn


@pytest.mark.parametrize("function", [spoiling, seldom_spoiling])
def test_a_function_that_changes_its_data_is_called_with_a_copy_each(
    function: Callable[..., Any],
) -> None:
    calls = calls_of(function)
    assert calls.made_quickly(QUICK) is None
    quickest = InParts(quickest=QUICK, timed=10)
    (made,) = quickest.made(calls)
    assert equal(made, calls.made())
    assert max(made.outputs) < 104.0
    assert DATA == [1.0, 2.0]


def hanging(data: Any, rng: Generator) -> float:
    drawn = float(rng.random())
    if drawn < 0.05:
        time.sleep(60.0)
    return drawn


def exiting(data: Any, rng: Generator) -> float:
    drawn = float(rng.random())
    if drawn < 0.1:
        sys.exit(3)
    if drawn > 0.9:
        os._exit(4)
    return drawn


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "kinds"),
    [(hanging, {"timed out"}), (exiting, {"raised SystemExit 3", "exit code 4"})],
    ids=["hanging", "exiting"],
)
def test_a_call_that_hangs_or_ends_the_process_is_an_outcome_of_its_own(
    function: Callable[..., Any], kinds: set[str]
) -> None:
    calls = calls_of(function, calls=80 if function is exiting else 20)
    assert calls.made_quickly(QUICK) is None
    (made,) = InParts(quickest=QUICK, timed=10).made(calls)
    failed = [output for output in made.outputs if not isinstance(output, float)]
    assert failed
    assert {output.name for output in failed} <= kinds
    assert sum(made.failed) == len(failed) < len(made.outputs)


def test_an_interrupt_is_never_an_output() -> None:
    def interrupted(data: Any, rng: Generator) -> float:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        calls_of(interrupted).made_quickly(QUICK)


def test_errors_of_the_audit_itself_end_it() -> None:
    def impossible(data: Any, rng: Generator) -> float:
        raise BlackBoxError("cannot be run")

    with pytest.raises(BlackBoxError, match="cannot be run"):
        calls_of(impossible).made_quickly(QUICK)


@pytest.mark.parametrize(
    ("data", "seen"),
    [
        (np.zeros(3), True),
        (np.array([[1], [2, 3]], dtype=object), False),
        (pd.DataFrame({"a": [1, 2]}), True),
        (pd.DataFrame({"a": ["x", "y"]}, dtype=object), False),
        ([1, "a", None], True),
        ([[1], [2]], False),
        ({"a": 1}, False),
        (3.0, True),
    ],
    ids=str,
)
def test_data_of_which_a_change_is_seen(data: Any, seen: bool) -> None:
    assert comparable(data) is seen


@pytest.mark.parametrize(
    ("data", "change"),
    [
        (np.array([0.0, np.nan]), lambda d: d.__setitem__(0, -0.0)),
        (np.zeros(3), lambda d: d.__setitem__(2, 1e-300)),
        (pd.DataFrame({"a": [1.0, np.nan]}), lambda d: d.__setitem__("a", [1.0, 2.0])),
        ([1, 2], lambda d: d.append(3)),
        ([1, 2], lambda d: d.__setitem__(0, 1.0)),
    ],
)
def test_every_change_is_seen(data: Any, change: Callable[[Any], None]) -> None:
    copy = data.copy()
    assert unchanged(data, copy)
    change(data)
    assert not unchanged(data, copy)
