"""After a refutation bets go on until they have said how large the loss is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

import audit
from audit.claims import ZCDP
from audit.verdict.result import AuditResult
from mechanisms import CATALOG

DATA = [1, 2, 3]
RUNS = 40_000


def laplace(scale: float) -> Any:
    def count(data: Any, rng: Generator) -> float:
        return len(data) + float(rng.laplace(0.0, scale))

    return count


def gaussian(scale: float) -> Any:
    def count(data: Any, rng: Generator) -> float:
        return len(data) + float(rng.normal(0.0, scale))

    return count


class Own:
    """A Laplace count with a generator of its own."""

    def __init__(self, scale: float) -> None:
        self.scale, self.rng = scale, np.random.default_rng(3)

    def __call__(self, data: Any) -> float:
        return len(data) + float(self.rng.laplace(0.0, self.scale))


def beside_an_id(data: Any, rng: Generator) -> dict[str, float]:
    """The exact answer, beside a number that is another one each time."""
    return {"count": float(len(data)), "id": float(rng.random())}


def loss_of(mechanism: Any, **more: Any) -> AuditResult:
    return audit.run(mechanism, **{"epsilon": 1.0, "data": DATA, "max_samples": RUNS, **more})


@pytest.mark.slow
def test_most_of_a_finite_loss_is_shown() -> None:
    result = loss_of(laplace(1 / 2))
    assert result.verdict == "violation"
    assert 0.9 * 2.0 <= result.epsilon_lower <= 2.0


@pytest.mark.slow
def test_once_it_is_shown_no_more_runs_are_made() -> None:
    result = loss_of(laplace(1 / 2), max_samples=1_000_000)
    assert 0.9 * 2.0 <= result.epsilon_lower <= 2.0
    assert result.samples < 1_000_000


@pytest.mark.slow
@pytest.mark.parametrize(("make", "claim"), [(laplace, {}), (laplace, {"delta": 1e-3}), (Own, {})])
def test_noise_five_times_too_small_at_the_default_budget(make: Any, claim: Any) -> None:
    result = loss_of(make(0.2), **claim, max_samples=400_000)
    assert result.verdict == "violation"
    assert 4.5 <= result.epsilon_lower <= 5.0


@pytest.mark.slow
def test_a_loss_in_another_unit_is_shown_as_far() -> None:
    result = audit.run(gaussian(0.5), claim=ZCDP(0.5), data=DATA)
    assert result.verdict == "violation"
    assert 0.85 * 2.0 <= result.levels["rho_lower"] <= 2.0


@pytest.mark.slow
def test_the_bound_is_that_of_the_worst_pair() -> None:
    entry = CATALOG["gaussian-sum-replace-one"]
    result = audit.run(entry)
    assert entry.truth.epsilon is not None
    assert 1.2 <= result.epsilon_lower <= entry.truth.epsilon


@pytest.mark.slow
def test_noise_that_is_taken_back_is_a_loss_without_an_end() -> None:
    result = audit.run(CATALOG["histogram-noise-taken-back"])
    assert result.verdict == "violation"
    assert result.epsilon_lower >= 6.0


@pytest.mark.slow
def test_noise_that_is_kept_is_none() -> None:
    result = audit.run(CATALOG["histogram-noise-kept"], max_samples=20_000)
    assert result.verdict == "not-refuted"
    assert result.epsilon_lower <= 1.0


@pytest.mark.slow
def test_right_noise_is_not_refuted_by_any_of_it() -> None:
    result = loss_of(laplace(1.0), max_samples=40_000)
    assert result.verdict == "not-refuted"
    assert result.epsilon_lower <= 1.0


@pytest.mark.slow
@pytest.mark.parametrize("runs", [60_000, 4_000_000])
def test_a_loss_without_an_end_in_sight_is_large_after_a_few_runs(runs: int) -> None:
    result = loss_of(beside_an_id, max_samples=runs)
    assert result.verdict == "violation"
    assert 6.0 <= result.epsilon_lower < 7.0
    assert result.effort["bets"] < 40_000


@dataclass(slots=True)
class Service:
    """A Laplace count, one output a call.

    Attributes:
        scale: of its noise.
    """

    scale: float
    name: str = "service"
    seeded: bool = True
    many: bool = False

    def bind(self, data: Any) -> Bound:
        return Bound(len(data), self.scale)


@dataclass(slots=True)
class Bound:
    records: int
    scale: float

    def draw(self, rng: Generator, size: int) -> float:
        return self.records + float(rng.laplace(0.0, self.scale))


@pytest.mark.slow
def test_the_answer_is_the_same_whoever_draws() -> None:
    alone, together = (
        loss_of(Service(1 / 2), max_samples=30_000, workers=workers) for workers in (1, 2)
    )
    assert alone.epsilon_lower == together.epsilon_lower
    assert alone.effort == together.effort
