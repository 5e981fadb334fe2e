"""Fresh instances of a black box, made for one audit."""

from __future__ import annotations

import select
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.random import SeedSequence

from audit.blackbox.python import PythonBlackBox
from audit.errors import BlackBoxError
from audit.outcomes.failed_run import FailedRun
from audit.outcomes.moment_of_call import now
from audit.sampling.independence.choice import Chooser, Kind, Way
from audit.sampling.independence.lean_server import CRASHED, LATE, REFUSED
from audit.sampling.independence.life import Answered, Life, Question, refuse_inside
from audit.sampling.independence.missing_outcome import Missing, Record, answered
from audit.sampling.independence.preliminary_sample import (
    ALONE,
    OUTSIDE,
    Begin,
    PreliminarySample,
)
from audit.sampling.independence.server_process import ServerEnded, ServerProcess

_REASONS = {CRASHED: Missing.CRASH, LATE: Missing.TIMEOUT}
_MONTH, _SPREAD = 30 * 86_400.0, 3.0
"""Seconds over which the clocks of units lie, and those by which each may be later at random."""
_GOLDEN = (np.sqrt(5.0) - 1.0) / 2.0
"""n multiples in a row, modulo 1, are 1 / (sqrt(5) n) apart or more (three-distance theorem)."""
_CLOCK = 3
"""Spawn key of that randomness, which follows from the entropy of the unit's first life."""
Reply = tuple[Life, int, float, bytes]
"""A life, how it ended, its seconds, its record."""


class Servers:
    """Servers that make instances in one way, and are replaced when they end."""

    def __init__(self, way: Way, running: list[ServerProcess]) -> None:
        self.running = running
        self._way = way
        self._waiting = [deque[Life]() for _ in running]

    def begin(self, lives: Sequence[Life]) -> None:
        """Spread lives over the servers by their number."""
        for life in lives:
            self._waiting[life.number % len(self._waiting)].append(life)
        for place, queue in enumerate(self._waiting):
            if queue:
                self._send(place)

    def tell(self, request: Any) -> None:
        """Send a request that changes what later lives start from."""
        self._way.requests.append(request)
        for server in self.running:
            with suppress(ServerEnded):  # the one in its place is sent all requests
                server.send(request)

    def replies(self) -> Iterator[Reply]:
        """Replies to all lives that were begun, as they come."""
        while busy := {s.connection: p for p, s in enumerate(self.running) if self._waiting[p]}:
            for connection in select.select(list(busy), [], [])[0]:
                yield self._received(busy[connection])

    def end(self) -> None:
        """End them and what they serve."""
        for server in self.running:
            server.end()

    def _send(self, place: int) -> None:
        try:
            self.running[place].send(list(self._waiting[place]))
        except ServerEnded:
            self._replace(place)
            self.running[place].send(list(self._waiting[place]))

    def _received(self, place: int) -> Reply:
        """The next reply; after the end of a server, its life has crashed."""
        try:
            number, status, seconds, record = self.running[place].read()
        except ServerEnded:
            life = self._waiting[place].popleft()
            self._replace(place)
            if self._waiting[place]:
                self._send(place)
            return life, CRASHED, 0.0, b""
        life = self._waiting[place].popleft()
        assert life.number == number
        return life, status, seconds, record

    def _replace(self, place: int) -> None:
        """Another server in place of one that has ended."""
        if self._way.kind is Kind.HELD:
            raise BlackBoxError(
                f"the process with {self._way.making.name} as it was before its first call has "
                "ended; give factory= (a function that makes it), or audit a function of a file"
            )
        self.running[place].end()
        self.running[place] = self._way.another()


class Instances:
    """Fresh instances of one Python black box; a context manager.

    Attributes:
        assumptions: "shared-import", "shared-constructor", "outside-process", as far as they are
            made.
        first_failure: the first failed call of any life, of trial ones too.
    """

    def __init__(
        self,
        box: PythonBlackBox,
        datasets: Sequence[Any],
        *,
        workers: int = 1,
        timeout: float | None = 10.0,
        earlier: int = 0,
    ) -> None:
        """Find out how fresh instances can be made, and start the servers.

        It must be called before the first call of an object in memory.

        Args:
            box: the black box.
            datasets: the first ones; a trial life is asked about two of them, so that instances
                find loaded what calls load. `add_dataset` adds more.
            workers: servers, which serve at the same time.
            timeout: seconds for one output, None for no limit.
            earlier: lives that an audit which goes on may have had before.

        Raises:
            BlackBoxError: no fresh instance can be made, or this process is one.
        """
        refuse_inside()
        self._chooser, self._datasets = Chooser(box, timeout), list(datasets)
        self._way = way = self._chooser.chosen([*map(self._chooser.dataset, datasets)])
        self._sightings = way.sightings
        # A file that is read may hold noise from before the audit.
        self.assumptions = (*way.assumptions, *(OUTSIDE,) * bool(way.sightings.read))
        self.first_failure: FailedRun | None = way.failure
        more = [way.another() for _ in range(1, workers)]
        self._servers, self._alone = Servers(way, [way.server, *more]), Servers(way, [])
        self._sample: PreliminarySample | None = None
        self._lives, self._begun = earlier, now()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._servers.end()
        self._alone.end()

    @property
    def is_lean(self) -> bool:
        """Whether lives begin from an interpreter that has read nothing of the user's."""
        return self._way.kind is not Kind.HELD

    @property
    def moments(self) -> tuple[float, float]:
        """First and last time that an instance may have seen, by its clock."""
        return self._begun, now() + _MONTH + _SPREAD

    @property
    def processes(self) -> list[int]:
        """Numbers of the servers' processes."""
        return [server.process for server in self._servers.running]

    def add_dataset(self, data: Any) -> int:
        """Send a dataset to the servers unless they have it; its index in questions.

        Raises:
            BlackBoxError: it cannot be sent.
        """
        for index, held in enumerate(self._datasets):
            if held is data:
                return index
        self._servers.tell(self._chooser.dataset(data))
        self._datasets.append(data)
        return len(self._datasets) - 1

    def answered(self, lives: Sequence[Life], of_a_unit: int = 1) -> list[Answered]:
        """Live some lives; the result does not depend on how many servers there are.

        Each unit has a clock of its own, so that noise that Python's clock seeds is drawn anew.
        Both lives of a pair have the same, as the time must not tell one dataset from the other.

        Args:
            lives: with numbers that differ from each other, unit by unit.
            of_a_unit: lives of each unit.

        Returns:
            In the order of `lives`.

        Raises:
            BlackBoxError: an output is none, or no more lives can be started.
        """
        clocks = self._clocks(lives[::of_a_unit], of_a_unit)
        self._lives += len(lives)
        timed = zip(lives, clocks, strict=True)
        found = self._lived([replace(life, clock=clock) for life, clock in timed])
        if self._sample is not None:
            self._sample.advance()
        return found

    def _clocks(self, first: Sequence[Life], of_a_unit: int) -> list[float]:
        """The clock of each life, from the first life of each unit.

        Spread over a month: seconds that follow each other, mixed with numbers of processes that do
        so too, would give some units the same seed.
        """
        streams = (SeedSequence(life.entropy, spawn_key=(_CLOCK,)) for life in first)
        later = (_SPREAD * np.random.default_rng(stream).random() for stream in streams)
        units = (
            self._begun + _MONTH * (_GOLDEN * k % 1.0) + x for k, x in enumerate(later, self._lives)
        )
        return [clock for clock in units for _ in range(of_a_unit)]

    def preliminary(
        self, questions: tuple[Question, ...], entropy: tuple[int, ...]
    ) -> PreliminarySample:
        """Begin the preliminary sample; it goes on between other lives.

        Args:
            questions: of each life; many answers tell clones apart.
            entropy: words from which those of its lives follow.
        """
        self._sample = PreliminarySample(
            self._lived,
            self._in_interpreters(questions, entropy),
            lambda: self._sightings,
            questions,
            entropy,
            cloned=self._way.cloned,
            tried=sum(way.runs for way in self._chooser.tried),
        )
        return self._sample

    def _in_interpreters(
        self, questions: tuple[Question, ...], entropy: tuple[int, ...]
    ) -> Begin | None:
        """Begins a few lives in interpreters to compare forks with; None if every life is one."""
        if self._way.kind is not Kind.LEAN:
            return None
        way = replace(self._way, kind=Kind.INTERPRETERS)

        def begin() -> Callable[[], list[Answered]]:
            alone = self._alone = Servers(way, [way.another()])
            alone.begin([Life(-1 - k, (*entropy, k), questions) for k in range(ALONE)])
            return lambda: [self._unit(*reply) for reply in alone.replies()]

        return begin

    def _lived(self, lives: Sequence[Life]) -> list[Answered]:
        try:
            self._servers.begin(lives)
            found = {reply[0].number: self._unit(*reply) for reply in self._servers.replies()}
        except BaseException:
            # Replies to these lives may still come, and belong to nobody.
            self._servers.end()
            raise
        return [found[life.number] for life in lives]

    def _unit(self, life: Life, status: int, seconds: float, content: bytes) -> Answered:
        if status == REFUSED:
            raise BlackBoxError(
                "no process can be started for a fresh instance; free memory or processes"
            )
        record = Record.of(content)
        if record.ending is not None:
            self._sightings |= record.ending.sightings
        reason = _REASONS.get(status, Missing.MISSING)
        unit = answered(life, record, reason, seconds, self._datasets)
        self.first_failure = self.first_failure or unit.first_failure
        return unit
