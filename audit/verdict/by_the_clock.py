"""Noise whose seed comes from a clock: a few calls now, and as many in two later seconds.

Within a tick such a black box gives the same noise again and again, and bets take one draw for
many. Where an audit has been through many ticks that is seen in its draws (`in_a_row`); a quick
one may lie within a single one. So what asks for the time of day is called anew in another second.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations, count
from typing import Any

import numpy as np

from audit.audit_session import AuditSession
from audit.betting.record import BettingRecord
from audit.blackbox.clock_reading import watched_clock
from audit.blackbox.interface import BlackBox
from audit.outcomes.column import Floats
from audit.outcomes.outcomes import Outcomes, joined
from audit.sampling.bursts import bursts_differ
from audit.sampling.deadline import Deadline
from audit.sampling.in_a_row import more_alike_in_a_row
from audit.sampling.repetition import Answer, only_answer
from audit.sampling.sampler import Sampler
from audit.sampling.source import Sources
from audit.sampling.stream import Address, Check, Stage

_BY_THE_CLOCK = (
    "calls of one second are more alike than calls of two: the black box takes the seed of its "
    "noise from a clock, so that its calls are not independent draws of its law, and what was won "
    "on them is no evidence against the claim"
)
_UNTRIED = (
    "the black box asks for the time, and there are no runs or no time left to see whether its "
    "noise depends on it; give more --max-samples or --max-seconds"
)
_SECONDS, _BURSTS, _GAP = 3, 8, 0.135
"""How many seconds are compared, bursts of calls made in each, and the seconds between two of them:
bursts at the same place of two seconds lie more than one apart, and all see ticks of their own
where a clock ticks every tenth of a second."""
_CALLS, _MOST_OUTPUTS = 6, 8
"""Calls of a burst, however quick: effort follows from the seed; outputs of a call that can give
many: their mean shows what they have in common."""
_TRIED = 4
"""Calls that tell how long one takes."""
_SLOW = 0.01
"""Seconds of a call after which the bets themselves have been through many ticks."""
_TICK = 1.05
_LONGEST = _SECONDS * _BURSTS * (_GAP + _CALLS * _SLOW)
"""Seconds that all of it takes at most."""
_LEVEL = 1e-4
"""Chance of a doubt of fours where calls are independent of each other and of the clock; that of
bursts as wholes is 1/2,000."""


def by_the_clock(session: AuditSession, record: BettingRecord) -> str:
    """What to say where noise depends on the time of day; empty where it was not seen to."""
    best = record.claim.best
    left = session.left - session.allotted(session.settings.max_samples).shown
    if best is None or left < _TRIED:
        return ""

    def find() -> str:
        sampler, many = session.sampler.alike(), session.sampler.many_on(best.pair)
        calls = _Calls(
            sampler,
            session.sides(session.pairs[best.pair]),
            many,
            record.pairs[best.pair].answers,
            left,
            session.deadline("check"),
        )
        try:
            return calls.by_the_clock()
        finally:
            session.sampler.join(sampler)

    with session.stage("check"):
        return session.sampler.found("by the clock", find)


@dataclass(slots=True)
class _Calls:
    """Calls of a black box in one second and in others.

    Attributes:
        sampler: draws them, and nothing else.
        sources: the black box on both datasets of the pair that won.
        many: whether one call gives many outputs.
        answers: see `PairRecord`.
        left: runs there are for this.
        deadline: when it has to be over.
    """

    sampler: Sampler
    sources: Sources
    many: bool
    answers: tuple[Answer | None, Answer | None]
    left: int
    deadline: Deadline
    _places: Iterator[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        if not self.many:
            self.sampler.singly.add((Stage.CHECK, Check.CLOCK))

    def by_the_clock(self) -> str:
        """What to say; see there."""
        asks, seconds = self._tried()
        if asks is False or seconds > _SLOW:
            return ""
        untried = _UNTRIED if asks else ""
        if self.deadline.now() + _LONGEST > self.deadline.ends:
            return untried
        if self.answers != (None, None):
            same = all(self._same_later() for _ in range(_SECONDS - 1))
            return "" if same else _BY_THE_CLOCK
        bursts, calls = _SECONDS * _BURSTS, _SECONDS * _BURSTS * _CALLS
        size = min(_MOST_OUTPUTS if self.many else 1, (self.left - _TRIED) // calls)
        if not size:
            return untried
        made: list[Outcomes] = []
        for burst in range(bursts):
            time.sleep(_GAP if burst else 0.0)
            made += [self._drawn(size) for _ in range(_CALLS)]
        means = joined(made).table().reshape(calls, size, -1).mean(axis=1)
        alike = _alike_in_a_tick(means) or bursts_differ(means, bursts, self.sampler.seed)
        return _BY_THE_CLOCK if alike else ""

    def _tried(self) -> tuple[bool | None, float]:
        """Whether the black box asks for the time, and the seconds of a call."""
        asks, more = _asks_for_the_time(self.sampler.box, lambda: self._drawn(1)), _TRIED - 1
        if asks is False:
            return asks, 0.0
        # The first was watched, which takes time, and a service may be asked at a rate. The
        # quickest counts: others may have waited for a machine that has more to do.
        moments = [self.deadline.now()]
        for _ in range(more):
            self._drawn(1)
            moments.append(self.deadline.now())
        return asks, float(np.diff(moments).min())

    def _same_later(self) -> bool:
        """Whether what never varied is the same in another second."""
        time.sleep(_TICK)
        return all(
            answer is None or only_answer(self._drawn(1, side)) == answer
            for side, answer in enumerate(self.answers)
        )

    def _drawn(self, size: int, side: int = 0) -> Outcomes:
        address = Address(Stage.CHECK, Check.CLOCK, next(self._places))
        return self.sampler.side(address, self.sources[side], size, side)


def _asks_for_the_time(box: BlackBox, call: Callable[[], Any]) -> bool | None:
    """Whether a black box asks for the time of day; None where nobody could see that."""
    lives = getattr(box, "lives", False)
    if lives or not hasattr(box, "state"):
        call()
        out_of_sight = lives or any(getattr(box, name, False) for name in ("abroad", "starts"))
        return None if out_of_sight else False
    with watched_clock() as clock:
        call()
    return clock.seen


def _alike_in_a_tick(calls: Floats) -> bool:
    """Whether calls of one burst are more alike than those of two, a second or more apart.

    Args:
        calls: means of the outputs of each, in the order in which they were made, shape
            (seconds * bursts * calls of one, parts).
    """
    seconds = np.split(calls, _SECONDS)
    compared = [np.concatenate(two) for two in combinations(seconds, 2)]
    compared.append(calls)
    return any(more_alike_in_a_row(some, _LEVEL / len(compared)) for some in compared)
