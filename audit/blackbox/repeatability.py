"""Whether equal seeds give equal outputs, found out by drawing again at the same address.

A black box may draw from a source that nobody can seed: a generator of its own, the
operating system's, a program without {seed}. Its audit means what it says, but the
same command will not give the same numbers again, and the result has to say so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.random import SeedSequence

from audit.blackbox.at_once import Answer, AtOnce
from audit.blackbox.interface import BlackBox, BoundBox
from audit.blackbox.isolation.global_generators import seed_global_generators
from audit.errors import BlackBoxError

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


def repetition_of(
    box: BlackBox, datasets: Sequence[Any], seed: int, samples: int, at_once: AtOnce | None = None
) -> Repetition:
    """Draw a few times, each time twice at one address.

    A difference proves that the seed does not decide everything. Equal outputs are
    no proof: sixteen answers of yes or no, each at odds of 3 to 1 and drawn from
    another source, agree with their repetitions once in two thousand times.

    Args:
        box: the black box.
        datasets: to draw on, in turn.
        seed: the audit's.
        samples: runs that the audit has made; a fiftieth more is spent at most, but
            never less than one call made twice.
        at_once: makes runs at the same time where they wait.

    Raises:
        BlackBoxError: the black box cannot be run.
    """
    if not takes_seed(box):
        return Repetition(0, _sentence(f"{box.name} is given no seed"))
    size, most = (_OUTPUTS, _LARGE_CALLS) if box.many else (1, _CALLS)
    calls = min(most, max(1, samples // (2 * _SHARE * size)))
    bound = [box.bind(data) for data in datasets]
    streams = [SeedSequence(seed, spawn_key=(*_PLACE, call)) for call in range(calls)]
    drawn = _each_twice(box, bound, streams, size, at_once or AtOnce())
    for call, (first, second) in enumerate(drawn):
        if not same(first, second):
            why = f"two runs of {box.name} with the same seed and data differ"
            note = _sentence(f"{why}, as it has randomness or state of its own")
            return Repetition(2 * size * (call + 1), note)
    return Repetition(2 * size * calls)


def takes_seed(box: BlackBox) -> bool:
    """Whether its outputs should follow from the generator it is given, or from global ones."""
    return bool(getattr(box, "takes_seed", box.seeded))


def _sentence(why: str) -> str:
    return f"--seed does not hold: {why}; the same command will give other numbers"


def _each_twice(
    box: BlackBox, bound: Sequence[Any], streams: Sequence[SeedSequence], size: int, at_once: AtOnce
) -> Iterator[tuple[Any, Any]]:
    """What two calls give at each address, on the datasets in turn."""
    asked = [(bound[call % len(bound)], stream) for call, stream in enumerate(streams)]
    if not at_once.can(box):
        yield from ((_drawn(*one, size), _drawn(*one, size)) for one in asked)
        return
    calls = [one.later(np.random.default_rng(stream)) for one, stream in asked for _ in range(2)]
    answers = map(_told, at_once.answers(box, calls))
    yield from zip(answers, answers, strict=True)


def _told(answer: Answer) -> Any:
    if isinstance(answer.error, BlackBoxError):
        raise answer.error
    return answer.output if answer.error is None else type(answer.error)


def _drawn(bound: BoundBox, stream: SeedSequence, size: int) -> Any:
    seed_global_generators(stream)
    try:
        return bound.draw(np.random.default_rng(stream), size)
    except BlackBoxError:
        raise
    except Exception as error:
        return type(error)


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
