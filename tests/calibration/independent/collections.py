"""Outputs of several parts: lists, dicts, sets, tables, vectors, matrices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
from numpy.random import Generator

from tests.calibration.independent.symbols import truth
from tests.calibration.kind import Kind, always, pure

_STOP = 1.0 - math.exp(-1.0)
_HALF = math.exp(0.5) / (1.0 + math.exp(0.5))


def ragged(data: Any, rng: Generator) -> Any:
    return [rng.normal() for _ in range(1 + 2 * truth(data, rng))]


def random_length(data: Any, rng: Generator) -> Any:
    count = 3 + int(data[0]) + rng.geometric(_STOP) - rng.geometric(_STOP)
    return [rng.normal() for _ in range(max(0, count))]


def keys(data: Any, rng: Generator) -> Any:
    output = {"total": rng.laplace()}
    return {**output, "extra": rng.normal()} if truth(data, rng) else output


def random_keys(data: Any, rng: Generator) -> Any:
    """Each of two keys is there as often as its bit allows, at half of epsilon each."""
    bits = {"a": bool(data[0]), "b": not data[0], "c": True}
    return {key: 1 for key, bit in bits.items() if bit == (rng.random() < _HALF)}


def noisy_dict(data: Any, rng: Generator) -> Any:
    return {"a": data[0] + rng.laplace(0.0, 2.0), "b": {"c": data[0] + rng.laplace(0.0, 2.0)}}


def members(data: Any, rng: Generator) -> Any:
    return {1, 2} if truth(data, rng) else {2, 3}


def frame(data: Any, rng: Generator) -> Any:
    return pd.DataFrame({"a": [data[0] + rng.laplace(), rng.normal()]}, index=["x", "y"])


def series(data: Any, rng: Generator) -> Any:
    return pd.Series([data[0] + rng.laplace(), rng.normal()], index=["x", "y"])


def mixed(data: Any, rng: Generator) -> Any:
    kinds = (1, 1.5, True, "a", None, [1.0], (2.0,), {"k": 1}, np.float32(1.0))
    return kinds[int(rng.integers(0, 4)) + 4 * truth(data, rng)]


def missing_part(data: Any, rng: Generator) -> Any:
    return [rng.normal(), math.nan if truth(data, rng) else 1.0, rng.normal()]


def vector(data: Any, rng: Generator, size: int) -> Any:
    return data[0] + rng.laplace(0.0, 5.0, (size, 5))


def one_of_many(data: Any, rng: Generator, size: int) -> Any:
    values = rng.laplace(0.0, 1.0, (size, 100))
    values[:, 50] += data[0]
    return values


def matrix(data: Any, rng: Generator, size: int) -> Any:
    return data[0] * np.eye(2) + rng.laplace(0.0, 2.0, (size, 2, 2))


def running_total(data: Any, rng: Generator, size: int) -> Any:
    return np.cumsum(data[0] + rng.laplace(0.0, 4.0, (size, 4)), axis=1)


def histogram(data: Any, rng: Generator, size: int) -> Any:
    return np.array([data[0], 3.0]) + rng.laplace(0.0, 1.0, (size, 2))


def unary(data: Any, rng: Generator, size: int) -> Any:
    bits = np.array([data[0] == 0, data[0] == 1, False])
    return bits ^ (rng.random((size, 3)) >= _HALF)


def no_difference(data: Any, rng: Generator, size: int) -> Any:
    return rng.normal(0.0, 1.0, (size, 3))


COLLECTIONS: tuple[Kind, ...] = (
    pure("lists of two lengths", ragged, samples=1500),
    pure("lists of random length", random_length, samples=1500, rounds=0.5),
    pure("an extra key", keys, samples=1500),
    pure("random keys", random_keys, samples=1500),
    pure("dict of dicts", noisy_dict, samples=1500),
    pure("two sets", members, samples=1500),
    pure("a frame", frame, samples=600),
    pure("a series", series, samples=600),
    pure("all kinds", mixed, samples=1500),
    pure("a missing part", missing_part, samples=1500),
    pure("five Laplace at 1/5", vector, rounds=0.5),
    pure("one of 100 coordinates", one_of_many, samples=1500, rounds=0.25),
    pure("matrix", matrix, rounds=0.5),
    pure("running totals", running_total, rounds=0.5),
    pure("histogram", histogram),
    pure("unary encoding", unary),
    Kind(
        name="no difference",
        make=always(no_difference),
        claim={"epsilon": 0.01},
        truth={"epsilon_lower": 0.0},
    ),
)
