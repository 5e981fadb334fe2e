"""Fresh instances of a black box, made for one audit."""

from __future__ import annotations

import select
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Self

from audit.blackbox.python import PythonBlackBox
from audit.errors import BlackBoxError
from audit.outcomes.failed_run import FailedRun
from audit.sampling.independence.choice import Choice, Chooser, another, pickled_datasets
from audit.sampling.independence.instance import Held
from audit.sampling.independence.lean_server import CRASHED, LATE, REFUSED
from audit.sampling.independence.life import Answered, Life, Question, Sightings
from audit.sampling.independence.missing_outcome import Missing, Record, answered
from audit.sampling.independence.preliminary_sample import ALONE, PreliminarySample
from audit.sampling.independence.reachable import Ownership, catalog_packages
from audit.sampling.independence.server_process import ServerEnded

_REASONS = {CRASHED: Missing.CRASH, LATE: Missing.TIMEOUT}
_APART = 2.0
"""Seconds between the clocks of two lives."""


class Instances:
    """Servers of fresh instances of one Python black box; a context manager.

    Attributes:
        assumptions: "shared-import", "shared-constructor", as far as they are made.
        first_failure: the first failed call of any life, of the preliminary sample too.
    """

    def __init__(
        self, box: PythonBlackBox, choice: Choice, datasets: Sequence[Any], earlier: int
    ) -> None:
        """See `of`."""
        self.assumptions = choice.assumptions
        self.first_failure: FailedRun | None = None
        self._box, self._choice, self._servers = box, choice, choice.servers
        self._datasets = list(datasets)
        self._sightings = Sightings() if choice.way is None else choice.way.sightings
        self._sample: PreliminarySample | None = None
        self._lives, self._begun = earlier, time.time()
        self._workers = ThreadPoolExecutor(1 if choice.alone is None else choice.alone.workers)

    @classmethod
    def of(
        cls,
        box: PythonBlackBox,
        datasets: Sequence[Any],
        *,
        workers: int = 1,
        timeout: float | None = 10.0,
        earlier: int = 0,
    ) -> Instances:
        """Find out how fresh instances can be made, and start the servers.

        It must be called before the first call of an object in memory.

        Args:
            box: the black box.
            datasets: the first ones; `add_dataset` adds more.
            workers: servers, which serve at the same time.
            timeout: seconds for one output, None for no limit.
            earlier: lives that an audit which goes on may have had before.

        Raises:
            BlackBoxError: no fresh instance can be made.
        """
        ownership = Ownership(catalog_packages())
        pickled = pickled_datasets(box, datasets, ownership)
        chooser = Chooser(box, pickled, workers, timeout, ownership)
        return cls(box, chooser.chosen(), datasets, earlier)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def is_lean(self) -> bool:
        """Whether lives are forks of an interpreter that has read nothing of the user's."""
        way = self._choice.way
        return way is not None and not isinstance(way.making.source, Held)

    @property
    def processes(self) -> list[int]:
        """Numbers of the servers' processes."""
        return [server.process for server in self._servers]

    def add_dataset(self, data: Any) -> int:
        """Send a dataset to the servers; its index in questions.

        Raises:
            BlackBoxError: it cannot be sent.
        """
        (pickled,) = pickled_datasets(self._box, [data], Ownership(catalog_packages()))
        if self._choice.way is not None:
            self._choice.way.history.append(("dataset", pickled))
        for server in self._servers:
            server.send("dataset", pickled)
        if self._choice.alone is not None:
            self._choice.alone.add_dataset(pickled)
        self._datasets.append(data)
        return len(self._datasets) - 1

    def answered(self, lives: Sequence[Life]) -> list[Answered]:
        """Live some lives; the result does not depend on how many servers there are.

        Each has a clock of its own, so that noise that Python's clock seeds is drawn anew.

        Args:
            lives: with numbers that differ from each other.

        Returns:
            In the order of `lives`.

        Raises:
            BlackBoxError: an output is none, or no more lives can be started.
        """
        first = self._lives
        self._lives += len(lives)
        clocks = (self._begun + _APART * number for number in range(first, self._lives))
        found = self._lived([replace(life, clock=next(clocks)) for life in lives])
        if self._sample is not None:
            self._sample.advance()
        return found

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
            cloned=self._choice.cloned,
        )
        return self._sample

    def _in_interpreters(
        self, questions: tuple[Question, ...], entropy: tuple[int, ...]
    ) -> Callable[[], list[Answered]] | None:
        """Start a few lives in interpreters, to compare forks with; a function that waits."""
        if self._choice.way is None or self._choice.alone is None:
            return None
        begun = []
        for place in range(ALONE):
            life = Life(-1 - place, (*entropy, place), questions)
            begun.append((life, self._workers.submit(self._choice.alone.live, life, 1 + place)))
        return lambda: [self._unit(life, *future.result()) for life, future in begun]

    def close(self) -> None:
        """End the servers and what they serve."""
        if self._choice.alone is not None:
            self._choice.alone.close()
        for server in self._servers:
            server.end()
        self._workers.shutdown(wait=True, cancel_futures=True)

    def _lived(self, lives: Sequence[Life]) -> list[Answered]:
        alone, found = self._choice.alone, dict[int, Answered]()
        if self._choice.way is None:
            assert alone is not None
            begun = [(life, self._workers.submit(alone.live, life)) for life in lives]
            return [self._unit(life, *future.result()) for life, future in begun]
        try:
            self._serve(lives, found)
        except BaseException:
            # Replies to these lives may still come, and belong to nobody.
            for server in self._servers:
                server.end()
            raise
        return [found[life.number] for life in lives]

    def _unit(self, life: Life, status: int, seconds: float, content: bytes) -> Answered:
        if status == REFUSED:
            raise BlackBoxError(
                "no process can be started for a fresh instance; free memory or processes"
            )
        record = Record.of(content)
        if record.ending is not None and record.ending.sightings is not None:
            self._sightings |= record.ending.sightings
        reason = _REASONS.get(status, Missing.MISSING)
        unit = answered(life, record, reason, seconds, self._datasets)
        self.first_failure = self.first_failure or unit.first_failure
        return unit

    def _serve(self, lives: Iterable[Life], found: dict[int, Answered]) -> None:
        """Spread lives over the servers by their number, and gather their replies."""
        waiting = [deque[Life]() for _ in self._servers]
        for life in lives:
            waiting[life.number % len(waiting)].append(life)
        for place, queue in enumerate(waiting):
            if queue:
                self._send(place, queue)
        while busy := {s.replies: p for p, s in enumerate(self._servers) if waiting[p]}:
            for descriptor in select.select(list(busy), [], [])[0]:
                self._receive(busy[descriptor], waiting[busy[descriptor]], found)

    def _send(self, place: int, queue: deque[Life]) -> None:
        try:
            self._servers[place].send("lives", list(queue))
        except ServerEnded:
            self._replace(place)
            self._servers[place].send("lives", list(queue))

    def _receive(self, place: int, queue: deque[Life], found: dict[int, Answered]) -> None:
        """Take the replies that are there; after the end of a server, its life has crashed."""
        try:
            for number, status, seconds, content in self._servers[place].read():
                life = queue.popleft()
                assert life.number == number
                found[number] = self._unit(life, status, seconds, content)
        except ServerEnded:
            life = queue.popleft()
            found[life.number] = self._unit(life, CRASHED, 0.0, b"")
            self._replace(place)
            if queue:
                self._send(place, queue)

    def _replace(self, place: int) -> None:
        """Another server in place of one that has ended."""
        way = self._choice.way
        assert way is not None
        if isinstance(way.making.source, Held):
            raise BlackBoxError(
                f"the process with {self._box.name} as it was before its first call has ended; "
                "give factory= (a function that makes it), or audit a function of a file"
            )
        self._servers[place].end()
        self._servers[place] = another(way)
