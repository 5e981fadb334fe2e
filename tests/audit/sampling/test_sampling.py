"""Calls: addressed, coupled on both datasets, independent whatever a black box does."""

from __future__ import annotations

import itertools
import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import Generator, default_rng

from audit.blackbox.interface import RunTimeout
from audit.blackbox.output import copier
from audit.blackbox.python import PythonBlackBox
from audit.errors import BlackBoxError, OutcomeError
from audit.outcomes.encoding import KIND, OUTPUT, Outcomes
from audit.sampling.sampler import Sampler
from audit.sampling.source import Address, Source, Stage
from tests.sources import on, pairs

exactly = settings(derandomize=True, database=None, deadline=None, max_examples=60)
HERE = Address(Stage.BET, 0, 0)


def sampler(function: Any, seed: int = 0, **more: Any) -> Sampler:
    return Sampler.of(PythonBlackBox(function, timeout=None), seed, **more)


def values(outcomes: Outcomes, name: str = OUTPUT) -> list[float]:
    return list(map(float, outcomes.column(name).values))


def kinds(outcomes: Outcomes) -> list[str]:
    column = outcomes.column(KIND)
    assert column.symbols is not None
    return [column.names[symbol] for symbol in column.symbols]


def singly(data: Any, rng: Generator) -> float:
    return float(data + rng.random())


def many(data: Any, rng: Generator, size: int) -> Any:
    return data + rng.random(size)


def alone(data: Any) -> float:
    return float(np.random.default_rng().random())


def test_addresses_never_share_randomness() -> None:
    numbers = (0, 1, 2, 255, 2**31, 2**32 - 1)
    streams = {
        tuple(Address(stage, pair, batch).stream(seed, side).generate_state(4))
        for seed in (0, 1, 2**64)
        for stage in Stage
        for pair, side, batch in itertools.product(numbers, (0, 1), numbers)
    }
    assert len(streams) == 3 * len(Stage) * 2 * len(numbers) ** 2


@pytest.mark.parametrize("function", [singly, many])
def test_the_same_address_gives_the_same_draws_in_any_order(function: Any) -> None:
    addresses = [Address(Stage.BET, pair, batch) for pair in range(2) for batch in range(3)]
    first = {a: values(pairs(sampler(function), a, 1.0, 2.0, 20)[0]) for a in addresses}
    other = sampler(function)
    again = {a: values(pairs(other, a, 1.0, 2.0, 20)[0]) for a in reversed(addresses)}
    assert first == again
    assert len({tuple(draws) for draws in first.values()}) == len(addresses)
    assert values(pairs(sampler(function, 1), HERE, 1.0, 2.0, 20)[0]) != first[HERE]


@pytest.mark.parametrize("function", [singly, many])
def test_coupled_sides_share_their_randomness(function: Any) -> None:
    draw = sampler(function)
    left, right = pairs(draw, HERE, 1.0, 3.0, 50)
    assert np.allclose(np.subtract(values(right), values(left)), 2.0)
    assert draw.shares_randomness
    assert draw.samples == 100
    assert len(set(values(left))) == 50


@pytest.mark.parametrize("function", [singly, many])
def test_uncoupled_sides_do_not(function: Any) -> None:
    draw = sampler(function, coupled=False)
    left, right = pairs(draw, HERE, 1.0, 1.0, 50)
    assert not set(values(left)) & set(values(right))
    assert not draw.shares_randomness


def test_draw_by_draw_the_stream_does_not_depend_on_what_was_consumed_before() -> None:
    def greedy(data: Any, rng: Generator) -> float:
        first = rng.random()
        rng.random(int(1000 * first * data))
        rng.integers(0, 7, dtype=np.uint32)
        rng.standard_normal(int(data))
        return first

    draw = sampler(greedy)
    left, right = pairs(draw, HERE, 0, 3, 200)
    assert values(left) == values(right)
    assert len(set(values(left))) == 200
    assert np.corrcoef(values(left)[1:], values(left)[:-1])[0, 1] < 0.4


@exactly
@given(st.lists(st.sampled_from([0, 1, 2, 3, 4, 5, 8, 64]), min_size=1, max_size=6))
def test_any_consumption_is_noticed_whole_blocks_of_the_cipher_too(amounts: list[int]) -> None:
    left = iter([*amounts, *amounts])

    def eats(data: Any, rng: Generator) -> float:
        rng.bit_generator.random_raw(next(left))
        return 0.0

    draw = sampler(eats)
    pairs(draw, HERE, 0, 0, len(amounts))
    assert draw.shares_randomness is any(amounts)


def test_small_draws_leave_nothing_behind_for_the_next() -> None:
    def half_words(data: Any, rng: Generator) -> Any:
        return [int(rng.integers(0, 2**31, dtype=np.int32)) for _ in range(data)]

    odd, even = pairs(sampler(half_words), HERE, 1, 2, 100)
    assert values(odd, "output[0]") == values(even, "output[0]")


def test_a_generator_that_is_ignored_is_not_called_shared() -> None:
    own = np.random.default_rng(0)
    draw = sampler(lambda data, rng, size: own.random(size))
    left, right = pairs(draw, HERE, 0, 1, 20)
    assert not set(values(left)) & set(values(right))
    assert not draw.shares_randomness


def test_black_boxes_without_a_generator_are_never_coupled() -> None:
    draw = sampler(alone)
    left, right = pairs(draw, HERE, 0, 1, 20)
    assert not draw.coupled
    assert not set(values(left)) & set(values(right))


def test_a_failing_call_for_many_is_a_failure_of_all_its_outputs() -> None:
    def fails(data: Any, rng: Generator, size: int) -> Any:
        draws = rng.random(size)
        if data:
            raise ValueError(f"number {draws.min()} is too small")
        return draws

    draw = sampler(fails)
    left, right = pairs(draw, HERE, 0, 1, 100)
    assert set(kinds(left)) == {"float"}
    assert kinds(right) == ["raised ValueError"] * 100
    assert draw.first is not None
    assert draw.first.message.endswith("is too small")


def test_exceptions_are_outputs_by_their_type() -> None:
    def fails(data: Any, rng: Generator) -> float:
        number = rng.integers(4)
        if number == 0:
            raise ValueError(f"{rng.random()}")
        if number == 1:
            raise ZeroDivisionError
        if number == 2:
            raise RunTimeout
        return 1.0

    left, _ = pairs(sampler(fails), HERE, 0, 0, 60)
    names = {"raised ValueError", "raised ZeroDivisionError", "timed out", "float"}
    assert set(kinds(left)) == names


@pytest.mark.parametrize("error", [BlackBoxError("cannot be run"), OutcomeError("no output")])
@pytest.mark.parametrize("shape", [1, 2])
def test_errors_of_the_audit_itself_are_not_outputs(error: Exception, shape: int) -> None:
    def one(data: Any, rng: Generator) -> Any:
        raise error

    def batch(data: Any, rng: Generator, size: int) -> Any:
        raise error

    with pytest.raises(type(error)):
        pairs(sampler(one if shape == 1 else batch), HERE, 0, 1, 5)


@pytest.mark.parametrize("output", [5.0, np.array(3.0), {"a": 1}, [1.0, 2.0, 3.0], "x"])
def test_calls_for_many_must_return_as_many_in_a_row(output: Any) -> None:
    draw = sampler(lambda data, rng, size: output)
    with pytest.raises(BlackBoxError, match=r"where .* (expected; .*drop `size`|asked for)"):
        pairs(draw, HERE, 0, 1, 2)


DATASETS = [
    np.array([1.0, 2.0]),
    np.array([[1, 2], [3, 4]]),
    np.array([[1], [2, 3]], dtype=object),
    [1, 2, 3],
    [[1], [2]],
    ("a", [1]),
    {"a": [1]},
    pd.DataFrame({"a": [1, 2]}),
    pd.Series([1, 2]),
]


def spoil(data: Any) -> None:
    """Change a dataset as deeply as its type allows."""
    if isinstance(data, np.ndarray) and data.dtype == object:
        data[1].append(99)
    elif isinstance(data, np.ndarray):
        data += 7
    elif isinstance(data, pd.DataFrame | pd.Series):
        data.iloc[0] = 99
    elif isinstance(data, dict):
        data["a"].append(99)
    elif isinstance(data[-1], list):
        data[-1].append(99)
    else:
        data.append(99)


@pytest.mark.parametrize("data", DATASETS, ids=lambda data: type(data).__name__)
@pytest.mark.parametrize("shape", [1, 2])
def test_a_black_box_that_changes_its_data_does_not_change_the_next_draw(
    data: Any, shape: int
) -> None:
    def one(data: Any, rng: Generator) -> str:
        seen = repr(data)
        spoil(data)
        return seen

    def batch(data: Any, rng: Generator, size: int) -> Any:
        return [one(data, rng)] * size

    draw, before = sampler(one if shape == 1 else batch), repr(data)
    for number in range(2):
        left, right = pairs(draw, Address(Stage.BET, 0, number), data, data, 3)
        assert left.column(OUTPUT).names == right.column(OUTPUT).names
        assert len(left.column(OUTPUT).names) == 2
    assert repr(data) == before


def test_datasets_that_cannot_change_are_not_copied() -> None:
    for data in (1, 1.5, "a", True, None):
        assert copier(data)() is data


def test_how_to_copy_is_found_out_once_for_each_dataset(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def noted(data: Any) -> Any:
        asked.append(data)
        return copier(data)

    monkeypatch.setattr("audit.blackbox.python.copier", noted)
    draw, datasets = sampler(lambda data, rng: data.pop()), ([1, 2], [1, 3])
    sources = on(draw.box, *datasets)
    for number in range(3):
        left, right = draw.pairs(Address(Stage.BET, 0, number), *sources, 5)
        assert (set(values(left)), set(values(right))) == ({2.0}, {3.0})
    assert asked == [*datasets]
    travelled = pickle.loads(pickle.dumps(Source(PythonBlackBox(np.mean), [1.0, 2.0])))
    assert travelled.bound.draw(default_rng(0), 1) == 1.5


def test_a_dataset_that_cannot_be_copied_ends_the_audit() -> None:
    class Single:
        def __deepcopy__(self, memo: Any) -> Any:
            raise TypeError("there is only one")

    with pytest.raises(BlackBoxError, match="cannot be copied for a call of its own"):
        pairs(sampler(singly), HERE, [Single()], 0, 1)


@pytest.mark.parametrize("kind", ["array", "list", "dict"])
def test_one_and_the_same_object_filled_anew_is_read_each_time(kind: str) -> None:
    reused: Any = {"array": np.zeros(1), "list": [0.0], "dict": {0: 0.0}}[kind]

    def refills(data: Any, rng: Generator) -> Any:
        reused[0] = rng.random()
        return reused

    left, right = pairs(sampler(refills), HERE, 0, 0, 30)
    assert len(set(values(left, "output[0]"))) == 30
    assert values(left, "output[0]") == values(right, "output[0]")


def test_one_and_the_same_array_filled_by_every_call_for_many() -> None:
    reused = np.zeros(10)

    def refills(data: Any, rng: Generator, size: int) -> Any:
        reused[:size] = data + rng.random(size)
        return reused[:size]

    left, right = pairs(sampler(refills), HERE, 0.0, 5.0, 10)
    assert max(values(left)) < 5.0 <= min(values(right))
