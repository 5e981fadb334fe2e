"""Exact relations are found where there are any, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.random import default_rng

from audit.outcomes.checksums import WeightedRemainder, same_remainders
from audit.outcomes.encoding import encode
from audit.outcomes.rare_features import most_telling
from audit.outcomes.relations import Combination, Quotient, common_relations, few_part_relations

ROWS = 64


def names(width: int) -> tuple[str, ...]:
    return tuple(f"y[{place}]" for place in range(width))


def free(width: int, seed: int = 0) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return default_rng([7, seed]).normal(0, 20, (ROWS, width))


def few(rows: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> list[str]:
    return [found.words for found in few_part_relations(rows, names(rows.shape[1]), 50.0)]


@pytest.mark.parametrize("one", [1, 2, 3])
@pytest.mark.parametrize("other", [-3, -2, -1, 1, 2, 3])
def test_whole_weights_of_two_parts(one: int, other: int) -> None:
    rows = free(6)
    rows[:, 5] = (4.0 - one * rows[:, 2]) / other
    (found,) = few_part_relations(rows, names(6), 50.0)
    assert isinstance(found, Combination)
    shared = np.gcd(one, other)
    assert found.terms == (("y[2]",), ("y[5]",))
    assert found.weights == (one / shared, other / shared)


def test_three_parts_products_and_quotients() -> None:
    rows = free(8)
    rows[:, 7] = 2 * rows[:, 1] - 3 * rows[:, 4] + 1.0
    assert few(rows) == ["2*y[1] - 3*y[4] - y[7]"]
    rows = free(8)
    rows[:, 7] = rows[:, 1] * rows[:, 4] + 1.0
    assert few(rows) == ["y[7] - y[1]*y[4]"]
    rows = free(8)
    rows[:, 7] = 5.0 * rows[:, 1] / rows[:, 4]
    assert few(rows) == ["y[1]/y[4]/y[7]"]


def test_a_third_of_the_rows_is_enough() -> None:
    rows = free(5)
    rows[::3, 4] = 2 * rows[::3, 1] - 3.0
    assert few(rows) == ["2*y[1] - y[4]"]


@pytest.mark.parametrize("width", [2, 7, 30, 500])
def test_free_numbers_have_no_relation(width: int) -> None:
    assert few(free(width)) == []
    assert common_relations(free(width), names(width), 50.0) == []
    assert list(same_remainders(np.round(free(width)), names(width))) == []


def test_infinities_and_missing_numbers_hide_no_relation() -> None:
    rows = free(5)
    rows[:, 3] = 3.0 - rows[:, 0]
    rows[::7, 1], rows[::5, 2] = np.inf, np.nan
    assert few(rows) == ["y[0] + y[3]"]


def test_a_quotient_is_read_as_it_is_written() -> None:
    rows = np.array([[3.0, 2.0], [1.0, 0.0], [-6.0, 4.0]])
    read = Quotient(("output[0]", "output[1]"), (1, -2)).read(encode(rows, 3))
    assert read.values[[0, 2]].tolist() == [0.75, -0.375]
    assert read.symbols is not None
    assert read.symbols.tolist() == [0, 1, 0]


@pytest.mark.parametrize("modulus", [2, 3, 4, 5, 7, 8, 9, 11, 13, 16])
def test_weighted_sums_with_a_remainder(modulus: int) -> None:
    rng = default_rng([9, modulus])
    rows = rng.integers(0, 1000, (ROWS, 5)).astype(float)
    rows[:, 3] = (
        modulus * rng.integers(0, 60, ROWS) + (1.0 - rows[:, 0] - 2.0 * rows[:, 4]) % modulus
    )
    found = list(same_remainders(rows, names(5)))
    values = [relation.read(encode(rows, ROWS)) for relation in map(_on_output, found)]
    assert all(np.ptp(column.values) == 0.0 for column in values)
    assert modulus in {relation.modulus for relation in found}


def _on_output(relation: WeightedRemainder) -> WeightedRemainder:
    parts = tuple(name.replace("y", "output") for name in relation.names)
    return WeightedRemainder(parts, relation.weights, relation.modulus)


def test_the_most_telling_of_many_numbers() -> None:
    left, right = (default_rng([3, side]).normal(size=(200, 500)) for side in (0, 1))
    left[:, 321] += 1.0
    left[:, 123] *= 3.0
    sides = encode(left, 200), encode(right, 200)
    named = tuple(f"output[{place}]" for place in range(64))
    assert set(most_telling(*sides, named, 2)) == {"entry 321 of output", "entry 123 of output"}
    assert most_telling(sides[0], sides[0], named, 2) == []
