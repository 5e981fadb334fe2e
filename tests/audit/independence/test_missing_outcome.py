"""A life's record is completed, never dropped."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from audit.errors import BlackBoxError, OutcomeError
from audit.outcomes.failed_run import FailedRun
from audit.outcomes.leaves import Failure
from audit.sampling.independence.life import Life
from audit.sampling.independence.missing_outcome import Missing, Record, answered

LIFE = Life(4, (1,), ((0, 1), (1, 1), (0, 1)))
DATA = [[1.0], [2.0]]


def stream(*entries: Any) -> bytes:
    return b"".join(map(pickle.dumps, entries))


@pytest.mark.parametrize("reason", Missing)
@pytest.mark.parametrize("given", [0, 1, 2, 3])
def test_questions_without_an_answer_are_missing_outcomes(reason: Missing, given: int) -> None:
    record = Record.of(stream(*[1.5] * given))
    found = answered(LIFE, record, reason, 0.1, DATA)
    assert found.number == 4
    assert found.outputs == [1.5] * given + [Failure(str(reason))] * (3 - given)
    assert (found.first_failure is None) == (given == 3)


def test_an_entry_that_was_cut_off_is_no_answer() -> None:
    whole = stream(1.5, 2.5)
    found = answered(LIFE, Record.of(whole[:-3]), Missing.CRASH, 0.1, DATA)
    assert found.outputs == [1.5, Failure("crash"), Failure("crash")]


def test_an_exception_is_an_outcome_and_what_comes_after_it_counts() -> None:
    failed = FailedRun("KeyError", "no", None, "[1.0]", 1)
    entries = stream(failed, Failure("raised KeyError"), 2.5, 3.5)
    found = answered(LIFE, Record.of(entries), Missing.MISSING, 0.1, DATA)
    assert found.outputs == [Failure("raised KeyError"), 2.5, 3.5]
    assert found.first_failure == failed


def test_too_few_outputs_of_a_call_for_many_are_completed() -> None:
    life = Life(0, (1,), ((0, 3), (1, 3)))
    record = Record.of(stream(np.array([1.0, 2.0])))
    first, second = answered(life, record, Missing.TIMEOUT, 0.1, DATA).outputs
    assert list(first) == [1.0, 2.0, Failure("missing")]
    assert second == [Failure("timeout")] * 3
    with pytest.raises(BlackBoxError, match="3 outputs was expected"):
        answered(life, Record.of(stream([1.0] * 4)), Missing.MISSING, 0.1, DATA)


class Uncountable(list[float]):
    def __len__(self) -> int:
        raise ValueError("no")


def test_outputs_of_a_call_for_many_that_cannot_be_counted_are_refused() -> None:
    life = Life(0, (1,), ((0, 3),))
    with pytest.raises(OutcomeError, match="looking at it raises ValueError: no"):
        answered(life, Record(outputs=[Uncountable()]), Missing.MISSING, 0.1, DATA)


def test_what_ends_the_audit_is_raised() -> None:
    with pytest.raises(OutcomeError, match="odd"):
        Record.of(stream(1.0, OutcomeError("odd")))
