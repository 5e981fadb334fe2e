"""A leak of floating-point numbers is one of low bits: that a number is absent is none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

import audit
from audit.report.restore import restore
from audit.verdict.result import AuditResult

Mechanism = Callable[[Any, Generator], Any]


def absent(data: Any, rng: Generator) -> float | None:
    return float(rng.laplace()) if len(data) else None


def failing(data: Any, rng: Generator) -> float:
    if not len(data):
        raise ValueError("no records")
    return float(rng.laplace())


def without_a_key(data: Any, rng: Generator) -> dict[str, float]:
    left_out = not len(data) and rng.random() < 0.7
    return {} if left_out else {"a": float(rng.laplace())}


def low_bits(data: Any, rng: Generator) -> float | None:
    """A count whose low bits tell of it; now and then no answer, as often on both sides."""
    return None if rng.random() < 0.2 else 0.1 * len(data) + float(rng.laplace(0.0, 0.1))


def low_bits_or_none(data: Any, rng: Generator) -> float | None:
    """The same, but where there are records there always is an answer."""
    return None if not len(data) and rng.random() < 0.4 else low_bits(data, rng)


def audited(mechanism: Mechanism) -> AuditResult:
    return audit.run(mechanism, epsilon=1.0, domain="int:0:1", max_samples=20_000)


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", [absent, failing, without_a_key])
def test_an_absence_a_kind_and_a_failure_are_no_leak(mechanism: Mechanism) -> None:
    result = audited(mechanism)
    assert result.verdict == "violation"
    assert result.leaks == ()


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", [low_bits, low_bits_or_none])
def test_low_bits_are_one_also_where_numbers_are_absent(
    mechanism: Mechanism, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("audit.engine.steps.of_their_own", lambda result: result.leaks)
    (leak,) = audited(mechanism).leaks
    assert leak.kind == "floating-point"
    assert "multiple of 2^" in leak.event.description
    assert not {"absent", "None", "else"} & {*leak.event.description.split()}


@pytest.mark.parametrize("leaking", [True, False])
def test_a_violation_has_a_leak_if_it_loses_more_than_the_output(leaking: bool) -> None:
    """A number of one decimal has low-order bits that follow its size."""

    def release(data: Any, rng: Generator, size: int) -> Any:
        noisy = len(data) + rng.laplace(0.0, 0.5, size)
        return noisy if leaking else np.round(10.0 * noisy, 1)

    result = audit.run(
        release, epsilon=1.0, data=[1], neighbors=[[]], max_samples=200_000, until="budget"
    )
    assert result.verdict == "violation"
    assert bool(result.leaks) is leaking
    assert all((leak.epsilon_lower or 0.0) > result.epsilon_lower for leak in result.leaks)


def whole(data: Any, rng: Generator) -> float:
    return float(len(data) + rng.integers(0, 9))


def mixed(data: Any, rng: Generator) -> dict[str, Any]:
    return {"label": "a", "noisy": len(data) + rng.laplace()}


@pytest.mark.parametrize(
    ("mechanism", "fractions", "said"),
    [
        (whole, False, "none in these runs: no output held a float that is no whole number"),
        (lambda data, rng: str(rng.integers(3)), False, "none in these runs: no output held"),
        (mixed, True, "examined in floats, as far as the runs went: no leak"),
    ],
)
def test_low_order_bits_are_examined_if_there_are_any(
    mechanism: Mechanism, fractions: bool, said: str
) -> None:
    result = audit.run(mechanism, 5.0, data=[1], neighbors=[[]], max_samples=2_000)
    assert result.no_fractions is not fractions
    assert ("no_fractions" in result.to_json()) is not fractions
    assert restore(result.to_json()).no_fractions is not fractions
    assert f"Low-order bits of floating-point outputs: {said}" in result.to_markdown()
