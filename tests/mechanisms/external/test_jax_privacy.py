"""Steps of jax_privacy, as far as neither it nor JAX is needed."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

from audit.claims import ProfileDP
from mechanisms.external.jax_privacy.steps import curve, line, selected, worst_pattern


def test_the_attacker_projects_on_the_line_on_which_the_sums_differ() -> None:
    np.testing.assert_allclose(line(np.array([3.0, 4.0]), np.zeros(2)), [0.6, 0.8])
    for value in (np.nan, np.inf, 0.0):
        assert np.linalg.norm(line(np.array([value, 0.0]), np.zeros(2))) == 1.0


@pytest.mark.parametrize(
    ("apart", "most", "steps"), [(1, 1, 1), (1, 2, 2), (2, 2, 2), (3, 2, 1), (1, 3, 3)]
)
def test_the_worst_pattern_keeps_the_distance_and_the_number(
    apart: int, most: int, steps: int
) -> None:
    pattern = worst_pattern(np.tril(np.ones((3, 3))), apart, most)
    places = np.flatnonzero(pattern)
    assert len(places) == steps and np.diff(places).min(initial=3) >= apart
    assert pattern[0] != 0


def test_signs_of_the_worst_pattern_are_those_that_add_up() -> None:
    pattern = worst_pattern(np.array([[1.0, -1.0], [0.0, 0.0]]), 1, 2)
    assert abs(pattern[0] - pattern[1]) == 2.0


def test_a_release_of_batches_adds_what_the_batches_hold() -> None:
    def batches(count: int, rng: Generator) -> Iterator[Any]:
        yield np.array([0, 2], dtype=np.int8)
        yield np.array([])
        yield np.arange(count)

    release = selected(SimpleNamespace(batch_iterator=batches), 0.0)
    assert release([1.0, 5.0, 10.0], np.random.default_rng(0)) == 27.0


def test_a_curve_has_the_smallest_delta_where_epsilon_is_not_positive() -> None:
    losses = {0.01: 1.5, 0.02: 1.0, 0.05: 0.5, 0.1: -0.1, 0.2: -0.3}
    composed = SimpleNamespace(get_epsilon=losses.__getitem__)
    found = curve(SimpleNamespace(compose=lambda event: composed), None)
    assert found == ProfileDP(((0.0, 0.1), (0.5, 0.05), (1.0, 0.02), (1.5, 0.01)))
