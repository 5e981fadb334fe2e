"""Correct mechanisms whose claim is tight or that show no difference at all.

Each answers with another kind of output, so that every path from outputs to
events is met by audits that must stay quiet.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.random import Generator

KEEP = math.exp(1.0) / (1.0 + math.exp(1.0))


@dataclass(frozen=True)
class Family:
    """One correct mechanism with its claim and a pair of neighbors that attains it.

    Attributes:
        name: for the report.
        kind: the kind of output.
        release: the black box; its data is one number, 0 or 1.
        claim: keywords of the claim.
        epsilon: the smallest epsilon that holds at the claim's delta, None
            where the lower bound on epsilon has no finite truth to cover.
        samples: runs for one audit.
    """

    name: str
    kind: str
    release: Any
    claim: dict[str, Any] = field(default_factory=lambda: {"epsilon": 1.0})
    epsilon: float | None = 1.0
    samples: int = 4000


def laplace(data: Any, rng: Generator, size: int) -> Any:
    return data[0] + rng.laplace(0.0, 1.0, size)


class Independent:
    """A black box whose two sides never share randomness, as if it drew its own."""

    name, seeded, many = "independent", False, False

    def call(self, data: Any, rng: Generator, size: int) -> Any:
        return data[0] + rng.laplace()


def gaussian(data: Any, rng: Generator, size: int) -> Any:
    return data[0] + rng.normal(0.0, 1.0, size)


def gaussian_approximate(data: Any, rng: Generator, size: int) -> Any:
    return data[0] + rng.normal(0.0, 1.87788, size)


def geometric(data: Any, rng: Generator, size: int) -> Any:
    stop = 1.0 - math.exp(-1.0)
    return int(data[0]) + rng.geometric(stop, size) - rng.geometric(stop, size)


def clamped(data: Any, rng: Generator, size: int) -> Any:
    return np.clip(laplace(data, rng, size), 0.0, 1.0)


def _truth(data: Any, rng: Generator) -> bool:
    return bool((rng.random() < KEEP) == bool(data[0]))


def boolean(data: Any, rng: Generator) -> Any:
    return _truth(data, rng)


def text(data: Any, rng: Generator) -> Any:
    return "yes" if _truth(data, rng) else "no"


def none_or_number(data: Any, rng: Generator) -> Any:
    return rng.normal() if _truth(data, rng) else None


def raising(data: Any, rng: Generator) -> Any:
    if _truth(data, rng):
        raise ValueError(f"a message that always differs: {rng.random()}")
    return 0.0


def not_finite(data: Any, rng: Generator) -> Any:
    return rng.choice([math.nan, math.inf]) if _truth(data, rng) else -math.inf


def ragged(data: Any, rng: Generator) -> Any:
    return [rng.normal() for _ in range(1 + 2 * _truth(data, rng))]


def keys(data: Any, rng: Generator) -> Any:
    output = {"total": rng.laplace()}
    return {**output, "extra": rng.normal()} if _truth(data, rng) else output


def members(data: Any, rng: Generator) -> Any:
    return {1, 2} if _truth(data, rng) else {2, 3}


def frame(data: Any, rng: Generator) -> Any:
    return pd.DataFrame({"a": [data[0] + rng.laplace(), rng.normal()]}, index=["x", "y"])


def series(data: Any, rng: Generator) -> Any:
    return pd.Series([data[0] + rng.laplace(), rng.normal()], index=["x", "y"])


def mixed(data: Any, rng: Generator) -> Any:
    kinds = (1, 1.5, True, "a", None, [1.0], (2.0,), {"k": 1}, np.float32(1.0))
    return kinds[int(rng.integers(0, 4)) + 4 * _truth(data, rng)]


def vector(data: Any, rng: Generator, size: int) -> Any:
    return data[0] + rng.laplace(0.0, 5.0, (size, 5))


def running_total(data: Any, rng: Generator, size: int) -> Any:
    return np.cumsum(data[0] + rng.laplace(0.0, 4.0, (size, 4)), axis=1)


def histogram(data: Any, rng: Generator, size: int) -> Any:
    return np.array([data[0], 3.0]) + rng.laplace(0.0, 1.0, (size, 2))


def unary(data: Any, rng: Generator, size: int) -> Any:
    bits = np.array([data[0] == 0, data[0] == 1, False])
    half = math.exp(0.5) / (1.0 + math.exp(0.5))
    return bits ^ (rng.random((size, 3)) >= half)


def uneven(data: Any, rng: Generator, size: int) -> Any:
    rng.random(int(data[0]))
    return data[0] + rng.laplace(0.0, 1.0, size)


def no_difference(data: Any, rng: Generator, size: int) -> Any:
    return rng.normal(0.0, 1.0, (size, 3))


FAMILIES: tuple[Family, ...] = (
    Family("Laplace", "float", laplace, samples=20_000),
    Family(
        "Laplace, small epsilon",
        "float",
        lambda d, rng, size: d[0] + rng.laplace(0, 20, size),
        {"epsilon": 0.05},
        0.05,
        20_000,
    ),
    Family("Laplace, independent sides", "float", Independent(), samples=1500),
    Family("Laplace, unequal consumption", "float", uneven),
    Family("geometric", "int", geometric, samples=20_000),
    Family("Laplace, clamped", "float with atoms", clamped),
    Family("Gaussian, (1, .01)", "float", gaussian_approximate, {"epsilon": 1.0, "delta": 0.01}),
    Family("Gaussian, zCDP", "float", gaussian, {"rho": 0.5}, None),
    Family("Gaussian, Rényi order 2", "float", gaussian, {"renyi": (2.0, 1.0)}, None),
    Family("Gaussian, GDP", "float", gaussian, {"mu": 1.0}, None),
    Family("randomized response", "bool", boolean, samples=1500),
    Family("randomized response in words", "str", text, samples=1500),
    Family("number or nothing", "None and float", none_or_number, samples=1500),
    Family("exception or 0", "exception", raising, samples=1500),
    Family("NaN and infinities", "NaN, inf", not_finite, samples=1500),
    Family("lists of two lengths", "ragged list", ragged, samples=1500),
    Family("an extra key", "dict", keys, samples=1500),
    Family("two sets", "set", members, samples=1500),
    Family("a frame", "DataFrame", frame, samples=600),
    Family("a series", "Series", series, samples=600),
    Family("all kinds", "mixed types", mixed, samples=1500),
    Family("five Laplace at 1/5", "array", vector),
    Family("running totals", "array", running_total),
    Family("histogram", "array", histogram),
    Family("unary encoding", "bool array", unary),
    Family("no difference", "array", no_difference, {"epsilon": 0.01}, None),
)
