"""Numbers in [-1, 1] as the integers of so many bits, so that comparing them is exact."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from mechanisms.parts.noise import Floats, Integers
from mechanisms.parts.parameters import require_count


def limits(bits: int) -> tuple[int, int]:
    """The smallest and the largest integer: -2^(bits-1) and 2^(bits-1) - 1."""
    return -(1 << (bits - 1)), (1 << (bits - 1)) - 1


def to_integers(data: ArrayLike, bits: int) -> Integers:
    """x·2^(bits-1) rounded down and held to the limits; NaN is no record.

    Args:
        data: numbers, shape (records,).
        bits: 2 to 32.

    Returns:
        Shape (records that are numbers,), ascending.
    """
    numbers = np.asarray(data, dtype=np.float64)
    clamped = np.clip(numbers[~np.isnan(numbers)], -1.0, 1.0)
    scaled = np.floor(np.ldexp(clamped, bits - 1)).astype(np.int64)
    return np.sort(np.minimum(scaled, limits(bits)[1]))


def to_numbers(integers: Integers, bits: int) -> Floats:
    """The number that each integer stands for, exactly."""
    return np.ldexp(integers.astype(np.float64), 1 - bits)


def require_bits(bits: int) -> None:
    """Refuse a width that the arithmetic here does not hold.

    Raises:
        InputError: naming the width.
    """
    require_count("bits", bits, 2, 32)
