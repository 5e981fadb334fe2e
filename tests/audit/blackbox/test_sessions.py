"""A session is opened for every run, asked, and its answers are the output."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator, default_rng

from audit.blackbox.callables import name_of, transcripts_of
from audit.blackbox.python import PythonBlackBox
from audit.errors import BlackBoxError, InputError


class Counting:
    """Counts its questions, and refuses to be asked for 0."""

    def __init__(self, data: Any, rng: Generator) -> None:
        self.asked, self.noise = len(data), rng.random()

    def ask(self, question: int) -> float:
        self.asked += 1
        return self.asked + self.noise / question


def drawn(factory: Any, questions: list[Any], data: Any = (1, 2)) -> Any:
    box = PythonBlackBox(transcripts_of(factory))
    return box.bind({"data": np.array(data), "questions": questions}).draw(default_rng(0), 1)


def test_answers_depend_on_earlier_questions_and_every_run_begins_anew() -> None:
    noise = default_rng(0).random()
    for _ in range(2):
        assert drawn(Counting, [1, 2]) == [3 + noise, 4 + noise / 2]


def test_an_exception_is_part_of_the_transcript_and_the_session_goes_on() -> None:
    noise = default_rng(0).random()
    assert drawn(Counting, [0, 1]) == ["raised ZeroDivisionError", 4 + noise]


def test_sessions_may_be_functions_and_take_no_generator() -> None:
    def opened(data: Any) -> Any:
        return lambda question: len(data) * question

    assert drawn(opened, [2, 3]) == [4, 6]
    assert not PythonBlackBox(transcripts_of(opened)).seeded
    assert PythonBlackBox(transcripts_of(Counting)).seeded

    def named(data: Any, *, rng: Generator, scale: int = 1) -> Any:
        return lambda question: scale * question + 0 * rng.random()

    assert drawn(functools.partial(named, scale=3), [2]) == [6]


def test_what_a_session_changes_later_stays_as_it_was_answered() -> None:
    def opened(data: Any) -> Any:
        told: list[int] = []

        def answer(question: int) -> list[int]:
            told.append(question)
            return told

        return answer

    assert drawn(opened, [1, 2]) == [[1], [1, 2]]


def test_neither_data_nor_questions_can_be_changed_for_the_next_run() -> None:
    def opened(data: Any) -> Any:
        data[0] = 99
        return lambda question: question.append(7) or [int(data.sum()), *question]

    box = PythonBlackBox(transcripts_of(opened))
    bound = box.bind({"data": np.array([1, 2]), "questions": [[5]]})
    assert [bound.draw(default_rng(0), 1) for _ in range(2)] == 2 * [[[101, 5, 7]]]


def test_factories_that_open_no_session() -> None:
    with pytest.raises(InputError, match="a session is one draw"):
        transcripts_of(lambda data, rng, size: None)
    with pytest.raises(InputError, match="has no method ask") as caught:
        drawn(lambda data: 7, [1])
    assert not isinstance(caught.value, BlackBoxError)


def test_it_is_called_like_its_factory() -> None:
    assert name_of(transcripts_of(Counting)) == "Counting"
