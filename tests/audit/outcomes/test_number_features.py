"""First digits of numbers of many sizes."""

from __future__ import annotations

import numpy as np
import pytest

from audit.outcomes.encoding import encode
from audit.outcomes.number_features import FirstDigit, many_sizes


@pytest.mark.parametrize(
    ("number", "digit"),
    [(1.0, 1), (-0.0372, 3), (1000.0, 1), (0.001, 1), (9.999, 9), (3e-300, 3), (7e300, 7)],
)
def test_it_is_the_first_that_is_written(number: float, digit: int) -> None:
    assert FirstDigit("output").read(encode([number], 1)).values[0] == digit


def test_nothing_has_none() -> None:
    column = FirstDigit("output").read(encode([0.0, 2.0, None, 5e-324], 4))
    assert column.symbols is not None
    names = [column.names[s] for s in column.symbols]
    assert names == ["undefined", "", "None", "undefined"]


def test_it_is_read_where_numbers_are_of_many_sizes() -> None:
    rng = np.random.default_rng(0)
    assert many_sizes(10.0 ** rng.uniform(-3, 3, 200))
    assert not many_sizes(rng.uniform(1, 9, 200))
    assert not many_sizes(np.zeros(9))
    assert not many_sizes(np.full(9, 1e308))
