"""Trial lives, which show how fresh instances of a black box can be made."""

from __future__ import annotations

import select
import time
from dataclasses import dataclass, field
from typing import Any

from audit.errors import BlackBoxError, reason_of
from audit.sampling.independence.instance import Making
from audit.sampling.independence.lean_server import DONE
from audit.sampling.independence.life import Life, Question, Scouted, Sightings
from audit.sampling.independence.missing_outcome import Record
from audit.sampling.independence.server_process import ServerEnded, ServerProcess

_FIRST = 30.0
"""Seconds for the first instance, which loads libraries; those after it have fewer."""
_LATER = 5.0
_DEAR = 0.02
"""Processor seconds for reading the user's code, above which it is read once for all lives."""
_NOTHING = Scouted((), (), 0.0, False, False)


class Unfit(Exception):
    """Instances cannot be made in this way."""


@dataclass(slots=True)
class Way:
    """One way to make fresh instances: a server that does it.

    Attributes:
        server: serves lives.
        making: of instances.
        history: requests that another server needs to be the same.
        scouted: what the last trial life showed.
        sightings: of trial lives.
        answers: of the trial life with questions.
        shares_import: whether the user's code is read once for all lives.
    """

    server: ServerProcess
    making: Making
    history: list[tuple[str, Any]] = field(default_factory=list)
    scouted: Scouted = _NOTHING
    sightings: Sightings = field(default_factory=Sightings)
    answers: tuple[int, list[Any]] = (DONE, [])
    shares_import: bool = False

    @classmethod
    def lean(cls, making: Making, datasets: list[Any]) -> Way:
        """With a lean server.

        Args:
            making: of instances.
            datasets: pickled.

        Raises:
            Unfit: no instance can be made there.
        """
        way = cls._started(ServerProcess.lean, making, [("making", making)], datasets)
        way.read_once_if_dear()
        return way

    @classmethod
    def forked(cls, making: Making, datasets: list[Any]) -> Way:
        """With a fork of this process.

        Raises:
            Unfit: no instance can be made there.
        """
        return cls._started(lambda: ServerProcess.forked(making), making, [], datasets)

    @classmethod
    def _started(
        cls, start: Any, making: Making, requests: list[tuple[str, Any]], datasets: list[Any]
    ) -> Way:
        try:
            way = cls(start(), making)
        except BlackBoxError as error:
            raise Unfit(str(error)) from error
        try:
            for request in (*requests, *(("dataset", dataset) for dataset in datasets)):
                way.tell(*request)
            way.try_out(len(datasets))
        except BaseException as error:
            way.server.end()
            if isinstance(error, (ServerEnded, BlackBoxError)):
                raise Unfit(reason_of(error)) from error
            raise
        return way

    def tell(self, kind: str, content: Any = None) -> None:
        """Send a request that changes what later lives start from."""
        self.history.append((kind, content))
        self.server.send(kind, content)

    def try_out(self, datasets: int) -> None:
        """Make an instance, load its libraries for all later ones, and let another one answer.

        Raises:
            Unfit: none can be made.
        """
        self._make(_FIRST)
        questions = tuple((index, 1) for index in range(min(2, datasets)))
        status, record = self._trial(questions, None)
        self.answers = status, record.outputs
        self._make(_LATER)

    def _make(self, seconds: float) -> None:
        status, record = self._trial((), seconds)
        if record.failure is not None:
            raise Unfit(f"{record.failure.kind}: {record.failure.message}")
        if status != DONE:
            raise Unfit("the process of the first instance ended")

    def read_once_if_dear(self) -> None:
        """Read the user's code in the server where reading it in every life takes long."""
        if self.scouted.reading <= _DEAR:
            return
        self._make(_LATER)
        if self.scouted.reading > _DEAR:
            self.shares_import = True
            self.tell("read")
            self._make(_LATER)

    def _trial(self, questions: tuple[Question, ...], seconds: float | None) -> tuple[int, Record]:
        """One trial life, whose libraries the server then has."""
        self.server.send("trial", Life(-1, (0,), questions))
        deadline = None if seconds is None else time.monotonic() + seconds
        while True:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            if not select.select([self.server.replies], [], [], left)[0]:
                raise Unfit(f"no first instance within {seconds:g} s")
            for _, status, _, content in self.server.read():
                return status, self._learned(Record.of(content))

    def _learned(self, record: Record) -> Record:
        if record.ending is not None and record.ending.scouted is not None:
            self.scouted = record.ending.scouted
            self.sightings |= record.ending.sightings or Sightings()
            if self.scouted.libraries or self.scouted.own_files:
                self.tell("libraries", self.scouted)
        return record
