"""Outputs that are endless, hostile or of a strange kind: one line, whatever they do."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

from audit.errors import OutcomeError
from audit.outcomes.encoding import encode

from .conftest import Audited, Refused


def itself() -> Any:
    output: list[Any] = [1]
    output.append(output)
    return output


def itself_by_key() -> Any:
    output: dict[str, Any] = {}
    output["a"] = output
    return output


def nested(levels: int, wrap: Any) -> Any:
    output: Any = 1.0
    for _ in range(levels):
        output = wrap(output)
    return output


DEEP: dict[str, Callable[[], Any]] = {
    "itself": itself,
    "itself by key": itself_by_key,
    "lists": lambda: nested(10**4, lambda inner: [inner]),
    "tuples": lambda: nested(10**4, lambda inner: (inner,)),
    "arrays": lambda: nested(6, lambda inner: np.array([inner, None], object)),
}


@pytest.mark.parametrize("kind", DEEP)
def test_deep_and_endless_nesting_is_refused(refused: Refused, kind: str) -> None:
    assert "nested deeper than 5 levels" in refused(lambda data, rng: DEEP[kind]())


class Hostile:
    """What objects may do when they are looked at."""

    class Float(float):
        def __float__(self) -> float:
            raise ValueError("no")

    class Text(str):
        def __repr__(self) -> str:
            raise ValueError("no")

    class Long(list[float]):
        def __len__(self) -> int:
            raise ValueError("no")

    class Endless(list[float]):
        def __iter__(self) -> Any:
            raise ValueError("no")

    class Keyless(dict[str, float]):
        def keys(self) -> Any:
            raise ValueError("no")

    class Key:
        def __repr__(self) -> str:
            raise ValueError("no")

    class Classless:
        def __getattribute__(self, name: str) -> Any:
            raise ValueError("no")

    class Panicking(float):
        def __float__(self) -> float:
            raise GeneratorExit("no")

    class Unprintable(float):
        def __float__(self) -> float:
            raise Hostile.Silent

    class Silent(Exception):
        def __str__(self) -> str:
            raise ValueError("no")


HOSTILE: dict[str, Callable[[], Any]] = {
    "float": lambda: Hostile.Float(1.0),
    "text": lambda: Hostile.Text("a"),
    "length": lambda: Hostile.Long([1.0]),
    "entries": lambda: Hostile.Endless([1.0]),
    "keys": lambda: Hostile.Keyless(a=1.0),
    "key": lambda: {Hostile.Key(): 1.0},
    "class": Hostile.Classless,
    "panic": lambda: Hostile.Panicking(1.0),
    "unprintable": lambda: Hostile.Unprintable(1.0),
    "deep key": lambda: {nested(10**4, lambda inner: (inner,)): 1.0},
    "deep member": lambda: nested(10**4, lambda inner: frozenset([inner])),
    "huge key": lambda: {10**5000: 1.0},
}


@pytest.mark.parametrize("kind", HOSTILE)
@pytest.mark.parametrize("many", [False, True])
def test_objects_that_fail_when_looked_at_are_refused(
    refused: Refused, kind: str, many: bool
) -> None:
    def one(data: Any, rng: Generator) -> Any:
        return HOSTILE[kind]()

    def several(data: Any, rng: Generator, size: int) -> Any:
        return [HOSTILE[kind]() for _ in range(size)]

    told = refused(several if many else one)
    assert "an output cannot be read, since looking at it raises" in told
    assert "return plain numbers, text" in told


def test_a_hostile_row_of_outputs_is_refused(refused: Refused) -> None:
    told = refused(lambda data, rng, size: Hostile.Long([1.0] * size))
    assert "looking at it raises ValueError: no" in told


@pytest.mark.slow
@pytest.mark.parametrize(
    "output",
    [10**5000, Fraction(10**5000, 3), -(10**5000), np.longdouble(1) / 3],
    ids=["integer", "fraction", "negative", "long double"],
)
def test_huge_numbers_are_outputs_like_any_other(audited: Audited, output: Any) -> None:

    def now_and_then(data: Any, rng: Generator) -> Any:
        return output if rng.random() < 0.5 else 0.5

    assert audited(now_and_then, max_samples=2000).verdict == "not-refuted"
    assert audited(lambda data, rng: output if data[0] else 0.5).verdict == "violation"


@pytest.mark.filterwarnings("ignore:the matrix subclass")
@pytest.mark.parametrize("kind", [np.matrix, np.ma.array, np.array])
def test_kinds_of_arrays_are_read_as_arrays(kind: Any) -> None:
    outcomes = encode([kind([[1.0, 2.0]])], 1)
    assert outcomes.kinds == ("float64 array of 1 x 2",)
    assert outcomes.columns["output[0, 1]"].values.tolist() == [2.0]


def test_masked_entries_are_no_numbers() -> None:
    masked = np.ma.array([1.0, 7.0], mask=[False, True])
    outcomes = encode([masked, masked], 2)
    assert outcomes.columns["output[1]"].names == ("", "None")
    assert outcomes.matrix is not None
    assert np.isnan(outcomes.matrix[:, 1]).all()


def test_refusals_travel_between_processes_without_what_they_are_about() -> None:
    error = OutcomeError("no output", (x for x in "ab"))
    copied = pickle.loads(pickle.dumps(error))
    assert (type(copied), str(copied), copied.offender) == (OutcomeError, "no output", None)
