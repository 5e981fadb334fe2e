"""Right mechanisms whose outputs of one call depend on each other; each output alone is right."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.random import Generator

from tests.calibration.kind import Kind, always

_MU: dict[str, Any] = {"claim": {"mu": 1.0}, "truth": {"mu_lower": 1.0}}


def shared(part: float) -> Any:
    """Standard Gaussian noise, this part of whose variance is common to a call."""

    def release(data: Any, rng: Generator, size: int) -> Any:
        common, own = math.sqrt(part) * rng.normal(), math.sqrt(1.0 - part)
        return data[0] + common + own * rng.normal(0.0, 1.0, size)

    return release


class SharedOwn:
    """The same from a generator of its own."""

    def __init__(self, part: float, number: int) -> None:
        self.draw, self.rng = shared(part), np.random.default_rng(number)

    def __call__(self, data: Any, size: int) -> Any:
        return self.draw(data, self.rng, size)


def all_shared(data: Any, rng: Generator, size: int) -> Any:
    return data[0] + rng.laplace() + np.zeros(size)


def mirrored(data: Any, rng: Generator, size: int) -> Any:
    """Equal laws; on one side the draws of a call are mirrored at their mean."""
    noise = rng.normal(0.0, 1.0, size)
    return 2.0 * noise.mean() - noise if data[0] else noise


def opposed(data: Any, rng: Generator, size: int) -> Any:
    """Equal laws; on one side draws that share a hundredth of their variance change sign."""
    noise = 0.1 * rng.normal() + math.sqrt(0.99) * rng.normal(0.0, 1.0, size)
    return -noise if data[0] else noise


def antithetic(data: Any, rng: Generator, size: int) -> Any:
    """The second half of a call has the noise of the first half with the other sign."""
    noise = rng.laplace(0.0, 1.0, (size + 1) // 2)
    return data[0] + np.concatenate([noise, -noise])[:size]


def ordered(data: Any, rng: Generator, size: int) -> Any:
    """The outputs of a call in ascending order."""
    return np.sort(data[0] + rng.laplace(0.0, 1.0, size))


def ordered_on_one_side(data: Any, rng: Generator, size: int) -> Any:
    outputs = data[0] + rng.laplace(0.0, 1.0, size)
    return np.sort(outputs) if data[0] else outputs


def stratified(data: Any, rng: Generator, size: int) -> Any:
    """Noise by inversion of one uniform number in each of `size` equal parts, shuffled."""
    uniform = (rng.permutation(size) + rng.random(size)) / size - 0.5
    return data[0] - np.sign(uniform) * np.log1p(-2.0 * np.abs(uniform))


class Buffer:
    """Every call fills and returns the same array."""

    def __init__(self, number: int) -> None:
        self.outputs = np.zeros(1)

    def __call__(self, data: Any, rng: Generator, size: int) -> Any:
        if self.outputs.size != size:
            self.outputs = np.zeros(size)
        self.outputs[:] = data[0] + rng.laplace(0.0, 1.0, size)
        return self.outputs


class BufferSingle:
    """Every call changes and returns the same list of one number."""

    def __init__(self, number: int) -> None:
        self.output = [0.0]

    def __call__(self, data: Any, rng: Generator) -> Any:
        self.output[0] = float(data[0] + rng.laplace())
        return self.output


KINDS: tuple[Kind, ...] = (
    Kind(name="1% of the variance shared", make=always(shared(0.01)), **_MU, samples=20_000),
    Kind(name="50% of the variance shared", make=always(shared(0.5)), **_MU),
    Kind(
        name="1% shared, own generator",
        make=lambda number: SharedOwn(0.01, number),
        **_MU,
        samples=20_000,
    ),
    Kind(name="50% shared, own generator", make=lambda number: SharedOwn(0.5, number), **_MU),
    Kind(name="all noise shared", make=always(all_shared)),
    Kind(
        name="mirrored at the mean on one side",
        make=always(mirrored),
        truth={"epsilon_lower": 0.0},
        claim={"epsilon": 0.1},
        samples=20_000,
    ),
    Kind(
        name="1% shared, one side with the other sign",
        make=always(opposed),
        truth={"epsilon_lower": 0.0},
        claim={"epsilon": 0.001},
        samples=100_000,
    ),
    Kind(name="antithetic within a call", make=always(antithetic)),
    Kind(name="sorted within a call", make=always(ordered)),
    Kind(name="sorted on one side", make=always(ordered_on_one_side)),
    Kind(name="stratified within a call", make=always(stratified)),
    Kind(name="buffer reused", make=Buffer),
    Kind(name="list reused", make=BufferSingle, samples=1500),
)
