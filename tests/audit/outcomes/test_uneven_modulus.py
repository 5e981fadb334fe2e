"""Moduli that numbers of one side mostly agree in."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from audit.outcomes.rare_features import uneven_modulus


def floats(numbers: NDArray[Any]) -> NDArray[np.float64]:
    return numbers.astype(np.float64)


@pytest.mark.parametrize("modulus", [17, 37, 100, 256])
@pytest.mark.parametrize("share", [1.0, 0.6])
def test_the_largest_that_most_numbers_agree_in_is_found(modulus: int, share: float) -> None:
    rng = np.random.default_rng(0)
    left = np.where(rng.random(200) < share, 5, rng.integers(0, modulus, 200))
    assert uneven_modulus(floats(modulus * rng.integers(0, 10**6, 200) + left)) == modulus


def test_numbers_that_agree_in_none_have_none() -> None:
    rng = np.random.default_rng(1)
    assert uneven_modulus(floats(rng.integers(0, 10**9, 200))) is None
    assert uneven_modulus(np.round(rng.laplace(0, 5, 200))) is None
    assert uneven_modulus(floats(17 * np.arange(15))) is None
    assert uneven_modulus(np.zeros(0)) is None


def test_a_few_that_agree_by_chance_have_none() -> None:
    """Six of twenty agree modulo 17, which is as large a share as is wanted."""
    held = [0, 34, 51, 68, 170, 187]
    others = [6, 9, 21, 24, 47, 81, 114, 130, 147, 150, 198, 208, 230, 234]
    assert uneven_modulus(floats(np.array([*held, *others]))) is None
    # Of more numbers as large a share is no chance.
    more = [*held, *(17 * (place + 20) for place in range(30)), *others, *range(700, 740, 3)]
    assert uneven_modulus(floats(np.array(more))) == 17.0
