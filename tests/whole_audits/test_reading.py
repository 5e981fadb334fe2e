"""What audits read off outputs: the wrong mechanism is caught in words, its right twin is not."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

import audit
from audit.verdict.result import AuditResult, Verdict

Mechanism = Callable[..., Any]


def audited(mechanism: Mechanism, samples: int = 6_000) -> AuditResult:
    return audit.run(
        mechanism,
        epsilon=1.0,
        data=np.ones(3),
        neighbors=[np.ones(2)],
        max_samples=samples,
        until="violation",
    )


def failing(told: Callable[[Any, float], object]) -> Mechanism:
    """Every other run raises, and says something."""

    def release(data: Any, rng: Generator) -> float:
        noisy, fails = len(data) + rng.laplace(), rng.random() < 0.5
        if fails:
            raise ValueError(f"bad row {rng.integers(10**6)} of {told(data, noisy)} at {rng}")
        return float(noisy)

    return release


@pytest.mark.slow
def test_the_message_of_an_exception_is_read() -> None:
    result = audited(failing(lambda data, noisy: len(data)))
    assert result.verdict is Verdict.VIOLATION
    assert result.witness is not None
    assert "the message of the failure" in result.witness.event.description


@pytest.mark.slow
def test_a_message_that_tells_nothing_accuses_nobody() -> None:
    assert audited(failing(lambda data, noisy: round(noisy))).verdict is Verdict.NOT_REFUTED


def stamped(data: Any, rng: Generator) -> str:
    """Times, numbers that count up, and ids: none of them follows from the data."""
    stamped.__dict__["calls"] = calls = stamped.__dict__.get("calls", 0) + 1
    now, id_ = time.time(), rng.bytes(8).hex()
    return f"{time.strftime('%H:%M:%S')} {now:.6f} #{calls} {id_} {len(data) + rng.laplace():.5f}"


@pytest.mark.slow
def test_ids_and_time_stamps_accuse_nobody() -> None:
    assert audited(stamped).verdict is not Verdict.VIOLATION


def enciphered(data: Any, rng: Generator) -> str:
    held = f"{len(data)} {rng.random()}"
    return hashlib.sha256(held.encode()).hexdigest()


def printed(data: Any, rng: Generator) -> str:
    return f"{len(data) + rng.laplace():.12f}"


@pytest.mark.slow
@pytest.mark.parametrize(("mechanism", "blind"), [(enciphered, True), (printed, False)])
def test_where_nothing_can_be_read_the_result_says_that_it_is_blind(
    mechanism: Mechanism, blind: bool
) -> None:
    result = audited(mechanism)
    assert result.verdict is Verdict.NOT_REFUTED
    assert any("never came twice" in note for note in result.notes) == blind
    assert np.isinf(result.detectable_epsilon or 0.0) == blind


def _huge(data: Any, rng: np.random.Generator) -> Any:
    noisy = len(data) + rng.laplace()
    if rng.random() < 0.5:
        return 6e307 * rng.choice([1.0, -1.0])
    return "none" if noisy < 0 else noisy


@pytest.mark.slow
def test_symbols_have_a_place_beyond_the_largest_numbers() -> None:
    """Nothing overflows on the way, which would be a warning and so an error here."""
    result = audit.run(_huge, epsilon=1.0, data=[1], neighbors=[[]], max_samples=3000)
    assert result.verdict is audit.Verdict.NOT_REFUTED
