"""Outputs that never vary: a deterministic answer is told from noise that is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from audit.blackbox.python import PythonBlackBox
from audit.outcomes.encoding import encode
from audit.sampling.repetition import Answer, in_stretches, only_answer, same_elsewhere
from audit.sampling.workers.pickled import Parcel


class Kept:
    """Noise drawn once for every dataset."""

    def __init__(self, seed: int | None) -> None:
        self.rng, self.kept = np.random.default_rng(seed), dict[int, float]()

    def __call__(self, data: Any) -> float:
        if len(data) not in self.kept:
            self.kept[len(data)] = len(data) + float(self.rng.laplace())
        return self.kept[len(data)]


def exact(data: Any) -> float:
    return float(len(data))


def elsewhere(function: Callable[..., Any], first: int) -> bool | None:
    """Whether its answers are the same in another process, one dataset having come first here."""
    box = PythonBlackBox(function, timeout=None)
    packed, sides = Parcel.of(box), [np.zeros(1), np.zeros(2)]
    answers: dict[int, Answer | None] = {}
    for side in (first, 1 - first):
        rng, bound = np.random.default_rng(0), box.bind(sides[side])
        answers[side] = only_answer(encode([bound.draw(rng, 1) for _ in range(5)], 5))
    return same_elsewhere(packed, False, 0, [(sides[side], answers[side]) for side in (0, 1)]).same


@pytest.mark.parametrize("first", [0, 1])
def test_kept_noise_is_other_noise_elsewhere(first: int) -> None:
    assert elsewhere(Kept(None), first) is False
    assert elsewhere(Kept(7), first) is False


@pytest.mark.parametrize("first", [0, 1])
def test_a_deterministic_answer_is_the_same_everywhere(first: int) -> None:
    assert elsewhere(exact, first) is True


@pytest.mark.parametrize(
    "outputs",
    [[1.0, 1.0], ["a", "a"], [None, None], [{"a": 1.0}] * 3, list(np.ones((4, 200))), [np.nan] * 2],
)
def test_what_never_varies_has_one_answer(outputs: list[Any]) -> None:
    assert only_answer(encode(outputs, len(outputs))) == only_answer(encode(outputs[:1], 1))


@pytest.mark.parametrize(
    "outputs",
    [
        [1.0, 2.0],
        ["a", "b"],
        [None, 0.0],
        [{"a": 1.0}, {"b": 1.0}],
        [np.zeros(200), np.eye(200)[150]],
    ],
)
def test_what_varies_has_none(outputs: list[Any]) -> None:
    assert only_answer(encode(outputs, len(outputs))) is None


@pytest.mark.parametrize("outputs", ["aaaaaa", "aaaaabbbb", "aaabbbccccccd" + "d" * 9])
def test_what_comes_for_a_while_and_never_again_is_in_stretches(outputs: str) -> None:
    alone = {only_answer(encode([output], 1)) for output in outputs}
    assert in_stretches(encode(list(outputs), len(outputs))) == alone


@pytest.mark.parametrize("outputs", ["aaabaaaaa", "abcdefghi", "ababababa", "aabb", "ab"])
def test_what_comes_again_or_soon_ends_is_not(outputs: str) -> None:
    assert not in_stretches(encode(list(outputs), len(outputs)))
