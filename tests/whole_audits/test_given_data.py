"""Reports that hold records of the caller's data say so, and others do not."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from numpy.random import Generator

import audit
from audit.report.restore import restore
from mechanisms import CATALOG

WARNING = "This report shows records of the given data"
FEW: dict[str, Any] = {"max_samples": 600, "assume": ("independent-calls",)}


def count(data: Any, rng: Generator, size: int) -> Any:
    return len(data) + rng.laplace(0.0, 0.2, size)


@pytest.mark.parametrize("data", [[1, 2], pd.DataFrame({"age": [34, 51], "sex": ["f", "m"]})])
def test_a_report_of_given_data_says_so(data: Any) -> None:
    result = audit.run(count, epsilon=1.0, data=data, **FEW)
    assert result.given_data
    assert WARNING in result.to_markdown()
    assert WARNING in result.to_html()
    assert restore(result.to_json()).given_data


def test_one_of_a_domain_or_of_a_catalogue_does_not() -> None:
    entry = next(entry for entry in CATALOG.values() if entry.data is not None)
    for result in (
        audit.run(count, epsilon=1.0, domain="int:0:9", **FEW),
        audit.run(entry, max_samples=600),
    ):
        assert "given_data" not in result.to_json()
        assert WARNING not in result.to_markdown()
        assert WARNING not in result.to_html()


def kinds(data: Any, rng: Generator, size: int) -> Any:
    return data["age"].nunique() + rng.laplace(0.0, 0.2, size)


def count_of_many_kinds(data: Any, rng: Generator, size: int) -> Any:
    return len(data) + rng.laplace(0.0, 0.2 if data["age"].nunique() > 25 else 9.0, size)


@pytest.mark.parametrize(
    ("mechanism", "given", "domain", "made"),
    [
        (kinds, False, "age=int:0:9[25..30]", True),
        (kinds, True, None, True),
        (count_of_many_kinds, True, None, False),
    ],
    ids=["no data", "worse than the data", "neighbors of the data"],
)
def test_long_datasets_that_the_search_made_are_told_from_given_ones(
    mechanism: Any, given: bool, domain: str | None, made: bool
) -> None:
    data = pd.DataFrame({"age": range(30)}) if given else None
    few = FEW | {"max_samples": 4000}
    result = audit.run(mechanism, epsilon=1.0, data=data, domain=domain, **few)
    assert result.witness is not None and result.worst is not None
    found = [result.witness.made, result.worst.made]
    assert [one is not None for one in found] == [made, made]
    if domain is not None:
        assert all(set(one) == {"dataset", "neighbor"} for one in found if one is not None)
        sizes = sorted(map(len, (result.witness.made or {}).values()))
        assert sizes[1] - sizes[0] == 1 and sizes[0] >= 25


@pytest.mark.parametrize(("data", "neighbor"), [([[1, 2]], []), ([], [[1, 2]])])
def test_an_empty_dataset_beside_rows_has_their_columns(data: Any, neighbor: Any) -> None:
    def total(rows: Any, rng: Generator) -> float:
        return float(rows[:, 0].sum() + rng.laplace())

    result = audit.run(total, epsilon=1.0, data=data, neighbors=[neighbor], **FEW)
    assert result.verdict is audit.Verdict.NOT_REFUTED
