"""Calls in a fork of this process: the same outputs, and crashes that end the fork alone."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Never

import pytest
from numpy.random import Generator, default_rng

from audit.blackbox.python import PythonBlackBox
from audit.errors import OutcomeError
from audit.outcomes.outcomes import KIND, Outcomes
from audit.sampling.fork import Fork
from audit.sampling.independence.server_process import FORKS
from audit.sampling.sampler import Sampler
from audit.sampling.source import Address, Source, Stage

pytestmark = pytest.mark.skipif(not FORKS, reason="no forks on this system")
ADDRESS = Address(Stage.SEARCH, 1, 0)
OWN = default_rng(3)


@contextmanager
def forked(function: Any) -> Iterator[Sampler]:
    """A sampler whose calls are made in a fork."""
    sampler = Sampler.of(PythonBlackBox(function), 5)
    assert isinstance(sampler.box, PythonBlackBox)
    with Fork(sampler.box, 5) as sampler.runs.in_parts.here:
        yield sampler


def pairs(sampler: Sampler, calls: int = 12) -> tuple[Outcomes, Outcomes]:
    left, right = (Source(sampler.box, data) for data in ([1.0], [7.0]))
    return sampler.pairs(ADDRESS, left, right, calls)


def kinds(outcomes: Outcomes) -> list[str]:
    column = outcomes.columns[KIND]
    assert column.symbols is not None
    return [column.names[place] for place in column.symbols]


def crash() -> Never:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def single(data: Any, rng: Generator) -> float:
    return float(data[0] + rng.laplace())


def vector(data: Any, rng: Generator, size: int) -> Any:
    return data[0] + rng.laplace(size=size)


@pytest.mark.parametrize("function", [single, vector])
def test_outputs_are_those_of_this_process(function: Any) -> None:
    here = Sampler.of(PythonBlackBox(function), 5)
    with forked(function) as there:
        for made, expected in zip(pairs(there), pairs(here), strict=True):
            assert made.equals(expected)
        source = Source(here.box, [2.0])
        assert there.side(ADDRESS, source, 9, 0).equals(here.side(ADDRESS, source, 9, 0))
        assert there.shares_randomness


def single_crash(data: Any, rng: Generator) -> float:
    return crash() if data[0] == 7.0 else 1.0


def vector_crash(data: Any, rng: Generator, size: int) -> Any:
    return crash() if data[0] == 7.0 else [1.0] * size


@pytest.mark.parametrize("function", [single_crash, vector_crash])
def test_a_crash_is_the_output_of_its_call_alone(function: Any) -> None:
    with forked(function) as sampler:
        left, right = pairs(sampler)
        assert kinds(left) == ["float"] * 12
        assert kinds(right) == ["crash"] * 12
        assert sampler.runs.failed == [0, 12]
        assert sampler.first is not None
        assert (sampler.first.kind, sampler.first.dataset) == ("crash", "[7.0]")
        assert kinds(sampler.side(ADDRESS, Source(sampler.box, [1.0]), 3, 0)) == ["float"] * 3


def now_and_then(data: Any, rng: Generator) -> float:
    return crash() if rng.random() < 0.3 else 1.0


def test_calls_that_crash_now_and_then_are_counted_one_by_one() -> None:
    with forked(now_and_then) as sampler:
        left, right = map(kinds, pairs(sampler, 40))
    assert left == right  # common random numbers
    assert 3 <= left.count("crash") <= 24
    assert left.count("crash") + left.count("float") == 40


def test_state_stays_from_batch_to_batch_and_in_the_fork() -> None:
    calls: list[Any] = []

    def counts(data: Any) -> int:
        calls.append(data)
        return len(calls)

    with forked(counts) as sampler:
        source = Source(sampler.box, [1.0])
        first, second = (sampler.side(ADDRESS, source, 3, 0) for _ in range(2))
    assert not calls
    assert first.columns["output"].values.tolist() == [1.0, 2.0, 3.0]
    assert second.columns["output"].values.tolist() == [4.0, 5.0, 6.0]


def own_noise(data: Any) -> float:
    return crash() if data[0] == 7.0 else OWN.random()


def test_a_generator_of_the_function_s_own_begins_elsewhere_after_a_crash() -> None:
    with forked(own_noise) as sampler:
        left, right = pairs(sampler)
    assert kinds(right) == ["crash"] * 12
    assert len(set(left.columns["output"].values.tolist())) == 12


def test_an_interrupt_passes_and_the_next_calls_are_made() -> None:
    def interrupts(data: Any) -> float:
        if data[0] == 7.0:
            raise KeyboardInterrupt
        return 1.0

    with forked(interrupts) as sampler:
        with pytest.raises(KeyboardInterrupt):
            pairs(sampler)
        assert kinds(sampler.side(ADDRESS, Source(sampler.box, [1.0]), 3, 0)) == ["float"] * 3


def test_what_cannot_be_sent_back_cannot_be_read() -> None:
    class Refuses:
        def __reduce__(self) -> Any:
            raise ValueError("no copies")

    with forked(lambda data: Refuses()) as sampler, pytest.raises(OutcomeError, match="no copies"):
        pairs(sampler)


def test_an_object_of_a_class_that_the_function_defines_is_sent() -> None:
    def defines(data: Any) -> Any:
        class Answer(float):
            pass

        return Answer(data[0])

    with forked(defines) as sampler:
        assert kinds(pairs(sampler)[0]) == ["Answer"] * 12


def test_nothing_is_left_of_a_fork() -> None:
    def tells(data: Any) -> int:
        return os.getpid()

    with forked(tells) as sampler:
        process = int(pairs(sampler)[0].columns["output"].values[0])
        assert process != os.getpid()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
