"""Python callables of every kind are called as their parameters say."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator, default_rng

from audit.blackbox.interface import Exited, RunTimeout
from audit.blackbox.python import PythonBlackBox
from audit.errors import InputError

DATA = np.array([1.0, 2.0, 3.0])


@dataclass(frozen=True)
class NoisySum:
    scale: float = 1.0

    def release(self, data: Any, rng: Generator, size: int) -> Any:
        return data.sum() + rng.laplace(0.0, self.scale, size)


class Counter:
    def __call__(self, data: Any, rng: Generator) -> Any:
        return len(data) + rng.integers(3)

    def method(self, data: Any) -> Any:
        return len(data)


def alone(data: Any) -> Any:
    return ("alone", len(data))


def with_rng(data: Any, rng: Generator) -> Any:
    return rng.random()


def with_size(data: Any, rng: Generator, size: int) -> Any:
    return rng.random(size)


def with_defaults(data: Any, epsilon: float = 1.0, rng: Any = None) -> Any:
    return epsilon, rng.random()


def other_names(records: Any, generator: Generator, count: int) -> Any:
    return generator.random(count)


def keywords(data: Any, *, size: int, rng: Generator) -> Any:
    return rng.random(size)


def parameters_last(data: Any, epsilon: float, rng: Any = None) -> Any:
    return epsilon


def size_alone(data: Any, size: int = 1) -> Any:
    return [len(data)] * size


def num_samples(data: Any, num_samples: int) -> Any:
    return [len(data)] * num_samples


def num_samples_by_keyword(data: Any, *, rng: Generator, num_samples: int = 1) -> Any:
    return rng.random(num_samples)


def num_samples_inside(data: Any, num_samples: int = 100) -> Any:
    return num_samples


def positional_alone(data: Any, size: int, /) -> Any:
    return [len(data)] * size


def anything(*arguments: Any, **named: Any) -> Any:
    return len(arguments) + len(named)


@pytest.mark.parametrize(
    ("function", "seeded", "many"),
    [
        (alone, False, False),
        (lambda data: 1, False, False),
        (Counter().method, False, False),
        (anything, False, False),
        (max, False, False),
        (np.mean, False, False),
        (with_rng, True, False),
        (with_defaults, True, False),
        (Counter(), True, False),
        (Counter, True, False),
        (functools.partial(parameters_last, epsilon=2.0), True, False),
        (with_size, True, True),
        (other_names, True, True),
        (keywords, True, True),
        (functools.partial(with_size), True, True),
        (NoisySum(), True, True),
        (NoisySum, True, True),
        (NoisySum().release, True, True),
        (size_alone, False, True),
        (num_samples, False, True),
        (num_samples_by_keyword, True, True),
        (lambda data, rng, num_samples: rng.random(num_samples), True, True),
        (lambda data, num_samples, rng: rng.random(num_samples), True, True),
        (lambda data, num_samples=None: [1.0] * num_samples, False, True),
        (num_samples_inside, False, False),
        (lambda data, rng, num_samples=50: num_samples, True, False),
        (positional_alone, False, True),
    ],
)
def test_shape_follows_parameters(function: Any, seeded: bool, many: bool) -> None:
    box = PythonBlackBox(function)
    assert (box.seeded, box.many) == (seeded, many)
    output = box.bind(DATA).draw(default_rng(0), 4 if many else 1)
    assert len(output) == 4 if many else output is not None


@pytest.mark.parametrize("function", [with_size, other_names, keywords, NoisySum()])
def test_seeded_calls_repeat(function: Any) -> None:
    box = PythonBlackBox(function)
    first, second = (box.bind(DATA).draw(default_rng(5), 3) for _ in range(2))
    assert np.array_equal(first, second)
    assert not np.array_equal(first, box.bind(DATA).draw(default_rng(6), 3))


class Tally:
    def count(self, data: Any, rng: Any) -> float:
        return float(len(data) + rng.laplace())


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (3, "not a function; give one of f"),
        (Tally(), r"not a function; give its method count, or one of f\(data\)"),
        (Tally, r"def mechanism\(data, rng\): return Tally\(...\).count\(data, rng\)"),
        (lambda: 1, "takes no dataset"),
        (lambda *, data: 1, "takes no dataset"),
        (lambda rng, data: 1, "dataset comes first"),
        (lambda data, epsilon: 1, "'epsilon'"),
        (lambda data, rng, size, more: 1, "'more'"),
        (lambda data, *, sigma: 1, "'sigma'"),
        (lambda data, rng, epsilon: 1, "'epsilon'"),
        (lambda data, bounds, rng: 1, "'rng'"),
        (lambda data, size, source: 1, "'size'"),
        (lambda data, num_samples, source: 1, "'num_samples'"),
        (lambda num_samples, data: 1, "dataset comes first"),
        (type("Bare", (), {}), "neither release nor __call__"),
        (functools.partial, "without arguments"),
    ],
)
def test_unusable_callables_are_refused(function: Any, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        PythonBlackBox(function)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (alone, "alone"),
        (NoisySum(), "NoisySum"),
        (NoisySum().release, "NoisySum"),
        (NoisySum, "NoisySum"),
        (functools.partial(functools.partial(alone)), "alone"),
        (Counter().method, "Counter.method"),
    ],
)
def test_names(function: Any, name: str) -> None:
    assert PythonBlackBox(function).name == name
    assert PythonBlackBox(function, "other").name == "other"


def test_exceptions_pass_as_they_are() -> None:
    def fails(data: Any) -> Any:
        raise ZeroDivisionError("by 0.123")

    with pytest.raises(ZeroDivisionError):
        PythonBlackBox(fails).bind(DATA).draw(default_rng(0), 1)


class Panic(BaseException):
    """As raised by extension modules that crash on purpose."""


@pytest.mark.parametrize(
    ("cause", "name", "message"),
    [
        (SystemExit(3), "raised SystemExit 3", ""),
        (SystemExit("no"), "raised SystemExit", "no"),
        (GeneratorExit(), "raised GeneratorExit", ""),
        (Panic("here"), "raised Panic", "here"),
    ],
)
@pytest.mark.parametrize("timeout", [None, 10.0])
def test_exits_become_outputs(
    cause: BaseException, name: str, message: str, timeout: float | None
) -> None:
    def leaves(data: Any) -> Any:
        raise cause

    with pytest.raises(Exited) as caught:
        PythonBlackBox(leaves, timeout=timeout).bind(DATA).draw(default_rng(0), 1)
    assert (caught.value.outcome_name, str(caught.value)) == (name, message)


def test_interrupt_ends_the_audit() -> None:
    def interrupted(data: Any) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        PythonBlackBox(interrupted).bind(DATA).draw(default_rng(0), 1)


def test_time_out_is_named() -> None:
    def forever(data: Any) -> Any:
        while True:
            pass

    with pytest.raises(RunTimeout) as caught:
        PythonBlackBox(forever, timeout=0.05).bind(DATA).draw(default_rng(0), 1)
    assert caught.value.outcome_name == "timed out"
