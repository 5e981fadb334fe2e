"""Records: their features, then their targets."""

from __future__ import annotations

import numpy as np

from mechanisms.external.opacus.training import Rows

REPEATED = ([1] * 9, [1, 2, 3] * 3, [0, 2, 2] * 3, [2, 2, 3] * 3)
"""Bags in which tokens occur more than once."""


def records(width: int, high: int = 30, tokens: bool = False, seed: int | None = None) -> Rows:
    """Four records of whole numbers, and targets far from what a model predicts at first."""
    rng = np.random.default_rng(width if seed is None else seed)
    features = rng.integers(0 if tokens else -high, 6 if tokens else high + 1, (4, width))
    return np.column_stack([features, [300.0, -300.0, 200.0, -500.0]]).astype(float)


def alone(count: int) -> Rows:
    """One record whose gradient is clipped, and others whose features and targets are zero."""
    rows = np.zeros((count, 4))
    rows[0] = 30.0, 0.0, 0.0, 300.0
    return rows


def bags(*tokens: list[int]) -> Rows:
    """Four bags of tokens."""
    return np.column_stack([tokens, [300.0, -300.0, 200.0, -500.0]]).astype(float)


def sequences(lengths: list[int], seed: int) -> Rows:
    """Sequences of pairs of numbers, padded to the longest; the first number is the length."""
    rng = np.random.default_rng(seed)
    found = rng.integers(-3, 4, (len(lengths), max(lengths), 2))
    found = found * 10.0 ** rng.integers(-2, 3, (len(lengths), 1, 1))
    found[:, 0, 0] = lengths
    targets = rng.choice([-1.0, 1.0], len(lengths)) * 10.0 ** rng.integers(0, 4, len(lengths))
    return np.column_stack([found.reshape(len(lengths), -1), targets])


def series() -> Rows:
    """Six short series of pairs of numbers."""
    rng = np.random.default_rng(8)
    return np.column_stack([rng.integers(-9, 10, (6, 6)), rng.integers(-9, 10, 6) * 100.0])


def heavy() -> Rows:
    """One record of a class that the loss gives a weight of 1000, and five of another class."""
    return np.array([[0.0, 1.0, 1.0], *[[30.0, 0.0, 0.0]] * 5])
