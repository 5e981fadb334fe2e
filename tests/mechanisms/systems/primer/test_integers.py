"""Numbers as integers: order kept, ends reached, nothing that is no number."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.errors import InputError
from mechanisms.systems.primer.integers import limits, require_bits, to_integers, to_numbers


def test_ends_and_odd_numbers() -> None:
    found = to_integers([math.inf, -math.inf, math.nan, 1.0, -1.0, 0.0, -1e-12], 32)
    low, high = limits(32)
    assert (low, high) == (-(2**31), 2**31 - 1)
    assert found.tolist() == [low, low, -1, 0, high, high]


@given(st.lists(st.floats(-1, 1)), st.integers(2, 32))
def test_every_record_is_rounded_down_by_less_than_one_step(data: list[float], bits: int) -> None:
    back = to_numbers(to_integers(data, bits), bits)
    step = 2.0 ** (1 - bits)
    below = np.sort(data) - back
    assert np.all((below >= 0) & (below <= step))


@pytest.mark.parametrize("bits", [1, 33, 2.5])
def test_widths_out_of_range_are_refused(bits: int) -> None:
    with pytest.raises(InputError, match="bits"):
        require_bits(bits)
