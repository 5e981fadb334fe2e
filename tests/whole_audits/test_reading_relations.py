"""What audits read off several parts at once: a relation is named, its twin is not accused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

import audit
from audit.verdict.result import AuditResult, Verdict

Told = Callable[[int, Generator], Any]
"""An output in which a whole number shows."""
MODULUS = 11


def audited(told: Told, exact: bool) -> AuditResult:
    def release(data: Any, rng: Generator) -> Any:
        noisy = len(data) + rng.laplace()
        return told(len(data) if exact else int(np.clip(round(noisy), 0, 9)), rng)

    return audit.run(
        release,
        epsilon=1.0,
        alpha=0.05,
        data=np.ones(3),
        neighbors=[np.ones(2)],
        max_samples=6_000 if exact else 2_400,
        until="violation",
    )


def sometimes(count: int, rng: Generator) -> Any:
    parts = rng.normal(0, 20, 5)
    if rng.random() < 0.3:
        parts[4] = 2 * parts[1] - count
    return parts


def between_three(count: int, rng: Generator) -> Any:
    parts = rng.normal(0, 20, 30)
    parts[21] = count - parts[4] + 3 * parts[9]
    return parts


def of_a_product(count: int, rng: Generator) -> Any:
    parts = rng.normal(0, 20, 5)
    parts[4] = parts[0] * parts[3] + count
    return parts


def quotient(count: int, rng: Generator) -> Any:
    parts = np.exp(rng.normal(0, 2, 7))
    parts[6] = parts[1] * (count + 1)
    return parts


def far_apart(count: int, rng: Generator) -> Any:
    parts = rng.normal(0, 20, 400)
    parts[303] = parts[17] - count
    return parts


def one_of_many(count: int, rng: Generator) -> Any:
    parts = rng.normal(0, 1, 400)
    parts[303] += 9 * count
    return parts


def two_of_six(count: int, rng: Generator) -> Any:
    parts = rng.integers(0, 1000, 6)
    parts[4] = (count - parts[1]) % 3 + 3 * rng.integers(0, 300)
    return parts


def check_digit(count: int, rng: Generator) -> str:
    digits = rng.integers(0, 10, 9)
    return "".join(map(str, digits)) + str((int(digits.sum()) + count) % 10)


def weighted_characters(count: int, rng: Generator) -> str:
    letters = rng.integers(0, MODULUS, 8)
    letters[7] = (count - (letters[:7] * np.arange(1, 8)).sum()) % MODULUS
    return "".join("ABCDEFGHIJK"[letter] for letter in letters)


def checksum(count: int, rng: Generator) -> bytes:
    held = rng.integers(0, 256, 7)
    return bytes([*held.tolist(), (int(held.sum()) + count) % 256])


WORDS: dict[Told, str] = {
    sometimes: "2*output[1] - output[4] is",
    between_three: "output[4] - 3*output[9] + output[21] is",
    of_a_product: "output[4] - output[0]*output[3] is",
    quotient: "4*output[1] - output[6] is 0 up to rounding",
    far_apart: "output[17] - entry 303 of output is",
    one_of_many: "entry 303 of the output is",
    two_of_six: "(output[1] + output[4]) modulo 3 is",
    check_digit: "the sum of digits in the output modulo",
    weighted_characters: "code of character",
    checksum: "the sum of character codes in the output modulo",
}
QUICK = (two_of_six, check_digit, checksum)
"""Whose twins are audited in a second or two."""


@pytest.mark.slow
@pytest.mark.parametrize("told", WORDS)
def test_what_the_parts_say_together_is_read_and_named(told: Told) -> None:
    result = audited(told, exact=True)
    assert result.verdict is Verdict.VIOLATION
    assert result.witness is not None
    assert WORDS[told] in result.witness.event.description


@pytest.mark.parametrize(
    "told",
    [told if told in QUICK else pytest.param(told, marks=pytest.mark.slow) for told in WORDS],
)
def test_a_relation_that_says_the_noisy_number_accuses_nobody(told: Told) -> None:
    assert audited(told, exact=False).verdict is not Verdict.VIOLATION


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_the_count_of_a_winner_is_read_where_it_wins(scale: float) -> None:
    """The winner and its count cost ε each; with half of ε for each both are within the claim."""

    def noisy_max(data: list[str], rng: Generator) -> tuple[str, float]:
        counts = {key: data.count(key) + rng.laplace(0, scale) for key in "abc"}
        winner = max(counts, key=lambda key: counts[key])
        return winner, data.count(winner) + rng.laplace(0, scale)

    result = audit.run(
        noisy_max,
        epsilon=1.0,
        data=["b", "b", "c", "c"],
        neighbors=[["a", "b", "b", "c", "c"]],
        max_samples=6_000,
        assume=("independent-calls",),
    )
    assert (result.verdict is Verdict.VIOLATION) == (scale == 1.0)
    if result.witness is not None:
        said = result.witness.event.description
        assert said.startswith("output[0] is 'a' and output[1] is at least")
