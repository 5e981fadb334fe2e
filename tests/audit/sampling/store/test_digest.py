"""Equal values have equal digests, different ones different digests."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from audit.sampling.identity import digest_of


@dataclass(frozen=True)
class Mechanism:
    """One with a parameter."""

    scale: float

    def release(self, data: Any) -> float:
        return self.scale * len(data)


def adder(amount: int) -> Any:
    return lambda data: len(data) + amount


def values() -> list[Any]:
    return [
        None, 0, 0.0, False, "", b"", "0", [], (), [0], [[0]], [0, 0], {}, {"a": 0}, {"a": 1},
        {"b": 0}, {0}, frozenset({0}), np.zeros(2), np.zeros(2, np.int64), np.zeros((1, 2)),
        np.array(["a", None], dtype=object), np.float64(1.5), np.int64(2),
        pd.DataFrame({"a": [0, 1]}), pd.DataFrame({"b": [0, 1]}), pd.Series([0, 1]),
        pd.DataFrame({"a": [0, 1]}, index=[1, 2]), pd.Series(["x", None]),
        Mechanism(1.0), Mechanism(2.0), Mechanism(1.0).release, Mechanism(2.0).release,
        adder(1), adder(2), partial(adder, 1), partial(adder, 2), date(2026, 1, 1),
        date(2026, 1, 2), len, sum,
    ]  # fmt: skip


def test_equal_values_agree_and_others_do_not() -> None:
    first, second = ([digest_of(value) for value in values()] for _ in range(2))
    assert first == second
    assert len(set(first)) == len(first)


def test_files_are_told_apart_by_what_they_hold(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("the same")
    two.write_text("the same")
    before = digest_of(one)
    assert before == digest_of(two)
    one.write_text("another")
    assert digest_of(one) != before


def test_objects_that_hold_each_other_come_to_an_end() -> None:
    class Node:
        other: Any = None

    first, second = Node(), Node()
    first.other, second.other = second, first
    assert digest_of(first) == digest_of(first)


def test_code_counts() -> None:
    scope: dict[str, Any] = {}
    exec("def first(data): return 1\ndef second(data): return 2", scope)
    assert digest_of(scope["first"]) != digest_of(scope["second"])


@pytest.mark.parametrize("value", [np.random.default_rng(0), object()])
def test_whatever_has_no_lasting_name_does_not_fail(value: Any) -> None:
    assert digest_of(value) == digest_of(value)
