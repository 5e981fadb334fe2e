"""Audits that assume independent calls: what is a violation, and what is no answer."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

import audit
from mechanisms import CATALOG
from tests.calls import called, here

__all__ = ["here"]

PAIR: dict[str, Any] = {"relation": "declared", "data": [1.0], "neighbors": [[0.0]]}


def audited(box: Any, **more: Any) -> audit.AuditResult:
    """An audit on the datasets [1.0] and [0.0]."""
    return audit.run(box, name="box", **PAIR, **{"epsilon": 1.0, "max_samples": 4_000, **more})


@pytest.mark.slow
def test_the_result_names_the_assumption() -> None:
    result = audited(lambda data, rng: data[0] + rng.laplace(), assume=("independent-calls",))
    assert "independent-calls" in result.assumptions
    assert result.units is not None
    assert result.units.kind == "call"


def spawning(data: Any, rng: Generator, size: int) -> Any:
    child = rng.spawn(1)[0]
    child.random(int(data[0]))
    return data[0] + child.laplace(size=size)


def reseeding(data: Any, rng: Generator, size: int) -> Any:
    child = np.random.default_rng(int(rng.integers(2**63)))
    child.random(int(data[0]))
    return data[0] + child.laplace(size=size)


@pytest.mark.slow
@pytest.mark.parametrize("release", [spawning, reseeding])
def test_noise_of_a_generator_that_the_given_one_makes(release: Any) -> None:
    right = audited(release)
    assert right.verdict == "not-refuted"
    assert right.epsilon_lower <= 1.0
    assert audited(release, epsilon=0.4, max_samples=20_000, until="violation").verdict == (
        "violation"
    )


def mirrored(data: Any, rng: Generator) -> float:
    """Equal laws; with common random numbers one is the other with its sign changed."""
    noise = float(rng.normal())
    return -noise if data[0] else noise


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_common_random_numbers_in_opposite_directions_are_no_difference(seed: int) -> None:
    result = audited(mirrored, epsilon=0.01, alpha=0.05, max_samples=8_000, seed=seed)
    assert result.verdict == "not-refuted"
    assert result.epsilon_lower <= 0.001


def test_common_random_numbers_in_opposite_directions_hide_no_violation() -> None:
    def moved(data: Any, rng: Generator) -> float:
        return float(mirrored(data, rng) + data[0])

    result = audited(moved, epsilon=0.3, max_samples=20_000, until="violation")
    assert result.verdict == "violation"


def exact_many(data: Any, size: int) -> Any:
    return np.full(size, data[0])


@pytest.mark.slow
def test_an_exact_answer_is_inconclusive_if_the_budget_cannot_refute_it() -> None:
    result = audited(exact_many, epsilon=10.0, max_samples=20_000)
    assert result.verdict == "inconclusive"
    assert result.wanted > 20_000
    assert audited(exact_many, epsilon=3.0).verdict == "violation"


DYING = """
import numpy as np

LEFT, RNG = [500], np.random.default_rng(0)


def dying(data):
    LEFT[0] -= 1
    if LEFT[0] < 0:
        raise RuntimeError("the privacy budget is spent")
    return len(data) + RNG.laplace()


def lasting(data, rng):
    return len(data) + rng.laplace()
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "code", "verdict"), [("dying", 3, "INCONCLUSIVE"), ("lasting", 0, "NOT REFUTED")]
)
def test_a_function_that_dies_at_call_500_is_no_answer(
    capfd: pytest.CaptureFixture[str], here: Path, name: str, code: int, verdict: str
) -> None:
    (here / "box.py").write_text(DYING)
    run = called(
        capfd, "python", f"box.py:{name}", "--epsilon", "1", "--data", "[1, 1]",
        "--max-samples", "3000",
    )  # fmt: skip
    assert run.code == code
    assert verdict in run.out
    assert ("number 501" in run.out) == (name == "dying")
    assert ("the privacy budget is spent" in run.out) == (name == "dying")


@pytest.mark.lives
def test_a_catalogue_declares_independent_calls() -> None:
    declared, other = (
        audit.run(CATALOG[name], max_samples=400, search=False)
        for name in ("laplace", "noisy-average")
    )
    assert declared.assumptions == ("independent-calls",)
    assert declared.units is not None and declared.units.kind == "call"
    assert other.assumptions == ()
    assert other.units is not None and other.units.kind == "life"


@pytest.mark.slow
def test_a_slower_mechanism_that_seeds_nothing_gives_the_same_answer() -> None:
    """Batches, for which the global generators are seeded, do not follow the clock."""

    def quick(data: Any) -> float:
        return float(data[0] + np.random.laplace())  # noqa: NPY002

    def slow(data: Any) -> float:
        time.sleep(0.0005)
        return quick(data)

    found = [
        audited(box, max_samples=6_000, assume=("independent-calls",)).to_json()
        for box in (quick, slow)
    ]
    for one in found:
        for where in ("seconds", "finished", "place"):
            one.pop(where, None)
    assert found[0] == found[1]
