"""Errors of the tool, each carrying the object that caused it.

Every error is one line for a person: the value, what was expected, how to mend
it. The command line prints that line and exits with 2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_LONGEST_REASON = 200
_LONGEST_SHOWN = 60


class AuditError(Exception):
    """Root of all errors this package raises on purpose.

    Attributes:
        offender: the value that was not accepted, for programs that catch it.
    """

    def __init__(self, message: str, offender: object = None) -> None:
        super().__init__(visible(message))
        self.offender = offender

    def __reduce__(self) -> tuple[Any, ...]:
        """The offender stays in its process: it may be huge, or of a kind that cannot travel."""
        return type(self), (str(self),)


class InputError(AuditError):
    """A file, flag or argument is not what the tool can work with."""


class ClaimError(InputError):
    """A privacy claim whose parameters make no sense."""


class DomainError(InputError):
    """A record domain that cannot be read, or data outside of it."""


class RelationError(InputError):
    """Two datasets that are not neighbors under the stated relation."""


class StoreError(AuditError):
    """A file of finished batches that cannot be read or written, or is damaged."""


class BlackBoxError(AuditError):
    """A black box that cannot be called or sampled as its contract says."""


class OutcomeError(BlackBoxError):
    """An output of a kind that the auditor cannot sort into events."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during an audit; whoever does not look for it is interrupted as usual.

    Attributes:
        result: the `AuditResult` of the evidence so far.
    """

    def __init__(self, result: Any) -> None:
        super().__init__("interrupted")
        self.result = result


def visible(text: str, written: Callable[[str], str] = repr) -> str:
    """The same text in one line, with what does not print as it is written between quotes."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else written(c)[1:-1] for c in text)


def reason_of(error: BaseException) -> str:
    """Type and message of an exception in one line, for messages about it."""
    message = clipped_message(error)
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def clipped_message(error: BaseException) -> str:
    """The message of an exception in one line, cut where it is long."""
    try:
        return _clipped(str(error), _LONGEST_REASON)
    except Exception:  # not every exception can be shown
        return ""


def shown(value: object) -> str:
    """Any value in one short line, for a message about it."""
    try:
        return _clipped(repr(value), _LONGEST_SHOWN)
    except ValueError:  # an integer of more digits than Python writes
        return "of thousands of digits"


def _clipped(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most]}…"
