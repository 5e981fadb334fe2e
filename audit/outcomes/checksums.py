"""Sums that never change: remainders of whole numbers, and exclusive ors of bits.

If w·y leaves the same remainder modulo m in every output, then it leaves none in the
difference of two outputs. All such weights are found at once, by bringing the
differences to diagonal form over the integers modulo a power of a prime (Smith's
form), as cheap as solving a system of equations. A remainder modulo 10 is one modulo
2 and one modulo 5.

Cyclic redundancy checks and parities are linear over the field of two elements: which bits of an
output they add up is the same in every output. If such a sum never changes, it is even in the
difference of any two outputs. All of them are found at once, by elimination of the differences
modulo 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audit.outcomes.column import Column, Floats, Integers, quietly
from audit.outcomes.features import Feature, as_column, numbers
from audit.outcomes.outcomes import Outcomes
from audit.outcomes.relations import in_sum, weighted

_MODULI = ((2, 4), (3, 2), (5, 1), (7, 1), (11, 1), (13, 1))
"""Primes and their powers: all remainders modulo 2 to 16 are made of these."""
_SURPLUS = 24
"""Outputs beyond the number of parts: by chance a relation of parts holds for them with
probability 2^-24 at most."""
_MOST_PARTS, _MOST = 64, 2
_LARGEST = 2.0**53
_SHOWN = 6


@dataclass(frozen=True, slots=True)
class WeightedRemainder(Feature):
    """Remainder of a weighted sum of a few whole numbers."""

    names: tuple[str, ...]
    weights: tuple[int, ...]
    modulus: int

    @property
    def words(self) -> str:
        terms = [weighted(*term) for term in zip(self.weights, zip(self.names), strict=True)]
        shown = terms if len(terms) <= _SHOWN else [*terms[:2], "…", terms[-1]]
        return f"({in_sum(shown)}) modulo {self.modulus}"

    @quietly
    def read(self, outcomes: Outcomes) -> Column:
        left = np.mod(numbers(outcomes, self.names), self.modulus) @ np.array(self.weights, float)
        whole = left == np.round(left)
        return as_column(np.where(whole, np.mod(left, self.modulus), np.nan), 0.0)


def same_remainders(rows: Floats, names: tuple[str, ...]) -> Iterator[WeightedRemainder]:
    """Weighted sums of parts that leave the same remainder in all rows of a side, shape (n, d)."""
    rows = rows[:, :_MOST_PARTS]
    rows = rows[(np.abs(rows) < _LARGEST).all(axis=1)]
    if len(rows) < _SURPLUS:
        return
    whole = (rows == np.round(rows)).all(axis=0)
    varied = np.flatnonzero(whole & (rows.min(axis=0) < rows.max(axis=0)))
    if len(varied) < 2 or len(rows) < len(varied) + _SURPLUS:
        return
    used = rows[: len(varied) + _SURPLUS, varied].astype(np.int64)
    for prime, power in _MODULI:
        found = _kernel(used[1:] - used[0], prime, power)
        for modulus, weights in found[:_MOST]:
            held = np.flatnonzero(weights)
            if len(held) > 1:
                parts = tuple(names[varied[place]] for place in held)
                yield WeightedRemainder(parts, tuple(map(int, weights[held])), modulus)


def _kernel(matrix: Integers, prime: int, power: int) -> list[tuple[int, Integers]]:
    """Weights whose products with all rows are divisible by a power of a prime, with that power.

    Args:
        matrix: shape (n, d).
        prime: p.
        power: k; weights are found modulo p^k and, where there are none, modulo less.
    """
    modulus = prime**power
    rows, columns = matrix % modulus, np.eye(matrix.shape[1], dtype=np.int64)
    size = np.zeros(matrix.shape[1], np.int64) + power
    powers = np.array([prime**times for times in range(1, power + 1)])
    for place in range(matrix.shape[1]):
        rest = rows[place:, place:]
        # Number of times that entries can be divided by the prime, up to the power.
        divisible = np.asarray((rest[..., None] % powers == 0).sum(axis=-1))
        least = int(divisible.min(initial=power))
        if least == power:
            break
        at, by = divmod(int(divisible.argmin()), divisible.shape[1])
        rows[[place, place + at]] = rows[[place + at, place]]
        for held in (rows, columns):
            held[:, [place, place + by]] = held[:, [place + by, place]]
        # What is left of the pivot without its power of p has an inverse.
        inverse = pow(int(rows[place, place]) // prime**least, -1, modulus)
        times = rows[place, place + 1 :] // prime**least * inverse % modulus
        for held in (rows, columns):
            held[:, place + 1 :] = (held[:, place + 1 :] - held[:, [place]] * times) % modulus
        down = rows[place + 1 :, [place]] // prime**least * inverse % modulus
        rows[place + 1 :] = (rows[place + 1 :] - down * rows[place]) % modulus
        size[place] = least
    found = [(prime ** int(s), column) for s, column in zip(size, columns.T, strict=True) if s > 0]
    found.sort(key=lambda part: -part[0])
    return [(m, _centred(column, m)) for m, column in found]


def _centred(weights: Integers, modulus: int) -> Integers:
    """The first weight that has an inverse 1, all of them as small as they can be."""
    weights = weights % modulus
    units = [int(weight) for weight in weights if np.gcd(weight, modulus) == 1]
    if units:
        weights = weights * pow(units[0], -1, modulus) % modulus
    return np.where(weights > modulus // 2, weights - modulus, weights)


_MOST_BITS = 256
_MOST_SUMS = 48
_LARGEST_BITS = 2.0**62
"""Beyond 2^53 a float holds the upper bits alone; the others are 0, and never change."""
_FEWEST_BITS = 8
_SHOWN_BITS = 3


@dataclass(frozen=True, slots=True)
class OddBits(Feature):
    """Parities of some sums of bits, as the bits of one number.

    Attributes:
        names: parts that are whole numbers of at least 0.
        masks: of each sum, the bits of every part that it adds up.
    """

    names: tuple[str, ...]
    masks: tuple[tuple[int, ...], ...]

    @property
    def words(self) -> str:
        more = ", …" * (len(self.names) > _SHOWN_BITS)
        shown = ", ".join(self.names[:_SHOWN_BITS]) + more
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
    """All sums of bits that are the same in every row of one side, shape (n, d), as one reading."""
    whole = np.flatnonzero(_usable(rows).all(axis=0))
    if len(rows) < _SURPLUS:
        return
    held = rows[:, whole].astype(np.int64)
    changed = np.bitwise_or.reduce(held ^ held[0], axis=0)
    places = [(part, bit) for part, bits in enumerate(changed.tolist()) for bit in _bits_of(bits)]
    if not 2 <= len(places) <= _MOST_BITS or len(rows) < len(places) + _SURPLUS:
        return
    differences = held[1 : len(places) + _SURPLUS] ^ held[0]
    bits = (differences[:, part] >> bit & 1 for part, bit in places)
    packed = (np.packbits(column.astype(np.uint8)).tobytes() for column in bits)
    sums = _kernel_of_bits([int.from_bytes(column, "big") for column in packed])
    masks = tuple(_masks(chosen, places, len(whole)) for chosen in sums[:_MOST_SUMS])
    if masks:
        used = np.flatnonzero(np.bitwise_or.reduce(np.array(masks), axis=0))
        kept = tuple(tuple(mask[k] for k in used) for mask in masks)
        yield OddBits(tuple(names[whole[k]] for k in used), kept)


def single_bits(values: Floats, name: str) -> Iterator[OddBits]:
    """Each bit of a whole number that has many, and the parity of those that are set."""
    if not len(values) or not _usable(values).all():
        return
    width = int(values.max()).bit_length()
    if width >= _FEWEST_BITS:
        yield OddBits((name,), (((1 << width) - 1,),))
        yield from (OddBits((name,), ((1 << bit,),)) for bit in range(1, width))


def _usable(rows: Floats) -> NDArray[np.bool_]:
    """Mask of whole numbers that have bits."""
    return np.asarray((rows >= 0.0) & (rows < _LARGEST_BITS) & (rows == np.floor(rows)))


def _bits_of(number: int) -> Iterator[int]:
    return (bit for bit in range(number.bit_length()) if number >> bit & 1)


def _kernel_of_bits(columns: list[int]) -> list[int]:
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
