"""What has one shape on D and another on its neighbor is told apart; a right twin is not accused.

A wrong mechanism has a shape nine times in ten where the record is there, once in ten where it is
not: its loss is log 9, not a certain disclosure. Its right twin, odds 3 : 2, keeps epsilon = 1.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

import audit
from audit.verdict.result import AuditResult, Verdict
from tests.shapes import SHAPED, Shape

WRONG, RIGHT = (0.9, 0.1), (0.6, 0.4)


def audited(shape: Shape, chances: tuple[float, float], seed: int = 0) -> AuditResult:
    def release(data: Any, rng: Generator) -> Any:
        return shape(rng, bool(rng.random() < chances[len(data) - 1]))

    return audit.run(
        release,
        epsilon=1.0,
        data=[1],
        neighbors=[[1, 1]],
        max_samples=4_000,
        until="violation",
        seed=seed,
    )


@pytest.mark.parametrize("shape", SHAPED)
def test_a_shape_that_follows_the_data_is_seen_in_some_hundred_runs(shape: Shape) -> None:
    result = audited(shape, WRONG)
    assert result.verdict is Verdict.VIOLATION
    assert result.effort["bets"] <= 1_200


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPED)
def test_one_that_follows_them_as_far_as_is_claimed_accuses_nobody(shape: Shape) -> None:
    assert audited(shape, RIGHT).verdict is Verdict.NOT_REFUTED


def checked(data: Any, rng: Generator, start: int) -> bytes:
    payload = rng.bytes(6)
    return payload + struct.pack(">I", zlib.crc32(payload, start))


def book(data: Any, rng: Generator, start: int) -> str:
    """A number as on books, with an X for ten."""
    digits = rng.integers(0, 10, 9)
    check = int(digits @ np.arange(1, 10) + start) % 11
    return "".join(map(str, digits)) + "-" + ("X" if check == 10 else str(check))


@pytest.mark.slow
@pytest.mark.parametrize("law", [checked, book])
def test_check_digits_that_hold_a_record_are_recomputed(law: Callable[..., Any]) -> None:
    def wrong(data: Any, rng: Generator) -> Any:
        return law(data, rng, 5 * len(data))

    def right(data: Any, rng: Generator) -> Any:
        return law(data, rng, 5)

    results = [
        audit.run(box, epsilon=1.0, data=[1], neighbors=[[]], max_samples=6_000, until="violation")
        for box in (wrong, right)
    ]
    assert [result.verdict for result in results] == [Verdict.VIOLATION, Verdict.NOT_REFUTED]
