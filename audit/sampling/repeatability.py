"""Whether equal seeds give equal outputs, found out by drawing again at the same address.

A black box may draw from a source that nobody can seed: a generator of its own, the
operating system's, a program without {seed}. Its audit means what it says, but the
same command will not give the same numbers again, and the result has to say so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
from numpy.random import SeedSequence

from audit.blackbox.at_once import Answer, AtOnce, Call
from audit.blackbox.interface import BlackBox
from audit.blackbox.isolation.global_generators import seed_global_generators
from audit.errors import BlackBoxError
from audit.frames import loaded_pandas as pd
from audit.sampling.runs import Runs
from audit.sampling.sampler import Sampler
from audit.sampling.separate_calls import Made
from audit.sampling.source import Source

_PLACE = (2**32 - 1,)
"""Where these runs are in the audit: no stage has this number."""
_CALLS, _LARGE_CALLS, _OUTPUTS = 16, 2, 32
"""Calls made twice at most; where each gives many outputs; and how many."""
_SHARE = 50
"""What this costs is at most one run in so many."""


@dataclass(frozen=True, slots=True)
class Repetition:
    """What came of drawing twice.

    Attributes:
        runs: outputs that were drawn for this.
        note: a sentence for the result; empty where all was as before.
    """

    runs: int
    note: str = ""


@dataclass(frozen=True)
class CallsTwice:
    """Calls that are made twice at each address, one after the other, on the datasets in turn.

    Attributes:
        sources: the black box on these datasets.
        seed: of the audit.
        calls: their numbers.
        size: outputs of each call.
    """

    sources: Sequence[Source]
    seed: int
    calls: range
    size: int

    group = 1

    @property
    def box(self) -> BlackBox:
        """What is called."""
        return self.sources[0].box

    @property
    def length(self) -> int:
        """How many calls there are."""
        return 2 * len(self.calls)

    def made(self, begin: int = 0, end: int | None = None) -> Made:
        """See `Calls.made`; what a call ends in stands in its place by its type."""
        made = Made()
        for source, stream in self._asked[begin:end]:
            begun = perf_counter()
            seed_global_generators(stream)
            rng = np.random.default_rng(stream)
            made.outputs.append(Answer.of(partial(source.bound.draw, rng, self.size)))
            made.quickest = min(made.quickest, perf_counter() - begun)
        return _told(made)

    def made_at_once(self, at_once: AtOnce) -> Made:
        """See `Calls.made_at_once`."""
        begun: list[Call] = []
        for source, stream in self._asked:
            later = getattr(source.bound, "later")  # noqa: B009  boxes need not have it
            begun.append(later(np.random.default_rng(stream)))
        return _told(Made([*at_once.answers(self.box, begun)]))

    @property
    def _asked(self) -> list[tuple[Source, SeedSequence]]:
        """Who is asked by each call, and the root of its randomness."""
        return [
            (
                self.sources[call % len(self.sources)],
                SeedSequence(self.seed, spawn_key=(*_PLACE, call)),
            )
            for call in self.calls
            for _ in range(2)
        ]


def _told(made: Made) -> Made:
    """With outputs, or the type of what a call ended in, in place of answers."""
    answers, made.outputs = made.outputs, []
    for answer in answers:
        if isinstance(answer.error, BlackBoxError):
            made.error = answer.error
            break
        made.outputs.append(answer.output if answer.error is None else type(answer.error))
    return made


def repetition_of(
    sources: Sequence[Source], seed: int, samples: int, left: int, runs: Runs, travels: bool
) -> Repetition:
    """Draw a few times, each time twice at one address.

    A difference proves that the seed does not decide everything. Equal outputs are
    no proof: sixteen answers of yes or no, each at odds of 3 to 1 and drawn from
    another source, agree with their repetitions once in two thousand times.

    Args:
        sources: the black box on datasets, to draw from in turn.
        seed: the audit's.
        samples: runs that the audit has made; a fiftieth more is spent at most, but
            never less than one call made twice.
        left: runs that it may still make.
        runs: who makes them.
        travels: whether the black box may be called in other processes, as far as was seen.

    Raises:
        BlackBoxError: the black box cannot be run.
    """
    box = sources[0].box
    if not takes_seed(box):
        return Repetition(0, _sentence(f"{box.name} is given no seed"))
    size, most = (_OUTPUTS, _LARGE_CALLS) if box.many else (1, _CALLS)
    size = min(size, left // 2)
    if size < 1:
        return Repetition(0)
    calls = min(most, max(1, samples // (2 * _SHARE * size)), left // (2 * size))
    # Most that have randomness of their own show it at once, on either dataset.
    for some in (range(1), range(1, min(2, calls)), range(2, calls)):
        drawn = runs.outputs(CallsTwice(sources, seed, some, size), travels)
        if not all(map(same, drawn[::2], drawn[1::2])):
            why = f"two runs of {box.name} with the same seed and data differ"
            note = _sentence(f"{why}, as it has randomness or state of its own")
            return Repetition(2 * size * some.stop, note)
    return Repetition(2 * size * calls)


def unrepeatable(sampler: Sampler, datasets: Sequence[Any], left: int) -> str:
    """What to say where equal seeds give other outputs; empty where they were not seen to.

    Args:
        sampler: has drawn what the audit says; counts the runs that are made.
        datasets: of one pair, to draw from in turn.
        left: runs that may still be made; nothing is drawn where there are too few.

    Raises:
        BlackBoxError: the black box cannot be run.
    """

    def find() -> str:
        sources = [Source(sampler.box, data) for data in datasets]
        runs = sampler.runs
        found = repetition_of(sources, sampler.seed, sampler.samples, left, runs, sampler.travels)
        sampler.samples += found.runs
        return found.note

    return sampler.found("drawn twice", find)


def takes_seed(box: BlackBox) -> bool:
    """Whether its outputs should follow from the generator it is given, or from global ones."""
    return bool(getattr(box, "takes_seed", box.seeded))


def _sentence(why: str) -> str:
    return f"--seed does not hold: {why}; the same command will give other numbers"


def same(first: Any, second: Any) -> bool:
    """Whether two outputs are the same to an audit: of one kind, equal, NaN like NaN."""
    if type(first) is not type(second):
        return False
    if isinstance(first, np.ndarray):
        return first.dtype == second.dtype and same(first.tolist(), second.tolist())
    if isinstance(first, (pd.Series, pd.DataFrame)):
        return bool(first.equals(second))
    if isinstance(first, dict):
        return same(list(first.items()), list(second.items()))
    if isinstance(first, (list, tuple)):
        alike = len(first) == len(second)
        return alike and all(map(same, first, second))
    try:
        return bool(first == second) or (first != first and second != second)
    except Exception:  # somebody's own class may refuse
        return True
