"""A generator that a function carries from call to call, set anew for each of its calls.

An object with `self.rng = default_rng(5)` draws its noise from there, whatever it is given.
Its calls depend on each other through nothing but how far that generator has come. It can be
set before each call to where one that the audit gives would begin: then every call is a draw of
its own, in any process and in any order, and both datasets of a pair can share their random
numbers. A generator of numpy or of `random` gives independent numbers from whichever state it
begins in, so that the law of an output stays as it was.

That holds for one generator. Two of them may have begun alike, or one as a copy of the other,
and give noise that belongs together; set apart it would not. `trial_calls` has what else is
asked before one is set.
"""

from __future__ import annotations

import contextlib
import hashlib
import pickle
import random
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.random import (
    MT19937,
    PCG64,
    PCG64DXSM,
    SFC64,
    BitGenerator,
    Generator,
    Philox,
    RandomState,
    SeedSequence,
)

from audit.blackbox.carried import generators_of
from audit.blackbox.isolation.global_generators import shared_by_all
from audit.errors import BlackBoxError

SETTABLE = (PCG64, PCG64DXSM, MT19937, Philox, SFC64, RandomState, random.Random)
"""Kinds that can be set, and nothing derived from them."""
_WORDS = 4
"""Of 64 bits, from which a generator is set."""
_CONGRUENCES = (PCG64, PCG64DXSM)
_ONE_AT_A_TIME = threading.RLock()
"""Threads may share a generator that lives in a module."""


@dataclass(slots=True)
class OwnGenerator:
    """A generator of a function that is set before each of its calls, if any is.

    Attributes:
        kinds: the type of each that the function carries, in the order in which they are found.
        place: of the one that is set, in that order; None where none is.
        held: that one. It does not travel: where the function arrives it is looked for again.
    """

    kinds: tuple[str, ...] = ()
    place: int | None = None
    held: Any = field(default=None, repr=False)

    @classmethod
    def among(cls, found: Sequence[Any], place: int | None) -> OwnGenerator:
        """That of these generators at the given place."""
        return cls(_kinds(found), place, None if place is None else found[place])

    @contextlib.contextmanager
    def set_from(self, rng: Generator, function: Any) -> Iterator[None]:
        """Let what it gives here follow from `rng`, for one call of `function`.

        One of the same kind as `rng` stands in for it: it begins where `rng` is, and `rng` goes
        on from where it has come to.

        Raises:
            BlackBoxError: it is not found where the function has arrived.
        """
        (held,) = self.of(function)
        with _ONE_AT_A_TIME:
            if type(held) is not type(rng.bit_generator):
                _set(held, rng)
                yield
                return
            held.state = rng.bit_generator.state
            try:
                yield
            finally:
                rng.bit_generator.state = held.state

    def of(self, function: Any) -> tuple[Any, ...]:
        """The one of `function` that is set, found again where it has just arrived; or nothing.

        Raises:
            BlackBoxError: it is not there.
        """
        if self.place is None:
            return ()
        if self.held is None:
            found = generators_of(function)
            if _kinds(found) != self.kinds:
                raise BlackBoxError(
                    "the black box has arrived in another process with other generators than it "
                    f"was sent with ({_kinds(found)}, not {self.kinds}); give --workers 1"
                )
            self.held = found[self.place]
        return (self.held,)

    def sent_with(self, function: Any) -> OwnGenerator:
        """The same, to be found again in a copy of the function as it is now."""
        found = () if self.held is None else generators_of(function)
        places = [place for place, one in enumerate(found) if one is self.held]
        return OwnGenerator(_kinds(found), places[0]) if places else self

    def __reduce__(self) -> tuple[type[OwnGenerator], tuple[tuple[str, ...], int | None]]:
        return OwnGenerator, (self.kinds, self.place)


def _kinds(generators: Sequence[Any]) -> tuple[str, ...]:
    return tuple(type(one).__name__ for one in generators)


def place_of(generator: Any) -> bytes:
    """How far a generator has come; equal where it would give the same numbers."""
    if isinstance(generator, Generator):
        generator = generator.bit_generator
    if isinstance(generator, BitGenerator):
        return pickle.dumps(generator.state)
    if isinstance(generator, RandomState):
        return pickle.dumps(generator.get_state(legacy=False))
    return pickle.dumps(generator.getstate())


def put_back(generator: Any, place: bytes) -> None:
    """Put one that can be set to where it was when `place_of` was asked."""
    state = pickle.loads(place)
    if isinstance(generator, BitGenerator):
        generator.state = state
    elif isinstance(generator, RandomState):
        generator.set_state(state)
    else:
        generator.setstate(state)


def begin_elsewhere(function: Any, stream: SeedSequence) -> None:
    """Let all that a function's own generators give from now on follow from `stream`.

    As if the function had been made anew with other seeds: those that stand alike stay alike.
    Nothing becomes of generators that cannot be set, or that the whole process shares.
    """
    root = stream.generate_state(_WORDS, np.uint64).tolist()
    for generator in generators_of(function):
        if type(generator) in SETTABLE and not shared_by_all(generator):
            stands = hashlib.blake2b(place_of(generator), digest_size=32).digest()
            words = [*root, *np.frombuffer(stands, np.uint32).tolist()]
            _set(generator, np.random.default_rng(SeedSequence(words)))


def _set(generator: Any, rng: Generator) -> None:
    """Begin a generator anew from words of `rng`."""
    words = rng.bit_generator.random_raw(_WORDS)
    if isinstance(generator, _CONGRUENCES):
        first, second, third, fourth = words.tolist()
        place: Any = generator.state
        place["state"] = {"state": first << 64 | second, "inc": third << 64 | fourth | 1}
        generator.state = place | {"has_uint32": 0, "uinteger": 0}
    elif isinstance(generator, BitGenerator):
        generator.state = type(generator)(SeedSequence(words.tolist())).state
    elif isinstance(generator, RandomState):
        generator.seed(words.view(np.uint32))
    else:
        generator.seed(int.from_bytes(words.tobytes(), "little"))
