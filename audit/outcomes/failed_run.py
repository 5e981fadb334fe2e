"""Failed runs: as outputs, and as messages about the first of them."""

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
_NOT_OF_INPUT = frozenset(
    kind.__name__
    for kind in (
        *(ImportError, ModuleNotFoundError, NameError, NotImplementedError, SyntaxError),
        *(ConnectionError, ConnectionRefusedError, FileNotFoundError, PermissionError),
    )
)
"""Types of exceptions that other records would raise as well."""
_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


@dataclass(frozen=True, slots=True)
class FailedRun:
    """The first failed run of an audit, for messages and results.

    Attributes:
        kind: the exception's type, "timed out", or how a program ended.
        message: of the exception, in one line.
        where: file, line and function in the mechanism's code; None if there is none.
        dataset: its input, in one short line.
        call: its number among all runs of the audit, from 1; approximate if runs are
            made on other machines.
        hint: a well-known fix, in one line; empty if none is known.
    """

    kind: str
    message: str
    where: str | None
    dataset: str
    call: int
    hint: str = ""

    @classmethod
    def of(cls, error: Exception, data: Any, call: int, records: str | None = None) -> FailedRun:
        """The failed run of an exception on a dataset.

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
    def cause(self) -> str:
        """Type, message and line of code, in one line."""
        said = f"{self.kind}: {self.message}" if self.message else self.kind
        return f"{said} ({self.where})" if self.where else said

    @property
    def line(self) -> str:
        """Cause, dataset and hint in one line."""
        hint = f"; {self.hint}" if self.hint else ""
        return f"{self.cause} on the dataset {self.dataset}{hint}"

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


def hopeless(name: str, first: FailedRun | None, advice: str = "") -> BlackBoxError:
    """The error of an audit whose first runs all fail in the same way.

    Args:
        name: of the mechanism.
        first: the first of these runs, if it is known.
        advice: a fix for wrong input; left out if the input is not the cause.
    """
    if first is None:
        return BlackBoxError(f"every run of {name} fails in the same way; run it by itself")
    wrong_input = "" if first.kind in _NOT_OF_INPUT else advice
    fixes = [first.hint] if first.hint else [wrong_input, f"run {name} by itself"]
    fix = " or ".join(filter(None, fixes))
    return BlackBoxError(f"{first.cause} on every dataset, such as {first.dataset}; {fix}")
