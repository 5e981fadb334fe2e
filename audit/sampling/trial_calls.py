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

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from time import perf_counter
from typing import Any

from numpy.random import MT19937, PCG64, RandomState

from audit.blackbox.carried import contents_of, generators_of
from audit.blackbox.isolation.global_generators import shared_by_all
from audit.blackbox.own_generator import SETTABLE, place_of, put_back
from audit.blackbox.python import PythonBlackBox
from audit.errors import BlackBoxError
from audit.outcomes.encoding import Outcomes
from audit.sampling.sampler import Sampler
from audit.sampling.source import Source
from audit.sampling.store.digest import digest_of
from audit.sampling.stream import Address, Check, Stage
from audit.sampling.trace import Misaligned

_CALLS, _CALLS_LATER = 2, 1
"""Calls that are looked at on the first dataset and on others, behind one on each that may prepare
things once and for all."""
_DATASETS = 4
"""On so many at most: calls may draw from other generators there, or from none at all."""
_SHARE_OF_TIME = 0.1
"""Of the time that an audit has, what all of these calls may take."""
_FEWEST, _MOST, _SHARE = 2, 8, 200
"""Places from which calls are made again; as many as one run in 200, within limits."""
_SET = (
    "{name} keeps a generator of its own ({kind}); it is set anew for every call from the audit's "
    "seed, so that calls are independent of each other"
)
_CHANGED = (
    "the black box keeps something between its calls that no look at it shows: from the same "
    "place of its generator it gave another output at the end of the audit than at its beginning, "
    "so that its runs are not draws of one law"
)


@dataclass(frozen=True, slots=True)
class Found:
    """What trial calls found.

    Attributes:
        place: of the generator to be set, among all that the function carries.
        dataset: number of the one on which calls are made again.
        outputs: a checksum of what they gave.
    """

    place: int
    dataset: int
    outputs: str

    @classmethod
    def read(cls, told: str) -> Found:
        """From one line of text, which a store keeps."""
        place, dataset, outputs = told.split()
        return cls(int(place), int(dataset), outputs)

    def __str__(self) -> str:
        return f"{self.place} {self.dataset} {self.outputs}"


@dataclass(slots=True)
class Trial:
    """Calls that are made to find out.

    Attributes:
        sampler: counts them.
        box: what is called.
        budget: runs of the whole audit.
        datasets: gives what it is called on.
        seconds: that the whole audit has.
        carried: generators that it carries; none where it is not told where one of them stands.
        found: what calls have shown; None before that, and where nothing is set.
        left: where the one that is set has to be put.
        numbers: of calls.
        quickest: seconds that the quickest of them took.
    """

    sampler: Sampler
    box: PythonBlackBox
    budget: int
    datasets: Callable[[], Iterable[Any]]
    seconds: float
    carried: tuple[Any, ...] = ()
    found: Found | None = None
    left: bytes = b""
    numbers: Iterator[int] = field(default_factory=count)
    quickest: float = math.inf

    def __post_init__(self) -> None:
        if not self.box.given:
            self.carried = generators_of(self.box.function)
        try:
            for generator in self.carried:
                place_of(generator)
        except Exception:  # of somebody's own kind: whatever it raises
            self.carried = ()

    @property
    def worth_it(self) -> bool:
        """Whether there is any generator that could be set."""
        return any(map(_can_be_set, self.carried))

    @property
    def again(self) -> int:
        """Places from which calls are made again."""
        return min(_MOST, max(_FEWEST, self.budget // _SHARE))

    @property
    def kept(self) -> int:
        """Runs that are kept for the end."""
        return self.again * self._size

    @property
    def place(self) -> int | None:
        """Of the generator that is set, among all that the function carries."""
        return None if self.found is None else self.found.place

    @property
    def note(self) -> str:
        """What to tell a reader."""
        return _SET.format(name=self.box.name, kind=type(self.box.own.held).__name__)

    def told(self) -> str:
        """What was found, as one line; none where nothing is to be set."""
        try:
            return self._told([Source(self.box, data) for data in self._some_datasets()])
        except (BlackBoxError, Misaligned):
            # Whoever draws next is told.
            return ""
        finally:
            self.box.set_own((), None)

    def begin(self, told: str) -> None:
        """Set the generator that was found from now on."""
        self.found = Found.read(told)
        self.left = self.left or place_of(self.carried[self.found.place])
        self.box.set_own(self.carried, self.found.place)

    def end(self) -> None:
        """Set nothing any more."""
        put_back(self.box.own.held, self.left)
        self.box.set_own((), None)

    def changed(self) -> str:
        """What to say where calls do not give again what they gave at the beginning."""
        assert self.found is not None
        source = Source(self.box, self._some_datasets()[self.found.dataset])
        try:
            same = digest_of(self._made_again(source)) == self.found.outputs
        except (BlackBoxError, Misaligned):
            same = False
        return "" if same else _CHANGED

    def _some_datasets(self) -> list[Any]:
        """Different ones, in their order."""
        different = {id(data): data for data in islice(self.datasets(), 2 * _DATASETS)}
        return [*different.values()][:_DATASETS]

    @property
    def _size(self) -> int:
        """Outputs of a call: more than one where there may be more."""
        return 2 if self.box.many else 1

    @property
    def _takes_long(self) -> bool:
        """Whether all calls that may come would take more of the time than they may."""
        calls = _DATASETS * (1 + _CALLS) + 3 * self.again
        return calls * self.quickest > _SHARE_OF_TIME * self.seconds

    def _told(self, sources: Sequence[Source]) -> str:
        moved: dict[int, int] = {}
        for number, source in enumerate(sources):
            here = self._moved(source, _CALLS_LATER if number else _CALLS)
            for place in here or ():
                moved.setdefault(place, number)
            if here is None or len(moved) > 1 or self._takes_long:
                return ""
        if not moved:
            return ""
        ((place, number),) = moved.items()
        outputs = self._following(sources[number], place)
        return f"{Found(place, number, outputs)}" if outputs else ""

    def _moved(self, source: Source, calls: int) -> set[int] | None:
        """Places of the generators that calls on a dataset move; None where they change more."""
        self._call(source, next(self.numbers))
        rest, moved = self._rest(), set[int]()
        for _ in range(calls):
            before = [*map(place_of, self.carried)]
            self._call(source, next(self.numbers))
            if rest is None or self._rest() != rest:
                return None
            after = [*map(place_of, self.carried)]
            moved |= {i for i in range(len(before)) if before[i] != after[i]}
        return {place for place in moved if not shared_by_all(self.carried[place])}

    def _rest(self) -> bytes | None:
        """What the function carries beside its generators; None where that cannot be told."""
        contents = contents_of(self.box.function, self.carried)
        same = [*map(id, contents.generators)] == [*map(id, self.carried)]
        return contents.checksum if same and contents.whole else None

    def _following(self, source: Source, place: int) -> str:
        """A checksum of what calls give; none unless this generator alone decides that."""
        generator = self.carried[place]
        # It can be seen of these alone how much a call for many outputs has drawn.
        if not _can_be_set(generator) or (self.box.many and type(generator) is not PCG64):
            return ""
        self.left = place_of(generator)
        self.box.set_own(self.carried, place)
        try:
            given, again = (self._made_again(source) for _ in range(2))
        finally:
            put_back(generator, self.left)
        outputs = digest_of(given)
        answered = any(outcomes.parts for outcomes in given)
        return outputs if answered and digest_of(again) == outputs else ""

    def _made_again(self, source: Source) -> list[Outcomes]:
        """What calls give, always from the same places."""
        return [self._call(source, -1 - number) for number in range(self.again)]

    def _call(self, source: Source, number: int) -> Outcomes:
        """One call; those of which places are known have numbers below 0."""
        plain = Sampler.of(self.box, self.sampler.seed, coupled=False)
        address = Address(Stage.CHECK, Check.OWN if number < 0 else Check.MOVED, abs(number))
        begun = perf_counter()
        try:
            return plain.side(address, source, self._size, 0)
        finally:
            self.quickest = min(self.quickest, perf_counter() - begun)
            self.sampler.join(plain)


def _can_be_set(generator: Any) -> bool:
    if type(generator) not in SETTABLE or shared_by_all(generator):
        return False
    if type(generator) is not RandomState:
        return True
    # One on other bits refuses to be seeded.
    return bool(generator.get_state(legacy=False)["bit_generator"] == MT19937.__name__)
