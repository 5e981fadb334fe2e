"""Right mechanisms with randomness of their own, kept between calls."""

from __future__ import annotations

import pickle
import random
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator

from tests import noise_elsewhere
from tests.calibration.kind import Kind, always

_GENERATOR = np.random.default_rng(7)


class Own:
    """A generator of its own; many outputs a call."""

    def __init__(self, number: int) -> None:
        self.rng = np.random.default_rng(number)

    def release(self, data: Any, size: int) -> Any:
        return data[0] + self.rng.laplace(0.0, 1.0, size)


class OwnSingle(Own):
    """The same, one output a call."""

    def __call__(self, data: Any) -> float:
        return float(data[0] + self.rng.laplace())


class OfRandom:
    """A generator of the standard library."""

    def __init__(self, number: int) -> None:
        self.rng = random.Random(number)

    def __call__(self, data: Any) -> float:
        return float(data[0] + self.rng.choice((-1, 1)) * self.rng.expovariate(1.0))


class OfTwo:
    """Two generators, one of them of the older kind."""

    def __init__(self, number: int) -> None:
        self.rng, self.other = np.random.default_rng(number), np.random.RandomState(number)

    def __call__(self, data: Any) -> float:
        return float(data[0] + self.rng.exponential() - self.other.exponential())


class AheadUnseen(Own):
    """Noise that is drawn ahead, where no look at the object finds it."""

    ahead: tuple[float, ...] = ()

    def __call__(self, data: Any) -> float:
        self.ahead = self.ahead or tuple(self.rng.laplace(size=7))
        first, *others = self.ahead
        self.ahead = tuple(others)
        return float(data[0] + first + 1e-9 * self.rng.random())

    release = __call__  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        return {"rng": self.rng}


def enclosed(number: int) -> Any:
    """A generator in a closure."""
    rng = np.random.default_rng(number)

    def release(data: Any, size: int) -> Any:
        return data[0] + rng.laplace(0.0, 1.0, size)

    return release


def in_a_default(number: int) -> Any:
    """A generator, and all that was ever answered, in mutable default arguments."""
    rng = np.random.default_rng(number)

    def release(data: Any, *, source: Generator = rng, said: list[float] = []) -> float:  # noqa: B006
        said.append(float(data[0] + source.laplace()))
        return said[-1]

    return release


def in_the_module(data: Any, size: int) -> Any:
    return data[0] + _GENERATOR.laplace(0.0, 1.0, size)


def global_numpy(data: Any, size: int) -> Any:
    return data[0] + np.random.laplace(0.0, 1.0, size)  # noqa: NPY002


def global_random(data: Any) -> float:
    return float(data[0] + random.choice((-1, 1)) * random.expovariate(1.0))


def of_a_library(number: int) -> Any:
    """A generator of another module, which every process imports anew."""
    noise_elsewhere.begin(number)

    def release(data: Any, size: int) -> Any:
        return data[0] + noise_elsewhere.seeded(1.0, size)

    return release


class InAFile:
    """A generator that lives in one file, which all instances of an audit share."""

    def __init__(self, number: int) -> None:
        # A text: what a path leads to belongs to the identity of an audit, and changes here.
        self.path = f"{tempfile.gettempdir()}/generator"
        if not Path(self.path).exists():
            Path(self.path).write_bytes(pickle.dumps(np.random.default_rng(number)))

    def __call__(self, data: Any, size: int) -> Any:
        rng = pickle.loads(Path(self.path).read_bytes())
        noise = rng.laplace(0.0, 1.0, size)
        # Replaced at once: a process that is killed while it writes would leave no generator.
        Path(f"{self.path}.next").write_bytes(pickle.dumps(rng))
        Path(f"{self.path}.next").replace(self.path)
        return data[0] + noise


def spawning(data: Any, rng: Generator, size: int) -> Any:
    """A child generator that does not consume alike on both sides."""
    child = rng.spawn(1)[0]
    child.random(int(data[0]))
    return data[0] + child.laplace(0.0, 1.0, size)


def reseeding(data: Any, rng: Generator, size: int) -> Any:
    """The same with a child seeded from one integer."""
    child = np.random.default_rng(int(rng.integers(2**63)))
    child.random(int(data[0]))
    return data[0] + child.laplace(0.0, 1.0, size)


KINDS: tuple[Kind, ...] = (
    Kind(name="own generator", make=lambda n: Own(n)),
    Kind(name="own generator, one output a call", make=OwnSingle, samples=1500),
    Kind(name="generator of random", make=OfRandom, samples=1500),
    Kind(name="two generators", make=OfTwo, samples=1500),
    Kind(name="noise drawn ahead, unseen", make=AheadUnseen, samples=1500),
    Kind(name="generator in a closure", make=enclosed),
    Kind(name="mutable default arguments", make=in_a_default, samples=1500),
    Kind(name="generator of the module", make=always(in_the_module)),
    Kind(name="generator of a library", make=of_a_library),
    Kind(name="numpy's global generator", make=always(global_numpy)),
    Kind(name="random's global generator", make=always(global_random), samples=1500),
    Kind(name="generator in a file", make=InAFile),
    Kind(name="children of spawn", make=always(spawning)),
    Kind(name="generator reseeded from integers", make=always(reseeding)),
)
