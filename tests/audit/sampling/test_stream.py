"""Addresses and the generators behind them: what is counted, what is kept apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import Generator, SeedSequence

from audit.sampling.stream import Address, Stage, drawn_from, separate_generators, words_between

exactly = settings(derandomize=True, database=None, deadline=None, max_examples=60)


@exactly
@given(st.integers(0, 2**70), st.integers(0, 2**32))
def test_steps_of_a_generator_are_counted_exactly(words: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    before = rng.bit_generator.state
    rng.bit_generator.advance(words)  # type: ignore[attr-defined]
    assert words_between(before, rng.bit_generator.state) == words


@pytest.mark.parametrize(("outputs", "words"), [(0, 0), (1, 1), (1000, 1000)])
def test_a_float_is_a_word(outputs: int, words: int) -> None:
    rng = np.random.default_rng(3)
    before = rng.bit_generator.state
    rng.random(outputs)
    assert words_between(before, rng.bit_generator.state) == words


def children(spawned: Sequence[int]) -> list[float]:
    """What the last child of each draw gives, where draws spawn so many."""

    def last(rng: Generator, count: int) -> float:
        return float(rng.spawn(count)[-1].random()) if count else float(rng.random())

    stream = SeedSequence(5, spawn_key=(1, 2))
    generators = separate_generators(stream, range(len(spawned)))
    return [last(rng, count) for rng, count in zip(generators, spawned, strict=True)]


def test_what_a_draw_spawns_does_not_depend_on_what_others_did() -> None:
    """Otherwise draw i on D would share noise with draw i + 1 on its neighbor."""
    once, twice = children([1, 1, 1, 1]), children([1, 2, 1, 1])
    assert once[0] == twice[0]
    assert once[2:] == twice[2:]
    assert len({*once, *twice}) == 5


def test_children_of_different_draws_differ() -> None:
    assert len(set(children([1] * 50))) == 50


def test_whether_anything_was_drawn_is_seen_also_behind_a_spawn() -> None:
    stream = Address(Stage.BET, 0, 0).stream(1, 0)
    seen = []
    for place, rng in enumerate(separate_generators(stream, range(6))):
        if place == 1:
            rng.spawn(1)
        if place % 2:
            rng.random()
        seen.append(drawn_from(rng))
    assert seen == [False, True] * 3
