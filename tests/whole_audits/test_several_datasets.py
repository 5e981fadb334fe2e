"""Several datasets in one audit: each with its neighbors, one wealth, one alpha."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

import audit
from audit.errors import InputError
from audit.frontends.cli.carrying_out import dataset_arguments
from audit.frontends.cli.flags import AuditFlags, DataFlags
from audit.verdict.result import AuditResult

FIRST, SECOND = [1, 2, 3], [4, -5, 6, 7]


def flawed(data: Any, rng: Generator, size: int) -> Any:
    """A negative record counts three times."""
    return len(data) + 2.0 * float((np.asarray(data) < 0).sum()) + rng.laplace(0.0, 1.0, size)


def right(data: Any, rng: Generator, size: int) -> Any:
    return len(data) + rng.laplace(0.0, 1.0, size)


def audited(mechanism: Any, *more: Any, **options: Any) -> AuditResult:
    options = {"epsilon": 1.0, "max_samples": 60_000} | options
    return audit.run(mechanism, data=FIRST, more_data=more, **options)


@pytest.mark.slow
def test_what_only_the_second_dataset_shows_is_found() -> None:
    assert audited(flawed).verdict == "not-refuted"
    result = audited(flawed, SECOND)
    assert result.verdict == "violation"
    assert result.witness is not None
    assert 4 in result.witness.dataset or 4 in result.witness.neighbor


@pytest.mark.slow
def test_a_right_mechanism_keeps_its_claim_on_all_of_them() -> None:
    result = audited(right, SECOND, [], domain="int:-9:9")
    assert result.verdict == "not-refuted"
    assert result.epsilon_lower <= 1.0
    assert {"D1", "D4", "D7"} <= {pair.name for pair in result.pairs}
    assert next(pair for pair in result.pairs if pair.name == "pooled").difference.startswith(
        "D1, D2, D3 pooled"
    )


@pytest.mark.slow
def test_the_same_seed_finds_the_same_for_any_number_of_workers() -> None:
    results = [audited(flawed, SECOND, workers=workers, max_samples=20_000) for workers in (1, 2)]
    assert results[0].log_evalue == results[1].log_evalue
    assert results[0].samples == results[1].samples


@pytest.mark.slow
def test_how_many_neighbors_were_tried_is_said_of_all_datasets() -> None:
    notes = audited(right, SECOND).notes
    assert any(re.match(r"the search tried \S+ neighbors of 2 datasets\b", note) for note in notes)
    assert any("without one record there are 7" in note for note in notes)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"neighbors": [[1, 2]]}, "`neighbors` is of one dataset, and 2 are given"),
        ({"null": True}, "`null` audits one dataset, and 2 are given"),
        ({"relation": "declared"}, "declared"),
    ],
)
def test_what_goes_with_one_dataset_alone_is_refused(options: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        audited(right, SECOND, **options)
    with pytest.raises(InputError, match="without a first dataset"):
        audit.run(right, epsilon=1.0, more_data=[SECOND])


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ((), {"data": None}),
        (("[1, 2]",), {"data": [1, 2]}),
        (("[1, 2]", "[3]", "[]"), {"data": [1, 2], "more_data": [[3], []]}),
    ],
)
def test_the_flag_may_be_repeated(given: tuple[str, ...], found: dict[str, Any]) -> None:
    read = dataset_arguments(AuditFlags(data=DataFlags(data=given)))
    first = None if read["data"] is None else read["data"].tolist()
    others = [data.tolist() for data in read.get("more_data", [])]
    assert {"data": first, **({"more_data": others} if others else {})} == found
