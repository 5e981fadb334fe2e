"""One output whatever the dataset is no violation, and may not be what somebody meant."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

import audit

ALWAYS: dict[str, Callable[..., Any]] = {
    "nothing": lambda data: None,
    "the same list": lambda data, rng: [1.0, 2.0],
}
NOT_ALWAYS: dict[str, Callable[..., Any]] = {
    "noise": lambda data, rng: len(data) + rng.laplace(),
    "a coin": lambda data, rng: rng.random() < 0.5,
    "another one on each dataset": lambda data: len(data),
}


def reason(box: Any, **more: Any) -> str:
    """The reason of an inconclusive audit; empty for another verdict."""
    asked: dict[str, Any] = {"data": [1, 0], "neighbors": [[1]], "max_samples": 1_000}
    found = audit.run(box, epsilon=1.0, **asked | more)
    return found.reason if found.verdict == "inconclusive" else ""


@pytest.mark.parametrize("box", ALWAYS.values(), ids=ALWAYS)
def test_what_never_changes_is_said(box: Any) -> None:
    assert "every run on every dataset gave one and the same output" in reason(box)


@pytest.mark.parametrize(
    ("output", "words", "check"),
    [
        (None, "(None)", "returns its result"),
        (float("nan"), "(nan)", "computed from the data"),
        (5, "(5)", "computed from the data"),
        ("x" * 40, "", "returns its result"),
    ],
)
def test_the_one_output_is_named(output: Any, words: str, check: str) -> None:
    found = reason(lambda data: output)
    assert f"one and the same output {words}".rstrip() + ", so" in found
    assert check in found


@pytest.mark.parametrize("box", NOT_ALWAYS.values(), ids=NOT_ALWAYS)
def test_what_changes_is_not(box: Any) -> None:
    assert not reason(box)


@pytest.mark.slow
def test_a_program_that_prints_nothing_is_told() -> None:
    box = audit.boxes.CommandBlackBox([sys.executable, "-SEsc", "", "{data}"])
    assert "that the program prints it" in reason(box, max_samples=200)
