"""Noise whose seed comes from a clock: a few calls now, and as many in two later seconds.

Within a tick such a black box gives the same noise again and again, and bets take one draw for
many. Where an audit has been through many ticks that is seen in its draws (`in_a_row`); a quick
one may lie within a single one. So what asks for the time is called anew in another second. Where
outputs never varied, that is done whether somebody was seen to ask or not (`LaterAnswers`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations, count
from time import perf_counter
from typing import Any

import numpy as np

from audit.audit_session import AuditSession
from audit.betting.record import BettingRecord, PairRecord
from audit.blackbox.clock_reading import ClockReading, watched_clock
from audit.blackbox.interface import BlackBox
from audit.outcomes.column import Floats
from audit.outcomes.outcomes import Outcomes, joined
from audit.sampling.bursts import bursts_differ
from audit.sampling.deadline import Deadline
from audit.sampling.in_a_row import any_more_alike
from audit.sampling.sampler import Sampler
from audit.sampling.source import Sources
from audit.sampling.stream import Address, Check, Stage
from audit.verdict.later_answers import LaterAnswers

_BY_THE_CLOCK = (
    "calls of one second are more alike than calls of two: the black box takes the seed of its "
    "noise from a clock, so that its calls are not independent draws of its law, and what was won "
    "on them is no evidence against the claim"
)
_UNTRIED = (
    "the black box asks for the time, and there are no runs or no time left to see whether its "
    "noise depends on it; give more --max-samples or --max-seconds"
)
_LATE = (
    "runs on a dataset gave the same output again and again, and there is no time left to see "
    "whether another second gives another one, as where the seed of noise comes from a clock; give "
    "more --max-seconds"
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
        sources, drawn = session.sides(session.pairs[best.pair]), record.pairs[best.pair]
        calls = _Calls(sampler, sources, many, drawn, left, session.deadline("check"))
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
        record: what was drawn of that pair.
        left: runs there are for this.
        deadline: when it has to be over.
        clock: whether one was asked for.
    """

    sampler: Sampler
    sources: Sources
    many: bool
    record: PairRecord
    left: int
    deadline: Deadline
    clock: ClockReading = field(default_factory=ClockReading)
    _places: Iterator[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        if not self.many:
            self.sampler.singly.add((Stage.CHECK, Check.CLOCK))

    def by_the_clock(self) -> str:
        """What to say; see there."""
        quick, given, begun = self._quick(), self.record.stretches, self.record.begun
        steady = max(map(len, given)) == 1
        if begun is not None and (steady or (any(given) and not quick)):
            first = begun.moment if steady else perf_counter()
            return self._another_later(first, _SECONDS - 1 if quick else 1)
        if not quick:
            return ""
        untried = _UNTRIED if self.clock.seen else ""
        if self.deadline.now() + _LONGEST > self.deadline.ends:
            return untried
        bursts, calls = _SECONDS * _BURSTS, _SECONDS * _BURSTS * _CALLS
        size = min(_MOST_OUTPUTS if self.many else 1, (self.left - _TRIED) // calls)
        if not size:
            return untried
        made: list[Outcomes] = []
        for burst in range(bursts):
            self.clock.wait(_GAP if burst else 0.0)
            made += [self._drawn(size) for _ in range(_CALLS)]
        means = joined(made).table().reshape(calls, size, -1).mean(axis=1)
        alike = _alike_in_a_tick(means) or bursts_differ(means, bursts, self.sampler.seed)
        return _BY_THE_CLOCK if alike else ""

    def _another_later(self, first: float, seconds: int) -> str:
        """What to say where outputs that came for a while are others by then."""
        given, clock, deadline = self.record.stretches, self.clock, self.deadline
        later = LaterAnswers(given, first, lambda side: self._drawn(1, side), clock, deadline)
        same = later.same(seconds)
        if same is None:
            return _UNTRIED if clock.seen else _LATE
        return "" if same else _BY_THE_CLOCK

    def _quick(self) -> bool:
        """Whether a clock may have been asked for, and calls are too quick to see that."""
        self.clock = _clock_of(self.sampler.box, lambda: self._drawn(1))
        if self.clock.seen is False:
            return False
        # The first was watched, which takes time, and a service may be asked at a rate. The
        # quickest counts: others may have waited for a machine that has more to do.
        moments = [self.deadline.now()]
        for _ in range(_TRIED - 1):
            self._drawn(1)
            moments.append(self.deadline.now())
        return bool(np.diff(moments).min() <= _SLOW)

    def _drawn(self, size: int, side: int = 0) -> Outcomes:
        address = Address(Stage.CHECK, Check.CLOCK, next(self._places))
        return self.sampler.side(address, self.sources[side], size, side)


def _clock_of(box: BlackBox, call: Callable[[], Any]) -> ClockReading:
    """What clock a black box asks for."""
    lives = getattr(box, "lives", False)
    if lives or not hasattr(box, "state"):
        call()
        out_of_sight = lives or any(getattr(box, name, False) for name in ("abroad", "starts"))
        return ClockReading(None if out_of_sight else False)
    with watched_clock() as clock:
        call()
    return clock


def _alike_in_a_tick(calls: Floats) -> bool:
    """Whether calls of one burst are more alike than those of two, a second or more apart.

    Args:
        calls: means of the outputs of each, in the order in which they were made, shape
            (seconds * bursts * calls of one, parts).
    """
    seconds = np.split(calls, _SECONDS)
    compared = [np.concatenate(two) for two in combinations(seconds, 2)]
    compared.append(calls)
    return any_more_alike(compared, _LEVEL)
