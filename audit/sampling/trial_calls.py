"""Whether the noise of a black box comes from generators that it keeps, tried by a few calls.

A generator that calls move, while nothing else of what the black box carries changes, is all
that its calls have in common. It is set anew for each of them from then on (see
`own_generators`). Where calls leave it alone, draw from a copy of it, make another one in its
place, or keep something beside it, such as noise that was drawn ahead, setting it would change
what is audited, and nothing is set. Nor is it where a call does not give again what it gave from
the same place: what decides it then is not seen, and may live on from call to call.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from typing import Any

from numpy.random import PCG64

from audit.blackbox.carried import generators_of, state_of
from audit.blackbox.isolation.global_generators import shared_by_all
from audit.blackbox.own_generators import place_of, put_back
from audit.blackbox.python import PythonBlackBox
from audit.errors import BlackBoxError
from audit.outcomes.encoding import Outcomes
from audit.sampling.sampler import Sampler
from audit.sampling.source import Source
from audit.sampling.stream import Address, Check, Stage
from audit.sampling.trace import Misaligned

_CALLS = 2
"""Calls on a dataset that are looked at, behind one that may prepare things once and for all."""
_DATASETS = 4
"""On so many datasets at most: a call on one that is empty may end before it draws."""
_SET = (
    "{name} keeps a generator of its own ({kinds}); it is set anew for every call from the "
    "audit's seed, so that calls are independent of each other{shared}"
)
_SHARED = " and both datasets share their random numbers"


@contextlib.contextmanager
def own_generators_set(
    sampler: Sampler, datasets: Callable[[], Iterable[Any]], coupled: bool
) -> Iterator[str]:
    """Set the generators of a sampler's black box anew for every call, where they are its noise.

    Args:
        sampler: that has drawn nothing yet; it counts the calls that are made to find out.
        datasets: asked for where there is anything to find out.
        coupled: whether both sides may share their randomness.

    Yields:
        What to tell a reader; empty where nothing is set. Behind it the generators stand where
        they stood before.
    """
    box = sampler.box
    found = () if not isinstance(box, PythonBlackBox) or box.given else generators_of(box.function)
    if all(map(shared_by_all, found)) or not isinstance(box, PythonBlackBox):
        yield ""
        return
    before = [place_of(generator) for generator in found]

    def tried() -> str:
        places = _moved(sampler, box, islice(datasets(), _DATASETS), found)
        return " ".join(map(str, places))

    try:
        places = tuple(map(int, sampler.found("own generators", tried).split()))
        box.set_own(found, places)
        sampler.coupled = coupled and box.seeded
        shared = _SHARED if sampler.coupled else ""
        yield _SET.format(name=box.name, kinds=box.own.names(), shared=shared) if places else ""
    finally:
        box.set_own((), ())
        for generator, place in zip(found, before, strict=True):
            put_back(generator, place)


def _moved(
    sampler: Sampler, box: PythonBlackBox, datasets: Iterable[Any], found: Sequence[Any]
) -> tuple[int, ...]:
    """Places of the generators to be set; none where that would change what is audited."""
    trial = _Trial(box, sampler.seed, found)
    try:
        for data in datasets:
            places = trial.moved(Source(box, data))
            if places is None:
                return ()
            if places:
                seen = _can_be_aligned(box, [found[place] for place in places])
                return places if seen and trial.follows(Source(box, data), places) else ()
    except (BlackBoxError, Misaligned):
        # Whoever draws next is told.
        pass
    finally:
        box.set_own((), ())
        sampler.join(trial.plain)
    return ()


@dataclass(slots=True)
class _Trial:
    """Calls that are made to find out.

    Attributes:
        box: what is called.
        seed: of the audit.
        found: generators that it carries.
        plain: counts the calls.
        calls: that were made.
    """

    box: PythonBlackBox
    seed: int
    found: Sequence[Any]
    plain: Sampler = field(init=False)
    calls: Iterator[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        self.plain = Sampler.of(self.box, self.seed, coupled=False)

    def moved(self, source: Source) -> tuple[int, ...] | None:
        """Places of the generators that calls on a dataset move; None where they change more."""
        self._call(source, next(self.calls))
        rest, moved = self._rest, set[int]()
        for _ in range(_CALLS):
            before = [place_of(generator) for generator in self.found]
            self._call(source, next(self.calls))
            if rest is None or self._rest != rest:
                return None
            after = [place_of(generator) for generator in self.found]
            moved |= {i for i in range(len(before)) if before[i] != after[i]}
        return tuple(i for i in sorted(moved) if not shared_by_all(self.found[i]))

    @property
    def _rest(self) -> bytes | None:
        """What the function carries beside its generators; None where it has others by now."""
        found = generators_of(self.box.function)
        same = [*map(id, found)] == [*map(id, self.found)]
        return state_of(self.box.function, found) if same else None

    def follows(self, source: Source, places: tuple[int, ...]) -> bool:
        """Whether nothing but where these generators are set decides what a call gives."""
        self.box.set_own(self.found, places)
        first, other = next(self.calls), next(self.calls)
        outputs = [self._call(source, call) for call in (first, other, first)]
        return outputs[0].equals(outputs[2])

    def _call(self, source: Source, number: int) -> Outcomes:
        return self.plain.side(Address(Stage.CHECK, Check.OWN, number), source, 1, 0)


def _can_be_aligned(box: PythonBlackBox, generators: Sequence[Any]) -> bool:
    """Whether it can be seen that a call for many outputs used them alike on both sides."""
    return not box.many or [type(one) for one in generators] == [PCG64]
