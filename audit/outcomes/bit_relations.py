"""Sums of bits that never change: cyclic redundancy checks, XOR checksums, parities.

All of these are linear over the field of two elements: which bits of an output they add up
is the same in every output. If such a sum never changes, it is even in the difference of any two
outputs. All of them are found at once, by elimination of the differences modulo 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from audit.outcomes.column import Column, Floats
from audit.outcomes.features import as_column, numbers
from audit.outcomes.outcomes import Outcomes
from audit.outcomes.rounding import quietly

Integers = NDArray[np.int64]

_SURPLUS = 24
"""Outputs beyond the number of bits: a sum of bits that is random never changes in them
with probability 2^-24."""
_MOST_BITS = 256
_MOST_SUMS = 48
_LARGEST = 2.0**62
"""Beyond 2^53 a float holds the upper bits alone; the others are 0, and never change."""
_FEWEST_BITS = 8
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class OddBits:
    """Parities of some sums of bits, as the bits of one number.

    Attributes:
        names: parts that are whole numbers of at least 0.
        masks: of each sum, the bits of every part that it adds up.
    """

    names: tuple[str, ...]
    masks: tuple[tuple[int, ...], ...]
    fitted: ClassVar[bool] = False

    @property
    def words(self) -> str:
        more = ", …" * (len(self.names) > _SHOWN)
        shown = ", ".join(self.names[:_SHOWN]) + more
        if len(self.masks) == len(self.names) == 1 and self.masks[0][0].bit_count() == 1:
            return f"bit {self.masks[0][0].bit_length() - 1} of {self.names[0]}"
        many = "the sum" if len(self.masks) == 1 else f"{len(self.masks)} sums"
        return f"parity of {many} of bits of {shown}"

    @quietly
    def read(self, outcomes: Outcomes) -> Column:
        rows = numbers(outcomes, self.names)
        known = np.asarray(_usable(rows).all(axis=1))
        bits = np.where(known[:, None], rows, 0.0).astype(np.int64)
        value = np.zeros(len(rows), np.int64)
        for place, mask in enumerate(self.masks):
            value |= _odd(np.bitwise_xor.reduce(bits & np.array(mask), axis=1)) << place
        return as_column(np.where(known, value.astype(np.float64), np.nan), 0.0)


def same_parities(rows: Floats, names: tuple[str, ...]) -> Iterator[OddBits]:
    """All sums of bits that are the same in every output of one side, as one reading.

    Args:
        rows: shape (n, d), outputs on one side.
        names: of the d parts.
    """
    whole = np.flatnonzero(_usable(rows).all(axis=0))
    if len(rows) < _SURPLUS or not len(whole):
        return
    held = rows[:, whole].astype(np.int64)
    changed = np.bitwise_or.reduce(held ^ held[0], axis=0)
    places = [(part, bit) for part, bits in enumerate(changed.tolist()) for bit in _bits_of(bits)]
    if not 2 <= len(places) <= _MOST_BITS or len(rows) < len(places) + _SURPLUS:
        return
    differences = held[1 : len(places) + _SURPLUS] ^ held[0]
    sums = _kernel([_packed(differences[:, part] >> bit & 1) for part, bit in places])
    masks = tuple(_masks(chosen, places, len(whole)) for chosen in sums[:_MOST_SUMS])
    if masks:
        used = np.flatnonzero(np.bitwise_or.reduce(np.array(masks), axis=0))
        kept = tuple(tuple(mask[k] for k in used) for mask in masks)
        yield OddBits(tuple(names[whole[k]] for k in used), kept)


def single_bits(values: Floats, name: str) -> Iterator[OddBits]:
    """Each bit of a number that has many, and whether the number of those that are set is odd.

    Args:
        values: whole numbers that were seen.
        name: of the part.
    """
    if not len(values) or not _usable(values).all():
        return
    width = int(values.max()).bit_length()
    if width >= _FEWEST_BITS:
        yield OddBits((name,), (((1 << width) - 1,),))
        yield from (OddBits((name,), ((1 << bit,),)) for bit in range(1, width))


def _usable(rows: Floats) -> NDArray[np.bool_]:
    """Mask of whole numbers that have bits."""
    return np.asarray((rows >= 0.0) & (rows < _LARGEST) & (rows == np.floor(rows)))


def _bits_of(number: int) -> Iterator[int]:
    return (bit for bit in range(number.bit_length()) if number >> bit & 1)


def _packed(bits: Integers) -> int:
    """Bits of many outputs as one number."""
    return int.from_bytes(np.packbits(bits.astype(np.uint8)).tobytes(), "big")


def _kernel(columns: list[int]) -> list[int]:
    """Sets of columns whose sum modulo 2 is zero, a basis of them; the i-th bit is the i-th column.

    Elimination, in the order of the columns: each set ends with a column that depends on those
    before it.
    """
    pivots: dict[int, tuple[int, int]] = {}
    found = []
    for place, rest in enumerate(columns):
        chosen = 1 << place
        while rest and rest.bit_length() in pivots:
            pivot, members = pivots[rest.bit_length()]
            rest, chosen = rest ^ pivot, chosen ^ members
        if rest:
            pivots[rest.bit_length()] = rest, chosen
        else:
            found.append(chosen)
    return found


def _masks(chosen: int, places: list[tuple[int, int]], parts: int) -> tuple[int, ...]:
    """The bits of every part in a set of columns."""
    masks = [0] * parts
    for place in _bits_of(chosen):
        part, bit = places[place]
        masks[part] |= 1 << bit
    return tuple(masks)


def _odd(values: Integers) -> Integers:
    """Parity of the number of ones of numbers with 62 bits, as 0 or 1."""
    for half in (32, 16, 8, 4, 2, 1):
        values = values ^ values >> half
    return values & 1
