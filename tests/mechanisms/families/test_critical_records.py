"""Statistics with critical records: their sensitivities, and that the search attains them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.random import default_rng

import audit
from audit.verdict.result import Verdict
from mechanisms import CATALOG
from mechanisms.families.critical_records import NODES, STATISTICS, THRESHOLD

NAMES = [name for name, entry in CATALOG.items() if entry.group == "Critical records"]
DATASETS = 300
LARGEST = {"alternating-sum": 2, "stepped-count": 2, "progressions": 9}


def dataset(name: str, seed: int) -> list[Any]:
    """Records of any arrangement: a few, or nearly all there are."""
    rng = default_rng([7, seed])
    if name in ("largest-component", "triangles", "paths"):
        edges = [(u, v) for u in range(NODES) for v in range(NODES) if rng.random() < rng.random()]
        return edges or [(0, 1)]
    size = int(rng.integers(1, 13)) + (THRESHOLD - 6) * (name == "stepped-count")
    return [*map(int, rng.integers(0, LARGEST.get(name, 12), size))]


def value(name: str, records: list[Any]) -> float:
    data: Any = np.array(records)
    if name in ("largest-component", "triangles", "paths"):
        data = pd.DataFrame(records, columns=["u", "v"])
    return STATISTICS[name].value(data)


@pytest.mark.slow
@pytest.mark.parametrize("name", STATISTICS)
def test_no_record_changes_more_than_the_sensitivity_and_one_changes_as_much(name: str) -> None:
    steps = [
        abs(value(name, records) - value(name, records[:at] + records[at + 1 :]))
        for records in (dataset(name, seed) for seed in range(DATASETS))
        for at in range(len(records))
    ]
    assert max(steps) <= STATISTICS[name].sensitivity
    telling = CATALOG[f"{name}-with-noise-for-one"]
    left, right = telling.data, telling.neighbors[0]
    change = abs(STATISTICS[name].value(left) - STATISTICS[name].value(right))
    assert change == STATISTICS[name].sensitivity


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_search_finds_the_wrong_one_alone(name: str) -> None:
    entry = CATALOG[name]
    result = audit.run(entry.mechanism, domain=entry.domain, max_samples=200_000, until="violation")
    assert result.verdict is (Verdict.NOT_REFUTED if entry.truth.keeps else Verdict.VIOLATION)
