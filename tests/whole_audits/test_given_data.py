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
