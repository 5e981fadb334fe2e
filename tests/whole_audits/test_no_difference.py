"""A claim of epsilon 0: both sides have one law, up to delta."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

import audit
from audit.claims import ApproxDP, Claim, PureDP
from audit.report.restore import restore
from audit.verdict.renderers import render

PAIR: dict[str, Any] = {"data": [1], "neighbors": [[]]}


def silent(data: Any, rng: Generator, size: int) -> Any:
    """Says nothing of the data: right at epsilon 0."""
    return rng.laplace(0.0, 1.0, size)


def whispering(data: Any, rng: Generator, size: int) -> Any:
    """Epsilon is .05, total variation .0247."""
    return len(data) + rng.laplace(0.0, 20.0, size)


def mostly_silent(data: Any, rng: Generator, size: int) -> Any:
    """Tells the data with probability .1: total variation .1 at every epsilon."""
    return np.where(rng.random(size) < 0.1, len(data), -1)


@pytest.mark.slow
@pytest.mark.parametrize("delta", [None, 0.05])
def test_what_says_nothing_keeps_it(delta: float | None) -> None:
    result = audit.run(silent, epsilon=0, delta=delta, **PAIR, max_samples=60_000)
    assert result.verdict == "not-refuted"
    assert result.epsilon_lower == 0.0


@pytest.mark.slow
def test_what_says_a_little_breaks_it() -> None:
    result = audit.run(whispering, epsilon=0, **PAIR)
    assert result.verdict == "violation"
    assert 0.0 < result.epsilon_lower <= 0.05
    assert result.witness is not None


@pytest.mark.slow
@pytest.mark.parametrize(("delta", "verdict"), [(0.11, "not-refuted"), (0.07, "violation")])
def test_a_delta_beside_it_is_total_variation(delta: float, verdict: str) -> None:
    result = audit.run(mostly_silent, epsilon=0.0, delta=delta, **PAIR, max_samples=60_000)
    assert result.verdict == verdict


@pytest.mark.slow
def test_its_results_are_written_and_read_again() -> None:
    result = audit.run(whispering, epsilon=0, **PAIR)
    again = restore(result.to_json())
    assert again.claim == PureDP(0)
    assert again.to_json() == result.to_json()
    for kind in ("text", "markdown", "html"):
        assert render(again, kind) == render(result, kind)
    assert "is not ε = 0 differentially private" in " ".join(render(result, "text").split())
    assert "1e-09" not in render(result, "html")


@pytest.mark.slow
def test_recorded_outputs_are_held_against_it(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    for name, data in (("D.txt", [1]), ("D1.txt", []), ("D2.txt", [1])):
        np.savetxt(tmp_path / name, mostly_silent(data, rng, 4000), fmt="%d")
    told, alike = (
        audit.samples([tmp_path / "D.txt", tmp_path / name], PureDP(0.0))
        for name in ("D1.txt", "D2.txt")
    )
    assert (told.verdict, alike.verdict) == ("violation", "not-refuted")
    assert alike.epsilon_lower == 0.0


@pytest.mark.parametrize("claim", [PureDP(0), ApproxDP(0.0, 0.1)])
def test_it_is_bet_against_at_a_level_that_everybody_who_keeps_it_keeps(claim: Claim) -> None:
    assert claim.level == 1e-9
    assert claim.stated(claim.level) == 0.0
    ((slope, offset),) = claim.lines(claim.level)
    assert 1.0 <= slope <= 1.0 + 1e-8
    assert offset == claim.delta(0.0) == pytest.approx(getattr(claim, "delta_claimed", 0.0))
