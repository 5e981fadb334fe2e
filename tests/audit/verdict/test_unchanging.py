"""One output whatever the dataset is no violation, and may not be what somebody meant."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

import audit
from audit.claims import GaussianDP, RenyiDP
from audit.report.loss import Interface, needed

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


@pytest.mark.parametrize(
    ("output", "words"), [({}, "({})"), ([], "([])"), ((), "(())"), (set(), "(set())")]
)
def test_an_output_without_parts_is_named(output: Any, words: str) -> None:
    assert f"one and the same output {words}, so" in reason(lambda data: output)


def test_outputs_that_delta_allows_may_just_not_have_come() -> None:
    """A threshold that δ pays for: nearly every output is empty, and no more is wrong with it."""
    asked: dict[str, Any] = {"data": [1], "neighbors": [[]], "max_samples": 1_000}
    found = audit.run(lambda data: {}, claim=audit.DP(1.0, 1e-5), **asked)
    assert found.verdict == "inconclusive" and found.effort["bets"] > 800
    assert found.reason == (
        "every run on every dataset gave one and the same output ({}); outputs that δ allows come "
        "about once in 100,000 runs"
    )
    assert (
        needed(found, Interface.COMMAND)
        == "give --data with more records, or --max-samples 1000000"
    )


def test_bets_that_were_never_placed_are_said() -> None:
    asked: dict[str, Any] = {"data": [1], "neighbors": [[]], "max_samples": 1_000}
    found = audit.run(lambda data: {}, claim=audit.DP(1.0, 1e-5), **asked)
    assert "no event that showed enough, or in enough runs, to bet on" in found.tried


def test_no_result_may_be_forgotten_under_delta_as_well() -> None:
    found = reason(lambda data: None, delta=1e-5)
    assert "returns its result" in found and "once in 100,000 runs" in found
    assert "once in" not in reason(lambda data: None, delta=0.2)


@pytest.mark.parametrize("claim", [audit.DP(1.0), GaussianDP(1.0), RenyiDP(2.0, 1.0)])
def test_a_claim_that_allows_no_output_of_one_dataset_alone_ends_early(claim: Any) -> None:
    asked: dict[str, Any] = {"data": [1], "max_samples": 4_000, "claim": claim}
    assert audit.run(lambda data: 5, **asked).effort["bets"] < 1_000


@pytest.mark.parametrize("box", NOT_ALWAYS.values(), ids=NOT_ALWAYS)
def test_what_changes_is_not(box: Any) -> None:
    assert not reason(box)


@pytest.mark.slow
def test_a_program_that_prints_nothing_is_told() -> None:
    box = audit.boxes.CommandBlackBox([sys.executable, "-SEsc", "", "{data}"])
    assert "that the program prints it" in reason(box, max_samples=200)
