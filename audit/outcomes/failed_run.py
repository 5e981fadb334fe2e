"""Runs that gave no value: what they are as outputs, and what is told of the first."""

from __future__ import annotations

import os
import re
import traceback
from dataclasses import dataclass, replace
from typing import Any

from audit.blackbox.hints import hint_for
from audit.errors import BlackBoxError, clipped_message, shown
from audit.outcomes.leaves import Failure

_ADDRESS = re.compile(r"0x[0-9A-Fa-f]+")
_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


@dataclass(frozen=True, slots=True)
class FailedRun:
    """A failed run as people are told of it.

    Attributes:
        kind: the exception's type, "timed out", or how a program ended.
        message: what it said, in one line.
        where: file, line and function in the mechanism's code; None where there is none.
        dataset: what it was given, in one short line.
        call: its place among all runs of the audit, from 1; where calls are made on
            other machines, about that.
        hint: what may be the cause, in one line; empty where nothing is known.
    """

    kind: str
    message: str
    where: str | None
    dataset: str
    call: int
    hint: str = ""

    @classmethod
    def of(cls, error: Exception, data: Any, call: int, records: str | None = None) -> FailedRun:
        """What to tell of an exception that a run on this dataset ended in.

        Args:
            error: the exception.
            data: the dataset.
            call: the number of the run.
            records: how the black box is given its records, as in `--records`.
        """
        name = failure_of(error).name
        kind = type(error).__name__ if name == f"raised {type(error).__name__}" else name
        hint = hint_for(error, data, records)
        return cls(kind, clipped_message(error), _where(error), shown(data), call, hint)

    def after(self, runs: int) -> FailedRun:
        """The same where so many runs came before."""
        return replace(self, call=self.call + runs)

    @property
    def told(self) -> str:
        """All of it in one line."""
        said = f"{self.kind}: {self.message}" if self.message else self.kind
        place = f", at {self.where}" if self.where else ""
        hint = f"; {self.hint}" if self.hint else ""
        return f"{said}{place}, on the dataset {self.dataset}{hint}"

    def as_json(self) -> dict[str, Any]:
        """As in the result."""
        return {
            "type": self.kind,
            "message": self.message,
            "where": self.where,
            "dataset": self.dataset,
            "call": self.call,
        }


def failure_of(error: Exception) -> Failure:
    """An exception as an output: its type, and its message without addresses in memory.

    How a program or a service ended has a name of its own and no message.
    """
    try:
        name = getattr(error, "outcome_name", None)
    except Exception:  # an exception of somebody's own may fail when it is looked at
        name = None
    if name and isinstance(name, str):
        return Failure(name)
    return Failure(f"raised {type(error).__name__}", _ADDRESS.sub("0x", clipped_message(error)))


def _where(error: Exception) -> str | None:
    """The innermost line of code that is not the auditor's own."""
    frames = traceback.extract_tb(error.__traceback__)
    for frame in reversed(frames):
        if not os.path.abspath(frame.filename).startswith(_OWN + os.sep):
            return f"{os.path.basename(frame.filename)}:{frame.lineno} in {frame.name}"
    return None


def hopeless(name: str, first: FailedRun | None, asked: str = "does it run?") -> BlackBoxError:
    """What ends an audit whose first runs all failed in the same way."""
    told = "" if first is None else f" ({first.told})"
    return BlackBoxError(
        f"{asked} The first runs of {name} on every dataset failed in the same way{told}; see "
        "that it answers at all, and that what it is given is what it expects"
    )
