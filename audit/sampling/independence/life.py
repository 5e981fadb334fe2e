"""Lives: one fresh instance each, which answers a fixed number of times and ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from audit.errors import BlackBoxError

if TYPE_CHECKING:
    from audit.blackbox.callables import Shape
    from audit.outcomes.failed_run import FailedRun

Question = tuple[int, int]
"""Index of a dataset, and outputs wanted by one call."""
_OUTPUTS_IN_TIME = 1 << 14
"""Outputs of one call that the time for one output is enough for."""


@dataclass(frozen=True, slots=True)
class Making:
    """How an instance is made.

    Attributes:
        source: gives the callable or the factory.
        factory: whether it gives a factory.
        name: of the black box.
        records: "dict" for a list of dicts instead of a DataFrame.
        timeout: seconds for one output; None for no limit.
        packages: that count as installed.
        shape: how the callable is called; None where that is not known before it is made.
    """

    source: Callable[[], Any]
    factory: bool
    name: str
    records: str | None
    timeout: float | None
    packages: frozenset[str]
    shape: Shape | None

    def seconds(self, size: int) -> float:
        """Time limit of a call for so many outputs; 0 for no limit."""
        return (self.timeout or 0.0) * max(1.0, size / _OUTPUTS_IN_TIME)


@dataclass(frozen=True, slots=True)
class Life:
    """One unit: a fresh instance and all that it is asked, fixed before it starts.

    Attributes:
        number: of the unit; negative for lives that are no units.
        entropy: words of a SeedSequence, from which all randomness of the life follows except
            the operating system's. Lives of equal entropy share their random numbers.
        questions: (index of the dataset, size) of each call, in order. A size above 1 is for
            black boxes that take one.
        clock: time at its start, in seconds since 1970; 0 for that of the machine.
        trial: whether to look at what it loads and holds.
    """

    number: int
    entropy: tuple[int, ...]
    questions: tuple[Question, ...]
    clock: float = 0.0
    trial: bool = False


@dataclass(frozen=True, slots=True)
class Answered:
    """The outputs of one life, none of them dropped.

    Attributes:
        number: of the unit.
        outputs: one entry a question. For size 1 an output or a `Failure`; for a larger size
            an array or a list with that many outputs.
        first_failure: the first failed call, where there is one. A server describes the first
            failed life that it serves; for later ones this is None.
        seconds: of the life, processor time from its start to its end.
        call_seconds: of its calls together.
    """

    number: int
    outputs: list[Any]
    first_failure: FailedRun | None
    seconds: float
    call_seconds: float


@dataclass(frozen=True, slots=True)
class Sightings:
    """Traces that lives left outside their process, or found there (see `living`).

    Attributes:
        events: "socket", "process", "database".
        read: files whose contents came from before the life.
        written: files that were opened for writing.
    """

    events: frozenset[str] = frozenset()
    read: frozenset[str] = frozenset()
    written: frozenset[str] = frozenset()

    def __or__(self, other: Sightings) -> Sightings:
        return Sightings(
            self.events | other.events, self.read | other.read, self.written | other.written
        )

    @property
    def shared(self) -> tuple[str, ...]:
        """Traces by which lives may depend on each other; files only when one is read back."""
        return (*sorted(self.events), *sorted(self.read & self.written))


@dataclass(frozen=True, slots=True)
class Scouted:
    """Observations of a trial life, for the server of later ones.

    Attributes:
        libraries: installed modules that it loaded, in order.
        own_files: files of the user's own modules that it loaded.
        reading: processor seconds for reading the user's code.
        hashes: whether the user's code calls `hash`, whose seed forks share.
        settings: of the module that it comes from, see `settings_of`.
        contents: checksums of the user's own modules, see `checksum_of`.
    """

    libraries: tuple[str, ...] = ()
    own_files: tuple[str, ...] = ()
    reading: float = 0.0
    hashes: bool = False
    settings: dict[str, Any] = field(default_factory=dict)
    contents: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Ending:
    """The last record of a life that came to its end."""

    calls: float
    sightings: Sightings
    scouted: Scouted | None = None


UNDER_WAY: list[Life] = []
"""The life that this process is, if it is one."""


def refuse_inside() -> None:
    """Refuse an audit in a process that is a life, such as one that its module makes on import.

    Raises:
        BlackBoxError: it is one.
    """
    if UNDER_WAY:
        raise BlackBoxError(
            'loading the mechanism starts an audit; move that below if __name__ == "__main__"'
        )
