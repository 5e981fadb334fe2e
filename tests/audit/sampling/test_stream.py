"""Addresses and the generators behind them."""

from __future__ import annotations

from collections.abc import Sequence

from numpy.random import Generator, SeedSequence

from audit.sampling.source import Address, Stage, drawn_from, separate_generators


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
