"""Steps of jax_privacy: clipped sums of gradients, noise on them, and batches.

As with Opacus, the attacker knows the pair of datasets, and projects what is released on the
line on which it differs without noise.
"""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from audit.claims import Claim, GaussianDP, ProfileDP
from mechanisms.external.call import Release

Numbers = NDArray[np.float64]
_DELTAS = (0.01, 0.02, 0.05, 0.1, 0.2)


def library(name: str) -> Any:
    """A module of jax_privacy, or of what it is built on."""
    return importlib.import_module(name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A noisy sum of clipped gradients, with noise for the sensitivity that the library states.

    A dataset has a row for each record: its features, then 1 where it is a padding example.

    Attributes:
        loss: of the parameters and the features of one record.
        params: the parameters, a pytree of lists.
        dtype: of the parameters, and so of the gradients.
        noise: the standard deviation over the sensitivity.
        options: of `clipped_grad`.
        noisy: options of `gaussian_privatizer`.
    """

    loss: Callable[..., Any]
    params: Any = field(default_factory=lambda: [0.0, 0.0])
    dtype: str = "float32"
    noise: float = 1.0
    options: Mapping[str, Any] = field(default_factory=dict)
    noisy: Mapping[str, Any] = field(default_factory=dict)

    @property
    def claim(self) -> Claim:
        """The Gaussian mechanism."""
        return GaussianDP(1.0 / self.noise)

    def clipped(self) -> Any:
        """The library's sum of clipped gradients, as a function."""
        made = library("jax_privacy").clipped_grad
        options = {"l2_clip_norm": 1.0, "keep_batch_dim": False, **self.options}
        return made(self.loss, **options)

    def weights(self) -> Any:
        """The parameters in their type."""
        numpy, tree = library("jax.numpy"), library("jax").tree
        leaf = lambda one: isinstance(one, list)  # noqa: E731
        return tree.map(lambda one: numpy.array(one, self.dtype), self.params, is_leaf=leaf)

    def total(self, rows: Numbers) -> Any:
        """The clipped sum of all records, without noise."""
        numpy = library("jax.numpy")
        weights = self.weights()
        weights = weights if isinstance(self.options.get("argnums"), tuple) else (weights,)
        features = numpy.array(rows[:, :-1], self.dtype)
        found = self.clipped()(
            *weights, features, is_padding_example=numpy.array(rows[:, -1] == 1.0)
        )
        aux = ("has_aux", "return_values", "return_grad_norms")
        return found[0] if any(self.options.get(name) for name in aux) else found

    def sensitivity(self) -> float:
        """What the library says that a record added or removed moves the sum by at most."""
        relation = library("dp_accounting").NeighboringRelation.ADD_OR_REMOVE_ONE
        return float(self.clipped().sensitivity(relation))


def flat(tree: Any) -> Numbers:
    """The numbers of a pytree."""
    leaves = library("jax").tree.leaves(tree)
    return np.concatenate([np.asarray(leaf, dtype=float).ravel() for leaf in leaves])


def line(one: Numbers, other: Numbers) -> Numbers:
    """The unit vector from one to the other; where they are alike or no numbers, any."""
    difference = np.nan_to_num(one - other, posinf=0.0, neginf=0.0)
    length = float(np.linalg.norm(difference))
    return np.asarray(difference / length) if length else np.eye(len(difference))[0]


def noisy(step: Step, pair: tuple[Numbers, Numbers]) -> Release:
    """One step; the clipped sum of a dataset is computed once, and noise is drawn anew."""

    @cache
    def prepared() -> tuple[Any, Numbers]:
        made = library("jax_privacy.noise_addition").gaussian_privatizer
        stddev = step.noise * step.sensitivity()

        def drawn(key: Any, total: Any) -> Any:
            privatizer = made(stddev=stddev, prng_key=key, **step.noisy)
            return privatizer.update(total, privatizer.init(total))[0]

        return library("jax").jit(drawn), line(*(flat(step.total(rows)) for rows in pair))

    @cache
    def total(shape: tuple[int, ...], content: bytes) -> Any:
        return step.total(np.frombuffer(content).reshape(shape))

    def release(data: Any, rng: Generator) -> float:
        rows = np.ascontiguousarray(data, dtype=float)
        drawn, towards = prepared()
        return float(flat(drawn(key_of(rng), total(rows.shape, rows.tobytes()))) @ towards)

    return release


def key_of(rng: Generator) -> Any:
    """A key that follows from the seed of the audit."""
    return library("jax").random.key(int(rng.integers(2**32)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlated:
    """Noise by a matrix, of steps in some of which a record takes part.

    Attributes:
        noising: makes the noising matrix, C inverse.
        strategy: the strategy matrix C.
        sensitivity: what the library says that it is.
        pattern: what the record adds in each step.
        noise: the standard deviation over the sensitivity.
    """

    noising: Callable[[], Any]
    strategy: Callable[[], Numbers]
    sensitivity: Callable[[], float]
    pattern: Numbers
    noise: float = 1.0

    def released(self) -> Release:
        """All steps, whitened by the strategy matrix and projected; data is [1] or [0]."""

        @cache
        def prepared() -> tuple[Any, Numbers]:
            stddev = self.noise * self.sensitivity()
            drawn = steps_of(self.noising(), stddev, len(self.pattern))
            encoded = self.strategy() @ self.pattern
            return drawn, self.strategy().T @ line(encoded, np.zeros_like(encoded))

        def release(data: Any, rng: Generator) -> float:
            drawn, towards = prepared()
            sums = np.asarray(self.pattern * float(data[0]), dtype=np.float32)
            return float(np.asarray(drawn(key_of(rng), sums), dtype=float) @ towards)

        return release


def steps_of(noising: Any, stddev: float, count: int) -> Callable[[Any, Any], Any]:
    """Noisy sums of some steps, given a key and the sums; one number in each."""
    jax, numpy = library("jax"), library("jax.numpy")
    made = library("jax_privacy.noise_addition").matrix_factorization_privatizer

    def drawn(key: Any, sums: Any) -> Any:
        privatizer = made(noising, stddev=stddev, prng_key=key)
        state, found = privatizer.init(sums[0]), []
        for step in range(count):
            one, state = privatizer.update(sums[step], state)
            found.append(one)
        return numpy.stack(found)

    found: Callable[[Any, Any], Any] = jax.jit(drawn)
    return found


def worst_pattern(strategy: Numbers, apart: int, most: int) -> Numbers:
    """Steps and signs that move C x most, at least some steps apart and not more than some."""
    count = len(strategy)
    found, largest = np.zeros(count), 0.0
    for size in range(1, most + 1):
        for places in itertools.combinations(range(count), size):
            if any(b - a < apart for a, b in itertools.pairwise(places)):
                continue
            for signs in itertools.product((1.0, -1.0), repeat=size):
                pattern = np.zeros(count)
                pattern[list(places)] = signs
                length = float(np.linalg.norm(strategy @ pattern))
                if length > largest:
                    found, largest = pattern, length
    return found


def curve(accountant: Any, event: Any) -> Claim:
    """The privacy profile of an event by an accountant."""
    composed = accountant.compose(event)
    found: dict[float, float] = {}
    for delta in _DELTAS:
        found.setdefault(max(0.0, float(composed.get_epsilon(delta))), delta)
    return ProfileDP(tuple(sorted(found.items())))


def selected(strategy: Any, noise: float) -> Release:
    """Noisy sums of the batches of a strategy, added up; data are the gradients of records."""

    def release(data: Any, rng: Generator) -> float:
        gradients = np.asarray(data, dtype=float)
        batches = strategy.batch_iterator(len(gradients), rng)
        sums = [gradients[np.asarray(batch, dtype=int)].sum() for batch in batches]
        return float(np.sum(sums) + noise * rng.normal(size=len(sums)).sum())

    return release
