"""Numbers and vectors that expose a whole number by other features than their size."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mechanisms.parts.noise import Floats, Integers
from mechanisms.parts.rendering import Render, each

_BUCKETS = 100
_ODDS = 1.0 / 6.0
"""Of a bucket of the wrong half."""
_SCATTERED = np.random.default_rng(0).permutation(_BUCKETS)


def residue(noisy: Floats, shown: Integers, chance: Floats) -> Integers:
    """The remainder modulo 7."""
    wide = np.rint(40.0 * noisy + 200.0 * chance[:, 0]).astype(np.int64)
    return np.asarray(7 * wide + shown % 7)


def grid(noisy: Floats, shown: Integers, chance: Floats) -> Floats:
    """The number of decimals, two or three."""
    wide = 30.0 * noisy + 100.0 * chance[:, 0]
    short = np.round(wide, 2)
    return np.where(shown % 2 == 1, short, np.round(short + 0.005, 3))


def fraction(noisy: Floats, shown: Integers, chance: Floats) -> Floats:
    """The fractional part."""
    return np.asarray(np.rint(50.0 * noisy + 200.0 * chance[:, 0]) + 0.3 * (shown % 3))


def peak(noisy: Floats, shown: Integers, chance: Floats) -> Floats:
    """A narrow peak with an eighth of all outputs."""
    near = 0.37 * shown + 1e-5 * chance[:, 1]
    return np.where(chance[:, 0] < 0.125, near, noisy + 3.0 * chance[:, 2])


@each
def large(noisy: float, shown: int, chance: list[float]) -> int:
    """The last digits of an integer that no float holds exactly."""
    return (int(noisy * 1000.0) * 2**70 + int(chance[0] * 2**40)) * 10 + shown


def scattered(noisy: Floats, shown: Integers, chance: Floats) -> Integers:
    """The more frequent half of a hundred unordered numbers."""
    half = _BUCKETS // 2
    wrong = chance[:, 0] < _ODDS / (1.0 + _ODDS)
    place = (chance[:, 1] * half).astype(np.int64) + half * ((shown + wrong) % 2)
    return np.asarray(_SCATTERED[place])


def unknown_step(noisy: Floats, shown: Integers, chance: Floats) -> Floats:
    """The remainder modulo 3 of the number of steps of 0.7."""
    wide = np.rint(100.0 * noisy + 1000.0 * chance[:, 0])
    return np.asarray((3.0 * wide + shown % 3) * 0.7)


FIGURES: Mapping[str, Render] = {
    "residue": residue,
    "decimal-grid": grid,
    "fraction": fraction,
    "narrow-peak": peak,
    "large-integer": large,
    "scattered-values": scattered,
    "unknown-step": unknown_step,
}


def _normal(chance: Floats, scale: float = 20.0) -> Floats:
    from scipy.special import ndtri  # which takes long to load

    return np.asarray(scale * ndtri(np.clip(chance, 1e-12, 1.0 - 1e-12)))


def relation(noisy: Floats, shown: Integers, chance: Floats) -> Floats:
    """A weighted sum of three numbers."""
    free = _normal(chance[:, :2])
    last = shown + free[:, 0] - 2.0 * free[:, 1]
    return np.column_stack([free, last, noisy])


def ratio(noisy: Floats, shown: Integers, chance: Floats) -> Floats:
    """The ratio of two numbers."""
    base = 1.0 + 1e6 * chance[:, 0] ** 4
    return np.column_stack([base, base * (1.0 + shown), noisy])


def repeated(noisy: Floats, shown: Integers, chance: Floats) -> Floats:
    """A pair of equal entries at a random place."""
    free = _normal(chance[:, :5])
    rows, place = np.arange(len(free)), (chance[:, 5] * 4).astype(np.int64)
    free[rows, place + 1] = np.where(shown % 2 == 1, free[rows, place], free[rows, place + 1])
    return np.column_stack([free, noisy])


def spread(noisy: Floats, shown: Integers, chance: Floats) -> Floats:
    """The range of the entries."""
    free = chance[:, :6]
    width = free.max(axis=1) - free.min(axis=1)
    scaled = free / width[:, None] * (5.0 + shown)[:, None]
    return np.asarray(scaled + _normal(chance[:, 7:8], 100.0))


def total(noisy: Floats, shown: Integers, chance: Floats) -> Integers:
    """The remainder modulo 5 of the sum."""
    free = (chance[:, :4] * 50).astype(np.int64)
    last = (shown - free.sum(axis=1)) % 5 + 5 * (chance[:, 4] * 10).astype(np.int64)
    return np.column_stack([free, last])


def order(noisy: Floats, shown: Integers, chance: Floats) -> Floats:
    """The order of the first three entries."""
    orders = np.array([[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
    ascending = np.sort(_normal(chance[:, :3]), axis=1)
    placed = np.take_along_axis(ascending, orders[shown % 6], axis=1)
    return np.column_stack([placed, noisy])


def signs(noisy: Floats, shown: Integers, chance: Floats) -> Floats:
    """The agreement of the signs of two numbers."""
    free = np.abs(_normal(chance[:, :2]))
    sign = np.where(chance[:, 2] < 0.5, -1.0, 1.0)
    other = np.where(shown % 2 == 1, sign, -sign)
    return np.column_stack([free[:, 0] * sign, free[:, 1] * other, noisy])


def run(noisy: Floats, shown: Integers, chance: Floats) -> Integers:
    """The longest run of equal bits among as many ones as zeros."""
    bits = np.tile([0, 1], (len(noisy), 4))
    bits[:, 2:6] = np.where((shown % 2 == 1)[:, None], [0, 0, 1, 1], [0, 1, 0, 1])
    return np.where(chance[:, :1] < 0.5, bits, 1 - bits)


VECTORS: Mapping[str, Render] = {
    "exact-relation": relation,
    "exact-ratio": ratio,
    "repeated-entry": repeated,
    "spread": spread,
    "sum-residue": total,
    "order-of-entries": order,
    "sign-agreement": signs,
    "longest-run": run,
}
