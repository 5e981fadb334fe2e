"""Local mechanisms: every person randomizes an answer, or a number in [-1, 1]."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from audit.claims import Claim, PureDP
from mechanisms.parts.calibration import Pure
from mechanisms.parts.noise import Floats, Integers
from mechanisms.parts.parameters import require_count, require_probability


@dataclass(frozen=True, slots=True)
class RandomizedResponse(Pure):
    """Each person reports the truth with probability e^ε/(e^ε + k - 1), else lies.

    Attributes:
        epsilon: claimed epsilon.
        choices: number of answers k; answers are 0 ... k - 1.
        lie: a lie is one of the other answers, or (wrongly) any of all answers.
    """

    choices: int = 2
    lie: Literal["other", "any"] = "other"

    def __post_init__(self) -> None:
        require_count("choices", self.choices, least=2)

    @property
    def truth_probability(self) -> float:
        """Probability of telling the truth on purpose."""
        return 1.0 / (1.0 + (self.choices - 1) * math.exp(-self.epsilon))

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Integers:
        """Reports, shape (size, people), or (size,) when there is one person."""
        truth = np.asarray(data).astype(np.int64).reshape(-1)
        honest = rng.random((size, truth.size)) < self.truth_probability
        reports = np.where(honest, truth, self._lies(truth, rng, size)) % self.choices
        return reports[:, 0] if truth.size == 1 else reports

    def _lies(self, truth: Integers, rng: Generator, size: int) -> Integers:
        if self.lie == "any":
            return rng.integers(0, self.choices, (size, truth.size))
        return truth + rng.integers(1, self.choices, (size, truth.size))


Flips = tuple[float, float]
Encoding = Literal["optimized", "symmetric", "per-bit"]

_FLIPS: Mapping[Encoding, Callable[[float], Flips]] = {
    "optimized": lambda epsilon: (0.5, _keep(-epsilon)),
    "symmetric": lambda epsilon: (_keep(epsilon / 2.0), _keep(-epsilon / 2.0)),
    "per-bit": lambda epsilon: (_keep(epsilon), _keep(-epsilon)),
}


@dataclass(frozen=True, slots=True)
class UnaryEncoding(Pure):
    """One person's answer as a vector of noisy bits (Wang et al. 2017).

    Attributes:
        epsilon: claimed epsilon.
        choices: number of answers; answers are 0 ... choices - 1.
        encoding: "optimized" keeps the one at 1/2; "symmetric" gives each of the
            two bits that tell answers apart half of epsilon; "per-bit" gives each
            of them all of it, which is wrong.
    """

    choices: int = 4
    encoding: Encoding = "optimized"

    def __post_init__(self) -> None:
        require_count("choices", self.choices, least=2)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Integers:
        """Bits, shape (size, choices); only the first record is encoded."""
        answer = int(np.asarray(data).reshape(-1)[0])
        one, zero = _FLIPS[self.encoding](self.epsilon)
        chance = np.where(np.arange(self.choices) == answer, one, zero)
        return (rng.random((size, self.choices)) < chance).astype(np.int64)


def _keep(epsilon: float) -> float:
    return 1.0 / (1.0 + math.exp(-epsilon))


Masks = NDArray[np.bool_]
_WORD = 2**32


@dataclass(frozen=True, slots=True)
class Rappor:
    """Bits of a Bloom filter, randomized once or twice (RAPPOR, arXiv 1407.6981).

    Attributes:
        hashes: number of hash functions.
        bits: length of the filter.
        lie: probability f that a bit of the permanent response is a fair coin.
        report_zero: probability p of reporting 1 for a permanent 0.
        report_one: probability q of reporting 1 for a permanent 1.
        responses: "both" reports the instantaneous response, "permanent" the
            permanent one as it is (one-time RAPPOR).
    """

    hashes: int = 4
    bits: int = 20
    lie: float = 0.75
    report_zero: float = 0.45
    report_one: float = 0.55
    responses: Literal["both", "permanent"] = "both"

    def __post_init__(self) -> None:
        require_count("hashes", self.hashes)
        require_count("bits", self.bits)
        for name in ("lie", "report_zero", "report_one"):
            require_probability(name, getattr(self, name))

    @property
    def claim(self) -> Claim:
        """2·hashes bits may differ, by the worst case over filters (Theorems 1 and 2)."""
        zero, one = self.chances
        return PureDP(self.hashes * math.log(one * (1.0 - zero) / (zero * (1.0 - one))))

    @property
    def chances(self) -> tuple[float, float]:
        """Probability of reporting 1 for a filter bit 0 and for a filter bit 1."""
        zero, one = self.lie / 2.0, 1.0 - self.lie / 2.0
        if self.responses == "permanent":
            return zero, one
        spread = self.report_one - self.report_zero
        return self.report_zero + zero * spread, self.report_zero + one * spread

    def filter_of(self, value: int) -> Integers:
        """The Bloom filter of a value, shape (bits,)."""
        positions = [murmur3(str(value).encode(), seed) % self.bits for seed in range(self.hashes)]
        bits = np.zeros(self.bits, dtype=np.int64)
        bits[positions] = 1
        return bits

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Integers:
        """Reported bits, shape (size, bits); only the first record is reported."""
        bits = self.filter_of(int(np.asarray(data).reshape(-1)[0])) == 1
        permanent = self._permanent(bits, rng.random((size, self.bits)))
        if self.responses == "permanent":
            return permanent.astype(np.int64)
        reported = rng.random((size, self.bits))
        # Sets of bits, and no number for each of them: that takes half the time.
        low, high = sorted((self.report_zero, self.report_one))
        likelier = permanent if self.report_one >= self.report_zero else ~permanent
        return ((reported < low) | (likelier & (reported < high))).astype(np.int64)

    def _permanent(self, bits: Masks, uniform: Floats) -> Masks:
        return (uniform < self.lie / 2.0) | (bits & (uniform >= self.lie))


def murmur3(text: bytes, seed: int) -> int:
    """MurmurHash3 (x86, 32 bits) as a signed integer, the hash that RAPPOR's code uses."""
    whole = len(text) // 4 * 4
    state = seed
    for start in range(0, whole, 4):
        state ^= _scrambled(int.from_bytes(text[start : start + 4], "little"))
        state = (_rotated(state, 13) * 5 + 0xE6546B64) % _WORD
    state ^= _scrambled(int.from_bytes(text[whole:], "little")) ^ len(text)
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1)):
        state = (state ^ (state >> shift)) * factor % _WORD
    return state - _WORD if state >= _WORD // 2 else state


def _scrambled(word: int) -> int:
    return _rotated(word * 0xCC9E2D51 % _WORD, 15) * 0x1B873593 % _WORD


def _rotated(word: int, bits: int) -> int:
    return (word << bits | word >> (32 - bits)) % _WORD


@dataclass(frozen=True, slots=True)
class OneBitMean(Pure):
    """One of two opposite numbers (Duchi, Jordan, Wainwright 2018, in one dimension).

    Averages of these and of `PiecewiseMean` are unbiased.

    Attributes:
        epsilon: claimed epsilon.
    """

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Plus or minus (e^ε + 1)/(e^ε - 1), shape (size,)."""
        slope = math.tanh(self.epsilon / 2.0)
        positive = rng.random(size) < 0.5 + 0.5 * slope * _first(data)
        return np.where(positive, 1.0, -1.0) / slope


@dataclass(frozen=True, slots=True)
class PiecewiseMean(Pure):
    """A number from a piecewise constant density around the truth (arXiv 1907.00782).

    Attributes:
        epsilon: claimed epsilon.
    """

    @property
    def reach(self) -> float:
        """Largest output."""
        return 1.0 / math.tanh(self.epsilon / 4.0)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Numbers between -reach and reach, shape (size,)."""
        width = self.reach - 1.0
        left = (self.reach + 1.0) / 2.0 * _first(data) - width / 2.0
        near = rng.random(size) < 1.0 / (1.0 + math.exp(-self.epsilon / 2.0))
        place = rng.random(size)
        outside = -self.reach + place * (2.0 * self.reach - width)
        outside = np.where(outside < left, outside, outside + width)
        return np.where(near, left + place * width, outside)


def _first(data: ArrayLike) -> float:
    return float(np.clip(np.asarray(data, dtype=np.float64).reshape(-1)[0], -1.0, 1.0))
