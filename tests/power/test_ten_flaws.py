"""Ten mistakes are found from the record domain alone, and shown on the smallest datasets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

import audit
from audit.verdict.result import AuditResult, Verdict

from . import ten_flaws as functions

pytestmark = pytest.mark.slow


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake, and what has to be found.

    Attributes:
        wrong: the function that makes it.
        right: the same done right.
        domain: what a record may be.
        smaller: the smaller dataset of the witness, or the first one.
        larger: the other.
        relation: what makes two datasets neighbors.
    """

    wrong: Callable[..., Any]
    right: Callable[..., Any]
    domain: str
    smaller: Any
    larger: Any
    relation: str = "add-remove"


def rows(count: int) -> list[dict[str, float]]:
    """Rows of one user, as a result shows them."""
    return [{"user": 0, "spent": 0.0}] * count


MISTAKES = {
    "bounds from the data": Mistake(
        functions.sum_up_to_the_largest, functions.sum_up_to_one, "float:0:1", [], [1.0]
    ),
    "local sensitivity": Mistake(
        functions.median_with_local_noise,
        functions.median_with_global_noise,
        "int:0:100",
        [0, 0],
        [0, 0, 0],
    ),
    "exact count": Mistake(
        functions.mean_over_the_exact_count,
        functions.mean_over_a_noisy_count,
        "float:0:1",
        [0.0],
        [0.0, 0.0],
    ),
    "raises when empty": Mistake(
        functions.mean_that_raises, functions.mean_over_a_noisy_count, "float:0:1", [], [0.0]
    ),
    "exact threshold": Mistake(
        functions.count_from_ten_on,
        functions.noisy_count_from_ten_on,
        "int:0:100",
        [0] * 9,
        [0] * 10,
    ),
    "keys of those present": Mistake(
        functions.counts_of_those_present, functions.counts_of_all_keys, "choice:a,b,c", [], ["a"]
    ),
    "range for magnitude": Mistake(
        functions.sum_by_range, functions.sum_by_magnitude, "int:90:100", [], [90]
    ),
    "wraps around": Mistake(
        functions.sum_in_one_byte,
        functions.sum_in_eight_bytes,
        "int:0:1",
        "127 records: 127 × 1",
        "128 records: 128 × 1; with one more record 1",
    ),
    "quantile range from the data": Mistake(
        functions.quantile_within_the_data,
        functions.quantile_within_the_domain,
        "float:0:1",
        [0.0],
        [1.0],
        "substitute",
    ),
    "many rows of one user": Mistake(
        functions.visits,
        functions.visits_of_five,
        "user=user:5,spent=float:0:1",
        [],
        rows(2),
        "user",
    ),
}
NAMED = pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES.keys())


def audited(function: Callable[..., Any], mistake: Mistake, **settings: Any) -> AuditResult:
    return audit.run(
        function,
        epsilon=functions.EPSILON,
        domain=mistake.domain,
        relation=mistake.relation,
        **settings,
    )


@NAMED
def test_the_mistake_is_shown_on_the_smallest_datasets(mistake: Mistake) -> None:
    result = audited(mistake.wrong, mistake)
    assert result.verdict is Verdict.VIOLATION
    assert result.witness is not None
    assert result.witness.pair == "S1"
    shown = [result.witness.dataset, result.witness.neighbor]
    assert shown in ([mistake.smaller, mistake.larger], [mistake.larger, mistake.smaller])


@NAMED
def test_doing_it_right_is_not_refuted(mistake: Mistake) -> None:
    result = audited(mistake.right, mistake, max_samples=20_000)
    assert result.verdict is Verdict.NOT_REFUTED
    assert result.search is not None
    assert result.search.pairs > 20


@pytest.mark.slow
@NAMED
def test_doing_it_right_is_not_refuted_with_the_default_budget(mistake: Mistake) -> None:
    assert audited(mistake.right, mistake).verdict is Verdict.NOT_REFUTED


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 6))
@NAMED
def test_other_seeds_find_the_same_datasets(mistake: Mistake, seed: int) -> None:
    result = audited(mistake.wrong, mistake, seed=seed, until="violation")
    assert result.witness is not None
    shown = [result.witness.dataset, result.witness.neighbor]
    assert shown in ([mistake.smaller, mistake.larger], [mistake.larger, mistake.smaller])
