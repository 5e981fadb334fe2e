"""Parts that are labels: how many differ, how they are ordered, which number stands with one."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.betting.events import describe
from audit.outcomes.binning import Binning
from audit.outcomes.encoding import encode
from audit.outcomes.label_features import NumberWith, ShapeOfTexts, of_labelled, of_labels
from tests.sayings import holds

DIFFERENT, ALIKE, IN_ORDER = (
    "number of different texts",
    "number of texts like the one before",
    "number of texts not before the last one in the alphabet",
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


WITH_LABELS = st.lists(
    st.tuples(st.sampled_from(["a", "b", 0, 2]), st.sampled_from([0.5, 1.5, 3.25, None])),
    min_size=4,
    max_size=24,
)


@given(WITH_LABELS, st.sampled_from(["'a'", "'b'", 2.0]), st.data())
def test_a_number_is_read_with_its_label_and_said_so(
    rows: list[Any], text: str | float, data: st.DataObject
) -> None:
    """Sentences are true of the outputs in the event, and of no others."""
    feature = NumberWith("output[0]", text, "output[1]")
    column = feature.read(encode(rows, len(rows)))
    binning = Binning.of([1.0, 2.0], column.names[1:])
    count = binning.count - 1
    bins = data.draw(st.lists(st.booleans(), min_size=count, max_size=count).filter(any))
    mask = np.array([*bins, False])
    said = describe(feature, binning, mask).description
    held = mask[binning.code(column)]
    assert [_true(said, *row) for row in rows] == held.tolist(), said


def _true(said: str, label: Any, number: float | None) -> bool:
    """Parts of a sentence, put together as it says."""
    found = re.fullmatch(r"output\[0\] is (not )?(\S+?)(,? (and|or) (output.*))?", said)
    assert found is not None
    here = (repr(label) == found[2]) != bool(found[1])
    if found[3] is None:
        return here
    output = "None" if number is None else number
    read = holds(found[5].replace("output[1]", "the output"), output, ("None",))
    return (here and read) if found[4] == "and" else (here or read)


def test_numbers_are_read_by_labels_that_are_few() -> None:
    few = encode([(winner, 0.5 + k) for k, winner in enumerate("abcabc")], 6)
    many = encode([(chr(97 + k), 0.5 + k) for k in range(20)], 20)
    by_place = encode([(k % 3, 0.5 + k) for k in range(6)], 6)
    names = ("output[1]",)
    assert [f.words for f in of_labelled(few.columns, names)] == [
        f"output[1] where output[0] is '{winner}'" for winner in "abc"
    ]
    assert [f.text for f in of_labelled(by_place.columns, names)] == [0.0, 1.0, 2.0]
    assert list(of_labelled(many.columns, names)) == []
