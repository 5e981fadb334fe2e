"""Why claims of libraries were refuted, counted by cause and not by call."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from audit.errors import InputError

NAME = "causes.toml"


class Kind(StrEnum):
    """Kinds of causes: what a refuted claim says about its library."""

    REAL = "real"
    """A promise of the documentation does not hold."""
    SMALL_PRINT = "small print"
    """The documentation warns of it, or never promised it."""
    FLOATING_POINT = "floating point"
    """Low bits of an output give the data away; the claim in real numbers stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """One reason for which one or more calls of a library were refuted.

    Attributes:
        name: that of its draft of a report, too; begins with its library.
        library: as `LIBRARIES` names it.
        kind: what it says about the library.
        calls: the refuted calls, the plainest first.
        promise: the words of the documentation.
        where: the place of these words.
        cause: what the code does.
        thread: where the maintainers know of it, empty when no thread was found.
        severity: how far the loss goes, and what it takes.
        samples: runs that refute the first call.
    """

    name: str
    library: str
    kind: Kind
    calls: tuple[str, ...]
    promise: str
    where: str
    cause: str
    severity: str
    thread: str = ""
    samples: int = 8_000

    @property
    def command(self) -> str:
        """Command that repeats the audit of its first call in an environment of its own."""
        return f"reproduce.sh {self.library} --entry {self.calls[0]} --max-samples {self.samples}"


def read_causes(folder: Path) -> tuple[Cause, ...]:
    """Causes of the file in the folder of libraries, in their order.

    Args:
        folder: holds the file of causes; none are known where it is missing.

    Raises:
        InputError: a name or a call stands there twice.
    """
    path = folder / NAME
    if not path.exists():
        return ()
    found = tomllib.loads(path.read_text("utf-8"))["cause"]
    causes = tuple(
        Cause(**{**one, "kind": Kind(one["kind"]), "calls": tuple(one["calls"])}) for one in found
    )
    _refuse_repeated([cause.name for cause in causes], path)
    _refuse_repeated([call for cause in causes for call in cause.calls], path)
    return causes


def _refuse_repeated(names: Iterable[str], path: Path) -> None:
    repeated = [name for name, times in Counter(names).items() if times > 1]
    if repeated:
        raise InputError(f"{repeated[0]!r} stands twice in {path}; keep one of them", repeated[0])
