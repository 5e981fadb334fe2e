"""Constants are found wherever a function has them, and nowhere else."""

from __future__ import annotations

import functools
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audit.blackbox.command import CommandBlackBox
from audit.blackbox.python import PythonBlackBox, constants_in
from audit.source_code import NO_CONSTANTS, constants_of

LIMIT = 4711
TABLE = {"Kathrin": 31.5}


def called(data: Any, bound: int = 83) -> bool:
    return len(data) > bound


def own(data: Any) -> Any:
    """What is said of it, 1999, is no constant."""
    if called(data) or len(data) == LIMIT:
        return TABLE
    return [value for value in data if value != 1234]


def test_what_a_function_and_those_it_calls_hold_is_found_in_order() -> None:
    found = constants_of(own)
    assert set(found.numbers) >= {83, 4711, 1234, 31.5}
    assert 1999 not in found.numbers
    assert "Kathrin" in found.texts
    assert "What is said of it, 1999, is no constant." not in found.texts


def test_what_a_function_closes_over_is_found() -> None:
    def maker(secret: Any) -> Any:
        return lambda data: secret in data

    assert constants_of(maker(4242)).numbers == (4242,)
    assert constants_of(maker("Kathrin")).texts == ("Kathrin",)
    assert constants_of(maker((7, {8: "nine"}, np.array([10.0])))).numbers == (7, 8, 10.0)


@dataclass(frozen=True)
class Mechanism:
    bound: float = 77.0

    def release(self, data: Any, rng: Any) -> Any:
        return self._clipped(data)

    def _clipped(self, data: Any) -> Any:
        return min(len(data), 5150)

    @property
    def scale(self) -> int:
        return 99


class Slotted:
    __slots__ = ("bound",)

    def __init__(self) -> None:
        self.bound = 321

    def __call__(self, data: Any, rng: Any) -> Any:
        return self.bound


def test_objects_give_what_they_hold_and_what_stands_in_their_methods() -> None:
    assert set(constants_of(Mechanism().release).numbers) >= {77.0, 5150, 99}
    assert set(constants_of(Slotted()).numbers) == {321}
    partial = functools.partial(called, bound=17)
    assert set(constants_of(partial).numbers) == {17, 83}


def test_libraries_say_nothing_of_a_mechanism() -> None:
    def from_a_library(data: Any) -> Any:
        return np.median(data), subprocess.run, pytest.approx

    assert not constants_of(from_a_library)


def test_long_texts_and_what_is_no_number_are_left_out() -> None:
    def odd(data: Any) -> Any:
        return "x" * 10, float("inf"), True, b"bytes", 3j, "y" * 61, 1e400

    found = constants_of(odd)
    assert set(found.numbers) <= {10, 61}
    assert all(len(text) <= 60 for text in found.texts)


def test_only_so_many_are_kept() -> None:
    numbers = tuple(range(1000, 1090))
    found = constants_of(lambda data: data in numbers)
    assert found.numbers == numbers[:24]
    many = tuple(range(1000, 1200))
    assert not constants_of(lambda data: data in many).numbers


@pytest.mark.slow
def test_the_order_is_the_same_in_every_process() -> None:
    code = (
        "from audit.source_code import constants_of\n"
        "NAMES = {'a', 'b', 'c', 'd', 'e', 3, 2, 1.5}\n"
        "print(constants_of(lambda data: data in NAMES))\n"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(printed) == 1


def test_nothing_of_anybody_is_run_by_reading() -> None:
    class Loud(list[int]):
        def __iter__(self) -> Any:
            raise AssertionError

        def __len__(self) -> int:
            raise AssertionError

        def __repr__(self) -> str:
            raise AssertionError

    held = Loud([4, 5])
    assert set(constants_of(lambda data: held).numbers) == {4, 5}


def test_black_boxes_whose_code_cannot_be_read_have_none(tmp_path: Path) -> None:
    assert (
        constants_in(CommandBlackBox([sys.executable, "-c", "print(4)", "{data}"])) == NO_CONSTANTS
    )
    assert LIMIT in constants_in(PythonBlackBox(lambda data: data in (LIMIT,))).numbers
