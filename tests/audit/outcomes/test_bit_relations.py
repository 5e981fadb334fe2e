"""Sums of bits that never change: found on one side, read on both."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import pytest
from numpy.typing import NDArray

from audit.outcomes.checksums import same_parities, single_bits
from audit.outcomes.encoding import encode

Numbers = NDArray[np.float64]
NAMES = ("output[0]", "output[1]", "output[2]")


def checked(rng: np.random.Generator, size: int, start: int) -> Numbers:
    """A number of 24 bits and a cyclic redundancy check that begins with `start`."""
    drawn = rng.integers(0, 1 << 24, size)
    sums = [zlib.crc32(struct.pack("<I", value), start) for value in drawn.tolist()]
    return np.column_stack([drawn, sums]).astype(np.float64)


def exclusive(rng: np.random.Generator, size: int, other: int) -> Numbers:
    """Two bytes and their exclusive or with a third."""
    bytes_ = rng.integers(0, 256, (size, 2))
    return np.column_stack([bytes_, bytes_[:, 0] ^ bytes_[:, 1] ^ other]).astype(np.float64)


@pytest.mark.parametrize(("law", "sums"), [(checked, 32), (exclusive, 8)])
def test_checks_of_two_datasets_are_told_apart(law: object, sums: int) -> None:
    rng = np.random.default_rng(0)
    left, right = law(rng, 200, 0), law(rng, 200, 77)  # type: ignore[operator]
    (found,) = same_parities(left, NAMES[: left.shape[1]])
    assert len(found.masks) == sums
    here, there = (found.read(encode(side, 200)).values for side in (left, right))
    assert len(set(here)) == len(set(there)) == 1
    assert here[0] != there[0]
    again = law(rng, 50, 0)  # type: ignore[operator]
    assert set(found.read(encode(again, 50)).values) == set(here)


@pytest.mark.parametrize("size", [20, 200])
def test_random_bits_have_no_such_sum(size: int) -> None:
    rows = np.random.default_rng(1).integers(0, 256, (size, 3)).astype(np.float64)
    assert list(same_parities(rows, NAMES)) == []


def test_too_few_outputs_say_nothing() -> None:
    rows = exclusive(np.random.default_rng(2), 24 + 23, 0)
    assert list(same_parities(rows, NAMES)) == []
    rows = exclusive(np.random.default_rng(2), 24 + 24, 0)
    assert len(list(same_parities(rows, NAMES))) == 1


def test_outputs_that_are_no_whole_numbers_have_no_bits() -> None:
    rows = exclusive(np.random.default_rng(3), 200, 0)
    (found,) = same_parities(rows, NAMES)
    others = rows[:4].copy()
    others[:, 0] = [0.5, -1.0, np.nan, 2.0**63]
    column = found.read(encode(others, 4))
    assert column.symbols is not None
    assert np.all(column.symbols > 0)


def test_single_bits_are_read_also_beyond_what_floats_hold_exactly() -> None:
    values = np.array([2.0**60 + 2.0**37, 2.0**37, 2.0**60])
    found = {f.words: f for f in single_bits(values, "output")}
    column = found["bit 37 of output"].read(encode([int(v) for v in values], 3))
    assert column.values.tolist() == [1.0, 1.0, 0.0]
    ones = found["parity of the sum of bits of output"].read(encode([2**60 + 1024, 7, 6], 3))
    assert ones.values.tolist() == [0.0, 1.0, 0.0]


@pytest.mark.parametrize("values", [[3.0, 5.0], [0.5, 900.0], [-900.0, 900.0], []])
def test_small_numbers_and_others_have_no_bits_to_be_read_alone(values: list[float]) -> None:
    assert list(single_bits(np.array(values), "output")) == []


def test_it_says_what_is_added_up() -> None:
    (found,) = same_parities(exclusive(np.random.default_rng(4), 200, 0), NAMES)
    assert found.words == "parity of 8 sums of bits of output[0], output[1], output[2]"
