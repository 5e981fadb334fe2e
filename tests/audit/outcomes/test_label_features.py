"""Parts that are texts: how many differ, which are like the one before, which are in order."""

from __future__ import annotations

from typing import Any

import pytest

from audit.outcomes.encoding import encode
from audit.outcomes.label_features import ShapeOfTexts, of_labels

DIFFERENT, ALIKE, IN_ORDER = (
    "number of different texts",
    "texts like the one before",
    "texts not before the last one in the alphabet",
)


@pytest.mark.parametrize(
    ("output", "different", "alike", "in_order"),
    [
        (["a", "b", "c"], 3, 0, 2),
        (["c", "b", "a"], 3, 0, 0),
        (["a", "a", "b"], 2, 1, 2),
        (["b", "a", "b"], 2, 0, 1),
        (["a", "a", "a"], 1, 2, 2),
        ([1.5, "a", "b"], 3, 0, 2),
        ([1.5, 2.5, "b"], 2, 1, 2),
    ],
)
def test_they_are_counted(output: list[Any], different: int, alike: int, in_order: int) -> None:
    names = tuple(f"output[{k}]" for k in range(3))
    # Whatever stands beside it in its batch.
    outcomes = encode([output, ["z", "a", "m"]], 2)
    for kind, count in ((DIFFERENT, different), (ALIKE, alike), (IN_ORDER, in_order)):
        assert ShapeOfTexts(kind, names).read(outcomes).values[0] == count


def test_they_are_offered_where_several_parts_are_texts() -> None:
    texts, mixed, numbers = (
        encode([row] * 3, 3) for row in (["a", "b", 1.0], ["a", 2.0, 1.0], [1.0, 2.0, 3.0])
    )
    offered = list(of_labels((texts, texts)))
    assert [f.kind for f in offered] == [DIFFERENT, ALIKE, IN_ORDER]
    assert {f.names for f in offered} == {("output[0]", "output[1]")}
    for sides in ((texts, mixed), (mixed, mixed), (numbers, numbers)):
        assert list(of_labels(sides)) == []
