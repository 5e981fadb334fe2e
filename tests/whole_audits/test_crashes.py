"""Functions that end their process on some datasets: the audit goes on, and says so."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest
from numpy.random import Generator

import audit
from audit.diagnosis.cause import Cause
from audit.sampling.independence.server_process import FORKS
from audit.verdict.result import AuditResult

pytestmark = [
    pytest.mark.lives,
    pytest.mark.skipif(not FORKS, reason="no forks on this system"),
]


def audited(function: Any, max_samples: int) -> AuditResult:
    return audit.run(
        function, epsilon=2.0, domain="int:0:3", max_samples=max_samples, until="violation"
    )


def crash() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def crashes_on_threes(data: Any, rng: Generator) -> float:
    if 3 in data:
        crash()
    return float(len(data) + rng.laplace())


def crashes_now_and_then(data: Any, rng: Generator) -> float:
    if rng.random() < 0.1:
        crash()
    return float(len(data) + rng.laplace())


def test_a_crash_on_some_datasets_is_found_and_explained() -> None:
    result = audited(crashes_on_threes, 2000)
    assert result.verdict == "violation", result.reason
    assert result.witness is not None and result.diagnosis is not None
    assert result.diagnosis.cause == Cause.FAILURE
    assert "The mechanism ends its process in all of the runs" in result.diagnosis.sentence


def test_crashes_that_do_not_depend_on_the_data_refute_nothing() -> None:
    result = audited(crashes_now_and_then, 1200)
    assert result.verdict == "not-refuted", result.reason
