"""Runs are spent where they count: where every run takes a call, mostly on bets."""

from __future__ import annotations

from typing import Any

import pytest
from numpy.random import Generator

import audit
from audit.betting.power import floor_units
from audit.blackbox.command import CommandBlackBox
from audit.claims import PureDP
from audit.verdict.result import AuditResult

LEAST = 80
"""Runs of a witness and of checks that are made however few the bets took."""


def exact(data: Any, rng: Generator) -> float:
    return float(len(data))


def noisy(data: Any, rng: Generator) -> float:
    """A count with a third of the noise."""
    return len(data) + float(rng.laplace(0.0, 1 / 3))


def right(data: Any, rng: Generator) -> float:
    return len(data) + float(rng.laplace(0.0, 1.0))


def nearly(data: Any, rng: Generator) -> float:
    """An answer that is given most of the time only."""
    return float(len(data)) if rng.random() < 0.9 else float(rng.integers(100))


def spent(mechanism: Any, **more: Any) -> AuditResult:
    where: dict[str, Any] = {"data": [1, 2, 3]} if "domain" not in more else {}
    return audit.run(mechanism, epsilon=1.0, **where, **more)


def beside(result: AuditResult) -> int:
    return sum(result.effort[stage] for stage in ("check", "witness", "tables"))


def cost(result: AuditResult) -> int:
    """Runs that the refutation took, those of people's tables and of the witness aside."""
    return result.samples - beside(result)


@pytest.mark.parametrize("max_samples", [400, 2_000, 20_000, 400_000, 4_000_000])
def test_an_exact_answer_costs_a_few_times_the_least_whatever_the_budget(
    max_samples: int,
) -> None:
    least = 2 * floor_units(PureDP(1.0), 0.001)
    result = spent(exact, max_samples=max_samples, until="violation")
    assert result.verdict == "violation"
    assert result.witness is not None and result.witness.separated
    assert cost(result) <= 8 * least


@pytest.mark.slow
def test_so_it_does_where_every_run_starts_a_program() -> None:
    box = CommandBlackBox(["grep", "-c", "", "{data}"])
    result = spent(box, until="violation")
    assert result.verdict == "violation"
    assert cost(result) <= 16 * floor_units(PureDP(1.0), 0.001)


def test_so_it_does_where_the_worst_pair_has_to_be_found_and_shrunk() -> None:
    result = spent(exact, domain="int:0:5", until="violation", max_samples=40_000)
    assert result.verdict == "violation"
    assert result.witness is not None
    assert sorted(map(str, (result.witness.dataset, result.witness.neighbor))) == ["[0]", "[]"]
    assert result.effort["bets"] <= 8 * floor_units(PureDP(1.0), 0.001)


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", [exact, noisy, nearly])
def test_what_is_not_bet_costs_no_more_than_the_bets(mechanism: Any) -> None:
    result = spent(mechanism)
    assert result.verdict == "violation"
    assert sum(result.effort.values()) == result.samples
    assert beside(result) <= max(result.effort["bets"], LEAST)


@pytest.mark.slow
def test_a_right_mechanism_is_not_refuted_for_all_that() -> None:
    result = spent(right, max_samples=8_000)
    assert result.verdict == "not-refuted"
    assert beside(result) <= result.effort["bets"]
    assert result.pairs


@pytest.mark.slow
def test_the_result_says_that_there_are_no_tables() -> None:
    result = spent(exact, max_samples=400)
    assert not result.pairs
    assert any("no tables were drawn" in note for note in result.notes)
    assert not any("no tables" in note for note in spent(right, max_samples=8_000).notes)


@pytest.mark.slow
@pytest.mark.parametrize("until", ["violation", "bound", "budget"])
@pytest.mark.parametrize("runs", [40, 200, 1_000, 2_000, 4_000])
def test_no_tables_are_never_passed_over_in_silence(runs: int, until: str) -> None:
    result = spent(right, max_samples=runs, until=until)
    told = [note for note in result.notes if note.startswith("no tables were drawn")]
    assert len(told) == (not result.pairs)
    left = f"{runs - result.samples:,} of {runs:,} runs were left, and tables take about 20 on each"
    assert all(left in note for note in told)
    assert bool(result.pairs) or runs < 4_000
