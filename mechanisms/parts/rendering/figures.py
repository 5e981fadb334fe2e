"""Numbers that expose a whole number by other features than their size."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mechanisms.parts.noise import Floats, Integers
from mechanisms.parts.rendering.style import Render, each

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
