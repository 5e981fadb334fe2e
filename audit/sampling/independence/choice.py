"""The way to make fresh instances of a black box, chosen by trial lives."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from audit.blackbox.python import PythonBlackBox
from audit.errors import BlackBoxError, reason_of
from audit.outcomes.failed_run import FailedRun
from audit.outcomes.leaves import Failure
from audit.sampling.independence.lean_server import DONE, READ_ONCE
from audit.sampling.independence.life import Life, Making, Question, Scouted, Sightings
from audit.sampling.independence.missing_outcome import Record
from audit.sampling.independence.pickled import (
    READS,
    Pickled,
    defining,
    read_anew,
    set_at_run_time,
)
from audit.sampling.independence.reachable import Ownership, catalog_packages
from audit.sampling.independence.server_process import FORKS, ServerEnded, ServerProcess

_FIRST, _LATER = 30.0, 5.0
"""Seconds for the first instance, which loads libraries, and for those after it."""
_SEEDS = 8
"""Seeds by which noise that is kept is told from noise that is drawn."""
_DEAR = 0.02
"""Processor seconds for reading the user's code, above which it is read once for all lives."""
SHARED_IMPORT, SHARED_CONSTRUCTOR = "shared-import", "shared-constructor"


class Unfit(Exception):
    """Instances cannot be made in this way."""


class Kind(Enum):
    """What lives are: forks of a lean interpreter, interpreters, or forks of this process."""

    LEAN, INTERPRETERS, HELD = range(3)


_LEAN = Kind.LEAN if FORKS else Kind.INTERPRETERS


@dataclass(slots=True)
class Way:
    """One way to make fresh instances, and what trial lives showed of it.

    Attributes:
        making: of instances.
        kind: of lives.
        server: the first one.
        requests: what another server is sent to be the same.
        scouted: by the last trial life.
        sightings: of trial lives.
        answers: of the trial life with questions, and how it ended.
        failure: its first failed call.
        shares_import: whether the user's code is read once for all lives.
        assumptions: ids of what is assumed.
        runs: outputs that trial lives were asked for.
    """

    making: Making
    kind: Kind
    server: ServerProcess
    requests: list[Any] = field(default_factory=list)
    scouted: Scouted = field(default_factory=Scouted)
    sightings: Sightings = field(default_factory=Sightings)
    answers: tuple[int, list[Any]] = (DONE, [])
    failure: FailedRun | None = None
    shares_import: bool = False
    assumptions: tuple[str, ...] = ()
    runs: int = 0

    @property
    def cloned(self) -> bool:
        """Whether forks share a hash seed that the user's code asks for."""
        return self.kind is not Kind.INTERPRETERS and self.scouted.hashes

    def another(self) -> ServerProcess:
        """One more server that makes instances in the same way.

        Raises:
            BlackBoxError: it cannot be started.
        """
        server = _server(self.making, self.kind)
        for request in self.requests:
            server.send(request)
        return server

    def try_out(self, datasets: Sequence[Pickled]) -> None:
        """Make an instance, load its libraries for all later ones, and let another one answer.

        Raises:
            Unfit: none can be made.
            BlackBoxError, ServerEnded: it ended all.
        """
        if self.kind is not Kind.HELD:
            self._tell(self.making)
        for dataset in datasets:
            self._tell(dataset)
        self._make(_FIRST)
        self.answers = self.first_answers(datasets)
        self._make(_LATER)
        if self.kind is Kind.LEAN and not self.scouted.hashes:
            self._read_once_if_dear()

    def first_answers(self, datasets: Sequence[Pickled], seed: int = 0) -> tuple[int, list[Any]]:
        """How a trial life ended, and its answers, the same whenever they follow from seeds."""
        questions = tuple((index, 1) for index in range(len(datasets[:2])))
        self.runs += len(questions)
        status, record = self._trial(questions, None, seed)
        self.failure = self.failure or record.failure
        return status, record.outputs

    def fixed(self, datasets: Sequence[Pickled]) -> list[bool]:
        """Of each first answer, whether it is the same whatever the seeds are."""
        found = [self.first_answers(datasets, seed)[1] for seed in range(_SEEDS)]
        return [len({*map(pickle.dumps, same)}) == 1 for same in zip(*found, strict=False)]

    def read_again(self, seed: int) -> dict[str, Any]:
        """Settings of the user's module in one more trial life; those of the last if it fails."""
        with suppress(Unfit, ServerEnded):
            self._make(_LATER, seed)
        return self.scouted.settings

    def _read_once_if_dear(self) -> None:
        """Read the user's code in the server if that takes long and always comes to the same."""
        first = self.scouted.contents
        for seed in range(READS):
            if self.scouted.reading <= _DEAR or self.scouted.contents != first:
                return
            self._make(_LATER, seed)
        self.shares_import = True
        self._tell(READ_ONCE)
        self._make(_LATER)

    def _tell(self, request: Any) -> None:
        """Send a request that changes what later lives start from."""
        self.requests.append(request)
        self.server.send(request)

    def _make(self, seconds: float, seed: int = 0) -> None:
        status, record = self._trial((), seconds, seed)
        if record.failure is not None:
            raise Unfit(f"{record.failure.kind}: {record.failure.message}")
        if status != DONE:
            raise Unfit("the process of the first instance ended")

    def _trial(
        self, questions: tuple[Question, ...], seconds: float | None, seed: int = 0
    ) -> tuple[int, Record]:
        """How a trial life ended, whose libraries the server then has, and its record."""
        self.server.send([Life(-1, (seed,), questions, trial=True)])
        if not self.server.connection.poll(seconds):
            raise Unfit(f"no first instance within {seconds:g} s")
        _, status, _, content = self.server.read()
        record = Record.of(content)
        if record.ending is not None and record.ending.scouted is not None:
            self.scouted = record.ending.scouted
            self.sightings |= record.ending.sightings
            if self.scouted.libraries or self.scouted.own_files:
                self._tell(self.scouted)
        return status, record


def _server(making: Making, kind: Kind) -> ServerProcess:
    held = making if kind is Kind.HELD else None
    return ServerProcess(held, forks=kind is not Kind.INTERPRETERS)


@dataclass(frozen=True, slots=True)
class Chooser:
    """A black box, and what its fresh instances need.

    Attributes:
        box: the black box.
        timeout: seconds for one output; None for no limit.
        ownership: of modules.
        tried: ways so far.
    """

    box: PythonBlackBox
    timeout: float | None
    ownership: Ownership = field(default_factory=lambda: Ownership(catalog_packages()))
    tried: list[Way] = field(default_factory=list)

    def dataset(self, data: Any) -> Pickled:
        """A dataset as it is sent to other processes.

        Raises:
            BlackBoxError: it cannot be sent.
        """
        try:
            return Pickled.of(data, self.box.function, self.ownership)
        except Exception as error:
            raise BlackBoxError(
                f"a dataset cannot be sent to fresh instances ({reason_of(error)}); give records "
                "of numbers, texts and plain objects"
            ) from error

    def chosen(self, datasets: Sequence[Pickled]) -> Way:
        """Try ways in order, the one with fewest assumptions first.

        Raises:
            BlackBoxError: none works.
        """
        try:
            way = self._read_anew(datasets) or self._copied(datasets)
        except Unfit as error:
            return self._held(datasets, str(error))
        if way.cloned:
            way.server.end()
            way = replace(way, kind=Kind.INTERPRETERS)
            way.server = way.another()
        elif not (self._is_made_anew or self._is_installed or self._agrees(way, datasets)):
            way.server.end()
            return self._held(datasets, "its answers there are others")
        return way

    def _read_anew(self, datasets: Sequence[Pickled]) -> Way | None:
        """Code that every life reads anew, so that nothing of it was drawn before; None for others.

        Raises:
            Unfit: no instance can be made of what was given by its address.
        """
        given = self.box._source
        source = read_anew(given, self._given, self.ownership)
        if source is None:
            return None
        try:
            way = self._tried(source.made, _LEAN, datasets)
        except Unfit:
            if given:
                raise
            return None  # another process finds no module of that name
        if not given and set_at_run_time(self._given, way.read_again):
            way.server.end()
            return None
        way.assumptions = (SHARED_IMPORT,) if way.shares_import else ()
        return way

    def _copied(self, datasets: Sequence[Pickled]) -> Way:
        """A copy of the object for every life, with what it holds.

        Raises:
            Unfit: it cannot be copied.
        """
        try:
            source = Pickled.of(self._given, self._given, self.ownership).made
        except Exception as error:  # whatever pickling an object of somebody's own raises
            raise Unfit(reason_of(error)) from error
        way = self._tried(source, _LEAN, datasets)
        copied = () if self._is_made_anew else (SHARED_CONSTRUCTOR,)
        way.assumptions = (SHARED_IMPORT,) * way.shares_import + copied
        return way

    @property
    def _given(self) -> Any:
        """What was given: the factory, if there is one, else what is called."""
        return self.box.function if self.box.factory is None else self.box.factory

    @property
    def _is_made_anew(self) -> bool:
        """Whether every life makes the object, so that nothing of it was drawn before."""
        return self.box.factory is not None or self.box._source is not None

    @property
    def _is_installed(self) -> bool:
        """Whether the code of an object is found by its name in any process."""
        return not self.ownership.is_own(getattr(defining(self.box.function), "__name__", None))

    def _tried(self, source: Callable[[], Any], kind: Kind, datasets: Sequence[Pickled]) -> Way:
        """A way that made an instance.

        Raises:
            Unfit: none can be made.
        """
        box, factory = self.box, self.box.factory is not None
        shape, packages = None if factory else box.shape, self.ownership.packages
        making = Making(source, factory, box.name, box.records, self.timeout, packages, shape)
        try:
            way = Way(making, kind, _server(making, kind))
        except BlackBoxError as error:
            raise Unfit(str(error)) from error
        self.tried.append(way)
        try:
            way.try_out(datasets)
        except BaseException as error:
            way.server.end()
            if isinstance(error, (ServerEnded, BlackBoxError)):
                raise Unfit(reason_of(error)) from error
            raise
        return way

    def _as_it_is(self, datasets: Sequence[Pickled]) -> Way:
        """Forks of this process, with the object as it is.

        Raises:
            Unfit: no instance can be made.
        """
        if not FORKS:
            raise Unfit("this system has no safe forks")
        given = self._given
        return self._tried(lambda: given, Kind.HELD, datasets)

    def _agrees(self, lean: Way, datasets: Sequence[Pickled]) -> bool:
        """Whether first answers that follow from seeds are the same in a fork of this process.

        A fork that keeps noise of earlier calls says nothing: it answers alike whatever its seeds
        are, and the lean one does not.
        """
        try:
            held = self._as_it_is(datasets)
        except Unfit:
            return True  # there is nothing else to compare with
        try:
            status, outputs = held.answers
            if status != DONE or any(isinstance(output, Failure) for output in outputs):
                return True  # a fork lacks something, such as the threads of this process
            known = pickle.dumps(lean.answers)
            same = pickle.dumps(held.answers) == known
            if same or pickle.dumps(lean.first_answers(datasets)) != known:
                return True
            both = zip(held.fixed(datasets), lean.fixed(datasets), strict=False)
            return any(kept and not fixed for kept, fixed in both)
        finally:
            held.server.end()

    def _held(self, datasets: Sequence[Pickled], reason: str) -> Way:
        try:
            way = self._as_it_is(datasets)
        except Unfit as error:
            raise BlackBoxError(
                f"no fresh instance of {self.box.name} can be made: not in another interpreter "
                f"({reason}), nor by a fork ({error}); give factory= (a function that makes it), "
                "or assume independent calls (--assume independent-calls)",
                self.box,
            ) from error
        if self.box._source is not None:
            way.assumptions = (SHARED_IMPORT,)
        elif self.box.factory is None:
            way.assumptions = (SHARED_CONSTRUCTOR,)
        return way
