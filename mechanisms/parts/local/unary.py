"""Unary encoding: one bit per possible answer, each flipped by itself (Wang et al. 2017)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from audit.claims import Claim, PureDP
from mechanisms.parts.noise import Integers
from mechanisms.parts.parameters import require_count

Flips = tuple[float, float]
Encoding = Literal["optimized", "symmetric", "per-bit"]

_FLIPS: Mapping[Encoding, Callable[[float], Flips]] = {
    "optimized": lambda epsilon: (0.5, _keep(-epsilon)),
    "symmetric": lambda epsilon: (_keep(epsilon / 2.0), _keep(-epsilon / 2.0)),
    "per-bit": lambda epsilon: (_keep(epsilon), _keep(-epsilon)),
}


@dataclass(frozen=True, slots=True)
class UnaryEncoding:
    """One person's answer as a vector of noisy bits.

    Attributes:
        epsilon: claimed epsilon.
        choices: number of answers; answers are 0 ... choices - 1.
        encoding: "optimized" keeps the one at 1/2; "symmetric" gives each of the
            two bits that tell answers apart half of epsilon; "per-bit" gives each
            of them all of it, which is wrong.
    """

    epsilon: float = 1.0
    choices: int = 4
    encoding: Encoding = "optimized"

    def __post_init__(self) -> None:
        require_count("choices", self.choices, least=2)

    @property
    def claim(self) -> Claim:
        return PureDP(self.epsilon)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Integers:
        """Bits, shape (size, choices); only the first record is encoded."""
        answer = int(np.asarray(data).reshape(-1)[0])
        one, zero = _FLIPS[self.encoding](self.epsilon)
        chance = np.where(np.arange(self.choices) == answer, one, zero)
        return (rng.random((size, self.choices)) < chance).astype(np.int64)


def _keep(epsilon: float) -> float:
    return 1.0 / (1.0 + math.exp(-epsilon))
