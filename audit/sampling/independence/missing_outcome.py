"""Answers that never came, as outcomes: a life's record is completed, never dropped.

Dropping failed lives would condition on the data: a mechanism that crashes more often on one
dataset, within its claim, would be accused.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from audit.blackbox.output import length_of
from audit.errors import AuditError, BlackBoxError
from audit.outcomes.failed_run import FailedRun, in_one_line
from audit.outcomes.leaves import Failure
from audit.sampling.independence.life import Answered, Ending, Life, Question


class Missing(StrEnum):
    """Reasons for which a life gave fewer answers than it was asked for."""

    CRASH = "crash"
    TIMEOUT = "timeout"
    MISSING = "missing"


_REASONS = {
    Missing.CRASH: "the process ended in the middle of a call",
    Missing.TIMEOUT: "no answer within the time limit",
    Missing.MISSING: "fewer answers than asked for",
}


@dataclass(slots=True)
class Record:
    """The stream of pickles that a life wrote, read back.

    Attributes:
        outputs: entries of the questions that were answered.
        failure: the first failed call.
        ending: the last record; None when the life did not come to its end.
    """

    outputs: list[Any] = field(default_factory=list)
    failure: FailedRun | None = None
    ending: Ending | None = None

    @classmethod
    def of(cls, content: bytes) -> Record:
        """Read as far as whole entries go.

        Raises:
            AuditError: the life met something that ends the audit.
        """
        record, stream = cls(), io.BytesIO(content)
        # The last entry may be cut off by the end of the process.
        with suppress(EOFError, pickle.UnpicklingError):
            while True:
                record._add(pickle.load(stream))
        return record

    def _add(self, entry: Any) -> None:
        """Sort one entry of the stream."""
        kind = type(entry)
        if kind is FailedRun:
            self.failure = entry
        elif kind is Ending:
            self.ending = entry
        elif isinstance(entry, AuditError):
            raise entry
        else:
            self.outputs.append(entry)


def answered(
    life: Life, record: Record, reason: Missing, seconds: float, datasets: Sequence[Any]
) -> Answered:
    """The life as a unit, with missing outcomes where answers are missing.

    Args:
        life: its questions.
        record: its answers.
        reason: the outcome of all questions without an answer.
        seconds: of the life.
        datasets: by index, for people.
    """
    outputs = [
        _whole(o, size) for o, (_, size) in zip(record.outputs, life.questions, strict=False)
    ]
    failure, left = record.failure, life.questions[len(outputs) :]
    if left:
        outputs += missing(left, reason)
        told, place = _REASONS[reason], len(record.outputs)
        data = in_one_line(datasets[left[0][0]])
        failure = failure or FailedRun(str(reason), told, None, data, place + 1)
    calls = record.ending.calls if record.ending else seconds
    return Answered(life.number, outputs, failure, seconds, calls)


def missing(questions: Sequence[Question], reason: Missing) -> list[Any]:
    """Missing outcomes for some questions."""
    outcome = Failure(str(reason))
    return [outcome if size == 1 else [outcome] * size for _, size in questions]


def _whole(output: Any, size: int) -> Any:
    """The outputs of one question, completed where a call for many gave too few.

    Raises:
        BlackBoxError: a call for many gave no sequence, or too many.
    """
    if size == 1:
        return output
    if isinstance(output, Failure):
        return [output] * size
    length = length_of(output) if hasattr(output, "__len__") else None
    if length is None or length > size or isinstance(output, (str, bytes, dict)):
        found = type(output).__name__ if length is None else f"{type(output).__name__} of {length}"
        raise BlackBoxError(
            f"the black box returned {found} where an array or sequence of {size} outputs was "
            "expected; return `size` outputs, or drop `size` and return one",
            output,
        )
    return (
        output if length == size else [*output, *[Failure(str(Missing.MISSING))] * (size - length)]
    )
