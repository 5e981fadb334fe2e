"""Features worth reading are found in outputs of every shape."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from audit.outcomes.encoding import KIND, encode
from audit.outcomes.feature_selection import features_for
from audit.outcomes.features import (
    BinnedScore,
    Distance,
    LocationScore,
    Part,
    Pattern,
    Summary,
    TwoParts,
)


def found(left: list[Any], right: list[Any]) -> list[Any]:
    return features_for(encode(left, len(left)), encode(right, len(right)))


def test_a_number_is_read_as_it_is_and_by_its_distance() -> None:
    features = found([1.0, 2.0, 3.0], [2.0, 3.0, 7.0])
    assert features == [Part("output"), Distance("output", 2.5)]


@pytest.mark.parametrize("left", [[None, 1.0], ["a", "b"], [True, False]])
def test_what_varies_is_read(left: list[Any]) -> None:
    assert Part("output") in found(left, left)


def test_what_never_varies_is_not_read() -> None:
    features = found([[1.0, 5.0], [2.0, 5.0]], [[3.0, 5.0], [4.0, 5.0]])
    assert {name for name in map(str, features) if "output[1]" in name} == set()
    assert found([1.0] * 4, [1.0] * 4) == [Part(KIND)]


def test_kinds_and_lengths_are_parts() -> None:
    features = found([[1.0], [1.0, 2.0]], [None, [1.0]])
    assert Part(KIND) in features
    assert Part("length of output") in features


def test_vectors_have_summaries_differences_and_scores() -> None:
    rows = list(np.random.default_rng(0).normal(size=(20, 6)))
    kinds = {type(feature) for feature in found(rows, rows[::-1])}
    assert {Part, Distance, Summary, TwoParts, LocationScore, BinnedScore} <= kinds


def test_short_vectors_have_all_pairwise_differences_and_long_ones_steps() -> None:
    def names(width: int) -> set[str]:
        rows = list(np.random.default_rng(0).normal(size=(20, width)))
        return {f.words for f in found(rows, rows) if isinstance(f, TwoParts) and f.sign == "-"}

    assert names(3) == {
        "output[0] - output[1]",
        "output[0] - output[2]",
        "output[1] - output[2]",
    }
    assert names(6) == {f"output[{i + 1}] - output[{i}]" for i in range(5)}


def test_discrete_parts_are_read_together() -> None:
    rows = [[0, "a"], [1, "b"], [0, "b"], [1, "a"]]
    assert Pattern(("output[0]", "output[1]"), (0.0, 0.0)) in found(rows, rows)


def test_many_parts_are_read_with_few_features() -> None:
    rows = list(np.random.default_rng(0).normal(size=(20, 500)))
    assert len(found(rows, rows)) < 120
