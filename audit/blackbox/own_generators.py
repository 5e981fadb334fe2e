"""Generators that a function carries from call to call, set anew for each of its calls.

An object with `self.rng = default_rng(5)` draws its noise from there, whatever it is given.
Its calls depend on each other through nothing but how far that generator has come. Such a
generator can be set before each call to where one that the audit gives would begin: then every
call is a draw of its own, in any process and in any order, and both datasets of a pair can share
their random numbers. A generator of numpy or of `random` gives independent numbers from
whichever state it begins in, so that the law of an output stays as it was.

Only those are set that calls were seen to move, while nothing else that the function carries
changed (see `trial_calls`): one that is copied for every call, or made anew, is left alone.
"""

from __future__ import annotations

import contextlib
import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.random import PCG64, PCG64DXSM, BitGenerator, Generator, RandomState, SeedSequence

from audit.blackbox.carried import generators_of
from audit.errors import BlackBoxError

_WORDS = 4
"""Of 64 bits, from which a generator is set."""
_CONGRUENCES = (PCG64, PCG64DXSM)


@dataclass(slots=True)
class OwnGenerators:
    """Generators of a function that are set before each of its calls.

    Attributes:
        kinds: the type of each that the function carries, in the order in which they are found.
        places: of those that are set, in that order.
        held: those that are set. They do not travel: where the function arrives they are
            looked for again.
    """

    kinds: tuple[str, ...] = ()
    places: tuple[int, ...] = ()
    held: tuple[Any, ...] = field(default=(), repr=False)

    def take(self, found: Sequence[Any], places: tuple[int, ...]) -> None:
        """Set some of these generators from now on, those at the given places."""
        self.kinds, self.places = _kinds(found), places
        self.held = tuple(found[place] for place in places)

    def names(self) -> str:
        """The types of those that are set, for people."""
        return ", ".join(dict.fromkeys(self.kinds[place] for place in self.places))

    @contextlib.contextmanager
    def set_from(self, rng: Generator, function: Any) -> Iterator[None]:
        """Let what they give here follow from `rng`, for one call of `function`.

        One that is alone and of the same kind as `rng` stands in for it: it begins where
        `rng` is, and `rng` goes on from where it has come to.

        Raises:
            BlackBoxError: they are not found where the function has arrived.
        """
        held = self.of(function)
        alone = held[0] if len(held) == 1 else None
        if type(alone) is not type(rng.bit_generator):
            for one in held:
                _set(one, rng)
            yield
            return
        alone.state = rng.bit_generator.state
        try:
            yield
        finally:
            rng.bit_generator.state = alone.state

    def of(self, function: Any) -> tuple[Any, ...]:
        """Those of `function` that are set, found again where it has just arrived.

        Raises:
            BlackBoxError: they are not there.
        """
        if len(self.held) < len(self.places):
            found = generators_of(function)
            if _kinds(found) != self.kinds:
                raise BlackBoxError(
                    "the black box has arrived in another process with other generators than it "
                    f"was sent with ({_kinds(found)}, not {self.kinds}); give --workers 1"
                )
            self.held = tuple(found[place] for place in self.places)
        return self.held

    def __reduce__(self) -> tuple[type[OwnGenerators], tuple[tuple[str, ...], tuple[int, ...]]]:
        return OwnGenerators, (self.kinds, self.places)


def _kinds(generators: Sequence[Any]) -> tuple[str, ...]:
    return tuple(type(one).__name__ for one in generators)


def place_of(generator: Any) -> bytes:
    """How far a generator has come; equal where it would give the same numbers."""
    if isinstance(generator, BitGenerator):
        return pickle.dumps(generator.state)
    if isinstance(generator, RandomState):
        return pickle.dumps(generator.get_state(legacy=False))
    return pickle.dumps(generator.getstate())


def put_back(generator: Any, place: bytes) -> None:
    """Put a generator where it was when `place_of` was asked."""
    state = pickle.loads(place)
    if isinstance(generator, BitGenerator):
        generator.state = state
    elif isinstance(generator, RandomState):
        generator.set_state(state)
    else:
        generator.setstate(state)


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
