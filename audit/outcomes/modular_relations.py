"""Sums of whole numbers that always leave the same remainder: checksums, check digits, parities.

If w·y leaves the same remainder modulo m in every output, then it leaves none in the
difference of two outputs. All such weights are found at once, by bringing the
differences to diagonal form over the integers modulo a power of a prime (Smith's
form), as cheap as solving a system of equations. A remainder modulo 10 is one modulo
2 and one modulo 5.
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
from audit.outcomes.relations import in_sum, weighted
from audit.outcomes.rounding import quietly

Integers = NDArray[np.int64]

_MODULI = ((2, 4), (3, 2), (5, 1), (7, 1), (11, 1), (13, 1))
"""Primes and their powers: all remainders modulo 2 to 16 are made of these."""
_SURPLUS = 24
"""Outputs beyond the number of parts: by chance a relation of parts holds for them with
probability 2^-24 at most."""
_MOST_PARTS, _MOST = 64, 2
_LARGEST = 2.0**53
_SHOWN = 6


@dataclass(frozen=True, slots=True)
class WeightedRemainder:
    """Remainder of a weighted sum of a few whole numbers.

    Attributes:
        names: parts.
        weights: of each, whole numbers.
        modulus: a whole number.
    """

    names: tuple[str, ...]
    weights: tuple[int, ...]
    modulus: int
    fitted: ClassVar[bool] = False

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
    """Weighted sums that leave the same remainder in all outputs of one side.

    Args:
        rows: shape (n, d), outputs on one side.
        names: of the d parts.
    """
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
    for place in range(matrix.shape[1]):
        rest = rows[place:, place:]
        divisible = _divisible(rest, prime, power)
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


def _divisible(entries: Integers, prime: int, power: int) -> Integers:
    """Number of times that entries can be divided by a prime, up to a limit."""
    powers = np.array([prime**times for times in range(1, power + 1)])
    return np.asarray((entries[..., None] % powers == 0).sum(axis=-1))


def _centred(weights: Integers, modulus: int) -> Integers:
    """The first weight that has an inverse 1, all of them as small as they can be."""
    weights = weights % modulus
    units = [int(weight) for weight in weights if np.gcd(weight, modulus) == 1]
    if units:
        weights = weights * pow(units[0], -1, modulus) % modulus
    return np.where(weights > modulus // 2, weights - modulus, weights)
