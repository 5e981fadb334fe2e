"""The tree of an index: nodes, siblings and sums, against pandas."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.random import default_rng

from mechanisms.systems.inf_tda.hierarchy import hierarchy, keyed_counts

KEYS = [("b", 1, "x"), ("a", 1, "x"), ("b", 2, "y"), ("b", 1, "z"), ("a", 3, "x")]


def test_sums_of_every_level_agree_with_pandas() -> None:
    counts = default_rng(1).integers(0, 50, 5)
    series = pd.Series(counts, index=pd.MultiIndex.from_tuples(KEYS))
    for depth, level in enumerate(hierarchy(KEYS), 1):
        expected = series.groupby(level=list(range(depth)), sort=False).sum()
        assert level.sums(counts).tolist() == expected.tolist()
        assert level.sizes.sum() == 5


def test_every_node_is_the_child_of_its_parent_once() -> None:
    above = np.zeros(5, dtype=int)
    for level in hierarchy(KEYS):
        pairs = [
            (int(parent), int(child))
            for group in level.siblings
            for parent, children in zip(group.parents, group.children, strict=True)
            for child in children
        ]
        assert sorted(child for _, child in pairs) == list(range(level.nodes))
        assert set(pairs) == set(zip(above.tolist(), level.node.tolist(), strict=True))
        above = level.node


def test_the_last_level_is_the_tuples_in_their_order() -> None:
    assert hierarchy(KEYS)[-1].node.tolist() == [0, 1, 2, 3, 4]


def test_a_series_and_a_frame_hold_the_same() -> None:
    series = pd.Series([1, 2, 3, 4, 0], index=pd.MultiIndex.from_tuples(KEYS))
    frame = pd.DataFrame(KEYS, columns=["p", "q", "r"]).assign(count=[1, 2, 3, 4, 0])
    for data in (series, frame):
        keys, counts = keyed_counts(data)
        assert keys == KEYS
        assert counts.tolist() == [1, 2, 3, 4, 0]


def test_an_index_of_one_level_is_a_flat_hierarchy() -> None:
    keys, counts = keyed_counts(pd.Series([3, 4], index=["a", "b"]))
    (level,) = hierarchy(keys)
    assert (keys, level.sums(counts).tolist()) == ([("a",), ("b",)], [3, 4])


@pytest.mark.parametrize("counts", [[1, -1], [1, 0.5], [1, np.nan], [1, np.inf]])
def test_counts_that_are_none_are_an_error(counts: list[float]) -> None:
    with pytest.raises(ValueError, match="whole numbers"):
        keyed_counts(pd.Series(counts, index=["a", "b"]))


def test_tuples_that_occur_twice_or_not_at_all_are_an_error() -> None:
    for data in (pd.Series([1, 2], index=["a", "a"]), pd.Series([], dtype=float)):
        with pytest.raises(ValueError, match="occur once"):
            keyed_counts(data)
