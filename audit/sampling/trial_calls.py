"""Whether the noise of a black box comes from a generator that it keeps, tried by a few calls.

A generator that calls move, while nothing else of what the black box carries changes, is all
that its calls have in common. It is set anew for each of them from then on (see
`own_generator`). Where calls leave it alone, draw from a copy of it, make another one in its
place, move several, or keep something beside it, such as noise that was drawn ahead, setting it
would change what is audited, and nothing is set. Nor is it where something cannot be looked at,
or where calls do not give again what they gave from the same places. That is asked once more at
the end of the audit: what lives where nobody looks has changed by then, if it ever does.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count, islice
from typing import Any

from numpy.random import PCG64

from audit.blackbox.carried import contents_of, generators_of
from audit.blackbox.isolation.global_generators import shared_by_all
from audit.blackbox.own_generator import SETTABLE, place_of, put_back
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
_FEWEST, _MOST, _SHARE = 2, 8, 200
"""Places from which calls are made again; as many as one run in 200, within limits."""
_LEAST = 200
"""Runs that an audit must have for this to be worth it."""
_SET = (
    "{name} keeps a generator of its own ({kind}); it is set anew for every call from the audit's "
    "seed, so that calls are independent of each other"
)
_CHANGED = (
    "the black box keeps something between its calls that no look at it shows: from the same "
    "place of its generator it gave another output at the end of the audit than at its beginning, "
    "so that its runs are not draws of one law"
)


@contextlib.contextmanager
def own_generator_set(
    sampler: Sampler, datasets: Callable[[], Iterable[Any]], budget: int, coupled: bool
) -> Iterator[Trial | None]:
    """Set a generator of a sampler's black box anew for every call, where it is all its noise.

    Args:
        sampler: that has drawn nothing yet; it counts the calls that are made to find out.
        datasets: asked for where there is anything to find out.
        budget: runs of the whole audit.
        coupled: whether both sides may share their randomness.

    Yields:
        What may be asked once more at the end; None where nothing is set. Behind it the
        generator stands where those calls have left it.
    """
    box = sampler.box
    trial = Trial(sampler, box, budget) if isinstance(box, PythonBlackBox) else None
    if trial is None or budget < _LEAST or not trial.worth_it:
        yield None
        return
    found = sampler.found("own generator", lambda: trial.told(islice(datasets(), _DATASETS)))
    if not found:
        yield None
        return
    trial.begin(int(found))
    sampler.coupled = coupled
    try:
        yield trial
    finally:
        trial.end()


@dataclass(slots=True)
class Trial:
    """Calls that are made to find out.

    Attributes:
        sampler: counts them.
        box: what is called.
        budget: runs of the whole audit.
        found: generators that it carries.
        source: the dataset that calls are made again on.
        outputs: of these calls.
        left: where the one that is set has to be put.
        numbers: of calls.
    """

    sampler: Sampler
    box: PythonBlackBox
    budget: int
    found: tuple[Any, ...] = ()
    source: Source | None = None
    outputs: list[Outcomes] = field(default_factory=list)
    left: bytes = b""
    numbers: Iterator[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        if not self.box.given:
            self.found = generators_of(self.box.function)

    @property
    def worth_it(self) -> bool:
        """Whether there is any generator that could be set."""
        return any(map(_can_be_set, self.found))

    @property
    def again(self) -> int:
        """Places from which calls are made again."""
        return min(_MOST, max(_FEWEST, self.budget // _SHARE))

    @property
    def kept(self) -> int:
        """Runs that are kept for the end."""
        return self.again * self._size

    @property
    def note(self) -> str:
        """What to tell a reader."""
        return _SET.format(name=self.box.name, kind=type(self.box.own.held).__name__)

    def told(self, datasets: Iterable[Any]) -> str:
        """The place of the generator to be set, in words; none where nothing is to be set."""
        try:
            for data in datasets:
                source = Source(self.box, data)
                moved = self._moved(source)
                if moved is None or len(moved) > 1:
                    return ""
                if moved:
                    place = min(moved)
                    return f"{place}" if self._follows(source, place) else ""
        except (BlackBoxError, Misaligned):
            # Whoever draws next is told.
            pass
        finally:
            self.box.set_own((), None)
        return ""

    def begin(self, place: int) -> None:
        """Set the generator at this place from now on."""
        self.left = self.left or place_of(self.found[place])
        self.box.set_own(self.found, place)

    def end(self) -> None:
        """Set nothing any more."""
        put_back(self.box.own.held, self.left)
        self.box.set_own((), None)

    def changed(self) -> str:
        """What to say where calls do not give again what they gave at the beginning."""
        if self.source is None:
            return ""
        try:
            same = all(map(Outcomes.equals, self._made_again(self.source), self.outputs))
        except (BlackBoxError, Misaligned):
            same = False
        return "" if same else _CHANGED

    @property
    def _size(self) -> int:
        """Outputs of a call: more than one where there may be more."""
        return 2 if self.box.many else 1

    def _moved(self, source: Source) -> set[int] | None:
        """Places of the generators that calls on a dataset move; None where they change more."""
        self._call(source, next(self.numbers))
        rest, moved = self._rest(), set[int]()
        for _ in range(_CALLS):
            before = [*map(place_of, self.found)]
            self._call(source, next(self.numbers))
            if rest is None or self._rest() != rest:
                return None
            after = [*map(place_of, self.found)]
            moved |= {i for i in range(len(before)) if before[i] != after[i]}
        return {place for place in moved if not shared_by_all(self.found[place])}

    def _rest(self) -> bytes | None:
        """What the function carries beside its generators; None where that cannot be told."""
        contents = contents_of(self.box.function, self.found)
        same = [*map(id, contents.generators)] == [*map(id, self.found)]
        return contents.checksum if same and contents.whole else None

    def _follows(self, source: Source, place: int) -> bool:
        """Whether nothing but where this generator is set decides what calls give."""
        generator = self.found[place]
        # It can be seen of these alone how much a call for many outputs has drawn.
        if not _can_be_set(generator) or (self.box.many and type(generator) is not PCG64):
            return False
        self.left = place_of(generator)
        self.box.set_own(self.found, place)
        try:
            self.source, self.outputs = source, self._made_again(source)
            return all(map(Outcomes.equals, self._made_again(source), self.outputs))
        finally:
            put_back(generator, self.left)

    def _made_again(self, source: Source) -> list[Outcomes]:
        """What calls give, always from the same places."""
        return [self._call(source, -1 - number) for number in range(self.again)]

    def _call(self, source: Source, number: int) -> Outcomes:
        """One call; those of which places are known have numbers below 0."""
        plain = Sampler.of(self.box, self.sampler.seed, coupled=False)
        address = Address(Stage.CHECK, Check.OWN if number < 0 else Check.MOVED, abs(number))
        try:
            return plain.side(address, source, self._size, 0)
        finally:
            self.sampler.join(plain)


def _can_be_set(generator: Any) -> bool:
    return type(generator) in SETTABLE and not shared_by_all(generator)
