"""A black box from outside of the package: `bind`, `draw` and three attributes are enough."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

import audit
from audit.blackbox.callables import load_callable


class Dice:
    """A count with noise from two dice, the second of which has as many faces as one wants.

    Attributes:
        faces: of the dice.
        bound: how often it was given a dataset.
    """

    name, seeded, many = "dice", True, False

    def __init__(self, faces: int) -> None:
        self.faces, self.bound = faces, 0

    def bind(self, data: Any) -> Thrown:
        self.bound += 1
        return Thrown(len(data), self.faces)


class Thrown:
    """The count of one dataset."""

    def __init__(self, count: int, faces: int) -> None:
        self.count, self.faces = count, faces

    def draw(self, rng: Generator, size: int) -> int:
        first, second = rng.geometric(1.0 / self.faces, 2)
        return self.count + int(first - second)


def audited(box: Any, **more: Any) -> audit.AuditResult:
    given: dict[str, Any] = {"data": [1, 0, 1], "neighbors": [[1, 0]], "max_samples": 20_000}
    return audit.run(box, epsilon=1.0, **given | more)


@pytest.mark.slow
def test_it_is_audited_like_any_other() -> None:
    right, wrong = Dice(3), Dice(1.2)  # type: ignore[arg-type]
    assert audited(right).verdict is audit.Verdict.NOT_REFUTED
    result = audited(wrong)
    assert result.verdict is audit.Verdict.VIOLATION and result.diagnosis is not None
    # Two datasets, and further ones for a likely cause, whatever the number of runs.
    assert right.bound == 2
    more = Dice(1.2)  # type: ignore[arg-type]
    audited(more, max_samples=40_000)
    assert 2 < wrong.bound == more.bound < 10


@pytest.mark.slow
def test_it_travels_to_workers_and_is_kept_in_a_store(tmp_path: Any) -> None:
    alone = audited(Dice(3), seed=4)
    for more in ({"workers": 2}, {"store": tmp_path / "store"}, {"store": tmp_path / "store"}):
        other = audited(Dice(3), seed=4, **more)
        assert (other.epsilon_lower, other.samples) == (alone.epsilon_lower, alone.samples)
        assert other.log_evalue == alone.log_evalue


@pytest.mark.parametrize("data", [np.array([1.0]), "text", {"a": 1}])
def test_it_gets_the_dataset_as_the_caller_gave_it(data: Any) -> None:
    seen: list[Any] = []

    class Notes(Dice):
        def bind(self, data: Any) -> Thrown:
            seen.append(data)
            return super().bind(data)

    audited(Notes(3), data=data, neighbors=[data], relation="declared", max_samples=500)
    assert all(found is data for found in seen)


POOL = """
from concurrent.futures import ThreadPoolExecutor

POOL = ThreadPoolExecutor(1)
POOL.submit(int).result()


def release(data, rng):
    return len(data) + {scale} * POOL.submit(rng.laplace).result()
"""


@pytest.mark.lives
@pytest.mark.parametrize(("scale", "verdict"), [(0.3, "violation"), (1.0, "not-refuted")])
def test_a_function_may_use_threads_that_its_module_has_started(
    tmp_path: Path, scale: float, verdict: str
) -> None:
    """They are missing in a fork of a process that has them: it would wait for ever."""
    (tmp_path / "pool.py").write_text(POOL.format(scale=scale), encoding="utf-8")
    result = audit.run(
        load_callable(f"{tmp_path / 'pool.py'}:release"),
        epsilon=1.0,
        domain="int:0:10",
        max_samples=2_500,
        until="violation",
        timeout=2.0,
    )
    assert result.verdict == verdict
